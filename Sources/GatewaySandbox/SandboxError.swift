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

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .alreadyRunning: "The sandbox is running already."
        case .portUnavailable(let port): "Port \(port) cannot be used. Choose another one, or 0 for any free port."
        case .socket(let call, let errno): "The system refused \(call) (errno \(errno))."
        case .noThread: "The system gives no more threads."
        }
    }
}
