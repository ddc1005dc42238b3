import GatewayCrypto
import Testing

@Suite struct RSAOperations {
    private let key: RSAPrivateKey

    init() throws {
        key = try RSAPrivateKey(pem: PublishedKey.privatePKCS8)
    }

    /// RFC 7515, appendix A.2.
    @Test func theSignatureIsThePublishedOne() throws {
        let message = Array(PublishedKey.signed.utf8)
        #expect(Base64.url.encode(try key.signature(for: message)) == PublishedKey.signature)
        #expect(try key.publicKey.isValid(Base64.url.decode(PublishedKey.signature), for: message))
    }

    @Test func noOtherSignatureIsValid() throws {
        let message = Array(PublishedKey.signed.utf8)
        let signature = try key.signature(for: message)
        for place in stride(from: 0, to: signature.count, by: 17) {
            var other = signature
            other[place] ^= 1
            #expect(try !key.publicKey.isValid(other, for: message))
        }
        for other in [
            [], Array(signature.dropLast()), signature + [0], [0] + signature, [UInt8](repeating: 0xFF, count: 256),
        ] {
            #expect(try !key.publicKey.isValid(other, for: message))
        }
        #expect(try !key.publicKey.isValid(signature, for: message + [0x20]))
        #expect(try !RSAPrivateKey.generate().publicKey.isValid(signature, for: message))
    }

    @Test func anEmptyMessageCanBeSigned() throws {
        #expect(try key.publicKey.isValid(key.signature(for: []), for: []))
    }

    @Test func whatAnotherImplementationEncryptedOpens() throws {
        let secret = try key.decrypt(Base64.url.decode(OthersMessages.encrypted))
        #expect(secret == SecretBytes(Array(OthersMessages.secret.utf8)))
    }

    @Test func whatIsEncryptedOpensAndNoTwoTextsAreAlike() throws {
        var numbers = SeededNumbers(state: 7)
        for count in [0, 1, 32, 190] {
            let secret = SecretBytes(numbers.bytes(count))
            let first = try key.publicKey.encrypt(secret)
            #expect(first.count == 256)
            #expect(try first != key.publicKey.encrypt(secret))
            #expect(try key.decrypt(first) == secret)
        }
        #expect { _ = try key.publicKey.encrypt(SecretBytes([UInt8](repeating: 1, count: 191))) } throws: {
            ($0 as? CryptoError)?.kind == .size
        }
    }

    @Test func everyDamageIsTheSameRefusal() throws {
        let encrypted = try key.publicKey.encrypt(SecretBytes(Array("secret".utf8)))
        var attempts = [[], Array(encrypted.dropLast()), encrypted + [0], [UInt8](repeating: 0xFF, count: 256)]
        for place in stride(from: 0, to: encrypted.count, by: 31) {
            var other = encrypted
            other[place] ^= 1
            attempts.append(other)
        }
        attempts.append(try RSAPrivateKey.generate().publicKey.encrypt(SecretBytes(Array("secret".utf8))))
        var errors: Set<CryptoError> = []
        for attempt in attempts {
            do throws(CryptoError) {
                _ = try key.decrypt(attempt)
                Issue.record("a damaged text was decrypted")
            } catch {
                errors.insert(error)
            }
        }
        #expect(errors.count == 1)
        #expect(errors.first?.kind == .authentication)
    }

    @Test func keysAreMadeInThreeLengthsOnly() throws {
        let key = try RSAPrivateKey.generate(bits: 3072)
        #expect(key.bitCount == 3072)
        #expect(try key.publicKey.isValid(key.signature(for: [1]), for: [1]))
        for bits in [0, 512, 1024, 2047, 16384] {
            #expect { _ = try RSAPrivateKey.generate(bits: bits) } throws: {
                ($0 as? CryptoError)?.kind == .keyStrength
            }
        }
    }
}
