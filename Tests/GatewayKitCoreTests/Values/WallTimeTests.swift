import Testing

@testable import GatewayKitCore

@Suite("Wall time")
struct WallTimeTests {
    @Test(
        "known instants",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_208_000, "2024-02-29T12:00:00Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (253_402_300_800, "10000-01-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
            (-62_167_219_201, "-0001-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func known(seconds: Int64, text: String) {
        #expect(WallTime(secondsSince1970: seconds).rfc3339 == text)
    }

    @Test("every day of 1000 years follows the day before it")
    func everyDay() {
        var date = CivilDate(year: 1600, month: 1, day: 1)
        var days = date.daysSince1970
        while date.year < 2600 {
            #expect(CivilDate(daysSince1970: days) == date)
            days += 1
            let isLast = date.day == CivilDate.daysInMonth(year: date.year, month: date.month)
            let isLastMonth = isLast && date.month == 12
            date = CivilDate(
                year: isLastMonth ? date.year + 1 : date.year,
                month: isLastMonth ? 1 : isLast ? date.month + 1 : date.month, day: isLast ? 1 : date.day + 1)
            guard date.daysSince1970 == days else {
                Issue.record("\(date) is day \(date.daysSince1970), not \(days)")
                return
            }
        }
    }

    @Test("dates that do not exist are refused")
    func impossible() {
        #expect(WallTime(year: 2026, month: 2, day: 29) == nil)
        #expect(WallTime(year: 2024, month: 2, day: 29)?.secondsSince1970 == 1_709_164_800)
        #expect(WallTime(year: 2026, month: 13, day: 1) == nil)
        #expect(WallTime(year: 2026, month: 0, day: 1) == nil)
        #expect(WallTime(year: 2026, month: 1, day: 0) == nil)
        #expect(WallTime(year: 2026, month: 1, day: 1, hour: 24) == nil)
        #expect(WallTime(year: 2026, month: 1, day: 1, minute: 60) == nil)
        #expect(WallTime(year: 2026, month: 1, day: 1, second: 60) == nil)
        #expect(WallTime(year: .max, month: 1, day: 1) == nil)
    }

    @Test("nanoseconds carry, sums saturate, order is that of time")
    func arithmetic() {
        let time = WallTime(secondsSince1970: 10, nanoseconds: -1)
        #expect(time.secondsSince1970 == 9)
        #expect(time.nanoseconds == 999_999_999)
        #expect(time.rfc3339WithMilliseconds == "1970-01-01T00:00:09.999Z")
        #expect(WallTime(secondsSince1970: 0, nanoseconds: 1_500_000_000).secondsSince1970 == 1)
        #expect(time < WallTime(secondsSince1970: 10))
        #expect(WallTime(secondsSince1970: .max).adding(seconds: 1).secondsSince1970 == .max)
        #expect(WallTime(secondsSince1970: .min).adding(seconds: -1).secondsSince1970 == .min)
        #expect(!WallTime(secondsSince1970: .max).rfc3339.isEmpty)
        #expect(!WallTime(secondsSince1970: .min).rfc3339.isEmpty)
    }
}
