import Testing

@testable import GatewayKitCore

@Suite("Reported addresses")
struct ReportedURLTests {
    static let refused: [String] = [
        "", " ", "x", "//pay.example/a", "/a", "?a=b", "https:", "https:/", "https://", "https:///a",
        "https:/pay.example",
        "https:pay.example", "javascript:alert(1)", "data:text/html,x", "intent://pay.example#Intent;end",
        "about:blank",
        "blob:https://pay.example/1", "file:///a", "ftp://pay.example/", "shop://pay.example/a", "ws://pay.example/",
        "view-source:https://pay.example/", " https://pay.example/", "https://pay.example/ ", "https://pay.example/\n",
        "ht\ttps://pay.example/", "https://pay.example/a\tb", "https://pay.example/a\u{0}", "https://pay.example\\a",
        "https:\\\\pay.example/a", "https://pay.example/a\\..\\b", "https://user@pay.example/",
        "https://u:p@pay.example/",
        "https://@pay.example/", "https://pay.example@evil.example/", "https://pay.example%40evil.example/",
        "https://pay.example:0443/", "https://pay.example:/", "https://pay.example:0/", "https://pay.example:65536/",
        "https://pay.example:4a/", "https://pay.example:443:443/", "https://pay.example./", "https://.pay.example/",
        "https://pay%2eexample/", "https://%70ay.example/", "https://p\u{430}y.example/", "https://pay\u{3002}example/",
        "https://pay_page.example/", "https://0x7f.1/", "https://127.1/", "https://pay.example//a",
        "https://pay.example/a//b", "https://pay.example//", "https://pay.example/./a", "https://pay.example/a/..",
        "https://pay.example/%2e/a", "https://pay.example/%2E%2e/a", "https://pay.example/.%2e/a",
        "https://pay.example/a%2Fb", "https://pay.example/a%2fb", "https://pay.example/a%5Cb",
        "https://pay.example/a%00b",
        "https://pay.example/a%0Ab", "https://pay.example/a%7F", "https://pay.example/%252e%252e/a",
        "https://pay.example/a%252Fb", "https://pay.example/%2561", "https://pay.example/%", "https://pay.example/%4",
        "https://pay.example/%zz", "https://pay.example/%C3", "https://pay.example/%C0%AE",
        "https://pay.example/%ED%A0%80",
        "https://pay.example/a b", "https://pay.example/é", "https://pay.example/?q=é", "https://pay.example/?q=a b",
        "https://pay.example/#\u{2028}", "https://pay.example/" + String(repeating: "a", count: 16_384),
    ]

    @Test("what two readers could read differently is refused", arguments: refused)
    func refusal(_ text: String) {
        #expect(throws: WireURL.Refusal.self) { _ = try ReportedURL(text) }
    }

    @Test("an address has one reading: origin, decoded segments, query items in their order")
    func reading() throws {
        let url = try ReportedURL("HTTPS://Pay.Example:443/a/%63om%70lete/?x=1&y=a+b%26c&z&&=e&x=%zz#f?x=9")
        #expect(url.origin.description == "https://pay.example")
        #expect(url.segments == ["a", "complete"])
        #expect(url.query.map(\.name) == ["x", "y", "z", "", "x"])
        #expect(url.values(of: "x") == ["1", "%zz"] && url.values(of: "y") == ["a b&c"] && url.values(of: "z") == [""])
        #expect(url.hasQuery && url.hasFragment)
        let bare = try ReportedURL("http://127.0.0.1:8080")
        #expect(bare.segments.isEmpty && !bare.hasQuery && !bare.hasFragment && bare.origin.port == 8080)
        #expect(try ReportedURL("https://pay.example?a=1").values(of: "a") == ["1"])
        #expect(try ReportedURL("https://pay.example#a").segments.isEmpty)
    }

    static let ambiguous: [String] = [
        "t=1&t=1", "t=1&t=2", "t=1&T=2", "T=1", "t=1&%74=2", "t=1&%2574=2", "t=1&t%5B%5D=2", "t=1&t[]=2", "t=1&t[a]=2",
        "t=1;t=2", "a=1;t=2&t=1", "t=1&+t=2", "t=1&%20t=2", "t=1&t+=2", "t=1&t%00=2", "t=1&t%00x=2", "t=1&%09t=2",
        "t&t",
        "t=&t=1", "t%3d=1&t=2&t=3",
    ]

    @Test("a parameter that some reader may find twice is ambiguous", arguments: ambiguous)
    func ambiguity(_ query: String) throws {
        #expect(!(try ReportedURL("https://pay.example/?" + query).isUnambiguous("t")))
    }

    @Test(
        "a parameter that all readers find once, or not at all, is not",
        arguments: ["", "t=1", "t=", "t=1&u=1", "tt=1&t=1", "a=t&t=1", "a=%26t%3D2&t=1", "a.t=2&t=1", "%74=1"])
    func noAmbiguity(_ query: String) throws {
        #expect(try ReportedURL("https://pay.example/?" + query).isUnambiguous("t"))
    }

    @Test("the Kelvin sign is no K, though Swift's strings say so: neither in segments nor in names or values")
    func canonicalEquivalence() throws {
        #expect("\u{212A}" == "K")
        let url = try ReportedURL("https://pay.example/%E2%84%AA?%E2%84%AA=1&v=%E2%84%AA")
        #expect(!url.isSamePlace(as: try ReportedURL("https://pay.example/K")))
        #expect(url.values(of: "K").isEmpty && !url.isUnambiguous("K"))
        #expect(url.values(of: "v").first.map { $0.isIdentical(to: "K") } == false)
    }

    @Test("segments below a base are told only on its origin and below its path")
    func below() throws {
        let base = ReportedURL(try WireURL(base: "http://127.0.0.1:8080/safepay"))
        #expect(try ReportedURL("http://127.0.0.1:8080/safepay/a/b?c").segments(below: base) == ["a", "b"])
        #expect(try ReportedURL("http://127.0.0.1:8080/safepay").segments(below: base) == [])
        for other in ["https://127.0.0.1:8080/safepay/a", "http://127.0.0.1:8081/safepay/a", "http://127.0.0.1:8080/a"]
        {
            #expect(try ReportedURL(other).segments(below: base) == nil)
        }
    }

    @Test("an address is not shown: its query may hold a token")
    func nothingShown() throws {
        let url = try ReportedURL("https://pay.example/secret-path?tbt=secret-token")
        var dumped = ""
        dump(url, to: &dumped)
        #expect(!"\(url)\(String(reflecting: url))\(dumped)".contains("secret"))
    }
}
