import GatewayCrypto
import Testing

/// A PEM text, and how it is refused.
struct KeyText: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    private let kind: CryptoError.Kind
    private let words: String

    init(_ name: String, _ text: String, _ kind: CryptoError.Kind = .key, _ words: String = "no BEGIN line") {
        testDescription = name
        self.text = text
        self.kind = kind
        self.words = words
    }

    func expects(_ error: any Error) -> Bool {
        guard let error = error as? CryptoError else { return false }
        return error.kind == kind && error.detail.contains(words)
    }
}

@Suite struct RSAKeys {
    @Test func everySpellingIsTheSameKey() throws {
        let spellings = [
            try RSAPublicKey(pem: PublishedKey.publicInfo), try RSAPublicKey(pem: PublishedKey.publicPKCS1),
            try RSAPublicKey(jwkModulus: PublishedKey.n, exponent: PublishedKey.e),
            try RSAPrivateKey(pem: PublishedKey.privatePKCS8).publicKey,
            try RSAPrivateKey(pem: PublishedKey.privatePKCS1).publicKey,
        ]
        for key in spellings {
            #expect(key.bitCount == 2048)
            let numbers = try key.jwkNumbers()
            #expect(numbers.n == PublishedKey.n)
            #expect(numbers.e == PublishedKey.e)
            #expect(try key.pem().trimmed == PublishedKey.publicInfo)
        }
    }

    @Test func aWrittenPrivateKeyReadsAsItself() throws {
        let key = try RSAPrivateKey(pem: PublishedKey.privatePKCS1)
        try key.pem().withExposed {
            #expect(String(decoding: $0, as: UTF8.self).trimmed == PublishedKey.privatePKCS8)
        }
    }

    @Test(
        "A key is read with Windows line ends, text around it, and line ends of an environment variable",
        arguments: [
            KeyText("Windows", PublishedKey.privatePKCS8.split(separator: "\n").joined(separator: "\r\n") + "\r\n"),
            KeyText("text around", "Bag Attributes\n    friendlyName: x\n" + PublishedKey.privatePKCS8 + "\n"),
            KeyText("one line", PublishedKey.privatePKCS8.split(separator: "\n").joined(separator: "\\n")),
            KeyText("empty lines", PublishedKey.privatePKCS8 + "\n\n"),
        ])
    func readLeniently(_ key: KeyText) throws {
        #expect(try RSAPrivateKey(pem: key.text).publicKey.jwkNumbers().n == PublishedKey.n)
    }

    private static let damaged = PublishedKey.privatePKCS8.split(separator: "\n").enumerated()
        .filter { $0.offset != 5 }.map { String($0.element) }.joined(separator: "\n")

    @Test(
        "What is no private key is refused with the reason",
        arguments: [
            KeyText("empty", ""), KeyText("half a line", "-----BEGIN"),
            KeyText("public", PublishedKey.publicInfo, .key, "a public key stands where"),
            KeyText("certificate", UnusableKeys.certificate, .key, "a certificate stands where"),
            KeyText("elliptic", UnusableKeys.ellipticPrivate, .key, "not an RSA key"),
            KeyText("PSS", UnusableKeys.ofPSSOnly, .key, "not an RSA key"),
            KeyText("1024 bits", UnusableKeys.ofTooFewBits, .keyStrength, "fewer than 2048"),
            KeyText("encrypted", UnusableKeys.encryptedPKCS8, .keyPassphrase, "encrypted"),
            KeyText("encrypted, old form", UnusableKeys.encryptedTraditional, .keyPassphrase, "encrypted"),
            KeyText("a line is missing", damaged, .key, "no readable key"),
            KeyText("twice", PublishedKey.privatePKCS8 + "\n" + PublishedKey.privatePKCS8, .key, "more than one"),
            KeyText(
                "no content", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", .key, "no readable key"),
            KeyText(
                "OpenSSH", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----", .key,
                "ssh-keygen"), KeyText("too long", String(repeating: "A", count: 70_000), .size, "64 KiB"),
        ])
    func notPrivate(_ key: KeyText) {
        #expect {
            _ = try RSAPrivateKey(pem: key.text)
        } throws: {
            key.expects($0)
        }
    }

    @Test(
        "What is no public key is refused with the reason",
        arguments: [
            KeyText("private", PublishedKey.privatePKCS8, .key, "a private key stands where"),
            KeyText("certificate", UnusableKeys.certificate, .key, "a certificate stands where"),
            KeyText("elliptic", UnusableKeys.ellipticPublic, .key, "not an RSA key"),
            KeyText("cut", "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----", .key, "no readable key"),
            KeyText("label", "-----BEGIN NONSENSE-----\nMIIB\n-----END NONSENSE-----", .key, "no public key"),
        ])
    func notPublic(_ key: KeyText) {
        #expect {
            _ = try RSAPublicKey(pem: key.text)
        } throws: {
            key.expects($0)
        }
    }

    @Test(
        "Numbers that make no usable key are refused",
        arguments: [
            ("", "AQAB", CryptoError.Kind.keyStrength), (String(PublishedKey.n.prefix(172)), "AQAB", .keyStrength),
            (String(repeating: "_", count: 1500), "AQAB", .keyStrength), (PublishedKey.n, "", .key),
            (PublishedKey.n, "AQ", .key), (PublishedKey.n, "Ag", .key), (PublishedKey.n, "AAAA", .key),
            (String(PublishedKey.n.dropLast(2)) + "oA", "AQAB", .key), (PublishedKey.n + "=", "AQAB", .encoding),
            (PublishedKey.n, "AQAB=", .encoding), ("+" + PublishedKey.n.dropFirst(), "AQAB", .encoding),
        ])
    func numbersRefused(n: String, e: String, kind: CryptoError.Kind) {
        #expect {
            _ = try RSAPublicKey(jwkModulus: n, exponent: e)
        } throws: {
            ($0 as? CryptoError)?.kind == kind
        }
    }

    @Test func leadingZeroBytesOfANumberAreRead() throws {
        let n = Base64.url.encode([0] + (try Base64.url.decode(PublishedKey.n)))
        #expect(try RSAPublicKey(jwkModulus: n, exponent: "AAEAAQ").jwkNumbers().n == PublishedKey.n)
    }

    @Test func nothingThatPrintsShowsAKey() throws {
        let key = try RSAPrivateKey(pem: PublishedKey.privatePKCS8)
        let shown = [
            everything(of: key), everything(of: key.publicKey), everything(of: try key.pem()),
            everything(of: SecretBytes(Array("zQ7kXw".utf8))), everything(of: [key]),
            everything(of: try? AESGCM(key: SecretBytes([UInt8](repeating: 0x41, count: 32)))),
            everything(of: MessageAuthentication(.sha256, key: SecretBytes(Array("zQ7kXw".utf8)))),
        ].joined()
        for part in ["MII", "zQ7kXw", "65, 65", "AAAA", "Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAe"] {
            #expect(!shown.contains(part), "\(part) shows")
        }
        #expect("\(key)" == "RSA private key of 2048 bits")
    }

    @Test func errorsAreFixedWords() {
        let error = CryptoError.self
        #expect(throws: error) { _ = try RSAPrivateKey(pem: "zQ7kXw") }
        do throws(CryptoError) {
            _ = try RSAPrivateKey(pem: "-----BEGIN zQ7kXw-----")
        } catch {
            #expect(!everything(of: error).contains("zQ7kXw"))
            #expect("\(error)" == "key: a PEM block that is no RSA private key")
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
