extension CardExpiry {
    /// Reads one text: `MM/YY`, `MM/YYYY`, `MMYY`, `MMYYYY`, with `/`, `-`, `.`, a dash or white space between month
    /// and year; `M/YY` too where there is something between. Digits of every script are read.
    ///
    /// Throws `missing` for blank text and `malformed` otherwise, for the field `expiryMonth` or `expiryYear`; an
    /// expired date is read, see ``issues(at:yearsAhead:)``.
    /// - Parameter now: what two-digit years are resolved against, see ``resolve(twoDigitYear:at:)``.
    public static func read(_ text: String, now: WallTime) throws(InvalidCardInput) -> CardExpiry {
        var parts: [String] = [""]
        for scalar in text.unicodeScalars {
            if let digit = DigitText.decimalDigit(scalar) {
                parts[parts.count - 1].unicodeScalars.append(digit)
            } else if isSeparator(scalar) {
                if parts.last?.isEmpty == false { parts.append("") }
            } else {
                throw unreadable
            }
        }
        if parts.last?.isEmpty == true { parts.removeLast() }
        switch parts.count {
        case 0:
            throw InvalidCardInput(.expiryMonth, .missing, "The expiry date is missing.")
        case 1:
            let digits = parts[0]
            guard digits.count == 4 || digits.count == 6 else { throw unreadable }
            return try read(month: String(digits.prefix(2)), year: String(digits.dropFirst(2)), now: now)
        case 2:
            return try read(month: parts[0], year: parts[1], now: now)
        default:
            throw unreadable
        }
    }

    /// Reads month (`1` to `12`, `01` to `12`) and year (two or four digits) from texts of their own.
    ///
    /// Reports what is wrong with both at once: `missing` or `malformed` for `expiryMonth` and `expiryYear`.
    /// - Parameter now: what two-digit years are resolved against, see ``resolve(twoDigitYear:at:)``.
    public static func read(month: String, year: String, now: WallTime) throws(InvalidCardInput) -> CardExpiry {
        var issues: [FieldIssue] = []
        let monthNumber = number(month, .expiryMonth, into: &issues) { digits, value in
            digits <= 2 && (1...12).contains(value) ? value : nil
        }
        let yearNumber = number(year, .expiryYear, into: &issues) { digits, value in
            switch digits {
            case 2: resolve(twoDigitYear: value, at: now)
            case 4: value >= 1000 ? value : nil
            default: nil
            }
        }
        if let first = issues.first { throw InvalidCardInput(first, Array(issues.dropFirst())) }
        guard let monthNumber, let yearNumber, let expiry = CardExpiry(month: monthNumber, year: yearNumber) else {
            throw unreadable
        }
        return expiry
    }

    /// The four-digit year that two digits mean: the one from 20 years before the year of `now` (in UTC) to 79 after.
    ///
    /// So a card that expired in the last 20 years reads as expired, and anything else lies ahead: in 2026, `11` is
    /// 2011 and `80` is 2080; in 2098, `03` is 2103.
    /// - Parameter twoDigitYear: 0 to 99; larger values count modulo 100.
    public static func resolve(twoDigitYear: Int, at now: WallTime) -> Int {
        let first = now.utcDate.year - 20
        let offset = ((twoDigitYear - first) % 100 + 100) % 100
        return first + offset
    }

    private static var unreadable: InvalidCardInput {
        InvalidCardInput(.expiryMonth, .malformed, "The expiry date is not of the form MM/YY or MM/YYYY.")
    }

    /// Whether it may stand between month and year.
    static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "/" || scalar == "." || scalar == "\u{2044}" || scalar == "\u{2215}" || scalar == "\u{FF0F}"
            || DigitText.isSpace(scalar) || DigitText.isDash(scalar)
    }

    private static func number(
        _ text: String, _ field: FieldIssue.Field, into issues: inout [FieldIssue],
        accept: (_ digits: Int, _ value: Int) -> Int?
    ) -> Int? {
        let isMonth = field == .expiryMonth
        switch DigitText.normalise(text, dashes: false) {
        case .blank:
            issues.append(
                FieldIssue(
                    field, .missing, message: isMonth ? "The expiry month is missing." : "The expiry year is missing."))
        case .digits(let digits):
            if let value = Int(digits), let accepted = accept(digits.utf8.count, value) { return accepted }
            fallthrough
        case .malformed:
            issues.append(
                FieldIssue(
                    field, .malformed,
                    message: isMonth
                        ? "The expiry month is not one of 1 to 12."
                        : "The expiry year does not have two or four digits."))
        }
        return nil
    }
}
