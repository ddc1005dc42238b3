/// Text in which only digits count: how typed and pasted card data is brought into one form.
enum DigitText {
    /// ASCII digits, or why there are none.
    enum Outcome: Equatable {
        case digits(String)
        /// Nothing but separators.
        case blank
        /// A character that is neither a digit nor an ignored separator.
        case malformed
    }

    /// Maps decimal digits of every script to ASCII and leaves out separators.
    ///
    /// Separators are white space (no-break, thin and figure spaces too), dashes of every length, the minus sign, and
    /// invisible format characters such as direction marks, which come along when numbers are pasted. `dashes` false
    /// makes dashes malformed.
    static func normalise(_ text: String, dashes: Bool = true) -> Outcome {
        var digits = ""
        for scalar in text.unicodeScalars {
            if let digit = decimalDigit(scalar) {
                digits.unicodeScalars.append(digit)
            } else if !isSpace(scalar), !(dashes && isDash(scalar)) {
                return .malformed
            }
        }
        return digits.isEmpty ? .blank : .digits(digits)
    }

    /// The ASCII digit of the same value, for a decimal digit of any script.
    static func decimalDigit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.isASCII { return ("0"..."9").contains(scalar) ? scalar : nil }
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return (0...9).contains(value) ? Unicode.Scalar(UInt8(ascii: "0") + UInt8(value)) : nil
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
    }

    static func isDash(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .dashPunctuation || scalar == "\u{2212}"
    }
}
