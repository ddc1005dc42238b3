import GatewayKitCore
import GatewayPayments

/// `pay resolve|reconcile`, and the group `pay`.
enum PaySettle {
    private static let attempt = Positional.required("ATTEMPT", reading: .text, help: "The attempt.")
    private static let happened = Option.flag("happened", help: "The money moved.")
    private static let didNotHappen = Option.flag("did-not-happen", help: "The money did not move.")
    private static let person = Option.value(
        "by", "NAME", reading: .text, environment: "GATEWAYCTL_OPERATOR", required: true,
        help: "Who says so, for the journal.")
    private static let evidence = Option.value(
        "evidence", "TEXT", reading: .text, required: true,
        help: "What it rests on, such as a line of the provider's statement.")
    private static let transaction = Option.value(
        "transaction", "ID", reading: .text, help: "The provider's id of the transaction, for later refunds.")

    static let resolve = Command(
        "resolve", summary: "Settle by a person's word what no look-up can",
        discussion: """
            Only for attempts that are unknown or pending, or whose process died. Look at the provider's own pages first. \
            Nothing is sent; name and evidence are kept in the journal.
            """,
        examples: [
            .init(
                "gatewayctl pay resolve gkabcdefghijklmnopqrstuvwxyz --did-not-happen --by olga "
                    + "--evidence 'not in the statement of 2026-05-31'", "It did not happen:")
        ],
        options: PayRun.options + [happened, didNotHappen, person, evidence, transaction],
        rules: AccountChoice.rules + [.exactlyOne(happened, didNotHappen)], positionals: [attempt]
    ) { invocation in
        try await PayRun.reading(invocation) {
            let id = AttemptID(reading: try invocation.require(attempt))
            let store = try Journal.open(invocation)
            guard let found = try await store.attempt(id) else {
                throw Failure(
                    .badInput, "the journal has no such attempt",
                    advice: ["'gatewayctl attempts list' shows what it has."])
            }
            let opened = try PayRun.open(invocation, orElse: found.account)
            let resolved = try await opened.service.resolve(
                id, happened: invocation[happened], by: try invocation.require(person),
                evidence: try invocation.require(evidence), providerID: invocation[transaction])
            invocation.terminal.emit(
                Report(
                    schema: PayRun.schema(invocation),
                    fields: [
                        Field("Intent", "intent", .identifier(resolved.intentID)),
                        Field("Key", "key", .identifier(resolved.key)),
                    ] + PayReport.fields(of: resolved) + [
                        Field(
                            "What to run next", "next",
                            .list(PayReport.next(resolved, isUnknown: false).map { .identifier($0) }))
                    ]))
            return .done
        }
    }

    private static let limit = Option.value(
        "limit", "N", reading: .integer(in: 1...100_000), default: 1_000, help: "How many attempts to look at at most.")
    private static let voidLate = Option.flag(
        "void-late",
        help: "Void approvals that are found after their order was given up, instead of reporting them only.")
    private static let from = Option.value(
        "compare-from", "TIME", reading: .text,
        help: "Compare the provider's list with the journal too, from this time on, such as 2026-05-01T00:00:00Z.")
    private static let to = Option.value(
        "compare-to", "TIME", reading: .text, help: "With --compare-from: up to this time; now if absent.")

    static let reconcile = Command(
        "reconcile", summary: "Settle what is unknown or pending by looking it up at the provider",
        discussion: """
            One pass over all that is due; run it again, or from a timer, until nothing is left. It never sends a payment \
            again, and says "unsettled" rather than guess: that a payment is absent counts only after the provider's \
            longest processing time. Any number of these may run on one journal at the same time.
            """,
        examples: [
            .init("gatewayctl pay reconcile --account eu", "One pass:"),
            .init(
                "gatewayctl pay reconcile --account eu --compare-from 2026-05-01T00:00:00Z",
                "And payments that the journal does not know:"),
        ],
        options: PayRun.options + [limit, voidLate, from, to], rules: AccountChoice.rules
    ) { invocation in
        try await PayRun.reading(invocation) {
            let start = try PayRun.time(invocation, from)
            let end = try PayRun.time(invocation, to) ?? invocation.terminal.now
            let opened = try PayRun.open(invocation)
            var policy = ReconcilePolicy()
            policy.voidsLateApprovals = invocation[voidLate]
            let worker = PayRun.newID(invocation, "gatewayctl-")
            let report = try await Reconciler(opened.service, policy: policy, worker: worker)
                .run(limit: invocation[limit], PayRun.call(invocation))
            var comparison: AccountComparison?
            if let start, report.stoppedBy == nil {
                comparison = try await opened.service.compare(from: start, to: end, PayRun.call(invocation))
            }
            return write(report, comparison, invocation, opened)
        }
    }

