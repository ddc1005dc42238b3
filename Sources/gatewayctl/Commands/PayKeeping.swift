import GatewayKitCore
import GatewayPayments

/// `pay give-up` and `attempts purge`: what is done with debts that nobody will pay, and with what was settled long ago.
enum PayKeeping {
    private static let intent = Positional.required("INTENT", reading: .text, help: "The id of the intent.")
    private static let person = Option.value(
        "by", "NAME", reading: .text, environment: "GATEWAYCTL_OPERATOR", required: true,
        help: "Who gives it up, for the journal.")

    static let giveUp = Command(
        "give-up", summary: "Give an order up, so that a late approval is told as one",
        discussion: """
            Nothing is sent, and nothing that is under way is stopped or voided. Nothing new is begun for the intent, and \
            when 'gatewayctl pay reconcile' finds an approval later it reports a late approval: refund, void or deliver \
            then. It cannot be taken back; for a new try make a new intent.
            """,
        examples: [.init("gatewayctl pay give-up order-1001 --by olga", "By the intent's id:")],
        options: PayRun.options + [person], rules: AccountChoice.rules, positionals: [intent]
    ) { invocation in
        try await PayRun.reading(invocation) {
            let id = try invocation.require(intent)
            if invocation[AccountChoice.sandbox] {
                throw invocation.usageError("the sandbox that '--sandbox' starts is empty: it has no order to give up")
            }
            guard let known = try await Journal.open(invocation).intent(id) else {
                throw Failure(
                    .badInput, "the journal has no such intent", advice: ["'gatewayctl pay list' shows what it has."])
            }
            let opened = try PayRun.open(invocation, orElse: known.intent.account)
            let stored = try await opened.service.giveUp(id, by: try invocation.require(person))
            return report(stored, invocation)
        }
    }

    private static func report(_ stored: StoredIntent, _ invocation: Invocation) -> ExitCode {
        let terminal = invocation.terminal
        var next: [String] = []
        if let payment = stored.payment {
            terminal.say("It is paid already: what was paid stays paid.", tone: .problem)
            next = PayReport.next(payment, isUnknown: false)
        } else if let holder = stored.holder {
            terminal.say("An attempt is under way: an approval that is found later is reported as a late one.")
            next = [
                "gatewayctl pay reconcile --account \(holder.account)", "gatewayctl pay show \(stored.intent.id)",
            ]
        }
        terminal.emit(
            Report(
                schema: PayRun.schema(invocation),
                fields: [
                    Field("Intent", "intent", .identifier(stored.intent.id)),
                    Field("Amount", "amount", .text(stored.intent.amount.description)),
                    Field("Order", "order", .identifier(orNull: stored.intent.orderReference)),
                    Field("Account", "account", .identifier(stored.intent.account.description)),
                    Field("Given up", "givenUpAt", .identifier(orNull: stored.givenUpAt?.rfc3339)),
                    Field("Attempt that holds it", "holder", .identifier(orNull: stored.holder?.id.description)),
                    Field("Its state", "state", .text(orNull: stored.holder?.state.rawValue)),
                    Field("What to run next", "next", .list(next.map { .identifier($0) })),
                ]))
        return .done
    }

    private static let before = Option.value(
        "before", "TIME", reading: .text, required: true,
        help: "Only what was settled and not changed since before this time, such as 2025-01-01T00:00:00Z.")
    private static let yes = Option.flag("yes", help: "Do it without asking.")

    static let purge = Command(
        "purge", summary: "Remove personal data of what was settled long ago",
        discussion: """
            Order numbers, operators, reasons, the providers' records and the words of histories are overwritten in the \
            file, for good. Ids, keys, states, amounts and the providers' ids stay, so that no key can be used again and \
            refunds stay bounded. What is not settled is left alone. It is done for all accounts of the journal.
            """,
        examples: [
            .init("gatewayctl attempts purge --before 2025-01-01T00:00:00Z --yes", "From a timer:")
        ],
        options: [Journal.file, before, yes]
    ) { invocation in
        try await PayRun.reading(invocation) {
            let terminal = invocation.terminal
            guard let time = try PayRun.time(invocation, before) else {
                throw invocation.usageError("'--before' is missing")
            }
            let store = try Journal.open(invocation)
            guard time <= (try await store.now()) else {
                throw invocation.usageError("'--before' lies in the future: nothing can have been settled that long")
            }
            if !invocation[yes] {
                guard terminal.isInputTerminal else {
                    throw invocation.usageError("it cannot be undone: confirm it with '--yes'")
                }
                let answer = try terminal.ask(
                    "Remove personal data of everything settled before \(time.rfc3339), for good? Type 'purge'")
                guard answer == "purge" else {
                    throw Failure(.interrupted, "nothing was purged", advice: ["It was not confirmed."])
                }
            }
            let count = try await store.purge(settledBefore: time)
            terminal.emit(
                Report(
                    schema: PayRun.schema(invocation),
                    fields: [
                        Field("Before", "before", .identifier(time.rfc3339)),
                        Field("Intents purged", "purged", .number(count)),
                    ]))
            return .done
        }
    }
}
