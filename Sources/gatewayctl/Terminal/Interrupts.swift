#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Turns Ctrl-C and requests to terminate into calls on an ordinary thread, where everything is allowed.
///
/// The signals are blocked everywhere and one thread waits for them: a handler could do next to nothing safely.
enum Interrupts {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    private final class Handlers: Sendable {
        let first: @Sendable () -> Void
        let second: @Sendable (Int32) -> Void

        init(first: @escaping @Sendable () -> Void, second: @escaping @Sendable (Int32) -> Void) {
            self.first = first
            self.second = second
        }
    }

    /// Call at the start of `main`: threads inherit the mask of the thread that makes them.
    static func block() {
        var set = signalSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `first` on the first signal and `second`, with the signal's number, on each later one.
    static func watch(first: @escaping @Sendable () -> Void, second: @escaping @Sendable (Int32) -> Void) {
        let handlers = Unmanaged.passRetained(Handlers(first: first, second: second))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let result = pthread_create(
            &thread, nil,
            { context in
                #if canImport(Darwin)
                    let handlers = Unmanaged<Handlers>.fromOpaque(context).takeRetainedValue()
                #else
                    guard let context else { return nil }
                    let handlers = Unmanaged<Handlers>.fromOpaque(context).takeRetainedValue()
                #endif
                Interrupts.wait(handlers)
                return nil
            }, handlers.toOpaque())
        if result != 0 {
            // Without a watcher the signals must end the process as usual.
            handlers.release()
            var set = signalSet()
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
        }
    }

    private static func wait(_ handlers: Handlers) {
        var set = signalSet()
        var isFirst = true
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            if isFirst { handlers.first() } else { handlers.second(number) }
            isFirst = false
        }
    }

    private static func signalSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }
}
