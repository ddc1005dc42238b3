#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A value behind a lock: the one way in which GatewayKit shares mutable state between threads.
///
/// It has the signature of `Synchronization.Mutex`, `sending` included, so the compiler proves that nothing that is not
/// `Sendable` gets in or out by the side door. (With a plain `(inout State) -> Result` on an `@unchecked Sendable` class
/// it does so without a diagnostic.) It is not `Mutex` itself because the thread sanitizer does not understand that
/// one on Linux and reports false races, which would make the sanitizer run useless; the lock below is a pthread mutex,
/// which it knows. The mutex lives in memory of its own because a pthread mutex must not move.
///
/// The lock is not recursive: calling ``withLock(_:)`` inside its own closure blocks for ever. Keep the closure short,
/// and neither wait nor call foreign code in it.
public final class Locked<State: ~Copyable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let state: UnsafeMutablePointer<State>

    /// Puts `initial` behind a new lock.
    public init(_ initial: consuming sending State) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        state = .allocate(capacity: 1)
        state.initialize(to: initial)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` with the value while no other thread can reach it, and gives back what `body` returns.
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }
}
