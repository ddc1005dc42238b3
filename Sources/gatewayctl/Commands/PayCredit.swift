import GatewayKit
import GatewayKitCore
import GatewayPayments

/// `pay credit`.
enum PayCredit {
    private static let intent = Option.value(
        "intent", "ID", reading: .text,
        help:
            "The id of what the shop owes: asked for again, it gives the credit that there is. A new one is made if absent."
    )

    static let credit = Command(
        "credit", summary: "Give money without an earlier payment",
        discussion: """
            What belongs to a payment is given back with 'gatewayctl pay refund', which the payment bounds; a credit is \
            bounded by nothing but its intent. It is written into the journal before anything is sent, and sent at most \
            once. The same intent asked for again, under any key, gives the credit that there is. A credit is neither \
            voided nor refunded. Exit code 4 means that the outcome is unknown: money may have moved; what to run then \
            is printed.
            """,
        examples: [
            .init(
                "gatewayctl pay credit --account eu --amount 5.00 --currency EUR --intent goodwill-1001 "
                    + "--token 01KZZ4M2Q8S6T1V0X9Y3B5D7FH --by olga --reason 'late delivery'",
                "To a stored card, with who and why:")
        ],
        options: PayRun.options
            + [PayStart.amount, PayStart.currency, intent, PayRun.key, PayStart.order, PayStart.token]
            + CardSource.all + [PayStart.description, PayRun.requestedBy, PayRun.reason, PayStart.option],
        rules: AccountChoice.rules + [.atMostOne(PayStart.token, CardSource.testCard, CardSource.stdin)]
    ) { invocation in
        try await PayRun.reading(invocation) {
            let debt = try PayStart.money(invocation)
            let opened = try PayRun.open(invocation)
            let id = invocation[intent] ?? PayRun.newID(invocation, "i-")
            let key = invocation[PayRun.key] ?? PayRun.newID(invocation, "k-")
            let owed = try PaymentIntent(
                id: id, amount: debt, orderReference: invocation[PayStart.order],
                account: opened.account.settings.name)
            var shopper = Shopper()
            var token = invocation[PayStart.token]
            if token == nil {
                switch try await PayStart.tokenized(invocation, opened, &shopper) {
                case .success(let made): token = made
                case .failure(let ended): return ended.code
                }
            }
            var instruction = CreditInstruction(
                token: token ?? "", key: key, requestedBy: invocation[PayRun.requestedBy],
                reason: invocation[PayRun.reason])
            instruction.description = invocation[PayStart.description]
            instruction.options = try PayStart.options(invocation, opened)
            instruction.shopper = shopper
            let asked = instruction
            return try await PayRun.move(invocation, opened, intent: id, key: key) { () async throws(NothingMoved) in
                try await opened.service.credit(owed, asked, PayRun.call(invocation))
            }
        }
    }
}
