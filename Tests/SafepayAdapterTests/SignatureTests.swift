import GatewayKitCore
import Testing

@testable import SafepayAdapter

/// The redirect's signature.
@Suite struct SafepaySignatureTests {
    static let tracker = "track_00000000-0000-4000-8000-000000000001"
    static let good = "59345a19c0b314f03a8eda2091bb295ba3e71fbcaab338f4f9278b6f8cf63b7b"

    @Test(
        "It is HMAC-SHA256 of the tracker, in hexadecimal, under the key as text",
        arguments: [
            ("bar", "1234", "530fdbcf1bf498aff65e42faff0791c366b0794dbe2e7bc1681ba1837b0c7a25"),
            ("gatewaykit-demo-secret", tracker, good),
        ])
    func vectors(key: String, tracker: String, signature: String) {
        let check = SafepaySignature(secretKey: Sensitive(key))
        #expect(check.isValid(signature, for: tracker))
        #expect(check.isValid(signature.uppercased(), for: tracker))
        #expect(!check.isValid(signature, for: tracker + "0"))
        #expect(!SafepaySignature(secretKey: Sensitive(key + "x")).isValid(signature, for: tracker))
    }

    @Test("Whatever is not exactly those 64 digits is no signature")
    func others() {
        let check = SafepaySignature(secretKey: Sensitive("gatewaykit-demo-secret"))
        let good = Self.good
        var texts = ["", "0", good + "0", " " + good, good + " ", "0x" + good.dropFirst(2), good + "\n", good + good]
        texts.append(String(good.dropLast()))
        texts.append(good.replacing("5", with: "５"))
        texts.append(good.replacing("b", with: "g"))
        for index in good.indices {
            var changed = good
            changed.replaceSubrange(index...index, with: good[index] == "0" ? "1" : "0")
            texts.append(changed)
        }
        for text in texts { #expect(!check.isValid(text, for: Self.tracker), "\(text)") }
    }
}