    private static func write(
        _ report: ReconcileReport, _ comparison: AccountComparison?, _ invocation: Invocation, _ opened: PayRun.Opened
    ) -> ExitCode {
        let terminal = invocation.terminal
        let rows = report.entries.map { entry in
            OutputValue.object(
                [
                    Field("Came of it", "result", .text(entry.result.rawValue)),
                    Field("Why", "why", .text(entry.reason)),
                    Field("Intent", "intent", .identifier(entry.attempt.intentID)),
                ] + PayReport.fields(of: entry.attempt))
        }
        var fields = [
            Field("Account", "account", .identifier(opened.account.settings.name.description)),
            Field("Looked at", "entries", .list(rows)),
            Field("Ended early", "stoppedBy", report.stoppedBy.map { .object(ResultReport.fields(of: $0)) } ?? .null),
        ]
        if let comparison {
            fields += [
                Field("Compared", "compared", .number(comparison.compared)),
                Field("Read to the beginning", "complete", .bool(comparison.isComplete)),
                Field("Not in the journal", "strangers", .list(comparison.strangers.map { stranger($0) })),
                Field(
                    "Done twice", "duplicates",
                    .list(
                        comparison.duplicates.map {
                            .object(PayReport.fields(of: $0.attempt) + [Field("Record", "record", stranger($0.record))])
                        })),
                Field(
                    "Otherwise in the journal", "contradictions",
                    .list(
                        comparison.contradictions.map {
                            .object(PayReport.fields(of: $0.attempt) + [Field("Record", "record", stranger($0.record))])
                        })),
            ]
        }
        terminal.emit(Report(schema: PayRun.schema(invocation), fields: fields))
        if report.entries.contains(where: { $0.result == .lateApproval }) {
            terminal.say("There are approvals of orders that were given up: refund, void or deliver.", tone: .problem)
        }
        if let error = report.stoppedBy { terminal.say("\(error.message) \(error.advice)", tone: .problem) }
        let isLeft = report.entries.contains { $0.result == .unsettled || $0.result == .lookFailed }
        if isLeft {
            terminal.say(
                "Some are not settled yet: run it again later, or 'gatewayctl pay resolve' what a person knows.",
                tone: .problem)
        }
        return isLeft || report.stoppedBy != nil ? .outcomeUnknown : .done
    }

    private static func stranger(_ record: PaymentRecord) -> OutputValue {
        .object(
            [
                Field("Transaction", "transaction", .identifier(record.id)),
                Field("Kind", "kind", .text(record.kind.description)),
                Field("State", "state", .text(record.state.description)),
                Field("Amount", "amount", .text(orNull: record.amount?.description)),
                Field("Own reference", "ownReference", .identifier(orNull: record.ownReference)),
                Field("Made", "createdAt", .identifier(orNull: record.createdAt?.rfc3339)),
            ] + PayReport.fields(of: record))
    }
}

extension Root {
    /// `pay …`.
    static let pay = Command(
        "pay", summary: "Take, reserve, give back money, and settle what is unknown",
        discussion: """
            Everything goes through a journal: a SQLite file that 'gatewayctl config show' names. A payment is written \
            down before it is sent, and sent at most once.
            """,
        examples: [
            .init(
                "gatewayctl pay purchase -p spreedly --sandbox --amount 10.00 --currency USD --test-card visa "
                    + "--sandbox-fault spreedly.purchase=answer-lost",
                "What happens when the answer is lost:")
        ],
        subcommands: PayStart.all + [PayCheckout.checkout, PayCredit.credit] + PayChanges.all
            + [PayBooks.show, PayBooks.list, PayKeeping.giveUp, PaySettle.resolve, PaySettle.reconcile])

    /// `attempts list|show|purge`.
    static let attempts = PayBooks.attempts
}
