#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension Sandbox {
    /// Writes ``certificateAuthorityPEM`` to a file, for clients that want one. A certificate is no secret: everybody
    /// may read the file. Whoever asks for it removes it.
    ///
    /// - Parameter path: The file to make or to overwrite; `nil` makes a new one in the folder for temporary files.
    /// - Returns: The path of the file.
    /// - Throws: ``SandboxError/file(path:errno:)``; ``SandboxError/tls(call:)`` when there is no authority.
    @discardableResult
    public func writeCertificateAuthority(toFile path: String? = nil) throws(SandboxError) -> String {
        guard let pem = certificateAuthorityPEM else { throw .tls(call: "the sandbox was not started with TLS") }
        let (descriptor, name) = path.map { (Self.make($0), $0) } ?? Self.makeTemporary()
        guard descriptor >= 0 else { throw .file(path: name, errno: errno) }
        let text = Array(pem.utf8)
        let count = write(descriptor, text, text.count)
        let reason = errno
        close(descriptor)
        guard count == text.count else { throw .file(path: name, errno: reason) }
        return name
    }

    private static func make(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    }

    private static func makeTemporary() -> (Int32, String) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/gatewaykit-sandbox-ca-XXXXXX.pem".utf8CString)
        let descriptor = mkstemps(&template, 4)
        let name = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if descriptor >= 0 { fchmod(descriptor, 0o644) }
        return (descriptor, name)
    }
}
