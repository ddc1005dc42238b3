import Testing

@testable import GatewayKitCore

@Suite("Retry-After")
struct RetryAfterTests {
    /// Wednesday, 2030-05-01T12:00:00Z.
    static let now = WallTime(secondsSince1970: 1_903_867_200)

    @Test(
        "seconds, three date forms, and what is neither",
        arguments: [
            ("0", 0), ("120", 120), (" 120 ", 120), ("\t7", 7), ("007", 7), ("86400", 86_400), ("86401", 86_400),
            ("9223372036854775807", 86_400), ("9223372036854775808", 86_400), ("99999999999999999999999", 86_400),
            ("Wed, 01 May 2030 12:00:07 GMT", 7), ("Wednesday, 01-May-30 12:00:07 GMT", 7),
            ("Wed May  1 12:00:07 2030", 7), ("wed, 01 may 2030 12:00:07 gmt", 7),
            ("Wed, 01 May 2030 12:00:60 GMT", 60), ("Thu, 02 May 2030 12:00:00 GMT", 86_400),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400), ("Wed, 01 May 2030 12:00:00 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sunday, 06-Nov-94 08:49:37 GMT", 0),
            ("Sun Nov  6 08:49:37 1994", 0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("", nil), (" ", nil), ("soon", nil), ("-5", nil), ("+5", nil), ("1.5", nil), ("5s", nil), ("0x10", nil),
            ("1e3", nil), ("5,", nil), ("5, 6", nil), ("5 6", nil), (",5", nil), ("\u{0665}", nil),
            ("Wed, 01 May 2030 12:00:07", nil), ("Wed, 01 May 2030 12:00:07 UTC", nil),
            ("Wed, 01 May 2030 12:00:07 +0000", nil), ("Wed, 01 May 2030 12:00 GMT", nil),
            ("Wed, 01 May 2030 24:00:00 GMT", nil), ("Wed, 01 May 2030 12:60:00 GMT", nil),
            ("Wed, 01 May 2030 12:00:61 GMT", nil), ("Wed, 01 May 2030 12:00:-7 GMT", nil),
            ("Wed, 01 May 2030 +2:00:07 GMT", nil), ("Wed, 01 May 2030 12::00:07 GMT", nil),
            ("Wed, 00 May 2030 12:00:07 GMT", nil), ("Wed, 32 May 2030 12:00:07 GMT", nil),
            ("Thu, 31 Feb 2030 12:00:07 GMT", nil), ("Fri, 29 Feb 2030 12:00:07 GMT", nil),
            ("Sun, 31 Nov 2030 12:00:07 GMT", nil), ("Wed, 01 Maj 2030 12:00:07 GMT", nil),
            ("Wed, 01 May 12030 12:00:07 GMT", nil), ("2030-05-01T12:00:07Z", nil),
            ("Wed, 99999999999999999999 May 2030 12:00:07 GMT", nil),
        ] as [(String, Int?)])
    func read(text: String, seconds: Int?) {
        #expect(RetryAfter.read(text, now: Self.now) == seconds.map { Duration.seconds($0) })
    }

    @Test(
        "leap years",
        arguments: [
            (2_028, true), (2_032, true), (2_030, false), (2_096, true), (2_100, false), (2_400, true), (2_000, true),
            (1_972, true),
        ])
    func leapYears(year: Int, isLeap: Bool) throws {
        let eve = try #require(WallTime(year: year, month: 2, day: 28, hour: 23, minute: 59, second: 50))
        #expect(
            RetryAfter.read("Mon, 29 Feb \(year) 00:00:00 GMT", now: eve) == (isLeap ? .seconds(10) : nil))
        #expect(
            RetryAfter.read("Mon, 01 Mar \(year) 00:00:00 GMT", now: eve) == .seconds(isLeap ? 86_400 : 10))
    }

    @Test("a two-digit year that seems more than 50 years ahead is one of the last century (RFC 9110, section 5.6.7)")
    func twoDigitYears() throws {
        let year2060 = try #require(WallTime(year: 2060, month: 1, day: 1))
        #expect(RetryAfter.read("Thursday, 01-Jan-80 00:00:00 GMT", now: year2060) == .seconds(86_400))
        #expect(RetryAfter.read("Thursday, 01-Jan-80 00:00:00 GMT", now: Self.now) == .seconds(86_400))
        #expect(RetryAfter.read("Thursday, 01-Jan-81 00:00:00 GMT", now: Self.now) == .zero)
        #expect(RetryAfter.read("Friday, 01-Jan-99 00:00:00 GMT", now: year2060) == .seconds(86_400))
    }

    @Test("no clock makes it trap", arguments: [Int64.min, -1, 0, .max])
    func extremeClocks(seconds: Int64) {
        let now = WallTime(secondsSince1970: seconds)
        #expect(RetryAfter.read("120", now: now) == .seconds(120))
        #expect(RetryAfter.read("Wed, 01 May 2030 12:00:07 GMT", now: now) != nil)
        #expect(RetryAfter.read("Wednesday, 01-May-30 12:00:07 GMT", now: now) != nil)
    }

    @Test("random text never traps and never asks for more than a day")
    func randomText() {
        var numbers = SeededNumbers(seed: 11)
        let alphabet = Array("0123456789 ,:-+GMTgmtJanFebMaySunWed\t\u{0665}")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...32, using: &numbers)).map { _ in
                    alphabet[Int.random(in: 0..<alphabet.count, using: &numbers)]
                })
            if let wait = RetryAfter.read(text, now: Self.now) { #expect(wait >= .zero && wait <= .seconds(86_400)) }
        }
    }
}
