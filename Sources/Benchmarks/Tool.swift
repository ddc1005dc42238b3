import GatewayKitCore

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Measures GatewayKit; `Docs/Benchmarks.md` explains the figures.
@main
struct Tool {
    static func main() async {
        let options: Options
        do throws(Options.Problem) {
            options = try Options(Array(CommandLine.arguments.dropFirst()))
        } catch {
            say("Benchmarks: \(error.message)\n\n" + Options.helpText)
            exit(64)
        }
        if options.help {
            print(Options.helpText, terminator: "")
            return
        }
        if !Build.isOptimized { say("Built without optimization: these figures say nothing. Use -c release.\n") }
        do {
            print(try await run(options))
        } catch {
            say("Benchmarks: \((error as? BenchmarkFailure)?.message ?? "no figures")\n")
            exit(1)
        }
    }

    private static func run(_ options: Options) async throws -> String {
        var report = Report()
        for part in options.parts {
            say("measuring \(part.rawValue)\n")
            switch part {
            case .overhead: try await Overhead.measure(seconds: options.seconds, into: &report)
            case .throughput: try await Throughput.measure(seconds: options.seconds, into: &report)
            case .startup: try Startup.measure(into: &report)
            case .journal: try await Journal.measure(seconds: options.seconds, into: &report)
            case .watch: try await Watch.measure(watchers: options.watchers, seconds: options.seconds, into: &report)
            case .soak: try await Soak.measure(seconds: options.seconds, into: &report, say: say)
            }
        }
        return options.json ? try report.json() : report.text
    }

    private static func say(_ text: String) {
        _ = text.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
    }
}
