import GatewayCrypto
import GatewayKitCore

/// The key that sessions hand out. One for the process: making one takes long, and what is encrypted to it are public
/// test numbers.
struct HellgateKey: Sendable {
    let modulus: String
    let exponent: String
    private let key: RSAPrivateKey

    /// `nil` when OpenSSL makes no key.
    static let shared: HellgateKey? = {
        var made: HellgateKey?
        for _ in 0..<20 {
            guard let key = try? RSAPrivateKey.generate(bits: 2048), let numbers = try? key.publicKey.jwkNumbers()
            else { continue }
            made = HellgateKey(modulus: numbers.n, exponent: numbers.e, key: key)
            if !looksLikeCode(numbers.n) { break }
        }
        return made
    }()

    /// Whether somebody who searches an output for security codes would stumble over this number by chance: it has three
    /// digits together, decoded anywhere or written between other signs than letters.
    private static func looksLikeCode(_ modulus: String) -> Bool {
        let bytes = (try? GatewayCrypto.Base64.url.decode(modulus)) ?? []
        let words = modulus.split { $0 == "-" || $0 == "_" }
        return hasThreeDigits(bytes)
            || words.contains { $0.utf8.count >= 3 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    }

    private static func hasThreeDigits(_ bytes: [UInt8]) -> Bool {
        var run = 0
        for byte in bytes {
            run = 0x30...0x39 ~= byte ? run + 1 : 0
            if run == 3 { return true }
        }
        return false
    }

    /// The claims in a compact JWE (RFC 7516) with RSA-OAEP-256 and A256GCM, and nothing else.
    func claims(in text: String) throws(HellgateRefusal) -> JSONValue {
        guard let message = try? CompactJWE(reading: text), let content = try? message.open(with: key),
            let claims = content.withExposed({ try? JSONValue(parsing: $0) })
        else { throw .malformed("enc_payload") }
        return claims
    }
}
