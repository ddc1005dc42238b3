import Testing

@testable import GatewaySandbox

@Suite("Request parser")
struct RequestParserTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        /// The status of the refusal; 0: accepted; -1: more is needed.
        var expected: Int
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ expected: Int) {
            self.name = name
            self.text = text
            self.expected = expected
        }
    }

    private static let host = "Host: a.example\r\n"

    static let cases: [Case] = [
        Case("plain", "GET / HTTP/1.1\r\n\(host)\r\n", 0),
        Case("body by length", "POST /a HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc", 0),
        Case("empty body", "POST /a HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n", 0),
        Case(
            "chunked", "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: Chunked\r\n\r\n3;x=\"y\"\r\nabc\r\n0\r\n\r\n", 0),
        Case("trailer", "POST /a HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n", 0),
        Case("unknown method", "BREW / HTTP/1.1\r\n\(host)\r\n", 0),
        Case("header in UTF-8", "GET / HTTP/1.1\r\n\(host)X-Name: M\u{E9}dico\r\n\r\n", 0),
        Case("nothing yet", "", -1),
        Case("half a head", "GET / HTTP/1.1\r\nHost: a.exam", -1),
        Case("half a body", "POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nabc", -1),
        Case("half a chunk", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n5\r\nabc", -1),
        Case("no host", "GET / HTTP/1.1\r\n\r\n", 400),
        Case("two hosts", "GET / HTTP/1.1\r\n\(host)\(host)\r\n", 400),
        Case("empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 400),
        Case("host with user", "GET / HTTP/1.1\r\nHost: u@a.example\r\n\r\n", 400),
        Case(
            "length and chunked",
            "POST / HTTP/1.1\r\n\(host)Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        Case(
            "chunked and length",
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", 400),
        Case("length twice", "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 1\r\n\r\na", 400),
        Case("length as a list", "POST / HTTP/1.1\r\n\(host)Content-Length: 1, 1\r\n\r\na", 400),
        Case("negative length", "POST / HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n", 400),
        Case("length with a plus", "POST / HTTP/1.1\r\n\(host)Content-Length: +1\r\n\r\na", 400),
        Case("empty length", "POST / HTTP/1.1\r\n\(host)Content-Length:\r\n\r\n", 400),
        Case("length beyond any number", "POST / HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999\r\n\r\n", 413),
        Case("body too large", "POST / HTTP/1.1\r\n\(host)Content-Length: 1048577\r\n\r\n", 413),
        Case("other coding", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
        Case(
            "coding twice",
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        Case("chunk size no number", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nx\r\n", 400),
        Case("chunk size missing", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n\r\n", 400),
        Case("chunk size with a sign", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
        Case("chunk size with 0x", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0x1\r\n", 400),
        Case("chunk size huge", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nffffffffff\r\n", 400),
        Case("chunk beyond the limit", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n100001\r\n", 413),
        Case("chunk longer than told", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
        Case("chunk line without CR", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1\na\r\n", 400),
        Case("folded line", "GET / HTTP/1.1\r\n\(host)X: a\r\n b\r\n\r\n", 400),
        Case("folded by tab", "GET / HTTP/1.1\r\n\(host)X: a\r\n\tb\r\n\r\n", 400),
        Case("space before colon", "GET / HTTP/1.1\r\n\(host)X : a\r\n\r\n", 400),
        Case("no colon", "GET / HTTP/1.1\r\n\(host)X\r\n\r\n", 400),
        Case("empty name", "GET / HTTP/1.1\r\n\(host): a\r\n\r\n", 400),
        Case("NUL in a value", "GET / HTTP/1.1\r\n\(host)X: a\u{0}b\r\n\r\n", 400),
        Case("CR in a value", "GET / HTTP/1.1\r\n\(host)X: a\rb\r\n\r\n", 400),
        Case("lines end with LF", "GET / HTTP/1.1\nHost: a.example\n\n", 400),
        Case("empty line first", "\r\nGET / HTTP/1.1\r\n\(host)\r\n", 400),
        Case("two spaces", "GET  / HTTP/1.1\r\n\(host)\r\n", 400),
        Case("no version", "GET /\r\n\(host)\r\n", 400),
        Case("version 1.0", "GET / HTTP/1.0\r\n\(host)\r\n", 505),
        Case("version 2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        Case("not HTTP", "GET / FTP/1.1\r\n\(host)\r\n", 400),
        Case("absolute target", "GET http://a.example/ HTTP/1.1\r\n\(host)\r\n", 400),
        Case("star", "OPTIONS * HTTP/1.1\r\n\(host)\r\n", 400),
        Case("fragment", "GET /a#b HTTP/1.1\r\n\(host)\r\n", 400),
        Case("backslash", "GET /a\\b HTTP/1.1\r\n\(host)\r\n", 400),
        Case("raw UTF-8 in the target", "GET /caf\u{E9} HTTP/1.1\r\n\(host)\r\n", 400),
        Case("bad percent", "GET /%zz HTTP/1.1\r\n\(host)\r\n", 400),
        Case("short percent", "GET /a?b=%4 HTTP/1.1\r\n\(host)\r\n", 400),
        Case("percent not UTF-8", "GET /%ff HTTP/1.1\r\n\(host)\r\n", 400),
        Case("method with a comma", "GE,T / HTTP/1.1\r\n\(host)\r\n", 400),
        Case("other expectation", "GET / HTTP/1.1\r\n\(host)Expect: wonders\r\n\r\n", 417),
        Case("head too large", "GET / HTTP/1.1\r\n\(host)X: " + String(repeating: "a", count: 70_000), 431),
        Case(
            "too many fields", "GET / HTTP/1.1\r\n\(host)" + String(repeating: "X: a\r\n", count: 120) + "\r\n", 431),
        Case("TLS client hello", "\u{16}\u{3}\u{1}\u{2}\n", 400),
    ]

    @Test("reads or refuses", arguments: cases)
    func decides(_ item: Case) {
        var parser = RequestParser()
        parser.append(Array(item.text.utf8))
        let step = parser.next()
        #expect(Self.code(step) == item.expected)
    }

    @Test("gives the same result byte by byte", arguments: cases.filter { $0.text.utf8.count < 2000 })
    func decidesInPieces(_ item: Case) {
        var parser = RequestParser()
        var last = RequestParser.Step.needMore
        for byte in item.text.utf8 where last == .needMore {
            parser.append([byte])
            last = parser.next()
        }
        #expect(Self.code(last) == item.expected)
    }

    @Test("takes a request apart")
    func parts() throws {
        var parser = RequestParser()
        parser.append(
            Array(
                "PUT /a%2Fb/c%20d?x=1+2&y=%26&z HTTP/1.1\r\nHOST: a.example\r\nX-Twice:  one \r\nx-twice: two\r\nConnection: Keep-Alive, Close\r\nContent-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\n"
                    .utf8))
        guard case .request(let request) = parser.next() else {
            Issue.record("no request")
            return
        }
        #expect(request.method == "PUT")
        #expect(request.path == ["a/b", "c d"])
        #expect(request.query.map(\.name) == ["x", "y", "z"])
        #expect(request.query.map(\.value) == ["1 2", "&", ""])
        #expect(request.values(of: "x-twice") == ["one", "two"])
        #expect(request.value(of: "x-twice") == nil)
        #expect(request.body == Array("{}".utf8))
        #expect(!request.keepsAlive)
        let step = parser.next()
        #expect(step == .needMore)
        #expect(parser.isInsideRequest)
    }

    @Test("reads requests that follow each other at once")
    func pipelined() {
        var parser = RequestParser()
        let one = "POST /a HTTP/1.1\r\n\(Self.host)Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
        parser.append(Array((one + one + "GET /b HTTP/1.1\r\n\(Self.host)\r\n").utf8))
        for expected in ["abc", "abc", ""] {
            guard case .request(let request) = parser.next() else {
                Issue.record("no request")
                return
            }
            #expect(String(decoding: request.body, as: UTF8.self) == expected)
        }
        let step = parser.next()
        #expect(step == .needMore)
        #expect(!parser.isInsideRequest)
    }

    @Test("asks for the body once when the client waits")
    func continuation() {
        var parser = RequestParser()
        parser.append(Array("POST / HTTP/1.1\r\n\(Self.host)Content-Length: 1\r\nExpect: 100-continue\r\n\r\n".utf8))
        let early = parser.next()
        let (first, second) = (parser.takeContinue(), parser.takeContinue())
        parser.append([0x61])
        let late = parser.next()
        #expect(early == .needMore)
        #expect(first)
        #expect(!second)
        #expect(Self.code(late) == 0)
    }

    @Test("survives random and damaged bytes, and decides the same in pieces", arguments: UInt64(1)...8)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let seeds = Self.cases.map { Array($0.text.utf8) }.filter { $0.count < 500 }
        for round in 0..<250 {
            var bytes =
                round.isMultiple(of: 3)
                ? (0..<Int.random(in: 0...80, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                : (seeds.randomElement(using: &generator) ?? []) + (seeds.randomElement(using: &generator) ?? [])
            for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert([13, 10, 32, 58, 48].randomElement(using: &generator) ?? 0, at: index)
                }
            }
            var whole = RequestParser()
            whole.append(bytes)
            var pieces = RequestParser()
            var rest = bytes[...]
            var wholeSteps: [RequestParser.Step] = []
            var pieceSteps: [RequestParser.Step] = []
            Self.drain(&whole, into: &wholeSteps)
            while !rest.isEmpty {
                let count = Int.random(in: 1...7, using: &generator)
                pieces.append(rest.prefix(count))
                rest = rest.dropFirst(count)
                Self.drain(&pieces, into: &pieceSteps)
            }
            #expect(wholeSteps == pieceSteps)
        }
    }

    /// Everything that can be had now, without `needMore`, up to the first refusal.
    private static func drain(_ parser: inout RequestParser, into steps: inout [RequestParser.Step]) {
        while true {
            let step = parser.next()
            if step == .needMore { return }
            if case .refused = step {
                if steps.last != step { steps.append(step) }
                return
            }
            steps.append(step)
        }
    }

    private static func code(_ step: RequestParser.Step) -> Int {
        switch step {
        case .needMore: -1
        case .request: 0
        case .refused(let refusal): refusal.status
        }
    }
}
