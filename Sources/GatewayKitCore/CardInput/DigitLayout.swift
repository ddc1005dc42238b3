/// How digits are laid out for the eye: behind how many digits a separator stands, if another digit follows.
struct DigitLayout: Sendable, Equatable {
    /// Ascending numbers of digits.
    let breaks: [Int]
    let separator: String

    static let plain = DigitLayout(breaks: [], separator: "")

    /// `MM / YY`.
    static let expiry = DigitLayout(breaks: [2], separator: " / ")

    /// As numbers are printed on the cards of the brand: 4-6-5 for American Express, 4-6-4 for Diners Club up to 14
    /// digits, 4-5-6 for UATP, otherwise in fours.
    static func number(brand: CardBrand?, count: Int) -> DigitLayout {
        switch brand {
        case .americanExpress: DigitLayout(breaks: [4, 10], separator: " ")
        case .dinersClub where count <= 14: DigitLayout(breaks: [4, 10], separator: " ")
        case .uatp: DigitLayout(breaks: [4, 9], separator: " ")
        default: DigitLayout(breaks: Array(stride(from: 4, to: max(count, 5), by: 4)), separator: " ")
        }
    }

    /// How many characters the first `count` digits take, separators between them included. So it is also where the
    /// caret stands right behind them.
    func width(_ count: Int) -> Int {
        count + separator.count * breaks.count { $0 < count }
    }

    /// How many of `count` digits stand before the place `offset`.
    func digits(before offset: Int, of count: Int) -> Int {
        var digits = 0
        while digits < count, width(digits + 1) <= offset { digits += 1 }
        return digits
    }

    /// The digits, or what stands for them, with separators.
    func text(_ digits: String) -> String {
        var text = ""
        for (place, digit) in digits.enumerated() {
            if breaks.contains(place) { text += separator }
            text.append(digit)
        }
        return text
    }
}
