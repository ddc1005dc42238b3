#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads whole files and their permissions. Injected, so that tests need no files.
public struct FileAccess: Sendable {
    private let readFile: @Sendable (String) -> Found

    /// What was found at a path.
    public enum Found: Sendable {
        /// A file, with its permission bits (`0o600`).
        case file([UInt8], permissions: Int)
        /// Nothing.
        case nothing
        /// Something that cannot be read, and why.
        case unreadable(SafeText)
    }

    /// File access that asks `read`.
    public init(_ read: @escaping @Sendable (String) -> Found) {
        readFile = read
    }

    /// The system's files. Symbolic links are followed, as container platforms mount secrets behind them; content and
    /// permissions are those of one and the same open file. Anything but a regular file of at most 4 MiB is unreadable.
    public static let system = FileAccess { path in
        guard !path.utf8.contains(0) else { return .unreadable("its path has a null character") }
        // Non-blocking, because opening a pipe that nobody writes to would wait for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return .nothing
            case EACCES, EPERM: return .unreadable("this process may not read it")
            default: return .unreadable("it cannot be opened (system error \(count: Int(errno)))")
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .unreadable("its permissions cannot be read") }
        guard status.st_mode & S_IFMT == S_IFREG else { return .unreadable("it is no regular file") }
        guard let bytes = contents(of: descriptor) else {
            return .unreadable("it cannot be read, or is larger than 4 MiB")
        }
        return .file(bytes, permissions: Int(status.st_mode & 0o7777))
    }

    /// Looks at a path.
    public func read(_ path: String) -> Found { readFile(path) }
}

private func contents(of descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
        let count = read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0, bytes.count + count <= 4 << 20 else { return nil }
        if count == 0 { return bytes }
        bytes += chunk.prefix(count)
    }
}
