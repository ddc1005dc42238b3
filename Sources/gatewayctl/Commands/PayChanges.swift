import GatewayKitCore
import GatewayPayments

/// `pay capture|void|refund|resume`.
enum PayChanges {
    private static let payment = Positional.required(
        "PAYMENT", reading: .text, help: "The payment, by the id of its attempt or of its intent.")
    private static let amount = Option.value(
        "amount", "AMOUNT", reading: .text,
        help: "How much, in major units of the payment's currency. All of the rest if absent.")

    static let all = [
        command(
            "capture", "Take what was reserved, or a part of it", [amount],
            .init("gatewayctl pay capture order-1001 --amount 20.00", "A part:")
        ) { (service, id, instruction, call) async throws(NothingMoved) in
            try await service.capture(id, instruction, call)
        },
        command(
            "void", "Cancel a payment that is not settled", [],
            .init("gatewayctl pay void order-1001 --by olga --reason 'ordered twice'", "With who and why:")
        ) { (service, id, instruction, call) async throws(NothingMoved) in
            try await service.void(id, instruction, call)
        },
        command(
            "refund", "Give back what was taken, or a part of it", [amount],
            .init("gatewayctl pay refund order-1001 --amount 5.00 --key return-17 --by olga", "A part, for one return:")
        ) { (service, id, instruction, call) async throws(NothingMoved) in
            try await service.refund(id, instruction, call)
        },
        resume,
    ]

    private typealias Change =
        @Sendable (PaymentService, AttemptID, ChildInstruction, CallContext) async throws(NothingMoved) ->
        PaymentOutcome

    private static func command(
        _ name: String, _ summary: String, _ amounts: [any OptionDeclaration], _ example: Command.Example,
        _ change: @escaping Change
    ) -> Command {
        Command(
            name, summary: summary,
            discussion: """
                The amount is always computed and sent as a number. One capture, void or refund of a payment is open at a \
                time. Two equal partial refunds need two keys; the same key gives the same operation back.
                """,
            examples: [example], options: PayRun.options + amounts + [PayRun.key, PayRun.requestedBy, PayRun.reason],
            rules: AccountChoice.rules, positionals: [payment]
        ) { invocation in
            try await PayRun.reading(invocation) {
                let (attempt, opened) = try await find(invocation)
                let key = invocation[PayRun.key] ?? PayRun.newID(invocation, "k-")
                var instruction = ChildInstruction(
                    key: key, requestedBy: invocation[PayRun.requestedBy], reason: invocation[PayRun.reason])
                if !amounts.isEmpty, let text = invocation[amount] {
                    do throws(MoneyError) {
                        instruction.amount = try Money(text, attempt.amount.currency)
                    } catch {
                        throw invocation.usageError("the amount cannot be used: \(error.description)")
                    }
                }
                let asked = instruction
                return try await PayRun.move(
                    invocation, opened, intent: attempt.intentID, key: key
                ) { () async throws(NothingMoved) in
                    try await change(opened.service, attempt.id, asked, PayRun.call(invocation))
                }
            }
        }
    }

    private static let resume = Command(
        "resume", summary: "Go on with a payment whose next action has been done",
        discussion: "Where the payment is over already, it answers with what came of it.",
        examples: [.init("gatewayctl pay resume order-1001", "After the shopper came back:")],
        options: PayRun.options, rules: AccountChoice.rules, positionals: [payment]
    ) { invocation in
        try await PayRun.reading(invocation) {
            let (attempt, opened) = try await find(invocation)
            return try await PayRun.move(
                invocation, opened, intent: attempt.intentID, key: attempt.key
            ) { () async throws(NothingMoved) in
                try await opened.service.resume(attempt.id, PayRun.call(invocation))
            }
        }
    }

    /// The payment that is meant, with the account that it is pinned to.
    private static func find(_ invocation: Invocation) async throws -> (PaymentAttempt, PayRun.Opened) {
        let text = try invocation.require(payment)
        if invocation[AccountChoice.sandbox] {
            throw invocation.usageError("the sandbox that '--sandbox' starts is empty: it has no payment to change")
        }
        let store = try Journal.open(invocation)
        let attempt = try await Self.payment(text, store)
        return (attempt, try PayRun.open(invocation, orElse: attempt.account))
    }

    /// A payment by the id of its attempt, or the one that holds an intent.
    static func payment(_ text: String, _ store: any PaymentStore) async throws -> PaymentAttempt {
        if let attempt = try await store.attempt(AttemptID(reading: text)) {
            guard let parent = attempt.parentID else { return attempt }
            if let payment = try await store.attempt(parent) { return payment }
        }
        if let stored = try await store.intent(text) {
            if let holder = stored.holder ?? stored.attempts.last(where: { !$0.kind.isChild }) { return holder }
        }
        throw Failure(
            .badInput, "the journal has no payment with this id", advice: ["'gatewayctl pay list' shows what it has."])
    }
}
