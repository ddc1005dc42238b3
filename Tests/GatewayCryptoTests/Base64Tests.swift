import Foundation
import GatewayCrypto
import Testing

@Suite struct Base64Text {
    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func thePublishedExamples(plain: String, encoded: String) throws {
        #expect(Base64.standard.encode(Array(plain.utf8)) == encoded)
        #expect(try Base64.standard.decode(encoded) == Array(plain.utf8))
        let unpadded = encoded.filter { $0 != "=" }
        #expect(Base64.url.encode(Array(plain.utf8)) == unpadded)
        #expect(try Base64.url.decode(unpadded) == Array(plain.utf8))
    }

    /// RFC 7515, appendix C.
    @Test func theAlphabetsDiffer() throws {
        #expect(Base64.url.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
        #expect(Base64.standard.encode([3, 236, 255, 224, 193]) == "A+z/4ME=")
    }

    @Test(
        "Only the one right spelling is read",
        arguments: [
            (Base64.standard, "Zg"), (.standard, "Zg="), (.standard, "Zg==="), (.standard, "Z==="), (.standard, "===="),
            (.standard, "Zh=="), (.standard, "Zm9="), (.standard, "Zm9v\n"), (.standard, " Zm9v"), (.standard, "Zm-v"),
            (.standard, "Zm_v"), (.standard, "Zg==Zg=="), (.standard, "Z=g="), (.standard, "Zm9vé"), (.standard, "="),
            (.url, "Zg=="), (.url, "Zh"), (.url, "Zm9"), (.url, "Z"), (.url, "Zm+v"), (.url, "Zm/v"), (.url, "Zm9v."),
            (.url, "Zm 9"), (.url, "Zm9v\u{0}A"),
        ])
    func refused(_ kind: Base64, _ text: String) {
        #expect { _ = try kind.decode(text) } throws: { ($0 as? CryptoError)?.kind == .encoding }
    }

    @Test func itAgreesWithFoundation() throws {
        var numbers = SeededNumbers(state: 20_261_130)
        for count in 0..<200 {
            let bytes = numbers.bytes(count)
            let text = Base64.standard.encode(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(try Base64.standard.decode(text) == bytes)
            #expect(try Base64.url.decode(Base64.url.encode(bytes)) == bytes)
        }
    }
}
