#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension Surroundings {
    /// The real ones of this process, read once.
    static func ofProcess() -> Surroundings {
        Surroundings(
            arguments: Array(CommandLine.arguments.dropFirst()), environment: processEnvironment(),
            wallClock: {
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
            },
            randomBytes: { count in
                var generator = SystemRandomNumberGenerator()
                return (0..<max(count, 0)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            })
    }

    private static func processEnvironment() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let line = String(cString: text)
            if let split = line.firstIndex(of: "=") {
                variables[String(line[..<split])] = String(line[line.index(after: split)...])
            }
            entry += 1
        }
        return variables
    }
}
