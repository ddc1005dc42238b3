import GatewayKitCore
import GatewayPayments

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file of a journal: readable and writable by its owner only. SQLite gives its own side files the same mode.
enum JournalFile {
    /// Makes the file if it is not there, and checks that nobody else may read it.
    static func prepare(_ path: String) throws(PaymentStoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let words = String(cString: strerror(errno))
            throw PaymentStoreError(.notPermitted, "The journal \(path) cannot be opened: \(words).")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PaymentStoreError(.notPermitted, "The journal \(path) is not an ordinary file.")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw PaymentStoreError(
                .notPermitted, "Other users may read or write the journal \(path): give it mode 0600.")
        }
    }
}
