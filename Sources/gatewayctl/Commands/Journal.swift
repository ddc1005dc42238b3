import GatewayCrypto
import GatewayKit
import GatewayKitCore
import GatewayPayments
import GatewayStoreSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where the journal of payments is, and how it is opened.
enum Journal {
    static let file = Option.value(
        "journal", "FILE", reading: .file, environment: "GATEWAYKIT_JOURNAL",
        help: "The journal of payments; 'gatewayctl config show' tells where it is without this.")

    /// The usual place: below XDG_STATE_HOME, or ~/.local/state. `nil` when neither is known.
    static func standardPath(_ environment: [String: String]) -> String? {
        for (variable, rest) in [("XDG_STATE_HOME", ""), ("HOME", "/.local/state")] {
            // XDG ignores relative paths, which would mean another journal in every folder.
            guard let base = environment[variable], base.hasPrefix("/") else { continue }
            return base + rest + "/gatewaykit/journal.sqlite"
        }
        return nil
    }

    /// Opens the journal of this run, and makes it if there is none.
    static func open(_ invocation: Invocation) throws(Failure) -> any PaymentStore {
        let path = try path(invocation)
        do {
            return try SQLitePaymentStore(path: path)
        } catch {
            throw failure(error)
        }
    }

    /// The journal's own key, kept beside it. It tells repeated requests apart, and seals what a shopper has to do next.
    static func key(_ invocation: Invocation) throws(Failure) -> SecretBytes {
        SecretBytes(try key(path(invocation) + ".key"))
    }

    /// Seals with a key that is derived from the journal's: what one process kept another one tells.
    static func sealer(_ key: SecretBytes) throws(Failure) -> any Sealer {
        do {
            let derived = try MessageAuthentication(.sha256, key: key).code(for: Array("journal sealing".utf8))
            return try KeyedSealer(current: .init(id: "journal", SecretBytes(derived)))
        } catch {
            throw Failure(.internalError, "the journal's key cannot be used", advice: ["Check that OpenSSL works."])
        }
    }

    static func failure(_ error: PaymentStoreError) -> Failure {
        Failure(
            error.code == .busy ? .noAnswer : .configuration, "the journal cannot be used: \(error.message)",
            advice: ["Nothing was sent by this call. Choose another journal with --journal, or mend this one."])
    }

    private static func path(_ invocation: Invocation) throws(Failure) -> String {
        if let given = invocation[file] { return given }
        guard let path = standardPath(invocation.terminal.environment) else {
            throw Failure(
                .configuration, "there is no place for the journal: neither XDG_STATE_HOME nor HOME is set",
                advice: ["Name a file with --journal or GATEWAYKIT_JOURNAL."])
        }
        makeFolder(of: path)
        return path
    }

    /// Makes the folders that are missing, for their owner only. Whether it worked shows when the file is opened.
    private static func makeFolder(of path: String) {
        let parts = path.split(separator: "/").dropLast()
        for count in parts.indices {
            mkdir("/" + parts[...count].joined(separator: "/"), 0o700)
        }
    }

    private static func key(_ path: String) throws(Failure) -> [UInt8] {
        if let key = read(path) { return key }
        do {
            try write(SecureRandom.bytes(32), path)
        } catch {
            throw unusableKey(path)
        }
        // Read back: another process may have been faster, and there is only one key.
        guard let key = read(path) else { throw unusableKey(path) }
        return key
    }

    private static func unusableKey(_ path: String) -> Failure {
        Failure(
            .configuration, "the journal's key \(path) cannot be used",
            advice: ["It must be a file of 32 bytes that only its owner may read. Nothing was sent."])
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = openFile(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0 else { return nil }
        var key = [UInt8](repeating: 0, count: 33)
        guard readFile(descriptor, &key, key.count) == 32 else { return nil }
        key.removeLast()
        return key
    }

    /// A whole file or none: it is written under another name and linked into its place, which fails where there is one.
    private static func write(_ key: [UInt8], _ path: String) {
        let draft = path + ".\(getpid())"
        let descriptor = openFile(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let isWhole = writeFile(descriptor, key, key.count) == key.count && fsync(descriptor) == 0
        close(descriptor)
        if isWhole { link(draft, path) }
        unlink(draft)
    }
}

// The C functions under names that no member of `Journal` hides.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 { open(path, flags, mode) }
private func readFile(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
private func writeFile(_ descriptor: Int32, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
