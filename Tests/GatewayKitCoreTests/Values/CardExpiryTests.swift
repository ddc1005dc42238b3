import Testing

@testable import GatewayKitCore

@Suite("Card expiry")
struct CardExpiryTests {
    private static func time(_ year: Int, _ month: Int, _ day: Int = 15, _ hour: Int = 12) throws -> WallTime {
        try #require(WallTime(year: year, month: month, day: day, hour: hour))
    }

    @Test(
        "the usual spellings",
        arguments: [
            "02/31", "02/2031", "0231", "022031", "02-31", "02 31", "2/31", "02 / 31", "02.2031", " 02/31 ", "02–31",
            "02／31", "٠٢/٣١", "０２３１", "02\u{A0}/\u{A0}2031",
        ])
    func spellings(text: String) throws {
        #expect(try CardExpiry.read(text, now: Self.time(2026, 8)) == CardExpiry(month: 2, year: 2031))
    }

    @Test(
        "what is no date is refused, with the part that is wrong",
        arguments: [
            ("", .expiryMonth, .missing), ("  ", .expiryMonth, .missing), ("/", .expiryMonth, .missing),
            ("12", .expiryMonth, .malformed), ("12/", .expiryMonth, .malformed), ("13/31", .expiryMonth, .malformed),
            ("0031", .expiryMonth, .malformed), ("00/31", .expiryMonth, .malformed), ("1430", .expiryMonth, .malformed),
            ("155", .expiryMonth, .malformed), ("12/031", .expiryYear, .malformed),
            ("12/0031", .expiryYear, .malformed),
            ("12/20311", .expiryYear, .malformed), ("02/28/2031", .expiryMonth, .malformed),
            ("feb 31", .expiryMonth, .malformed), ("02/99999999999999999999", .expiryYear, .malformed),
        ] as [(String, FieldIssue.Field, FieldIssue.Problem)])
    func unreadable(text: String, field: FieldIssue.Field, problem: FieldIssue.Problem) throws {
        let now = try Self.time(2026, 8)
        let error = #expect(throws: InvalidCardInput.self) { try CardExpiry.read(text, now: now) }
        #expect(error?.issues.map(\.field) == [field])
        #expect(error?.issues.map(\.problem) == [problem])
    }

    @Test("month and year apart: both problems at once")
    func apart() throws {
        let now = try Self.time(2026, 8)
        #expect(try CardExpiry.read(month: "2", year: "31", now: now) == CardExpiry(month: 2, year: 2031))
        #expect(try CardExpiry.read(month: "02", year: " 2031", now: now) == CardExpiry(month: 2, year: 2031))
        let error = #expect(throws: InvalidCardInput.self) { try CardExpiry.read(month: "13", year: "", now: now) }
        #expect(error?.issues.map(\.field) == [.expiryMonth, .expiryYear])
        #expect(error?.issues.map(\.problem) == [.malformed, .missing])
    }

    @Test(
        "two digits of a year, against the injected present",
        arguments: [
            (2026, 26, 2026), (2026, 11, 2011), (2026, 6, 2006), (2026, 5, 2105), (2026, 80, 2080), (2026, 99, 2099),
            (2098, 3, 2103), (2098, 98, 2098), (2000, 99, 1999), (2000, 0, 2000), (1999, 1, 2001),
        ])
    func century(present: Int, digits: Int, year: Int) throws {
        #expect(CardExpiry.resolve(twoDigitYear: digits, at: try Self.time(present, 6)) == year)
    }

    @Test("C2: a card that expires this month is valid", arguments: 1...12)
    func thisMonth(month: Int) throws {
        let expiry = try #require(CardExpiry(month: month, year: 2026))
        let last = CivilDate.daysInMonth(year: 2026, month: month)
        for day in [1, 15, last] {
            #expect(!expiry.isExpired(at: try Self.time(2026, month, day, 23)))
            #expect(expiry.issues(at: try Self.time(2026, month, day, 0)).isEmpty)
        }
    }

    @Test("C3: on the first of a month the injected clock alone decides; the last time zone's midnight ends a card")
    func firstOfMonth() throws {
        let expiry = try #require(CardExpiry(month: 12, year: 2026))
        #expect(!expiry.isExpired(at: try #require(WallTime(year: 2027, month: 1, day: 1))))
        #expect(
            !expiry.isExpired(
                at: try #require(WallTime(year: 2027, month: 1, day: 1, hour: 11, minute: 59, second: 59))))
        let end = try #require(WallTime(year: 2027, month: 1, day: 1, hour: 12))
        #expect(expiry.isExpired(at: end))
        #expect(expiry.issues(at: end).map(\.problem) == [.expired])
        #expect(expiry.issues(at: end).map(\.field) == [.expiryYear])
        let june = try #require(CardExpiry(month: 6, year: 2026))
        #expect(june.issues(at: try Self.time(2026, 8)).map(\.field) == [.expiryMonth])
    }

    @Test("C2, C3: in every month of every year a card is good to the end and then not")
    func everyMonth() throws {
        for year in 1990...2110 {
            for month in 1...12 {
                let expiry = try #require(CardExpiry(month: month, year: year))
                let last = CivilDate.daysInMonth(year: year, month: month)
                let lastNoon = try Self.time(year, month, last)
                #expect(expiry.end == lastNoon.adding(seconds: 86_400))
                #expect(!expiry.isExpired(at: expiry.end.adding(seconds: -1)))
                #expect(expiry.isExpired(at: expiry.end))
            }
        }
    }

    @Test("cards are not issued for more than 20 years, or as many as told")
    func tooFarAhead() throws {
        let now = try Self.time(2026, 8)
        let issues = { (year: Int, ahead: Int) in CardExpiry(month: 1, year: year)?.issues(at: now, yearsAhead: ahead) }
        #expect(issues(2046, 20) == [])
        #expect(issues(2047, 20)?.map(\.problem) == [.tooFarAhead])
        #expect(issues(2036, 10) == [])
        #expect(issues(2037, 10)?.map(\.problem) == [.tooFarAhead])
    }

    @Test("impossible months and years do not exist; text and order")
    func values() {
        #expect(CardExpiry(month: 0, year: 2031) == nil)
        #expect(CardExpiry(month: 13, year: 2031) == nil)
        #expect(CardExpiry(month: 1, year: 31) == nil)
        #expect(CardExpiry(month: 2, year: 2031)?.description == "02/2031")
        #expect(CardExpiry(month: 2, year: 2031)?.twoDigitMonth == "02")
        #expect(CardExpiry(month: 2, year: 2005)?.twoDigitYear == "05")
        if let early = CardExpiry(month: 12, year: 2030), let late = CardExpiry(month: 1, year: 2031) {
            #expect(early < late)
        }
    }
}
