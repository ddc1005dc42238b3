import Testing

@testable import GatewayKitCore

@Suite("Addresses")
struct WireURLTests {
    /// What must be refused. `.swift` source escapes keep the odd characters visible.
    static let hostile: [String] = [
        "", " ", "https://", "http://", "https:///", "http:///x", "https:good.example", "https:/good.example",
        "//good.example", "good.example", "ftp://good.example", "javascript://good.example", "file:///etc/passwd",
        "httpss://good.example", " https://good.example", "https://good.example ", "https://good.example\n",
        "https://good.example\r\nx: y", "ht\ttps://good.example", "https://go\tod.example", "https://good.example/a b",
        "https://good.example/\u{0}", "https://good.example/\u{7F}", "https://good.example/é", "https://gööd.example",
        "https://good.example\u{3002}evil.example", "https://good\u{AD}.example", "https://\u{FF47}ood.example",
        "https://\u{202E}good.example", "https://good.example\\@evil.example", "https://good.example\\.evil.example",
        "https:\\\\good.example", "https://user@good.example", "https://user:pass@good.example",
        "https://@good.example",
        "https://good.example@evil.example", "https://good.example:443@evil.example", "https://good%2eexample",
        "https://good.example%00.evil.example", "https://good.example%2f.evil.example", "https://good.example/%2e%2e/x",
        "https://good.example/a%2Fb", "https://good.example/%", "https://good.example/%zz", "https://good.example/.",
        "https://good.example/..", "https://good.example/a/../b", "https://good.example/a/./b",
        "https://good.example//", "https://good.example//a", "https://good.example/a//b", "https://good.example/a//",
        "https://good.example?", "https://good.example?a=b", "https://good.example/a?b", "https://good.example#",
        "https://good.example/#a", "https://good.example/a#", "https://good.example:", "https://good.example:/",
        "https://good.example:0", "https://good.example:00443", "https://good.example:0443",
        "https://good.example:65536", "https://good.example:99999999999999999999", "https://good.example:+443",
        "https://good.example:-1", "https://good.example:443:443", "https://good.example:4 43",
        "https://good.example:https", "https://good.example:0x1bb", "https://good.example:\u{0664}\u{0664}\u{0663}",
        "https://.good.example", "https://good..example", "https://good.example.", "https://good.example..",
        "https://.", "https://..", "https://-good.example", "https://good-.example", "https://good.-bad.example",
        "https://good_bad.example", "https://good.example,evil.example", "https://good.example;evil.example",
        "https://*.example", "https://good$.example", "https://good!.example", "https://good'.example",
        "https://(good).example", "https://good.example&evil.example", "https://good.example=evil",
        "https://localhost.", "http://localhost.:80", "https://0x7f.1", "https://2130706433", "https://127.1",
        "https://127.0.1", "https://017700000001", "https://0177.0.0.1", "https://127.0.0.01", "https://127.0.0.256",
        "https://127.0.0.0x1", "https://1.2.3.4.5", "https://a.1", "https://good.0x1", "https://0", "https://0.0.0.0",
        "https://0.1.2.3", "https://127.0.0.1.", "https://[", "https://[]", "https://[::1", "https://::1",
        "https://[::1]x", "https://[::1]]", "https://[[::1]]", "https://x[::1]", "https://[::1]:", "https://[::1]:0",
        "https://[::1]@evil.example", "https://[::1%25lo]", "https://[fe80::1%25eth0]", "https://[:::]",
        "https://[1:2:3:4:5:6:7]", "https://[1:2:3:4:5:6:7:8:9]", "https://[1::2::3]", "https://[12345::]",
        "https://[g::1]", "https://[::ffff:127.0.0.1]", "https://[::127.0.0.1]", "https://[::ffff:7f00:1]",
        "https://[::]", "https://[0:0:0:0:0:0:0:0]", "https://[v1.a]", "https://[::1]:65536", "https://[1.2.3.4]",
        "https://[:1:2:3:4:5:6:7]", "https://[1:2:3:4:5:6:7:]", "https://[1::2:3:4:5:6:7:8]", "https://[.]",
        "https://good.example/\"", "https://good.example/<x>", "https://good.example/{id}", "https://good.example/a|b",
        "https://good.example/a^b", "https://good.example/`", "https://good.example/[a]",
        "https://" + String(repeating: "a", count: 64) + ".example",
        "https://" + String(repeating: "a.", count: 130) + "example",
    ]

