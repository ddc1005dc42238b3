import GatewayKitCore

/// What GatewayKit itself costs per tokenization: check, build, encode, middlewares, decode, map. No network, no
/// thread but the caller's.
enum Overhead {
    private static let address = "http://127.0.0.1:9/spreedly/v1"
    private static let credentials = [
        "environmentKey": "SampleEnvironmentKey0000001",
        "accessSecret": "SampleAccessSecret00000000000000000000000000000000000000000000001",
    ]

    static func measure(seconds: Int, into report: inout Report) async throws(BenchmarkFailure) {
        let transport = RecordedTransport()
        let tokens = try Subject.tokens(baseURL: address, credentials: credentials, transport: transport)
        let request = try Subject.request()
        guard case .token? = try? await tokens.tokenize(request) else {
            throw BenchmarkFailure("the recorded answer does not give a token")
        }
        let whole = await sample(seconds: Double(seconds) * 0.5) {
            if case .token? = try? await tokens.tokenize(request) { true } else { false }
        }
        guard whole.failures == 0 else { throw BenchmarkFailure("\(whole.failures) recorded answers gave no token") }

        let body = Array(RecordedTransport.body.utf8)
        let share = Double(seconds) * 0.5 / 3
        let parse = await sample(seconds: share) { (try? JSONValue(parsing: body)) != nil }
        let write = await sample(seconds: share) { (try? Self.written()) != nil }
        let redactor = Redactor(secrets: credentials.values.sorted().map { Sensitive($0) })
        let text = String(RecordedTransport.body.prefix(1024))
        let redact = await sample(seconds: share) { !redactor.redact(text).isEmpty }

        report.sections.append(
            Report.Section(
                key: "overhead", title: "Overhead per tokenization, without a network",
                notes: [
                    "A transport that answers at once; 'tokens.tokenize' is the whole call as an application makes it.",
                    "The lines below it are parts or neighbours, for comparison.",
                ],
                rows: [
                    row("tokens.tokenize", whole), row("parse the answer (\(body.count) bytes)", parse),
                    row("write a request body", write), row("redact 1 KB with 2 secrets", redact),
                ]))
        try await HellgateOverhead.measure(seconds: seconds, into: &report)
        try await BlueSnapOverhead.measure(seconds: seconds, into: &report)
        try await SafepayOverhead.measure(seconds: seconds, into: &report)
        report.aims += [
            Report.Aim(
                name: "overhead p50", limit: 0.05, measured: whole.samples.milliseconds(atShare: 0.5), unit: "ms"),
            Report.Aim(
                name: "overhead p99", limit: 0.2, measured: whole.samples.milliseconds(atShare: 0.99), unit: "ms"),
        ]
    }

    static func row(_ name: String, _ run: Run) -> Report.Row {
        Report.Row(
            name: name,
            cells: run.samples.columns + [
                .number("cpuMilliseconds", "CPU ms each", run.cpuMilliseconds, digits: 4)
            ])
    }

    private static func written() throws(JSONError) -> JSONBody {
        var writer = JSONWriter()
        writer.object { root in
            root.object("payment_method") { method in
                method.object("credit_card") { card in
                    card.set("full_name", "Mara Example")
                    card.set("number", Sensitive("4111111111111111"))
                    card.set("verification_value", Sensitive("123"))
                    card.set("month", 12)
                    card.set("year", 2039)
                    card.set("address1", "1 Sample Street")
                    card.set("city", "Springfield")
                    card.set("zip", "62701")
                }
                method.set("email", "mara@shop.example")
            }
        }
        return try writer.finish()
    }

    // MARK: Sampling

    struct Run {
        var samples: Samples
        var failures: Int
        var cpuMilliseconds: Double
    }

    /// Calls `body` again and again, each call one sample, after a tenth of the time has gone into warming up.
    static func sample(seconds: Double, _ body: () async -> Bool) async -> Run {
        let warm = Meter.now + UInt64(seconds * 1e8)
        while Meter.now < warm { _ = await body() }
        var durations: [UInt64] = []
        durations.reserveCapacity(min(Int(seconds * 400_000), 4_000_000))
        var failures = 0
        let cpu = Meter.cpu
        let end = Meter.now + UInt64(seconds * 9e8)
        var start = Meter.now
        while start < end {
            if await !body() { failures += 1 }
            let stop = Meter.now
            durations.append(stop - start)
            start = Meter.now
        }
        let spent = Double(Meter.cpu - cpu) / 1e6 / Double(max(1, durations.count))
        return Run(samples: Samples(nanoseconds: durations), failures: failures, cpuMilliseconds: spent)
    }
}
