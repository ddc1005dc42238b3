extension WallTime {
    /// Reads a time stamp of RFC 3339, section 5.6: `2026-03-02T10:11:12Z`, with any number of decimals and with `Z` or
    /// an offset such as `+02:00`. A space may stand for the `T`. `nil` when the text is anything else or names no
    /// time. A leap second reads as the second after it; decimals beyond nine are cut off.
    public init?(rfc3339 text: String) {
        var reader = DigitReader(text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), reader.skip(":"),
            let second = reader.number(2), second <= 60
        else { return nil }
        var nanoseconds = 0
        if reader.skip(".") {
            guard let fraction = reader.fraction() else { return nil }
            nanoseconds = fraction
        }
        guard let offset = reader.offset(), reader.isAtEnd,
            let moment = WallTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59))
        else { return nil }
        let seconds = moment.secondsSince1970 + (second == 60 ? 1 : 0) - Int64(offset)
        self.init(secondsSince1970: seconds, nanoseconds: second == 60 ? 0 : Int32(nanoseconds))
    }
}

/// Reads fixed-width digits from the front of a text.
private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Decimals as nanoseconds.
    mutating func fraction() -> Int? {
        guard var value = digit() else { return nil }
        var count = 1
        while let next = digit() {
            if count < 9 {
                value = value * 10 + next
                count += 1
            }
        }
        for _ in count..<9 { value *= 10 }
        return value
    }

    /// Seconds that the clock is ahead of UTC.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isAhead = skip("+")
        guard isAhead || skip("-"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return isAhead ? seconds : -seconds
    }

    private mutating func digit() -> Int? {
        guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
        rest.removeFirst()
        return Int(first & 0x0F)
    }
}
