extension CardBrand {
    /// Every brand that has detection rules, in the order in which they are tried; each once.
    public static let known: [CardBrand] = {
        var seen: Set<CardBrand> = []
        return BrandTable.rules.map(\.brand).filter { seen.insert($0).inserted }
    }()

    /// The brand of a number, `nil` when no rule fits or `digits` holds anything but ASCII digits.
    ///
    /// The answer is always the same for the same digits: the rules are an ordered list, and the order of the brands
    /// is that of ``known``: Visa and Mastercard first, whose networks carry co-badged cards (a 4-prefixed Alelo or
    /// Elo card is `visa`); then the brands with lists of six to eight digits (a 65-prefixed Elo card is `elo`); then
    /// those with wide ranges. A rule whose length fits too goes before one whose prefix alone fits.
    public static func detect(_ digits: String) -> CardBrand? {
        BrandRule.find(for: digits)?.brand
    }

    /// The brands that a number beginning with `prefix` may still become, in the order of ``known``, each once.
    ///
    /// For use while digits are being typed. Empty for anything but ASCII digits and for more digits than any brand
    /// has; every brand for the empty prefix.
    public static func candidates(forPrefix prefix: String) -> [CardBrand] {
        guard let prefix = NumberPrefix(prefix) else { return [] }
        var seen: Set<CardBrand> = []
        return BrandTable.rules.filter { rule in
            rule.lengths.contains { $0 >= prefix.count } && rule.ranges.contains { $0.overlaps(prefix.range) }
        }.map(\.brand).filter { seen.insert($0).inserted }
    }

    /// The lengths that whole numbers of this brand have, ascending; empty when the brand has no rule.
    public var numberLengths: [Int] { Self.numberLengthsByBrand[self] ?? [] }

    private static let numberLengthsByBrand: [CardBrand: [Int]] = {
        let lengths = Dictionary(BrandTable.rules.map { ($0.brand, $0.lengths) }) { $0.union($1) }
        return lengths.mapValues { $0.sorted() }
    }()
}

extension BrandRule {
    /// The first rule that fits in prefix and length, else the first that fits in prefix.
    static func find(for digits: String) -> BrandRule? {
        guard let number = NumberPrefix(digits), number.count > 0 else { return nil }
        var byPrefix: BrandRule?
        for rule in BrandTable.rules where rule.ranges.contains(where: { $0.contains(number.range) }) {
            if rule.lengths.contains(number.count) { return rule }
            byPrefix = byPrefix ?? rule
        }
        return byPrefix
    }

    /// How many digits a number can have that begins so: as many as the longest of all brands that it may become, and
    /// 19 where none is known.
    static func longestNumber(beginningWith digits: String) -> Int {
        guard let prefix = NumberPrefix(digits) else { return CardNumber.lengths.upperBound }
        let lengths = BrandTable.rules.lazy.filter { rule in rule.ranges.contains { $0.overlaps(prefix.range) } }
            .compactMap { $0.lengths.max() }
        return lengths.max() ?? CardNumber.lengths.upperBound
    }
}

/// The first eight digits of a number, as the range of all eight-digit prefixes that begin so.
private struct NumberPrefix {
    let range: ClosedRange<UInt32>
    let count: Int

    init?(_ digits: String) {
        var value: UInt32 = 0
        var count = 0
        for byte in digits.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            if count < 8 { value = value * 10 + UInt32(byte - 0x30) }
            count += 1
        }
        let unit = (min(count, 8)..<8).reduce(UInt32(1)) { unit, _ in unit * 10 }
        range = value * unit...value * unit + (unit - 1)
        self.count = count
    }
}
