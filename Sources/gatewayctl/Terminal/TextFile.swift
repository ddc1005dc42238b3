import GatewayKitCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Writes a report beside the result of a command.
enum TextFile {
    /// Makes the file, or overwrites it; everybody may read it.
    ///
    /// - Throws: ``Failure`` that names the reason.
    static func make(_ text: String, at path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(path) }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ path: String) -> Failure {
        let reason = String(cString: strerror(errno))
        return Failure(
            .configuration, "the file '\(path)' cannot be written: \(reason)", advice: ["Choose another file."])
    }
}
