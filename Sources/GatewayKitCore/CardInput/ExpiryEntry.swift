/// The field for month and year of expiry.
///
/// It holds the digits of `MMYY`. A year with four digits is cut to two where these mean the same; otherwise all four
/// stay, so that a date of another century is seen and judged as what it is.
struct ExpiryEntry: DigitEntry {
    /// More digits are no mistake in a date, but another text.
    static let mostPasted = 8

    var buffer = DigitBuffer()

    func layout(_ digits: String) -> DigitLayout { .expiry }

    mutating func take(
        _ text: String, at range: Range<Int>, isPasted: Bool, _ surroundings: EntrySurroundings
    ) -> FieldIssue? {
        if let whole = Self.wholeDate(text, now: surroundings.now) {
            set(head: whole, tail: "")
            return nil
        }
        var (head, tail) = buffer.around(range)
        let start = head.utf8.count
        for scalar in text.unicodeScalars {
            if let digit = DigitText.decimalDigit(scalar) {
                // No month begins with 2 to 9: its zero is implied.
                if head.isEmpty, digit > "1", tail.utf8.count <= 2 { head = "0" }
                head.unicodeScalars.append(digit)
            } else if CardExpiry.isSeparator(scalar) {
                if head.utf8.count == 1, head != "0", tail.isEmpty { head = "0" + head }
            } else {
                return FieldIssue(
                    .expiryMonth, .malformed, message: "The expiry date is not of the form MM/YY or MM/YYYY.")
            }
        }
        let length = head.utf8.count + tail.utf8.count
        let longest = isPasted ? Self.mostPasted : buffer.count > 4 ? 6 : 4
        if length > longest, length > buffer.count {
            return FieldIssue(.expiryYear, .tooLong, message: "The expiry date has no more digits: use MM/YY.")
        }
        // A separator that was typed alone changes nothing, not even what is selected.
        if head.utf8.count > start { set(head: head, tail: tail) }
        return nil
    }

    /// The digits of a text that is a whole date, in any form that ``CardExpiry`` reads.
    private static func wholeDate(_ text: String, now: WallTime) -> String? {
        guard text.utf8.count < 64, let expiry = try? CardExpiry.read(text, now: now) else { return nil }
        let isShort = CardExpiry.resolve(twoDigitYear: expiry.year, at: now) == expiry.year
        return expiry.twoDigitMonth + (isShort ? expiry.twoDigitYear : String(expiry.year))
    }

    /// A month below ten goes with its zero, because nobody typed that one.
    func deletion(_ range: Range<Int>, backward: Bool) -> Range<Int> {
        let goes = backward && range == 1..<2 && buffer.withDigits { $0.utf8.count == 2 && $0 > "01" && $0 < "10" }
        return goes ? 0..<2 : range
    }

    /// The month, if everything about it is right.
    func value(at now: WallTime, yearsAhead: Int) throws(InvalidCardInput) -> CardExpiry {
        let text = buffer.withDigits { $0 }
        let expiry = try CardExpiry.read(text, now: now)
        let issues = expiry.issues(at: now, yearsAhead: yearsAhead)
        if let first = issues.first { throw InvalidCardInput(first, Array(issues.dropFirst())) }
        return expiry
    }

    func state(at now: WallTime, yearsAhead: Int) -> CardInputState {
        guard buffer.count > 0 else { return .blank }
        guard buffer.count >= 4 else { return .incomplete }
        do throws(InvalidCardInput) {
            _ = try value(at: now, yearsAhead: yearsAhead)
            return .complete
        } catch {
            return error.issues.first.map(CardInputState.invalid) ?? .incomplete
        }
    }
}
