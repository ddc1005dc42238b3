import CProcessShim

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What keeps card data in memory from leaving the process when it crashes or is looked at.
enum ProcessHardening {
    /// Call first in `main`, before another thread exists: no core dump, no tracing by other processes of the user, no
    /// backtrace (Swift's prints memory and registers), and a closed pipe is an error to be handled, not a death.
    static func apply() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            setrlimit(RLIMIT_CORE, &none)
        #endif
        _ = gk_forbid_dumps()
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGSYS] { signal(number, SIG_DFL) }
        signal(SIGPIPE, SIG_IGN)
    }
}
