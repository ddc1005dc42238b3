/// What to measure and how.
struct Options {
    /// A part of the benchmarks.
    enum Part: String, CaseIterable {
        case overhead, throughput, startup, journal, soak, watch
    }

    var parts: [Part] = [.overhead, .throughput, .startup, .journal]
    /// About how long the measuring of overhead and of throughput takes, in seconds each; how long the soak takes.
    var seconds = 20
    /// How many sessions are watched at once.
    var watchers = 10_000
    var json = false
    var help = false

    /// A wrong command line.
    struct Problem: Error {
        let message: String
    }

    /// Reads the arguments behind the program's name.
    init(_ arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        var part: String?
        while let argument = rest.popFirst() {
            switch argument {
            case "-h", "--help": help = true
            case "--json": json = true
            case "--seconds":
                guard let text = rest.popFirst(), let number = Int(text), (1...86_400).contains(number) else {
                    throw Problem(message: "'--seconds' takes a whole number from 1 to 86400")
                }
                seconds = number
            case "--watchers":
                guard let text = rest.popFirst(), let number = Int(text), (1...1_000_000).contains(number) else {
                    throw Problem(message: "'--watchers' takes a whole number from 1 to 1000000")
                }
                watchers = number
            case _ where argument.hasPrefix("-"): throw Problem(message: "there is no option '\(argument)'")
            default:
                guard part == nil else { throw Problem(message: "'\(argument)' is one part too many") }
                part = argument
            }
        }
        guard let part, part != "all" else { return }
        guard let known = Part(rawValue: part) else {
            let parts = Part.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(message: "there is no part '\(part)'; the parts are all, \(parts)")
        }
        parts = [known]
    }

    static let helpText = """
        Usage: Benchmarks [all|overhead|throughput|startup|journal|soak|watch] [--seconds N] [--watchers N] [--json]

          overhead     what GatewayKit itself costs per tokenization, without a network
          throughput   calls per second and CPU against the sandbox in its own process, at 1 and 64 in
                       flight, beside a bare libcurl loop in C doing the same exchange
          startup      how long 'gatewayctl --version' takes
          journal      what the journal costs per payment, payments per second, settled per second
          soak         a mixed load under random faults against the sandbox in its own process: memory,
                       threads and descriptors over time. Not in 'all'
          watch        many sessions watched at once: memory of each, CPU while they wait, polls per
                       second. Not in 'all'

          --seconds N  measure about N seconds each for overhead and throughput, soak for N seconds,
                       watch N seconds idle and N busy (1 to 86400, default 20)
          --watchers N watch so many sessions (1 to 1000000, default 10000)
          --json       one JSON object on standard output
          -h, --help   this text

        Build with -c release, gatewayctl too: it is the sandbox of 'throughput' and
        'soak' and must stand beside this program. Docs/Benchmarks.md explains the figures.

        """
}
