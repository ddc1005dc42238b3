import GatewayCrypto
import GatewayKitCore

/// The "enhanced" way in (dossier 1.1): nonce, timestamp and certificate token, signed with the key of a certificate that
/// Spreedly knows.
///
/// Guesses: all four or none of the members must be there; a set is used up as soon as its signature is right, whatever
/// becomes of the request; the timestamp may be text or number. For how long a set is taken is not established, so its
/// age is not looked at.
final class SpreedlySignedSets: Sendable {
    /// Of the certificate.
    let certificateToken: String
    private let used: Locked<KeptObjects<String>>

    /// Making a key takes a moment, so one serves every sandbox of the process. It opens nothing anywhere else.
    private static let key = try? RSAPrivateKey.generate()

    init(certificateToken: String, limit: Int) {
        self.certificateToken = certificateToken
        used = Locked(KeptObjects(limit: limit))
    }

    /// The private key in one line, its line ends written as `\n`, as keys stand in environment variables.
    var signingKey: String? {
        guard let pem = try? Self.key?.pem() else { return nil }
        return pem.withExposed { bytes in
            bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\\n")
        }
    }

    func reset() {
        used.withLock { $0.removeAll() }
    }

    /// Uses a set up, if there is one.
    func check(_ body: JSONValue) throws(SpreedlyRefusal) {
        let members = ["nonce", "timestamp", "certificate_token", "signature"].map { body[$0] }
        guard members.contains(where: { $0.present != nil }) else { return }
        let texts = members.compactMap { try? $0.present?.scalarText() }
        guard texts.count == members.count, texts.allSatisfy({ !$0.isEmpty }) else { throw .signedSet }
        let (nonce, timestamp, token, signature) = (texts[0], texts[1], texts[2], texts[3])
        guard token == certificateToken, timestamp.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let bytes = try? GatewayCrypto.Base64.standard.decode(signature),
            (try? Self.key?.publicKey.isValid(bytes, for: Array((nonce + timestamp + token).utf8))) == true
        else { throw .signedSet }
        let isNew = used.withLock { used in
            guard used[nonce] == nil else { return false }
            used.add(nonce, token: nonce)
            return true
        }
        guard isNew else { throw .signedSet }
    }
}
