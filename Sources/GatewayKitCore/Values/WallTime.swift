/// A point in time as the wall clock tells it: seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// For dates that mean something outside this process: expiry, certificates, time stamps in logs. Durations and
/// deadlines belong to a monotonic clock. All arithmetic is on integers, in the proleptic Gregorian calendar and UTC;
/// no time zone data, locale or calendar of the system is asked.
public struct WallTime: Sendable, Hashable, Comparable {
    /// Whole seconds since 1970, negative before.
    public let secondsSince1970: Int64
    /// The rest, 0 to 999,999,999, counted forwards from ``secondsSince1970``.
    public let nanoseconds: Int32

    /// A point in time; nanoseconds outside 0 to 999,999,999 are carried over to the seconds, which saturate.
    public init(secondsSince1970: Int64, nanoseconds: Int32 = 0) {
        let carried = Int64(nanoseconds).flooredDivision(by: 1_000_000_000)
        self.secondsSince1970 = secondsSince1970.saturatingAdd(carried.quotient)
        self.nanoseconds = Int32(carried.remainder)
    }

    /// The point in time at a date and time of day in UTC; `nil` when there is no such date or time (month 13,
    /// February 30, hour 24, second 60) or the year is outside -999,999...999,999.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (-999_999...999_999).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilDate.daysInMonth(year: year, month: month), (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        self.init(secondsSince1970: days * 86_400 + Int64(hour * 3_600 + minute * 60 + second))
    }

    /// The date in UTC.
    public var utcDate: CivilDate {
        CivilDate(daysSince1970: secondsSince1970.flooredDivision(by: 86_400).quotient)
    }

    /// Whole seconds since the last midnight in UTC, 0 to 86,399.
    public var secondOfDay: Int {
        Int(secondsSince1970.flooredDivision(by: 86_400).remainder)
    }

    /// This time moved by whole seconds, forwards or back; saturates.
    public func adding(seconds: Int64) -> WallTime {
        WallTime(secondsSince1970: secondsSince1970.saturatingAdd(seconds), nanoseconds: nanoseconds)
    }

    /// The order of time.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        (left.secondsSince1970, left.nanoseconds) < (right.secondsSince1970, right.nanoseconds)
    }
}

extension WallTime: CustomStringConvertible {
    /// RFC 3339 in UTC with whole seconds, `2031-02-28T23:59:59Z`; the fraction is cut off.
    ///
    /// RFC 3339 has four-digit years; others are written with as many digits as they need.
    public var rfc3339: String { utcDate.description + "T" + clockText + "Z" }

    /// As ``rfc3339``, with three decimals: `2031-02-28T23:59:59.123Z`.
    public var rfc3339WithMilliseconds: String {
        utcDate.description + "T" + clockText + "." + Int(nanoseconds / 1_000_000).padded(to: 3) + "Z"
    }

    /// As ``rfc3339``.
    public var description: String { rfc3339 }

    private var clockText: String {
        [secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    }
}

/// A day of the proleptic Gregorian calendar.
public struct CivilDate: Sendable, Hashable, CustomStringConvertible {
    /// The year; 0 is 1 BC.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Counts in eras of 400 years and in years that begin in March, so that the leap day is the last of its year.
    init(daysSince1970 days: Int64) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
        day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
        year = Int(era * 400 + yearOfEra) + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let marchYear = Int64(month <= 2 ? year - 1 : year)
        let (era, yearOfEra) = marchYear.flooredDivision(by: 400)
        let marchMonth = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * marchMonth + 2) / 5 + Int64(day) - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func daysInMonth(year: Int, month: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `2031-02-28`.
    public var description: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }
}

extension Int {
    /// The number with leading zeros, the sign before them.
    func padded(to width: Int) -> String {
        let text = String(magnitude)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - text.count)) + text
    }
}

extension Int64 {
    /// Division that rounds towards minus infinity: the remainder is never negative for a positive divisor.
    func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
