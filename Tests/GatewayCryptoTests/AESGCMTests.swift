import GatewayCrypto
import Testing

@Suite struct AESGCMBoxes {
    struct Vector: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var key: String
        var nonce: String
        var message: String
        var context = ""
        var ciphertext: String
        var tag: String
    }

    /// Test cases 13 to 16 of the mode's specification (McGrew and Viega), which NIST published with it, and the content
    /// of RFC 7516, appendix A.1.
    static let vectors = [
        Vector(
            testDescription: "case 13", key: String(repeating: "00", count: 32),
            nonce: String(repeating: "00", count: 12), message: "", ciphertext: "",
            tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            testDescription: "case 14", key: String(repeating: "00", count: 32),
            nonce: String(repeating: "00", count: 12), message: String(repeating: "00", count: 16),
            ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            testDescription: "case 15", key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            message: """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255
                """,
            ciphertext: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
                8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad
                """, tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Vector(
            testDescription: "case 16", key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            message: """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
                """, context: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            ciphertext: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
                8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
                """, tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test(arguments: vectors)
    func thePublishedVectors(_ vector: Vector) throws {
        let cipher = try AESGCM(key: SecretBytes(hex(vector.key)))
        let message = SecretBytes(hex(vector.message))
        let box = try cipher.seal(message, authenticating: hex(vector.context), nonce: hex(vector.nonce))
        #expect(box.ciphertext == hex(vector.ciphertext))
        #expect(box.tag == hex(vector.tag))
        #expect(try cipher.open(box, authenticating: hex(vector.context)) == message)
    }

    @Test func theContentOfRFC7516() throws {
        let key: [UInt8] = [
            177, 161, 244, 128, 84, 143, 225, 115, 63, 180, 3, 255, 107, 154, 212, 246, 138, 7, 110, 91, 112, 46, 34,
            105,
            47, 130, 203, 46, 122, 234, 64, 252,
        ]
        let box = AESGCM.Box(
            nonce: try Base64.url.decode("48V1_ALb6US04U3b"),
            ciphertext: try Base64.url.decode(
                "5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EFShS8iB7j6jiSdiwkIr3ajwQzaBtQD_A"),
            tag: try Base64.url.decode("XFBoMYUZodetZdvTiFvSkQ"))
        let opened = try AESGCM(key: SecretBytes(key)).open(
            box, authenticating: Array("eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ".utf8))
        let sentence = "The true sign of intelligence is not knowledge but imagination."
        #expect(opened == SecretBytes(Array(sentence.utf8)))
    }

    @Test func noChangeOpens() throws {
        var numbers = SeededNumbers(state: 11)
        let cipher = try AESGCM(key: SecretBytes(numbers.bytes(32)))
        let context = numbers.bytes(20)
        let box = try cipher.seal(SecretBytes(numbers.bytes(40)), authenticating: context)
        var changed: [(AESGCM.Box, [UInt8])] = []
        for path in [\AESGCM.Box.nonce, \.ciphertext, \.tag] {
            for place in box[keyPath: path].indices {
                var other = box
                other[keyPath: path][place] ^= UInt8(1) << UInt8(place % 8)
                changed.append((other, context))
            }
        }
        for place in context.indices {
            var other = context
            other[place] ^= 1
            changed.append((box, other))
        }
        var shorter = box
        shorter.ciphertext.removeLast()
        changed += [(box, []), (box, context + [0]), (shorter, context)]
        for (box, context) in changed {
            #expect { _ = try cipher.open(box, authenticating: context) } throws: {
                ($0 as? CryptoError)?.kind == .authentication
            }
        }
        #expect { _ = try AESGCM(key: SecretBytes(numbers.bytes(32))).open(box, authenticating: context) } throws: {
            ($0 as? CryptoError)?.kind == .authentication
        }
    }

    @Test func lengthsAreExact() throws {
        for count in [0, 16, 24, 31, 33] {
            #expect { _ = try AESGCM(key: SecretBytes([UInt8](repeating: 0, count: count))) } throws: {
                ($0 as? CryptoError)?.kind == .size
            }
        }
        let cipher = try AESGCM(key: SecretBytes([UInt8](repeating: 0, count: 32)))
        let box = try cipher.seal(SecretBytes([1, 2, 3]))
        for count in [0, 8, 11, 13] {
            let nonce = [UInt8](repeating: 0, count: count)
            #expect { _ = try cipher.seal(SecretBytes([]), nonce: nonce) } throws: {
                ($0 as? CryptoError)?.kind == .size
            }
            var other = box
            other.nonce = nonce
            #expect { _ = try cipher.open(other) } throws: { ($0 as? CryptoError)?.kind == .size }
        }
        // A short tag is easier to guess.
        for count in [0, 4, 12, 15, 17] {
            var other = box
            other.tag = Array((box.tag + [0]).prefix(count))
            #expect { _ = try cipher.open(other) } throws: { ($0 as? CryptoError)?.kind == .size }
        }
    }

    @Test func everyBoxHasItsOwnNonce() throws {
        let cipher = try AESGCM(key: SecretBytes([UInt8](repeating: 9, count: 32)))
        let nonces = try (0..<100).map { _ in try cipher.seal(SecretBytes([1])).nonce }
        #expect(Set(nonces).count == 100)
    }
}
