import COpenSSL

/// A certificate authority that lives as long as this value, and a server's certificate from it.
package final class TLSIdentity: @unchecked Sendable {
    /// The authority's certificate, for clients.
    package let authorityPEM: String
    let certificate: OpaquePointer
    let key: OpaquePointer

    /// What the server's certificate says.
    package struct Contents: Sendable {
        package var alternativeNames = "IP:127.0.0.1,IP:::1,DNS:localhost"
        package var isExpired = false
        package init() {}
    }

    package init(_ contents: Contents = Contents()) throws(SandboxError) {
        let authorityKey = try Self.made("EVP_EC_gen", gk_ec_p256_key())
        defer { EVP_PKEY_free(authorityKey) }
        let authority = try Self.certificate(
            "GatewayKit sandbox authority", serial: 1, key: authorityKey, isExpired: false,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"), (NID_subject_key_identifier, "hash"),
            ],
            issuer: nil, issuerKey: authorityKey)
        defer { X509_free(authority) }
        authorityPEM = try Self.pem(authority)
        key = try Self.made("EVP_EC_gen", gk_ec_p256_key())
        do throws(SandboxError) {
            certificate = try Self.certificate(
                "GatewayKit sandbox", serial: 2, key: key, isExpired: contents.isExpired,
                extensions: [
                    (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                    (NID_ext_key_usage, "serverAuth"), (NID_subject_alt_name, contents.alternativeNames),
                    (NID_authority_key_identifier, "keyid"),
                ],
                issuer: authority, issuerKey: authorityKey)
        } catch {
            EVP_PKEY_free(key)
            throw error
        }
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    private static func made(_ call: String, _ object: OpaquePointer?) throws(SandboxError) -> OpaquePointer {
        guard let object else { throw .tls(call: call) }
        return object
    }

    private static func check(_ call: String, _ isDone: Bool) throws(SandboxError) {
        guard isDone else { throw .tls(call: call) }
    }

    /// Signs a certificate; without an issuer it signs itself. The validity goes by the system's time and not by the
    /// sandbox's clock, because the client goes by that.
    private static func certificate(
        _ name: String, serial: Int, key: OpaquePointer, isExpired: Bool, extensions: [(Int32, String)],
        issuer: OpaquePointer?, issuerKey: OpaquePointer
    ) throws(SandboxError) -> OpaquePointer {
        let day = 86_400
        let certificate = try made("X509_new", X509_new())
        do throws(SandboxError) {
            try check("X509_set_version", X509_set_version(certificate, 2) == 1)
            try check("ASN1_INTEGER_set", ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial) == 1)
            X509_gmtime_adj(X509_getm_notBefore(certificate), isExpired ? -2 * day : -day)
            X509_gmtime_adj(X509_getm_notAfter(certificate), isExpired ? -day : 30 * day)
            try check("X509_set_pubkey", X509_set_pubkey(certificate, key) == 1)
            let subject = X509_get_subject_name(certificate)
            try check("X509_NAME_add_entry", gk_name_add(subject, "O", "GatewayKit") == 1)
            try check("X509_NAME_add_entry", gk_name_add(subject, "CN", name) == 1)
            let issuer = issuer ?? certificate
            try check(
                "X509_set_issuer_name", X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1)
            for (kind, text) in extensions { try add(kind, text, to: certificate, issuer: issuer) }
            try check("X509_sign", X509_sign(certificate, issuerKey, EVP_sha256()) > 0)
        } catch {
            X509_free(certificate)
            throw error
        }
        return certificate
    }

    private static func add(
        _ kind: Int32, _ text: String, to certificate: OpaquePointer, issuer: OpaquePointer
    ) throws(SandboxError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
        let made = try made("X509V3_EXT_conf_nid", X509V3_EXT_conf_nid(nil, &context, kind, text))
        defer { X509_EXTENSION_free(made) }
        try check("X509_add_ext", X509_add_ext(certificate, made, -1) == 1)
    }

    private static func pem(_ certificate: OpaquePointer) throws(SandboxError) -> String {
        let memory = try made("BIO_new", BIO_new(BIO_s_mem()))
        defer { BIO_free(memory) }
        try check("PEM_write_bio_X509", PEM_write_bio_X509(memory, certificate) == 1)
        return String(decoding: TLSSession.drain(memory), as: UTF8.self)
    }
}
