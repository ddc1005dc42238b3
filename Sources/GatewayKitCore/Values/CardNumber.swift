/// A card number (PAN) in its one form: 12 to 19 ASCII digits, nothing between them.
///
/// A value of this type is well-formed, not necessarily right: see ``passesCheckDigit`` and ``issues``. It prints as
/// `visa ending 1111`, has no `Codable` conformance, and gives its digits to ``withExposed(_:)`` only. Equality takes
/// equally long wherever two numbers of one length differ.
public struct CardNumber: Sendable, Equatable {
    /// The shortest and the longest number that ISO/IEC 7812-1 and the brands in use allow.
    public static let lengths = 12...19

    private let digits: Sensitive<String>
    /// How many digits the number has, 12 to 19.
    public let length: Int
    /// The brand, `nil` when no known brand has such numbers: no error by itself.
    public let brand: CardBrand?
    /// Whether the last digit is what its brand's rule (Luhn for an unknown brand) asks for.
    public let passesCheckDigit: Bool
    /// The last four digits, which may be shown.
    public let lastFour: String
    /// The first six digits, which may be shown; `nil` for numbers of fewer than 13 digits, of which they would leave
    /// too little hidden.
    public let firstSix: String?

    /// Reads a number as it is typed or pasted.
    ///
    /// Spaces and dashes of every kind and invisible format characters are left out; decimal digits of every script
    /// (full-width, Arabic-Indic, Devanagari...) become ASCII. Throws `missing` for text without any digit,
    /// `malformed` for other characters, `tooShort` and `tooLong`, each for the field `number`. A wrong check digit
    /// or an unusual length for the brand is not thrown; see ``issues``.
    public init(_ text: Sensitive<String>) throws(InvalidCardInput) {
        switch text.withExposed({ DigitText.normalise($0) }) {
        case .blank:
            throw InvalidCardInput(.number, .missing, "The card number is missing.")
        case .malformed:
            throw InvalidCardInput(
                .number, .malformed, "The card number contains other characters than digits, spaces and hyphens.")
        case .digits(let digits):
            let length = digits.utf8.count
            guard length >= Self.lengths.lowerBound else {
                throw InvalidCardInput(
                    .number, .tooShort, "The card number has \(count: length) digits; the shortest have 12.")
            }
            guard length <= Self.lengths.upperBound else {
                throw InvalidCardInput(
                    .number, .tooLong, "The card number has \(count: length) digits; the longest have 19.")
            }
            self.init(normalised: digits, length: length)
        }
    }

    private init(normalised digits: String, length: Int) {
        let rule = BrandRule.find(for: digits)
        self.digits = Sensitive(digits)
        self.length = length
        brand = rule?.brand
        passesCheckDigit = (rule?.check ?? .luhn).passes(Array(digits.utf8))
        lastFour = String(digits.suffix(4))
        firstSix = length >= 13 ? String(digits.prefix(6)) : nil
    }

    /// Hands the digits to `body`, which must not let them reach a log, an error or a description.
    public func withExposed<Result, Failure: Error>(
        _ body: (String) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try digits.withExposed(body)
    }

    /// The digits, still guarded: for a request body or for a redactor that must know them.
    public var sensitive: Sensitive<String> { digits }

    /// Compares the digits in constant time.
    public static func == (left: CardNumber, right: CardNumber) -> Bool {
        left.digits == right.digits
    }

    /// What is wrong with a well-formed number; empty when nothing is.
    ///
    /// `checkDigit` when the last digit does not match (most often a typing error), or
    /// `tooShort`, `tooLong` or `malformed` when the brand has no numbers of this length. A length that the brand does
    /// not have goes before the check digit, which says nothing then. An unknown brand is no issue.
    public var issues: [FieldIssue] {
        let lengths = brand?.numberLengths ?? []
        if let brand, let shortest = lengths.first, let longest = lengths.last, !lengths.contains(length) {
            let problem: FieldIssue.Problem =
                length < shortest ? .tooShort : length > longest ? .tooLong : .malformed
            return [
                FieldIssue(
                    .number, problem,
                    message: "\(brand.displayName) numbers do not have \(count: length) digits: check the number.")
            ]
        }
        guard passesCheckDigit else {
            return [
                FieldIssue(
                    .number, .checkDigit, message: "The card number is mistyped: its check digit does not match.")
            ]
        }
        return []
    }
}

extension CardNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `visa ending 1111`, or `card ending 1111` for an unknown brand.
    public var description: String { "\(brand?.id ?? "card") ending \(lastFour)" }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
