import GatewayKitCore
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Redactor: hostile text")
struct HostileTextTests {
    static let megabyte = 1 << 20
    static let shapes: [(name: String, unit: String)] = [
        ("digits", "4111111111111111"), ("spaced digits", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "), ("percent signs", "%"),
        ("percent of percent", "%25"), ("backslashes", "\\"), ("base64", "NDExMTExMTExMTEx"), ("words", "AbCdEf/"),
        ("hexadecimal", "3431"), ("opening braces", "{\"password\":"), ("open elements", "<password>"),
        ("open elements in lists", "<password><b>"),
        ("number lists", "\"number\":[["), ("entities", "&#"), ("quotes", "\"cvv\":\"\\"), ("names", "cvv=cvv="),
        ("full-width digits", "４"), ("schemes", "://"),
    ]

    @Test("a megabyte of anything is answered quickly, cut, and with a note", arguments: shapes.map(\.unit))
    func bounded(_ unit: String) {
        let text = String(repeating: unit, count: Self.megabyte / unit.utf8.count)
        let redactor = Redactor(secrets: [
            Sensitive("737"), Sensitive("a-key-of-some-length"), Sensitive("98765432109"),
        ])
        var shown = ""
        let start = Self.processorSeconds()
        shown = redactor.redact(text)
        // A debug build, and its own processor time only; what is to be caught is quadratic work, which takes hours.
        let seconds = Self.processorSeconds() - start
        #expect(seconds < 20)
        #expect(shown.utf8.count <= 3 * Redactor.sizeLimit)
        #expect(shown.hasSuffix(" more bytes not shown]"))
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("a card across the cut shows nothing of its middle")
    func cardAtTheCut() {
        for offset in 0...16 {
            let text =
                String(repeating: "x", count: Redactor.sizeLimit - offset) + "4111111111111111"
                + String(repeating: "y ", count: 9)
            let shown = Redactor.standard.redact(text)
            #expect(shown.contains("x" + "411111******1111".prefix(offset) + "["))
        }
    }

    @Test("a secret field that never ends is cut from the stream")
    func endlessField() {
        var stream = RedactingStream()
        var shown = stream.push(Array("{\"a\":1,\"password\":\"".utf8))
        for _ in 0..<40 { shown += stream.push(Array(repeating: 0x61, count: 10_000)) }
        shown += stream.push(Array("\",\"number\":\"4111111111111112\"}".utf8))
        shown += stream.finish()
        #expect(shown == #"{"a":1,"password":"[FILTERED][more bytes not shown]"#)
    }

    @Test("a long secret field that ends is masked to its end, and what follows is shown")
    func longField() {
        for length in stride(from: 3000, to: 30_000, by: 1111) {
            var stream = RedactingStream()
            var shown = stream.push(Array("{\"payment_data\":{\"x\":\"".utf8))
            for _ in 0..<length { shown += stream.push([0x61]) }
            shown += stream.push(Array("\"},\"state\":\"ok\"}".utf8))
            shown += stream.finish()
            #expect(shown == "{\"payment_data\":[FILTERED],\"state\":\"ok\"}")
        }
    }
}
