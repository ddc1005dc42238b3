/// Reads `Retry-After` (RFC 9110, section 10.2.3): a number of seconds, or a date in one of the three HTTP forms.
enum RetryAfter {
    /// How long to wait from `now`; zero when the date has passed, `nil` when the text is neither.
    ///
    /// A number beyond a day reads as a day, so that no arithmetic overflows.
    static func read(_ text: String, now: WallTime) -> Duration? {
        let words = text.split { $0 == " " || $0 == "\t" || $0 == "," || $0 == "-" }.map(String.init)
        if words.count == 1, !text.contains("-"), let first = words.first, first.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        {
            return .seconds(min(Int64(first) ?? oneDay, oneDay))
        }
        guard let moment = readDate(words) else { return nil }
        return .seconds(min(max(moment - now.secondsSince1970, 0), oneDay))
    }

    private static let oneDay: Int64 = 86_400
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    private static func readDate(_ words: [String]) -> Int64? {
        let day: String
        let month: String
        let year: String
        let time: String
        if words.count == 6, words[5].lowercased() == "gmt" {
            (day, month, year, time) = (words[1], words[2], words[3], words[4])
        } else if words.count == 5 {
            (month, day, time, year) = (words[1], words[2], words[3], words[4])
        } else {
            return nil
        }
        let clock = time.split(separator: ":").map { Int64($0) ?? -1 }
        guard let monthIndex = months.firstIndex(of: month.lowercased()), let dayNumber = Int64(day),
            (1...31).contains(dayNumber), var fullYear = Int64(year), clock.count == 3,
            (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        if year.count == 2 { fullYear += fullYear < 70 ? 2000 : 1900 }
        guard (1970...9999).contains(fullYear) else { return nil }
        let days = daysSince1970(year: fullYear, month: Int64(monthIndex) + 1, day: dayNumber)
        return days * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
    }

    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
