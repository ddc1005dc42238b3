import GatewayKitCore
import Testing

@Suite("Redactor: exact values")
struct SecretRedactionTests {
    static let key = "sk_Xy7/Qz+9w=="
    static let redactor = Redactor(
        secrets: ["737", key, "9876543210", "5895627823453005", "pa ss\"wö<rd&", ""].map { Sensitive($0) })

    @Test(
        "a CVV, a key, an account number and a card without a check digit are found",
        arguments: [
            ("code 737.", "code [FILTERED]."), ("%37%33%37", "[FILTERED]"), (#"\u00373\u0037"#, "[FILTERED]"),
            (#"[1,737,"x"]"#, #"[1,[FILTERED],"x"]"#), ("amount 73700 at 1737 id x737", "amount 73700 at 1737 id x737"),
            ("NzM3", "[FILTERED]"), ("q NzM3Cg== q", "q [FILTERED]== q"), ("373337", "[FILTERED]"),
            ("key sk_Xy7/Qz+9w==!", "key [FILTERED]!"), ("key sk_Xy7%2FQz%2b9w%3D%3d!", "key [FILTERED]!"),
            (#"sk_Xy7\/Qz+9w=="#, "[FILTERED]"), ("at 9876543210", "at [FILTERED]"), ("98 7654-3210;", "[FILTERED];"),
            ("5895 6278 2345 3005", "5895 62** **** 3005"), ("pa ss\"wö<rd&", "[FILTERED]"),
            ("pa+ss%22w%C3%B6%3Crd%26", "[FILTERED]"), (#"pa ss\"w\u00f6<rd&"#, "[FILTERED]"),
            ("pa ss&quot;w&#246;&lt;rd&amp;", "[FILTERED]"), ("nothing here", "nothing here"),
        ])
    func finds(_ input: String, _ expected: String) {
        #expect(Self.redactor.redact(input) == expected)
    }

    @Test("L10: the key of Basic authentication, with and without a user, raw and in base64")
    func basicAuthentication() {
        let key = "Lk9-environment-secret"
        let redactor = Redactor(secrets: [Sensitive(key)])
        for credentials in [key, key + ":", ":" + key, "u:" + key, "us:" + key, "usr:" + key, "user:" + key + ":x"] {
            let encoded = base64(Array(credentials.utf8))
            for text in [
                credentials, encoded, "Basic \(encoded)", "x\(encoded)", "ab-\(encoded)", "h: \(encoded), next: 1",
            ] {
                let shown = redactor.redact(text)
                #expect(!shown.contains(key))
                #expect(!shown.contains(encoded.prefix(12)))
            }
        }
    }

    @Test("a secret that looks like an escape is found raw and escaped")
    func escapeInSecret() {
        let redactor = Redactor(secrets: [Sensitive("a%41&#52;\\n\"zz")])
        for text in [
            "a%41&#52;\\n\"zz", "a%2541&#52;\\n%22zz", #"a%41&#52;\\n\"zz"#, "a%41&amp;#52;\\n&quot;zz",
            "a%2541%26%2352%3B%5Cn%22zz",
        ] {
            #expect(redactor.redact("<<\(text)>>") == "<<[FILTERED]>>", "\(text)")
        }
    }

    @Test("secrets do not show in the redactor itself")
    func dumped() {
        let redactor = Redactor.standard.adding([Sensitive("k-secret-1")])
        var text =
            "\(redactor) \(String(reflecting: redactor)) \(String(describing: LeakSearch([Sensitive("k-secret-1")])))"
        dump(redactor, to: &text)
        dump(RedactingStream(redactor), to: &text)
        dump(LeakSearch([Sensitive("k-secret-1")]), to: &text)
        #expect(!text.contains("k-secret-1"))
        #expect(!text.withoutAddresses.contains("107"))
    }

    @Test("adding keeps what was there")
    func adding() {
        let redactor = Redactor(secrets: [Sensitive("first-secret")]).adding([Sensitive(" second-secret\n")])
        #expect(redactor.redact("first-secret second-secret") == "[FILTERED] [FILTERED]")
        #expect(redactor.scrub("a first-secret").description == "a [FILTERED]")
    }

    @Test("bytes that are not UTF-8 are shown as replacement characters, and hide nothing")
    func invalidBytes() {
        let bytes = Array("n=4111111111111111 ".utf8) + [0xFF, 0xC3] + Array("737".utf8)
        let shown = Self.redactor.redact(bytes: bytes)
        #expect(shown.hasPrefix("n=411111******1111 \u{FFFD}"))
        #expect(shown.hasSuffix("[FILTERED]"))
    }
}
