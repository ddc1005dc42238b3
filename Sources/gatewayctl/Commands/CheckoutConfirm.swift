import GatewayKit
import GatewayKitCore

/// `checkout confirm`.
enum CheckoutConfirm {
    private static let fromStdin = Option.flag(
        "urls-stdin", help: "Read the addresses that the browser has reached from stdin, one a line, in their order.")
    static let firstWait = Option.value(
        "first-wait", "TIME", reading: .duration, default: PollingPolicy().firstWait,
        help: "Wait this long before the second read; later waits are longer.")
    static let longestWait = Option.value(
        "longest-wait", "TIME", reading: .duration, default: PollingPolicy().longestWait,
        help: "Wait no longer than this between two reads, unless the provider asks for more.")
    static let maximumFailures = Option.value(
        "max-failures", "N", reading: .integer(in: 1...1_000),
        help: "Give up after so many failed reads in a row, instead of at the end of the time.")

    static let command = Command(
        "confirm", summary: "Read the proof of a checkout until it is decided, and tell one outcome",
        discussion: """
            Judges the addresses that are given, and reads from the provider what became of the session: at once, and \
            again until it is final or --timeout is over (20s without it). Success is told only where the proof says so, \
            whatever the addresses say.

            The exit code tells: 0 succeeded; 2 failed or expired by the provider's word; 3 the session is still open \
            (after a failure or a giving up that an address told: it may still be paid); 4 nobody knows yet; 5 or 6 when \
            the proof could not be read at all. Codes 3 and 4 are no decline: confirm again later.
            """,
        examples: [
            .init("gatewayctl checkout confirm -a shop SESSION --timeout 1m", "By the proof alone:"),
            .init(
                "gatewayctl checkout confirm -a shop SESSION --return-url https://shop.example/back --urls-stdin "
                    + "< addresses.txt",
                "With the addresses that the browser has reached:"),
        ],
        options: AccountChoice.all + CheckoutPageOptions.all + [fromStdin, firstWait, longestWait, maximumFailures],
        rules: AccountChoice.rules, positionals: [SessionInput.positional]
    ) { invocation in
        let id = try SessionInput.read(invocation, stdinIsTaken: invocation[fromStdin])
        let addresses = invocation[fromStdin] ? try CheckoutPageOptions.addresses(invocation.terminal) : []
        return try await AccountRun.run(invocation, isRead: true) { opened, _, terminal in
            let checkout = try opened.gateway.requireCheckout()
            let page = CheckoutPageOptions.page(invocation, opened.settings, session: id)
            let confirmer = CheckoutConfirmer(
                checkout, page, policy: policy(invocation, orElse: .seconds(20)), quietWait: .zero,
                clock: opened.runtime.clock, random: opened.runtime.random)
            for (number, url) in addresses.enumerated() {
                let verdict = confirmer.report(url)
                terminal.detail("Address \(number + 1): \(verdict.kind.rawValue). \(verdict.reason)")
            }
            let outcome = await confirmer.outcome()
            for note in confirmer.notes { terminal.say(note.description) }
            return tell(outcome, opened.settings, AccountRun.schema(invocation), terminal)
        }
    }

    static func policy(_ invocation: Invocation, orElse deadline: Duration) -> PollingPolicy {
        PollingPolicy(
            firstWait: invocation[firstWait], longestWait: invocation[longestWait],
            deadline: invocation[GlobalOptions.timeout] ?? deadline, maximumFailures: invocation[maximumFailures])
    }

    private static func tell(
        _ outcome: CheckoutOutcome, _ settings: AccountSettings, _ schema: String, _ terminal: Terminal
    ) -> ExitCode {
        if outcome.status == nil, outcome.cause == .proofUnreadable, let failure = outcome.failure {
            return ResultReport.write(failure, terminal, isRead: true)
        }
        let code = exitCode(of: outcome)
        terminal.emit(
            Report(
                schema: schema,
                fields: SessionReport.fields(of: settings) + [
                    Field("Outcome", "outcome", .text(outcome.kind.rawValue)),
                    Field("Final", "isFinal", .bool(outcome.kind.isFinal)),
                    Field("An address said", "hint", .text(orNull: outcome.hint?.kind.rawValue)),
                    Field("Payment, as the address said", "hintPayment", .identifier(orNull: outcome.hint?.paymentID)),
                    Field("Contradicted", "isContradicted", .bool(outcome.isContradicted)),
                    Field("Undecided because", "cause", .text(orNull: outcome.cause?.rawValue)),
                    Field("Reads", "reads", .number(outcome.reads)),
                    Field(
                        "Last failure", "failure", outcome.failure.map { .object(ResultReport.fields(of: $0)) } ?? .null
                    ),
                    Field("Exit code", "exitCode", .number(Int(code.rawValue))),
                ] + (outcome.status.map(SessionReport.fields(of:)) ?? [])))
        switch outcome.kind {
        case .succeeded, .failed: break
        case .unconfirmedFailure, .abandoned:
            terminal.say("The session is still open and may yet be paid: confirm again later.", tone: .problem)
        case .undecided: terminal.say("Nothing is decided: confirm again later.", tone: .problem)
        }
        return code
    }

    private static func exitCode(of outcome: CheckoutOutcome) -> ExitCode {
        switch outcome.kind {
        case .succeeded: .done
        case .failed: .providerSaidNo
        case .unconfirmedFailure, .abandoned: .actionNeeded
        case .undecided where outcome.cause == .stopped: .interrupted
        case .undecided where outcome.cause == .moneyMoved: .outcomeUnknown
        case .undecided:
            outcome.status.map { SessionReport.exitCode(of: $0.phase) }
                ?? outcome.failure.map { ResultReport.exitCode(of: $0, isRead: true) } ?? .noAnswer
        }
    }
}
