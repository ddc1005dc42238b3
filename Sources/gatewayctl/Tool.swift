#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@main struct Tool {
    // Not async: an async main would give the main thread, and with it the signals, to the dispatch library.
    static func main() {
        ProcessHardening.apply()
        Interrupts.block()
        let device = SystemDevice()
        let terminal = Terminal(device: device, surroundings: .ofProcess())
        let work = Task.detached { await Program(tree: Root.tree).run(terminal) }
        Task.detached { exit(await work.value.rawValue) }
        Interrupts.wait(
            first: { work.cancel() },
            second: {
                device.restore()
                _exit(ExitCode.interrupted.rawValue)
            })
    }
}
