extension CardBrand {
    /// Whether these digits may be a card number: the redactor's question about every window of 12 to 19 digits.
    ///
    /// `window` holds ASCII digits or values 0 to 9; anything else, and any other length, answers false. True when
    /// - a rule of any known brand fits in prefix, length and check digit (brands without a check digit fit by prefix
    ///   and length), or
    /// - the window has 13 to 19 digits, passes Luhn, and begins like a number of a big brand (Visa, Mastercard,
    ///   American Express, Discover, Diners Club, JCB, UnionPay, Maestro), whatever that brand's usual length is.
    ///
    /// It errs towards true: about one in ten random numbers beginning with 3 to 6 is taken for a card. Allocates
    /// nothing; the cost is one binary search and, for windows that begin like a card number, a pass over the digits.
    public static func mayBeCardNumber(_ window: some RandomAccessCollection<UInt8>) -> Bool {
        let count = window.count
        guard count >= 12, count <= 19 else { return false }
        // Most windows of a log are told by their first digits, so those are judged before the sum is made.
        var prefix: UInt32 = 0
        for byte in window.prefix(8) {
            guard let value = CheckDigit.value(byte) else { return false }
            prefix = prefix &* 10 &+ UInt32(value)
        }
        let isBig = count >= 13 && beginsLikeBigBrand(prefix / 10_000)
        let bit = UInt32(1) << UInt32(count)
        let lengths = PrefixIndex.shared.lengths(at: prefix)
        guard isBig || lengths.any & bit != 0 else { return false }
        guard window.dropFirst(8).allSatisfy({ CheckDigit.value($0) != nil }) else { return false }
        if lengths.unchecked & bit != 0 { return true }
        if isBig || lengths.luhn & bit != 0, CheckDigit.luhn(window) { return true }
        if lengths.naranja & bit != 0, CheckDigit.naranja(window) { return true }
        return lengths.creditel & bit != 0 && CheckDigit.creditel(window)
    }

    /// The first four digits, judged more widely than the table does: new ranges are issued inside these every year.
    /// JCB's old 15-digit prefixes 2131 and 1800 stay out: 1800 begins every millisecond time stamp of early 2027.
    private static func beginsLikeBigBrand(_ four: UInt32) -> Bool {
        switch four {
        case 3000...3102, 3112...3120, 3158...3159, 3337...3999: return true
        case 4000...6999, 2200...2720, 8100...8199: return true
        default: return false
        }
    }
}

/// The brand table turned round: for each stretch of eight-digit prefixes, which lengths may be card numbers.
///
/// Overlapping rules are merged, so one binary search answers for all brands at once.
private struct PrefixIndex {
    struct Lengths: Equatable {
        /// One bit per length, for each way to check the last digit.
        var luhn: UInt32 = 0
        var unchecked: UInt32 = 0
        var naranja: UInt32 = 0
        var creditel: UInt32 = 0
        var any: UInt32 { luhn | unchecked | naranja | creditel }
    }

    static let shared = PrefixIndex(BrandTable.rules)

    /// Where each stretch begins, ascending; a stretch ends before the next one begins.
    private var starts: [UInt32] = []
    private var stretches: [Lengths] = []

    init(_ rules: [BrandRule]) {
        let ranges = rules.flatMap(\.ranges)
        let edges = Set(ranges.map(\.lowerBound) + ranges.map { $0.upperBound + 1 } + [0]).sorted()
        for edge in edges {
            var lengths = Lengths()
            for rule in rules where rule.ranges.contains(where: { $0.contains(edge) }) {
                let bits = rule.lengths.reduce(UInt32(0)) { $0 | 1 << UInt32($1) }
                switch rule.check {
                case .luhn: lengths.luhn |= bits
                case .naranjaOrLuhn:
                    lengths.luhn |= bits
                    lengths.naranja |= bits
                case .creditel: lengths.creditel |= bits
                case .unchecked: lengths.unchecked |= bits
                }
            }
            if stretches.last != lengths {
                starts.append(edge)
                stretches.append(lengths)
            }
        }
    }

    func lengths(at prefix: UInt32) -> Lengths {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= prefix { low = middle } else { high = middle }
        }
        return low < stretches.count ? stretches[low] : Lengths()
    }
}
