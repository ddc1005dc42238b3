#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Turns Ctrl-C and requests to terminate into ordinary calls, where everything is allowed.
///
/// The signals are blocked in every thread and the main thread waits for them: a signal handler could do next to
/// nothing safely, and a main thread that serves the dispatch queue instead would unblock them.
enum Interrupts {
    /// SIGQUIT (Ctrl-\) is not among those that ask first.
    private static let asking = [SIGINT, SIGTERM, SIGHUP]

    /// Call at the start of `main`: threads inherit the mask of the thread that makes them.
    static func block() {
        var set = signalSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits on the calling thread for ever: calls `first` on the first signal and `second` on each later one, and on a
    /// SIGQUIT at once.
    // Escaping, although nothing escapes: the optimizer of Swift 6.3.1 fails on closures that do not, in a function
    // that never returns.
    static func wait(first: @escaping () -> Void, second: @escaping () -> Void) -> Never {
        var set = signalSet()
        var isFirst = true
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            if isFirst, asking.contains(number) { first() } else { second() }
            isFirst = false
        }
    }

    private static func signalSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in asking + [SIGQUIT] { sigaddset(&set, number) }
        return set
    }
}
