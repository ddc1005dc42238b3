import GatewayCrypto
import Testing

@Suite struct Hashes {
    @Test("SHA-2 gives the published digests", arguments: DigestVector.published)
    func digests(_ vector: DigestVector) throws {
        let digest = try vector.hash.digest(of: Array(vector.message.utf8))
        #expect(digest == hex(vector.digest))
        #expect(digest.count == vector.hash.byteCount)
    }

    @Test("HMAC gives the published codes", arguments: CodeVector.published)
    func codes(_ vector: CodeVector) throws {
        for (hash, text) in [(HashFunction.sha256, vector.sha256), (HashFunction.sha512, vector.sha512)] {
            let expected = hex(text)
            let authentication = MessageAuthentication(hash, key: SecretBytes(vector.key))
            #expect(try authentication.code(for: vector.message) == expected)
            #expect(try authentication.isValid(expected, for: vector.message))
            #expect(try !authentication.isValid(expected, for: vector.message + [0]))
            #expect(try !authentication.isValid(Array(expected.dropLast()), for: vector.message))
            #expect(try !authentication.isValid([], for: vector.message))
        }
    }

    @Test func emptyKeysAndMessagesAreAllowed() throws {
        let authentication = MessageAuthentication(.sha256, key: SecretBytes([]))
        // The widely published HMAC-SHA256 of nothing under no key.
        #expect(
            try authentication.code(for: [])
                == hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }

    @Test func comparingFindsEveryDifference() {
        let bytes: [UInt8] = Array(0..<32)
        #expect(ConstantTime.areEqual(bytes, bytes))
        #expect(ConstantTime.areEqual([], []))
        #expect(!ConstantTime.areEqual(bytes, Array(bytes.dropLast())))
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 0x80
            #expect(!ConstantTime.areEqual(bytes, other))
        }
    }

    @Test func randomBytesDifferAndHaveTheirLength() throws {
        let draws = try (0..<64).map { _ in try SecureRandom.bytes(32) }
        #expect(Set(draws).count == 64)
        #expect(draws.allSatisfy { $0.count == 32 })
        #expect(try SecureRandom.bytes(0).isEmpty)
        for count in [-1, 1_048_577] {
            #expect { _ = try SecureRandom.bytes(count) } throws: { ($0 as? CryptoError)?.kind == .size }
        }
    }
}
