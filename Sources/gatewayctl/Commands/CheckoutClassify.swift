import GatewayKit
import GatewayKitCore

/// `checkout classify`.
enum CheckoutClassify {
    private enum Rule: String, CaseIterable, Sendable { case strict, keywords }

    private static let rule = Option.value(
        "rule", "RULE", reading: ValueReader<Rule>.choice, default: Rule.strict,
        help: "strict judges by host, path, session and signature; keywords as the provider's sample app does.")
    private static let interval = Option.value(
        "interval", "TIME", reading: .duration, default: .seconds(1),
        help: "With keywords: the time between two addresses.")

    static let command = Command(
        "classify", summary: "Tell what addresses say that a browser has reached; sends nothing",
        discussion: """
            Reads addresses from stdin, one a line, and prints for each its verdict and the reason; the addresses \
            themselves, which may carry tokens, are not printed. Describe the page with the options as it was opened: what \
            is not its page's address, and not the shop's, is ignored.

            There is no verdict 'paid'. 'successCandidate' asks for the proof to be read ('checkout confirm'), and so do \
            'pending', 'failureHint' and 'cancelled', which may be paid all the same.

            '--rule keywords' shows what an app would make of the same addresses that watches for words, as some \
            providers' samples do: a last line tells what it reports two seconds after the first word, and that may be \
            nothing. Use it for comparing, not for deciding.
            """,
        examples: [
            .init(
                "gatewayctl checkout classify -a shop SESSION --return-url https://shop.example/back < addresses.txt",
                "What a web view's addresses say:"),
            .init(
                "gatewayctl checkout classify -a shop SESSION --rule keywords -o json < addresses.txt",
                "What a sample app would make of them, for a script:"),
        ],
        options: AccountChoice.all + CheckoutPageOptions.all + [rule, interval], rules: AccountChoice.rules,
        positionals: [SessionInput.positional]
    ) { invocation in
        let id = try SessionInput.read(invocation, stdinIsTaken: true)
        let schema = AccountRun.schema(invocation)
        return try await AccountRun.run(invocation, isRead: true) { opened, _, terminal in
            let checkout = try opened.gateway.requireCheckout()
            let addresses = try CheckoutPageOptions.addresses(terminal)
            switch invocation[rule] {
            case .strict:
                let page = CheckoutPageOptions.page(invocation, opened.settings, session: id)
                for (number, url) in addresses.enumerated() {
                    tell(checkout.verdict(on: url, of: page), "address", line: number + 1, schema, terminal)
                }
            case .keywords:
                guard let rule = checkout.keywordRule else {
                    throw Failure(
                        .usage, "\(opened.provider.displayName) has no keyword rule",
                        advice: ["Leave '--rule keywords' out."])
                }
                play(addresses, by: rule, every: invocation[interval], schema, terminal)
            }
            return .done
        }
    }

    private static func play(
        _ addresses: [String], by rule: KeywordRule, every interval: Duration, _ schema: String, _ terminal: Terminal
    ) {
        var now = ContinuousClock.now
        var timeline = KeywordTimeline(rule)
        var reported: CheckoutVerdict?
        for (number, url) in addresses.enumerated() {
            if number > 0 { now = now.advanced(by: interval) }
            reported = reported ?? endDelays(of: &timeline, until: now)
            _ = timeline.show(url, at: now)
            tell(rule.verdict(of: rule.reading(of: url)), "address", line: number + 1, schema, terminal)
        }
        let nothing = CheckoutVerdict(.ignore, reason: "By the keyword rule: nothing is reported.")
        reported = reported ?? endDelays(of: &timeline, until: nil)
        tell(reported ?? nothing, "reported", line: nil, schema, terminal)
    }

    /// Lets the delays end one after the other, each at its own time.
    private static func endDelays(
        of timeline: inout KeywordTimeline, until limit: ContinuousClock.Instant?
    ) -> CheckoutVerdict? {
        var reported: CheckoutVerdict?
        while let next = timeline.delays.first, limit.map({ next <= $0 }) ?? true {
            let verdict = timeline.delayEnded(next)
            reported = reported ?? verdict
        }
        return reported
    }

    private static func tell(
        _ verdict: CheckoutVerdict, _ event: String, line: Int?, _ schema: String, _ terminal: Terminal
    ) {
        let report = Report(
            schema: schema,
            fields: [
                Field("Event", "event", .text(event)), Field("Line", "line", line.map { .number($0) } ?? .null),
                Field("Verdict", "verdict", .text(verdict.kind.rawValue)),
                Field("Why", "reason", .text(verdict.reason)),
                Field("Payment", "payment", .identifier(orNull: verdict.paymentID)),
            ])
        let place = line.map(String.init) ?? event
        terminal.emitLine(report, text: "\(place)  \(verdict.kind.rawValue)  \(verdict.reason)")
    }
}