    @Test("what is not plainly an address is refused", arguments: hostile)
    func refused(text: String) {
        #expect(throws: WireURL.Refusal.self) { try WireURL(base: text) }
    }

    @Test("there are enough of them")
    func enough() {
        #expect(Set(Self.hostile).count == Self.hostile.count)
        #expect(Self.hostile.count >= 60)
    }

    @Test("a refusal does not repeat the address")
    func refusalIsSilent() {
        for text in Self.hostile where text.contains("evil") {
            do throws(WireURL.Refusal) {
                _ = try WireURL(base: text)
                Issue.record("accepted \(text)")
            } catch {
                #expect(!error.reason.description.contains("evil"))
                #expect(!error.reason.isEmpty)
            }
        }
    }

    @Test(
        "what is accepted, and how it reads",
        arguments: [
            ("https://good.example", "https://good.example", "", false),
            ("https://good.example/", "https://good.example", "", false),
            ("https://good.example/v1", "https://good.example", "/v1", false),
            ("https://good.example/v1/", "https://good.example", "/v1", false),
            ("HTTPS://GOOD.Example/V1", "https://good.example", "/V1", false),
            ("https://good.example:443", "https://good.example", "", false),
            ("http://good.example:80", "http://good.example", "", false),
            ("http://good.example:443", "http://good.example:443", "", false),
            ("https://good.example:65535/a/b", "https://good.example:65535", "/a/b", false),
            ("https://good.example:1", "https://good.example:1", "", false),
            ("https://xn--gd-fka.example", "https://xn--gd-fka.example", "", false),
            ("https://a-b.c--d.example", "https://a-b.c--d.example", "", false),
            ("https://3com.example", "https://3com.example", "", false),
            ("https://localhost.evil.example", "https://localhost.evil.example", "", false),
            ("https://127.0.0.1.evil.example", "https://127.0.0.1.evil.example", "", false),
            ("https://0x7f.1.evil.example", "https://0x7f.1.evil.example", "", false),
            ("https://good.example/a;b=c/@d:e+f,g~h", "https://good.example", "/a;b=c/@d:e+f,g~h", false),
            ("https://good.example/...", "https://good.example", "/...", false),
            ("https://good.example/.well-known", "https://good.example", "/.well-known", false),
            ("https://192.0.2.7", "https://192.0.2.7", "", false),
            ("https://128.0.0.1", "https://128.0.0.1", "", false),
            ("https://[2001:DB8::1]", "https://[2001:db8::1]", "", false),
            ("https://[2001:db8:0:0:0:0:0:1]:8443", "https://[2001:db8::1]:8443", "", false),
            ("https://[2001:0db8::0001]", "https://[2001:db8::1]", "", false),
            ("https://[::2]", "https://[::2]", "", false),
            ("http://localhost", "http://localhost", "", true),
            ("http://LOCALHOST:8080", "http://localhost:8080", "", true),
            ("http://api.localhost:8080", "http://api.localhost:8080", "", true),
            ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080", "/v1", true),
            ("http://127.255.255.254", "http://127.255.255.254", "", true),
            ("http://[::1]:8080", "http://[::1]:8080", "", true),
            ("http://[0:0:0:0:0:0:0:1]", "http://[::1]", "", true),
            ("http://[0000::0001]", "http://[::1]", "", true),
        ])
    func accepted(text: String, origin: String, path: String, isLoopback: Bool) throws {
        let url = try WireURL(base: text)
        #expect(url.origin.description == origin)
        #expect(url.path == path)
        #expect(url.origin.isLoopback == isLoopback)
        #expect(url.wireText.withExposed { $0 } == origin + (path.isEmpty ? "/" : path))
    }

