/// Refuses command lines that hold a card number, before anything else looks at them.
///
/// Arguments are visible in the process list and stay in the shell's history, so card data is refused here however it
/// is spelled. All arguments are read as one text, so that a number that the shell split into several arguments is
/// found too. What is refused: 12 to 19 decimal digits of any script, alone or in groups, that pass the Luhn check or
/// belong to a brand that has none; and a number with a known prefix and length inside a longer run of digits.
/// Left alone: a UUID, a dotted IPv4 address, and telephone numbers that start with `+`.
enum CardNumberGuard {
    /// What is told instead of the argument.
    static let refusal = """
        an argument looks like a card number, and card data never goes on the command line, where it is visible in \
        the process list and in the shell's history. Give the card as JSON on stdin with --card-stdin, or name a \
        public test card with --test-card NAME
        """

    /// Whether any of the arguments, or several in a row, look like a card number.
    static func refuses(_ arguments: [String]) -> Bool {
        let text = arguments.map { isUUID($0) ? "u" : $0 }.joined(separator: " ")
        return runs(of: text).contains(where: holdsCardNumber)
    }

    /// Groups of digits with nothing but separators between them.
    private struct Run {
        var groups: [[UInt8]] = []
        var followsPlus = false
        var hasDotsOnly = true
    }

    private static func runs(of text: String) -> [Run] {
        var runs: [Run] = []
        var run = Run()
        var group: [UInt8] = []
        var separators = 0
        var sawOtherThanDot = false
        var previous: Unicode.Scalar = " "
        func close() {
            if !group.isEmpty { run.groups.append(group) }
            if !run.groups.isEmpty { runs.append(run) }
            run = Run()
            group = []
            separators = 0
            sawOtherThanDot = false
        }
        for scalar in decodingPercentSpaces(text) {
            if let digit = decimalDigit(scalar) {
                if run.groups.isEmpty, group.isEmpty {
                    run.followsPlus = previous == "+"
                } else if group.isEmpty, sawOtherThanDot {
                    run.hasDotsOnly = false
                }
                group.append(digit)
                separators = 0
            } else if isSeparator(scalar), separators < 4 {
                if !group.isEmpty { run.groups.append(group) }
                group = []
                separators += 1
                // A plus that stands free starts a telephone number, also right behind another number.
                if scalar == "+", previous == " " { close() }
                sawOtherThanDot = sawOtherThanDot || scalar != "."
            } else {
                close()
            }
            previous = scalar
        }
        close()
        return runs
    }

    private static func holdsCardNumber(_ run: Run) -> Bool {
        if run.hasDotsOnly, run.groups.count == 4, run.groups.allSatisfy({ $0.count <= 3 }) { return false }
        for start in run.groups.indices {
            var digits: [UInt8] = []
            for group in run.groups[start...] {
                digits += group
                if digits.count > 19 { break }
                if digits.count >= 12, looksLikeCard(digits, isPhone: run.followsPlus) { return true }
            }
        }
        return run.groups.contains { group in
            group.count > 12 && !(run.followsPlus && group.count <= 15) && holdsKnownNumber(group)
        }
    }

    /// A whole group or several: the check digit is enough, whatever the prefix.
    private static func looksLikeCard(_ digits: [UInt8], isPhone: Bool) -> Bool {
        if isPhone, digits.count <= 15 {
            // Telephone numbers have at most 15 digits and never as many with these prefixes.
            return (digits.count == 15 && hasPrefix(digits, ["34", "37"]) && passesLuhn(digits))
                || (digits.count == 14 && hasPrefix(digits, ["30", "36", "38"]) && passesLuhn(digits))
        }
        if Set(digits) == [0] { return false }
        return passesLuhn(digits) || isBrandWithoutCheckDigit(digits)
    }

    /// A number with something attached, such as its CVV: prefix, length and check digit must all fit.
    private static func holdsKnownNumber(_ group: [UInt8]) -> Bool {
        for start in group.indices {
            for length in [14, 15, 16, 19] where start + length <= group.count {
                let window = Array(group[start..<start + length])
                if hasKnownPrefix(window), passesLuhn(window) { return true }
            }
        }
        return false
    }

    private static func hasKnownPrefix(_ digits: [UInt8]) -> Bool {
        switch digits.count {
        case 14: hasPrefix(digits, ["300", "301", "302", "303", "304", "305", "36", "38"])
        case 15: hasPrefix(digits, ["34", "37"])
        case 16: hasPrefix(digits, ["4", "51", "52", "53", "54", "55", "22", "23", "24", "25", "26", "27", "35", "6"])
        case 19: hasPrefix(digits, ["4", "6"])
        default: false
        }
    }

    /// Naranja cards and a part of UnionPay's carry no check digit.
    private static func isBrandWithoutCheckDigit(_ digits: [UInt8]) -> Bool {
        digits.count >= 16 && hasPrefix(digits, digits.count == 16 ? ["589562", "62"] : ["62"])
    }

    private static func hasPrefix(_ digits: [UInt8], _ prefixes: [String]) -> Bool {
        prefixes.contains { digits.starts(with: $0.utf8.map { $0 - 0x30 }) }
    }

    static func passesLuhn(_ digits: [UInt8]) -> Bool {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            let doubled = Int(digit) * 2
            sum += place % 2 == 0 ? Int(digit) : doubled > 9 ? doubled - 9 : doubled
        }
        return sum % 10 == 0
    }

    private static func decimalDigit(_ scalar: Unicode.Scalar) -> UInt8? {
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return UInt8(exactly: value)
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .dashPunctuation, .connectorPunctuation, .format, .control: true
        default: ".,/+−·•|'\"".unicodeScalars.contains(scalar)
        }
    }

    private static func decodingPercentSpaces(_ text: String) -> [Unicode.Scalar] {
        let scalars = Array(text.unicodeScalars)
        var decoded: [Unicode.Scalar] = []
        decoded.reserveCapacity(scalars.count)
        var index = 0
        while index < scalars.count {
            if scalars[index] == "%", index + 2 < scalars.count, scalars[index + 1] == "2",
                "0dD".unicodeScalars.contains(scalars[index + 2])
            {
                decoded.append(" ")
                index += 3
            } else {
                decoded.append(scalars[index])
                index += 1
            }
        }
        return decoded
    }

    /// 8-4-4-4-12 hexadecimal digits, at least one of them a letter: an idempotency key, not a card.
    private static func isUUID(_ argument: String) -> Bool {
        let value = argument.hasPrefix("--") ? argument.drop { $0 != "=" }.dropFirst() : argument[...]
        let parts = value.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && value.utf8.allSatisfy { isHexadecimal($0) || $0 == 0x2D }
            && value.utf8.contains { $0 > 0x39 }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
