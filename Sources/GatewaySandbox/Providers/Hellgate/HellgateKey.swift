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
        guard let key = try? RSAPrivateKey.generate(bits: 2048), let numbers = try? key.publicKey.jwkNumbers() else {
            return nil
        }
        return HellgateKey(modulus: numbers.n, exponent: numbers.e, key: key)
    }()

    /// The claims in a compact JWE (RFC 7516) with RSA-OAEP-256 and A256GCM, and nothing else.
    func claims(in text: String) throws(HellgateRefusal) -> JSONValue {
        guard let message = try? CompactJWE(reading: text), let content = try? message.open(with: key),
            let claims = content.withExposed({ try? JSONValue(parsing: $0) })
        else { throw .malformed("enc_payload") }
        return claims
    }
}