    @Test("whatever is accepted has an origin whose printed form reads back as the same origin")
    func originRoundTrip() throws {
        let parts = [
            "https://", "http://", "HTTPS://", "//", "/", ".", "..", "good", "example", "localhost", "127", "0x7f", "1",
            "[", "]", "::", ":", "ffff", "2001:db8", "@", "\\", "%2e", "%", "?", "#", ":443", ":80", ":8080", ":0", "-",
            "xn--", "é", " ", "\t", "0", "255", "a", "Z",
        ]
        var numbers = SeededNumbers(seed: 5)
        var accepted = 0
        for _ in 0..<15_000 {
            var text = Int.random(in: 0..<4, using: &numbers) == 0 ? "" : parts[Int.random(in: 0..<3, using: &numbers)]
            for _ in 0..<Int.random(in: 0...7, using: &numbers) { text += parts.randomElement(using: &numbers) ?? "" }
            guard let url = try? WireURL(base: text) else { continue }
            accepted += 1
            let again = try WireURL(base: url.origin.description)
            #expect(again.origin == url.origin, "\(text)")
            #expect(url.origin.host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x40 && $0 != 0x2F })
            #expect(!url.path.hasSuffix("/") && !url.path.contains("//") && !url.path.contains("%"))
        }
        #expect(accepted > 100)
    }

    @Test(
        "a segment leads one level deeper, whatever is in it",
        arguments: [
            ("abc", "abc"), ("a/b", "a%2Fb"), ("../x", "..%2Fx"), ("a?b", "a%3Fb"), ("a#b", "a%23b"),
            ("a%2Fb", "a%252Fb"), ("é", "%C3%A9"), ("a b", "a%20b"), ("a\r\nb", "a%0D%0Ab"), ("...", "..."),
            ("a.json", "a.json"), ("~_-", "~_-"), ("a\\b", "a%5Cb"), ("@:;+", "%40%3A%3B%2B"),
        ])
    func segments(segment: String, encoded: String) {
        let url = WireURL.known("https://good.example/v1").appending(segment)
        #expect(url.path == "/v1/" + encoded)
        #expect(url.origin == WireURL.known("https://good.example").origin)
    }

    @Test("dot segments stay where they are, also at servers that decode before they resolve", arguments: [".", ".."])
    func dots(segment: String) {
        let path = WireURL.known("https://good.example/v1/things").appending(segment).path
        let encodedDot = "%2E"
        let decodedOnce = path.replacing("%25", with: "%")
        #expect(path.hasPrefix("/v1/things/%25"))
        #expect(!path.contains("/" + encodedDot))
        #expect(decodedOnce.hasSuffix(String(repeating: encodedDot, count: segment.count)))
    }

    @Test("query items are encoded as they are and in order")
    func query() {
        let url = WireURL.known("https://good.example")
            .appending(query: "a b", "1&2=3").appending(query: "key", .sensitive(Sensitive("s+/=é")))
        #expect(url.wireText.withExposed { $0 } == "https://good.example/?a%20b=1%262%3D3&key=s%2B%2F%3D%C3%A9")
        #expect(url.wireText.description == "[FILTERED]")
    }

    @Test("a sensitive query value is never shown, and a plain one is redacted")
    func shown() {
        let number = TestCard.all[0].number
        let url = WireURL.known("https://good.example/v1").appending(
            query: "key", .sensitive(Sensitive("hidden-value"))
        )
        .appending(query: "note", .plain(number)).appending(query: "other", .plain("account-secret-1"))
        let redactor = Redactor(secrets: [Sensitive("account-secret-1")])
        let shown = url.shown(by: redactor).description
        #expect(shown.hasPrefix("https://good.example/v1?key=[FILTERED]&note="))
        for secret in ["hidden-value", number, "account-secret-1"] { #expect(!shown.contains(secret)) }
        let printed = everythingShown(url) + everythingShown(url.query)
        for secret in ["hidden-value", number] { #expect(!printed.contains(secret)) }
    }
}
