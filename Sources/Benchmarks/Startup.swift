/// How long the command line tool takes to start and end.
enum Startup {
    private static let runs = 50

    static func measure(into report: inout Report) throws(BenchmarkFailure) {
        let tool = try Neighbour.path("gatewayctl")
        let contestants = [("/bin/true", "/bin/true", [String]()), ("gatewayctl --version", tool, ["--version"])]
        var durations = contestants.map { _ in [UInt64]() }
        for run in -3..<runs {
            for (place, contestant) in contestants.enumerated() {
                let start = Meter.now
                let status = try ChildProcess(contestant.1, contestant.2, output: .discarded).wait()
                let stop = Meter.now
                guard status == 0 else { throw BenchmarkFailure("\(contestant.0) ended with status \(status)") }
                if run >= 0 { durations[place].append(stop - start) }
            }
        }
        report.sections.append(
            Report.Section(
                key: "startup", title: "Start-up of the command line tool",
                notes: ["From before posix_spawn to after waitpid, output discarded, in turns."],
                rows: zip(contestants, durations).map { contestant, durations in
                    Report.Row(name: contestant.0, cells: Samples(nanoseconds: durations).columns)
                }))
    }
}
