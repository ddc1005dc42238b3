import GatewayKitCore
import GatewayPayments

/// The journal as a person reads it: `pay show|list` and `attempts list|show`. Nothing is sent.
enum PayBooks {
    private static let what = Positional.required(
        "ID", reading: .text, help: "The id of an intent, or of an attempt.")
    private static let attemptID = Positional.required("ATTEMPT", reading: .text, help: "The id of an attempt.")
    private static let state = Option.list(
        "state", "STATE", reading: .choice as ValueReader<AttemptState>, help: "Only attempts in this state.")
    private static let account = Option.value(
        "account", short: "a", "NAME", reading: .text, help: "Only attempts of this account.")
    private static let order = Option.value("order", "NUMBER", reading: .text, help: "Only attempts of this order.")
    private static let limit = Option.value(
        "limit", "N", reading: .integer(in: 1...100_000), default: 20, help: "How many to list at most.")

    static let show = Command(
        "show", summary: "Show a payment with all that was done to it",
        examples: [.init("gatewayctl pay show order-1001", "By the intent:")],
        options: [Journal.file], positionals: [what]
    ) { invocation in
        try await PayRun.reading(invocation) {
            let text = try invocation.require(what)
            let store = try Journal.open(invocation)
            var stored = try await store.intent(text)
            if stored == nil, let attempt = try await store.attempt(AttemptID(reading: text)) {
                stored = try await store.intent(attempt.intentID)
            }
            guard let stored else {
                throw Failure(
                    .badInput, "the journal has neither an intent nor an attempt with this id",
                    advice: ["'gatewayctl pay list' shows what it has."])
            }
            let action = try stored.holder.map { try nextAction(of: $0, invocation) } ?? .null
            invocation.terminal.emit(
                Report(
                    schema: PayRun.schema(invocation),
                    fields: fields(of: stored) + [Field("Next action", "nextAction", action)]))
            return .done
        }
    }

    static let list = listing(
        "list", "List payments, the newest first", "gatewayctl pay list --state unknown", withChildren: false)

    /// `attempts list|show|purge`.
    static let attempts = Command(
        "attempts", summary: "Read the journal attempt by attempt, and remove old personal data",
        subcommands: [
            listing(
                "list", "List attempts, captures, voids and refunds, the newest first",
                "gatewayctl attempts list --state unknown --state sending", withChildren: true),
            showAttempt, PayKeeping.purge,
        ])

    private static let showAttempt = Command(
        "show", summary: "Show one attempt with its history",
        examples: [.init("gatewayctl attempts show gkabcdefghijklmnopqrstuvwxyz", "By its id:")],
        options: [Journal.file], positionals: [attemptID]
    ) { invocation in
        try await PayRun.reading(invocation) {
            let store = try Journal.open(invocation)
            guard let attempt = try await store.attempt(AttemptID(reading: try invocation.require(attemptID))) else {
                throw Failure(
                    .badInput, "the journal has no such attempt",
                    advice: ["'gatewayctl attempts list' shows what it has."])
            }
            let history = try await store.history(of: attempt.id).map { event in
                OutputValue.object([
                    Field("When", "at", .identifier(event.at.rfc3339)),
                    Field("State", "state", .text(event.state.rawValue)),
                    Field("By", "by", .text(event.by)),
                    Field("What", "text", .text(event.text)),
                ])
            }
            let next = PayReport.next(attempt, isUnknown: attempt.state == .unknown || attempt.state.isUnderWay)
            invocation.terminal.emit(
                Report(
                    schema: PayRun.schema(invocation),
                    fields: fields(of: attempt) + [
                        Field("Next action", "nextAction", try nextAction(of: attempt, invocation)),
                        Field("Record", "record", attempt.record.map { .object(PayReport.fields(of: $0)) } ?? .null),
                        Field(
                            "Decline", "decline", attempt.decline.map { .object(ResultReport.fields(of: $0)) } ?? .null),
                        Field("History", "history", .list(history)),
                        Field("What to run next", "next", .list(next.map { .identifier($0) })),
                    ]))
            return .done
        }
    }

    private static func listing(
        _ name: String, _ summary: String, _ example: String, withChildren: Bool
    ) -> Command {
        Command(
            name, summary: summary, examples: [.init(example, "What is not settled:")],
            options: [Journal.file, state, account, order, limit]
        ) { invocation in
            try await PayRun.reading(invocation) {
                var filter = AttemptFilter()
                let states = invocation[state]
                if !states.isEmpty { filter.states = Set(states) }
                if let name = invocation[account] {
                    guard let known = AccountName(name) else {
                        throw invocation.usageError(
                            "'--account' takes lower-case letters, digits, hyphens and underscores")
                    }
                    filter.account = known
                }
                filter.orderReference = invocation[order]
                filter.limit = invocation[limit]
                let store = try Journal.open(invocation)
                let found = try await store.attempts(filter).filter { withChildren || !$0.kind.isChild }
                invocation.terminal.emit(
                    Report(
                        schema: PayRun.schema(invocation),
                        fields: [
                            Field(
                                withChildren ? "Attempts" : "Payments", withChildren ? "attempts" : "payments",
                                .list(found.map { .object(fields(of: $0)) }))
                        ]))
                return .done
            }
        }
    }

    /// What the shopper has to do next, where the journal has kept it.
    private static func nextAction(of attempt: PaymentAttempt, _ invocation: Invocation) throws -> OutputValue {
        guard attempt.state == .pending, attempt.sealedAction != nil else { return .null }
        let sealer = try Journal.sealer(Journal.key(invocation))
        return attempt.nextAction(sealer).map { .object(ResultReport.fields(of: $0)) } ?? .null
    }

    private static func fields(of attempt: PaymentAttempt) -> [Field] {
        [
            Field("Intent", "intent", .identifier(attempt.intentID)),
            Field("Key", "key", .identifier(attempt.key)),
            Field("Account", "account", .identifier(attempt.account.description)),
        ] + PayReport.fields(of: attempt) + [
            Field("Begun", "createdAt", .identifier(attempt.createdAt.rfc3339)),
            Field("Changed", "changedAt", .identifier(attempt.changedAt.rfc3339)),
            Field("Note", "note", .text(orNull: attempt.note?.description)),
        ]
    }

    private static func fields(of stored: StoredIntent) -> [Field] {
        var fields = [
            Field("Intent", "intent", .identifier(stored.intent.id)),
            Field("Amount", "amount", .text(stored.intent.amount.description)),
            Field("Order", "order", .identifier(orNull: stored.intent.orderReference)),
            Field("Account", "account", .identifier(stored.intent.account.description)),
            Field("Begun", "createdAt", .identifier(stored.createdAt.rfc3339)),
            Field("Given up", "givenUpAt", .identifier(orNull: stored.givenUpAt?.rfc3339)),
        ]
        if let payment = stored.payment, payment.kind != .credit {
            let balance = PaymentBalance(payment, stored.attempts.filter { $0.parentID == payment.id })
            fields += [
                Field("Approved", "approved", .text(balance.approved.description)),
                Field("Captured", "captured", .text(balance.captured.description)),
                Field("Refunded", "refunded", .text(balance.refunded.description)),
                Field("Voided", "voided", .bool(balance.void != nil)),
            ]
        }
        fields.append(Field("Attempts", "attempts", .list(stored.attempts.map { .object(Self.fields(of: $0)) })))
        return fields
    }
}
