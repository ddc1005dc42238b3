#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@main struct Tool {
    static func main() async {
        ProcessHardening.apply()
        Interrupts.block()
        let device = SystemDevice()
        let terminal = Terminal(device: device, surroundings: .ofProcess())
        let work = Task { await Program(tree: Root.tree).run(terminal) }
        Interrupts.watch(
            first: { work.cancel() },
            second: { _ in
                device.restore()
                _exit(ExitCode.interrupted.rawValue)
            })
        exit(await work.value.rawValue)
    }
}
