import GatewayCrypto
import GatewayKitCore

/// One set of Spreedly's "enhanced" authentication: lets a browser, an app or this adapter create one payment method.
///
/// A backend makes one for each payment form and hands it to Spreedly's SDK there, under the names that are told with
/// each member. Spreedly takes a nonce once; for how long it takes one at all is not documented. The set holds no secret
/// of the account, but whoever has it can store one card: send it to the shopper's own page only, over HTTPS, and do not
/// log it.
public struct SpreedlyNonceSignature: Sendable, Hashable {
    /// `nonce`: a random UUID.
    public let nonce: String
    /// `timestamp`: seconds since 1970.
    public let timestamp: Int64
    /// `certificate_token`: names the certificate at Spreedly.
    public let certificateToken: String
    /// `signature`: RSA with SHA-256 (PKCS#1 v1.5) over nonce, timestamp and certificate token, nothing between them; in
    /// base64.
    public let signature: Sensitive<String>

    /// Equal when all members are.
    public static func == (lhs: SpreedlyNonceSignature, rhs: SpreedlyNonceSignature) -> Bool {
        lhs.nonce == rhs.nonce && lhs.timestamp == rhs.timestamp && lhs.certificateToken == rhs.certificateToken
            && lhs.signature == rhs.signature
    }

    /// Goes by the nonce, which is unique.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(nonce)
    }
}

/// Signs for Spreedly's "enhanced" authentication, with the key of an account. Makes no call.
public struct SpreedlySigner: Sendable {
    let environmentKey: Sensitive<String>
    private let account: AccountName
    private let certificateToken: String
    private let key: RSAPrivateKey

    /// Takes `environmentKey`, `certificateToken` and `signingKey` from the settings of an account, whatever its
    /// `authentication` is.
    /// - Throws: ``GatewayError/Code/configuration`` when one is missing, or the signing key is no RSA private key of 2048
    ///   to 8192 bits in a PEM block `PRIVATE KEY` or `RSA PRIVATE KEY`.
    public init(_ account: AccountSettings) throws(GatewayError) {
        guard account.provider == SpreedlyProvider().id else {
            throw GatewayError(
                .configuration, message: "Account \(account.name) is no account of Spreedly.",
                advice: "Name an account of Spreedly.", account: account.name)
        }
        environmentKey = try SpreedlyAuthentication.secret(SpreedlyProvider.environmentKey, of: account)
        guard let token = account.text(SpreedlyProvider.certificateToken), !token.isEmpty else {
            throw account.missing(SpreedlyProvider.certificateToken)
        }
        let pem = try SpreedlyAuthentication.secret(SpreedlyProvider.signingKey, of: account)
        do throws(CryptoError) {
            key = try pem.withExposed { pem throws(CryptoError) in try RSAPrivateKey(pem: pem) }
        } catch {
            throw GatewayError(
                .configuration,
                message: "The signingKey of account \(account.name) cannot be used: \(Self.words(error)).",
                advice: """
                    It is the private key of the certificate that Spreedly knows, as an unencrypted PEM file; \
                    {"file": …} names one.
                    """, account: account.name)
        }
        self.account = account.name
        certificateToken = token
    }

    /// Makes one set. Each has a nonce of its own.
    ///
    /// - Parameters:
    ///   - time: Now.
    ///   - random: Where the nonce comes from.
    /// - Throws: ``GatewayError`` when the system's cryptography fails.
    public func sign(
        at time: WallTime = WallClock.system.now(), _ random: RandomSource = .system
    ) throws(GatewayError) -> SpreedlyNonceSignature {
        let nonce = Self.uuid(random)
        let timestamp = time.secondsSince1970
        do throws(CryptoError) {
            let signature = try key.signature(for: Array("\(nonce)\(timestamp)\(certificateToken)".utf8))
            return SpreedlyNonceSignature(
                nonce: nonce, timestamp: timestamp, certificateToken: certificateToken,
                signature: Sensitive(Base64.standard.encode(signature)))
        } catch {
            throw GatewayError(
                .configuration, message: "Nothing could be signed: \(Self.words(error)).",
                advice: "Nothing was sent. Check the signingKey and this machine's OpenSSL.", account: account)
        }
    }

    private static func words(_ error: CryptoError) -> SafeText { Redactor.standard.scrub(error.detail) }

    /// A random UUID (RFC 9562, section 5.4).
    private static func uuid(_ random: RandomSource) -> String {
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func digits(_ number: UInt64) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        let all = digits(high) + digits(low)
        var groups: [Substring] = []
        var rest = all[...]
        for count in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return groups.joined(separator: "-")
    }
}
