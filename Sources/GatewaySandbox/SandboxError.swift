/// Why a sandbox could not start.
public enum SandboxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// It is running already.
    case alreadyRunning
    /// The port is in use or may not be used by this process. Choose another one, or 0 for any free port.
    case portUnavailable(UInt16)
    /// The system refused a call; `errno` is the system's number for the reason.
    case socket(call: String, errno: Int32)
    /// The system gives no more threads.
    case noThread
    /// OpenSSL could not prepare TLS; `call` is what it refused.
    case tls(call: String)
    /// No provider can behave like that: see ``Sandbox/choices``.
    case unknownChoice(String)
    /// A file could not be written; `errno` is the system's number for the reason.
    case file(path: String, errno: Int32)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .alreadyRunning: "The sandbox is running already."
        case .portUnavailable(let port): "Port \(port) cannot be used. Choose another one, or 0 for any free port."
        case .socket(let call, let errno): "The system refused \(call) (errno \(errno))."
        case .noThread: "The system gives no more threads."
        case .tls(let call): "OpenSSL cannot prepare TLS (\(call))."
        case .unknownChoice(let name): "There is no such choice, or no such value of it: \(name)."
        case .file(let path, let errno): "The file \(path) cannot be written (errno \(errno))."
        }
    }
}
