import COpenSSL

/// What all connections of a TLS server have in common.
package final class TLSContext: @unchecked Sendable {
    /// The authority that the server's certificate comes from, for clients.
    package let authorityPEM: String
    let context: OpaquePointer
    /// The protocols for ALPN as RFC 7301 writes them: each with its length before it. Read by OpenSSL's callback.
    private let protocols: UnsafeMutableBufferPointer<UInt8>

    /// - Parameters:
    ///   - identity: The certificate to show.
    ///   - protocols: What the server takes of the application protocols that a client offers, best first.
    ///   - isOld: Whether it speaks TLS 1.1 at most.
    package init(
        _ identity: TLSIdentity, protocols: [String] = ["http/1.1"], isOld: Bool = false
    ) throws(SandboxError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw .tls(call: "SSL_CTX_new") }
        self.context = context
        authorityPEM = identity.authorityPEM
        let list = protocols.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
        self.protocols = .allocate(capacity: list.count)
        _ = self.protocols.initialize(from: list)
        SSL_CTX_set_alpn_select_cb(context, chooseProtocol, Unmanaged.passUnretained(self).toOpaque())
        // Debian forbids the signatures of TLS 1.1 at its usual security level.
        let isReady =
            SSL_CTX_use_certificate(context, identity.certificate) == 1
            && SSL_CTX_use_PrivateKey(context, identity.key) == 1
            && (isOld
                ? gk_set_versions(context, TLS1_VERSION, TLS1_1_VERSION) == 1
                    && SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0") == 1
                : gk_set_versions(context, TLS1_2_VERSION, TLS1_3_VERSION) == 1)
        guard isReady else { throw .tls(call: "SSL_CTX_use_certificate") }
    }

    deinit {
        SSL_CTX_free(context)
        protocols.deallocate()
    }

    /// Prepares what the configuration asks for; `nil` for plain HTTP.
    convenience init?(_ kind: SandboxTLS) throws(SandboxError) {
        var contents = TLSIdentity.Contents()
        switch kind {
        case .off: return nil
        case .generated, .oldProtocol: break
        case .otherHost: contents.alternativeNames = "DNS:elsewhere.example"
        case .expired: contents.isExpired = true
        }
        try self.init(TLSIdentity(contents), isOld: kind == .oldProtocol)
    }

    fileprivate func choose(
        _ output: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ length: UnsafeMutablePointer<UInt8>?,
        of offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32
    ) -> Int32 {
        var chosen: UnsafeMutablePointer<UInt8>?
        let outcome = SSL_select_next_proto(
            &chosen, length, protocols.baseAddress, UInt32(protocols.count), offered, offeredLength)
        guard outcome == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_NOACK }
        output?.pointee = UnsafePointer(chosen)
        return SSL_TLSEXT_ERR_OK
    }
}

private func chooseProtocol(
    _ connection: OpaquePointer?, _ output: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return SSL_TLSEXT_ERR_NOACK }
    return Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue()
        .choose(output, length, of: offered, offeredLength)
}
