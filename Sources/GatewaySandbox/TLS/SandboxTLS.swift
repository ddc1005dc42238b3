/// Whether and how a sandbox speaks TLS.
///
/// At each first start it makes a certificate authority and a certificate of its own (elliptic curve P-256, valid for
/// thirty days from the start), whose key stays in memory. A client trusts it by the authority's file:
/// ``Sandbox/certificateAuthorityPEM``. The other cases are servers that a careful client must not talk to; a client
/// without the authority's file makes one more.
public enum SandboxTLS: String, Sendable, Hashable, CaseIterable {
    /// Plain HTTP.
    case off
    /// TLS 1.2 or 1.3, with a certificate for `127.0.0.1`, `::1` and `localhost`.
    case generated
    /// The same with a certificate for another host (`elsewhere.example`).
    case otherHost
    /// The same with a certificate that ended a day ago.
    case expired
    /// The right certificate, but TLS 1.1 at most, which RFC 8996 deprecates.
    case oldProtocol
}
