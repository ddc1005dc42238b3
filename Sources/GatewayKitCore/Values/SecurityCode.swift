/// A card's security code (CVV, CVC, CID): three or four ASCII digits.
///
/// It prints as `[FILTERED]`, has no `Codable` conformance and must not be stored after authorization (PCI DSS 3.3.1).
/// Leading zeros are kept.
public struct SecurityCode: Sendable, Equatable {
    private let digits: Sensitive<String>
    /// How many digits the code has, 3 or 4.
    public let length: Int

    /// Reads a code as it is typed: white space is left out, decimal digits of every script become ASCII.
    ///
    /// Throws `missing` for blank text, `malformed` for letters and other characters, `tooShort` and `tooLong`, each
    /// for the field `securityCode`. Whether the length is right for a brand is ``Card/issues(at:)``'s question.
    public init(_ text: Sensitive<String>) throws(InvalidCardInput) {
        switch text.withExposed({ DigitText.normalise($0, dashes: false) }) {
        case .blank:
            throw InvalidCardInput(.securityCode, .missing, "The security code is missing.")
        case .malformed:
            throw InvalidCardInput(
                .securityCode, .malformed, "The security code contains other characters than digits.")
        case .digits(let digits):
            length = digits.utf8.count
            guard length >= 3 else {
                throw InvalidCardInput(.securityCode, .tooShort, "The security code has fewer than three digits.")
            }
            guard length <= 4 else {
                throw InvalidCardInput(.securityCode, .tooLong, "The security code has more than four digits.")
            }
            self.digits = Sensitive(digits)
        }
    }

    /// Hands the digits to `body`, which must not let them reach a log, an error or a description.
    public func withExposed<Result, Failure: Error>(
        _ body: (String) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try digits.withExposed(body)
    }

    /// The digits, still guarded: for a request body or for a redactor that must know them.
    public var sensitive: Sensitive<String> { digits }

    /// What is wrong with this code on a card of `brand`: `tooShort` or `tooLong`, or nothing.
    ///
    /// A brand with detection rules wants exactly ``CardBrand/securityCodeLength`` digits; an unknown one takes both.
    public func issues(for brand: CardBrand?) -> [FieldIssue] {
        guard let brand, CardBrand.known.contains(brand), length != brand.securityCodeLength else { return [] }
        return [
            FieldIssue(
                .securityCode, length < brand.securityCodeLength ? .tooShort : .tooLong,
                message:
                    "The security code of a \(brand.displayName) card has \(count: brand.securityCodeLength) digits.")
        ]
    }
}

extension SecurityCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `[FILTERED]`.
    public var description: String { digits.description }
    /// Always `[FILTERED]`.
    public var debugDescription: String { digits.description }
    /// An empty mirror: `dump` shows nothing of the value.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
