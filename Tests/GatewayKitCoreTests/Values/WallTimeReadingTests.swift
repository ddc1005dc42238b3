import GatewayKitCore
import Testing

/// RFC 3339 time stamps as providers write them.
@Suite("Time stamps")
struct WallTimeReadingTests {
    static let readable: [(String, String)] = [
        ("2026-03-02T10:11:12Z", "2026-03-02T10:11:12.000Z"),
        ("2026-03-02T10:11:12.345Z", "2026-03-02T10:11:12.345Z"),
        ("2026-03-02T12:30:00Z", "2026-03-02T12:30:00.000Z"),
        ("2026-03-02T10:11:12.3Z", "2026-03-02T10:11:12.300Z"),
        ("2026-03-02T10:11:12.1234567899999Z", "2026-03-02T10:11:12.123Z"),
        ("2026-03-02t10:11:12z", "2026-03-02T10:11:12.000Z"), ("2026-03-02 10:11:12Z", "2026-03-02T10:11:12.000Z"),
        ("2026-03-02T00:11:12+02:00", "2026-03-01T22:11:12.000Z"),
        ("2026-03-02T10:11:12-00:30", "2026-03-02T10:41:12.000Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"), ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
    ]

    @Test("are read", arguments: readable.indices)
    func read(_ index: Int) {
        let (text, expected) = Self.readable[index]
        #expect(WallTime(rfc3339: text)?.rfc3339WithMilliseconds == expected)
    }

    @Test(
        "that are none are not",
        arguments: [
            "", "yesterday", "2026-03-02", "2026-03-02T10:11:12", "2026-03-02T10:11Z", "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z", "2026-03-02T24:00:00Z", "2026-03-02T10:60:00Z", "2026-03-02T10:11:61Z",
            "2026-03-02T10:11:12.Z", "2026-03-02T10:11:12+0200", "2026-03-02T10:11:12+24:00", "26-03-02T10:11:12Z",
            "2026-03-02T10:11:12Zx", " 2026-03-02T10:11:12Z", "2026-3-2T10:11:12Z", "２０２６-03-02T10:11:12Z",
        ])
    func refuse(_ text: String) {
        #expect(WallTime(rfc3339: text) == nil)
    }

    @Test("come back as they were written")
    func roundTrip() {
        var seconds: Int64 = -62_135_596_800
        while seconds < 253_402_300_800 {
            let time = WallTime(secondsSince1970: seconds, nanoseconds: 7_000_000)
            #expect(WallTime(rfc3339: time.rfc3339WithMilliseconds) == time)
            seconds += 3_155_692_597
        }
    }
}
