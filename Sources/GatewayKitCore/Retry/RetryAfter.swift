/// Reads `Retry-After` (RFC 9110, section 10.2.3): a number of seconds, or a date in one of the three HTTP forms.
package enum RetryAfter {
    /// How long to wait from `now`; zero when the date has passed, `nil` when the text is neither.
    ///
    /// A number beyond a day reads as a day, so that no arithmetic overflows.
    package static func read(_ text: String, now: WallTime) -> Duration? {
        let words = text.split { $0 == " " || $0 == "\t" }
        if words.count == 1, let first = words.first {
            if let seconds = number(first) { return .seconds(min(seconds, oneDay)) }
        }
        guard let moment = readDate(words, now: now)?.secondsSince1970 else { return nil }
        let (wait, overflow) = moment.subtractingReportingOverflow(now.secondsSince1970)
        return .seconds(overflow ? (now.secondsSince1970 < 0 ? oneDay : 0) : min(max(wait, 0), oneDay))
    }

    private static let oneDay: Int64 = 86_400
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// ASCII digits only; what is beyond 64 bits reads as the largest number.
    private static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int64(text) ?? .max
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`
    /// (RFC 9110, section 5.6.7). The name of the day is not checked against the date.
    private static func readDate(_ words: [Substring], now: WallTime) -> WallTime? {
        let parts: [Substring]
        switch words.count {
        case 6 where words[5].lowercased() == "gmt" && words[0].hasSuffix(","):
            parts = Array(words[1...4])
        case 4 where words[3].lowercased() == "gmt" && words[0].hasSuffix(","):
            parts = words[1].split(separator: "-", omittingEmptySubsequences: false) + [words[2]]
        case 5:
            parts = [words[2], words[1], words[4], words[3]]
        default:
            return nil
        }
        guard parts.count == 4, parts[0].utf8.count <= 2, let day = number(parts[0]),
            let month = months.firstIndex(of: parts[1].lowercased()), let year = year(parts[2], now: now)
        else { return nil }
        let clock = parts[3].split(separator: ":", omittingEmptySubsequences: false).map { number($0) ?? .max }
        guard clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] <= 60 else { return nil }
        // A leap second is as good as the one after it.
        return WallTime(year: year, month: month + 1, day: Int(day))?
            .adding(seconds: clock[0] * 3_600 + clock[1] * 60 + clock[2])
    }

    /// Four digits; or two, of a year that is at most 50 years ahead.
    private static func year(_ text: Substring, now: WallTime) -> Int? {
        guard let read = number(text) else { return nil }
        switch text.utf8.count {
        case 4:
            return read >= 1970 ? Int(read) : nil
        case 2:
            let thisYear = min(max(now.utcDate.year, 1970), 9_900)
            let year = thisYear - thisYear % 100 + Int(read)
            return year > thisYear + 50 ? year - 100 : year <= thisYear - 50 ? year + 100 : year
        default:
            return nil
        }
    }
}
