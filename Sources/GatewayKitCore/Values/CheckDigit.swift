/// How the last digit of a card number follows from the others.
public enum CheckDigitRule: String, Sendable, Hashable {
    /// ISO/IEC 7812-1, annex B: nearly every brand.
    case luhn
    /// Naranja's own modulus 11, or Luhn: both kinds are in use.
    case naranjaOrLuhn
    /// Creditel's weighted sum modulo 10.
    case creditel
    /// The brand has no rule that is known: every last digit passes.
    case unchecked

    /// Whether `digits` (ASCII digits, or values 0 to 9) pass.
    ///
    /// False for an empty collection and for anything that is no digit. Naranja's and Creditel's own rules are
    /// defined for 16 digits. Allocates nothing.
    public func passes(_ digits: some RandomAccessCollection<UInt8>) -> Bool {
        guard !digits.isEmpty, digits.allSatisfy({ CheckDigit.value($0) != nil }) else { return false }
        switch self {
        case .luhn: return CheckDigit.luhn(digits)
        case .naranjaOrLuhn: return CheckDigit.luhn(digits) || CheckDigit.naranja(digits)
        case .creditel: return CheckDigit.creditel(digits)
        case .unchecked: return true
        }
    }
}

/// The arithmetic behind ``CheckDigitRule``; callers have made sure that every byte is a digit.
enum CheckDigit {
    /// The value of an ASCII digit, or of a byte that is itself 0 to 9.
    @inline(__always)
    static func value(_ byte: UInt8) -> UInt8? {
        if byte <= 9 { return byte }
        let value = byte &- 0x30
        return value <= 9 ? value : nil
    }

    static func luhn(_ digits: some RandomAccessCollection<UInt8>) -> Bool {
        var sum = 0
        var doubles = digits.count.isMultiple(of: 2)
        for byte in digits {
            let digit = Int(byte & 0x0F)
            sum += !doubles ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
            doubles.toggle()
        }
        return sum.isMultiple(of: 10)
    }

    static func naranja(_ digits: some RandomAccessCollection<UInt8>) -> Bool {
        guard let (sum, check) = weighted(digits, by: (4, 3, 2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) else {
            return false
        }
        let expected = 11 - sum % 11
        return check == (expected > 9 ? 0 : expected)
    }

    static func creditel(_ digits: some RandomAccessCollection<UInt8>) -> Bool {
        guard let (sum, check) = weighted(digits, by: (5, 4, 3, 2, 1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 9)) else {
            return false
        }
        return check == sum % 10
    }

    private typealias Weights = (
        UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
    )

    /// The weighted sum of the first 15 digits, and the 16th; a tuple holds the weights so that nothing is allocated.
    private static func weighted(
        _ digits: some RandomAccessCollection<UInt8>, by weights: Weights
    ) -> (sum: Int, check: Int)? {
        guard digits.count == 16, let last = digits.last else { return nil }
        let sum = withUnsafeBytes(of: weights) { weights in
            zip(weights, digits).reduce(0) { $0 + Int($1.0) * Int($1.1 & 0x0F) }
        }
        return (sum, Int(last & 0x0F))
    }
}
