/// The field for the card number.
struct NumberEntry: DigitEntry {
    /// More digits are no mistake in a card number, but another text.
    static let mostPasted = 40

    var buffer = DigitBuffer() {
        didSet { if buffer.guarded != oldValue.guarded { judge() } }
    }

    /// The brand that the digits begin like.
    private(set) var brand: CardBrand?
    /// What follows from the digits alone is found once for each change, because it is asked for often.
    private var reading = Result<CardNumber, InvalidCardInput>.failure(missing)
    private var usualLengths: [Int] = []

    private static let missing = InvalidCardInput(.number, .missing, "The card number is missing.")

    private mutating func judge() {
        let rule = buffer.withDigits { BrandRule.find(for: $0) }
        brand = rule?.brand
        usualLengths = UsualLengths.of(rule)
        do throws(InvalidCardInput) {
            let number = try CardNumber(buffer.guarded)
            let issues = number.issues
            if let first = issues.first { throw InvalidCardInput(first, Array(issues.dropFirst())) }
            reading = .success(number)
        } catch {
            reading = .failure(error)
        }
    }

    func layout(_ digits: String) -> DigitLayout {
        .number(brand: BrandRule.find(for: digits)?.brand, count: digits.utf8.count)
    }

    mutating func take(
        _ text: String, at range: Range<Int>, isPasted: Bool, _ surroundings: EntrySurroundings
    ) -> FieldIssue? {
        switch DigitText.normalise(text) {
        case .blank:
            return nil
        case .malformed:
            return FieldIssue(
                .number, .malformed,
                message: "The card number contains other characters than digits, spaces and hyphens.")
        case .digits(let digits):
            let (head, tail) = buffer.around(range)
            let all = head + digits + tail
            let length = all.utf8.count
            let longest = isPasted ? Self.mostPasted : BrandRule.longestNumber(beginningWith: all)
            // What replaces as many digits is taken: it only shows that the others do not belong to it.
            if length > longest, length > buffer.count {
                return FieldIssue(
                    .number, .tooLong, message: "The card number has no more digits: it has \(count: longest) at most.")
            }
            set(head: head + digits, tail: tail)
            return nil
        }
    }

    /// The number, if everything about it is right.
    func value() throws(InvalidCardInput) -> CardNumber {
        try reading.get()
    }

    /// While the field has the focus, digits may follow: a number is complete before its brand's longest usual length
    /// only at a usual length, and wrong only from the longest on. Once the field is left, it is what it is.
    func state(isFocused: Bool) -> CardInputState {
        let count = buffer.count
        guard count > 0, let shortest = usualLengths.first, let longest = usualLengths.last else { return .blank }
        switch reading {
        case .success:
            return isFocused && count < longest && !usualLengths.contains(count) ? .incomplete : .complete
        case .failure(let error):
            guard count >= (isFocused ? longest : shortest), let issue = error.issues.first else { return .incomplete }
            return .invalid(issue)
        }
    }
}

/// The lengths that nearly all numbers in use of a brand have. Rare lengths are right too, but a number on its way to a
/// usual one passes through them.
private enum UsualLengths {
    /// Ascending, at least one.
    static func of(_ rule: BrandRule?) -> [Int] {
        guard let rule else { return [16, 19] }
        return switch rule.brand {
        case .visa, .discover, .mir: [16]
        case .dinersClub: [14, 16]
        case .unionPay: [16, 19]
        case .maestro, .verve: [16, 18, 19]
        default: rule.lengths.sorted()
        }
    }
}
