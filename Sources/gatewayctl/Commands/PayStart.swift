import GatewayKit
import GatewayKitCore
import GatewayPayments

/// `pay purchase|authorize|verify`.
enum PayStart {
    static let amount = Option.value(
        "amount", "AMOUNT", reading: .text, required: true, help: "How much, in major units: 10.00.")
    static let currency = Option.value(
        "currency", "CODE", reading: .text, required: true, help: "The currency by its ISO code, such as EUR.")
    private static let verifyCurrency = Option.value(
        "currency", "CODE", reading: .text, default: "USD", help: "The currency in which the instrument is checked.")
    static let intent = Option.value(
        "intent", "ID", reading: .text,
        help: "The id of the debt: asked for again, it gives the payment that there is. A new one is made if absent.")
    static let order = Option.value(
        "order", "NUMBER", reading: .text, help: "The shop's number of the order.")
    static let token = Option.value(
        "token", "TOKEN", reading: .text,
        help: "The provider's token of the instrument. Without it a card is read and tokenized first.")
    static let description = Option.value(
        "description", "TEXT", reading: .text, help: "What is paid for.")
    private static let retain = Option.flag(
        "retain", help: "Keep the instrument if the payment succeeds. Needs the shopper's consent.")
    private static let returnURL = Option.value(
        "return-url", "URL", reading: .text, help: "Where the provider sends the shopper after a next action.")
    private static let initiator = Option.value(
        "initiator", "WHO", reading: .oneOf(PaymentRequest.StoredCredential.Initiator.allCases.map(\.rawValue)),
        help: "For credentials on file: who starts the payment.")
    private static let onFile = Option.value(
        "on-file", "WHY", reading: .oneOf(PaymentRequest.StoredCredential.Reason.allCases.map(\.rawValue)),
        help: "For credentials on file: why the payment is made.")
    private static let networkTransaction = Option.value(
        "network-id", "ID", reading: .text,
        help: "For a payment that the merchant starts: the network's id of the first payment of the series.")
    static let option = Option.list(
        "option", "NAME=VALUE", reading: .text, help: "An option of this provider's payments.")

    static let all = [purchase, authorize, verify]

    static let purchase = command(
        .purchase, "Take money at once",
        example: .init(
            "gatewayctl pay purchase -p spreedly --sandbox --amount 10.00 --currency USD --test-card visa",
            "Without any account, against the built-in sandbox:"))
    static let authorize = command(
        .authorize, "Reserve money, to be captured later",
        example: .init(
            "gatewayctl pay authorize --account eu --amount 49.90 --currency EUR --order 1001 --intent order-1001 "
                + "--token 01KZZ4M2Q8S6T1V0X9Y3B5D7FH", "For an order, with a stored card:"))
    static let verify = command(
        .verify, "Check an instrument without an amount",
        example: .init("gatewayctl pay verify --account eu --test-card visa", "A public test card:"))

    private static func command(
        _ kind: PaymentRequest.Kind, _ summary: String, example: Command.Example
    ) -> Command {
        let amounts: [any OptionDeclaration] = kind == .verify ? [verifyCurrency] : [amount, currency]
        return Command(
            kind.rawValue, summary: summary,
            discussion: """
                It is written into the journal before anything is sent, and sent at most once. The same intent asked for \
                again, under any key, gives the payment that there is. The same key with another token, such as one made \
                of a card that is given once more, is another request and refused. Exit code 4 means that the outcome is unknown: \
                money may have moved; what to run then is printed.
                """,
            examples: [example],
            options: PayRun.options + amounts
                + [intent, PayRun.key, order, token] + CardSource.all
                + [description, retain, returnURL, initiator, onFile, networkTransaction, option],
            rules: AccountChoice.rules + [.atMostOne(token, CardSource.testCard, CardSource.stdin)]
        ) { invocation in
            try await PayRun.reading(invocation) {
                let debt = try money(invocation, kind)
                let opened = try PayRun.open(invocation)
                let id = invocation[intent] ?? PayRun.newID(invocation, "i-")
                let key = invocation[PayRun.key] ?? PayRun.newID(invocation, "k-")
                let owed = try PaymentIntent(
                    id: id, amount: debt, orderReference: invocation[order],
                    account: opened.account.settings.name)
                var shopper = Shopper()
                var charged = invocation[token]
                if charged == nil {
                    switch try await tokenized(invocation, opened, &shopper) {
                    case .success(let made): charged = made
                    case .failure(let ended): return ended.code
                    }
                }
                var instruction = PaymentInstruction(kind, token: charged ?? "", key: key)
                try fill(&instruction, invocation, opened)
                instruction.shopper = shopper
                let asked = instruction
                return try await PayRun.move(invocation, opened, intent: id, key: key) {
                    () async throws(NothingMoved) in
                    try await opened.service.start(owed, asked, PayRun.call(invocation))
                }
            }
        }
    }

    static func money(_ invocation: Invocation, _ kind: PaymentRequest.Kind = .purchase) throws -> Money {
        do {
            if kind == .verify { return .zero(try Currency(invocation[verifyCurrency])) }
            return try Money(invocation.require(amount), Currency(invocation.require(currency)))
        } catch let error as MoneyError {
            throw invocation.usageError("the amount cannot be used: \(error.description)")
        }
    }

    private static func fill(
        _ instruction: inout PaymentInstruction, _ invocation: Invocation, _ opened: PayRun.Opened
    ) throws {
        instruction.description = invocation[description]
        if invocation[retain] { instruction.retainOnSuccess = true }
        instruction.returnURL = invocation[returnURL]
        let who = invocation[initiator].flatMap(PaymentRequest.StoredCredential.Initiator.init(rawValue:))
        let why = invocation[onFile].flatMap(PaymentRequest.StoredCredential.Reason.init(rawValue:))
        if let who, let why {
            instruction.storedCredential = .init(who, why, networkTransactionID: invocation[networkTransaction])
        } else if who != nil || why != nil || invocation[networkTransaction] != nil {
            throw invocation.usageError("credentials on file need both '--initiator' and '--on-file'")
        }
        instruction.options = try options(invocation, opened)
    }

    /// The provider's own options.
    static func options(_ invocation: Invocation, _ opened: PayRun.Opened) throws -> [String: OptionValue] {
        var options: [String: OptionValue] = [:]
        for text in invocation[option] {
            let (name, value) = try invocation.pair(text, "--option")
            let known = opened.account.provider.paymentOptions.map(\.name)
            guard known.contains(name) else {
                throw invocation.usageError(
                    "\(opened.account.provider.displayName) has no option \(Echo.show(name)) for payments."
                        + " Its options: \(known.joined(separator: ", "))")
            }
            options[name] = value
        }
        return options
    }

    /// How a run ended before there was a payment.
    struct Ended: Error {
        let code: ExitCode
    }

    /// Reads a card and makes a token of it.
    static func tokenized(
        _ invocation: Invocation, _ opened: PayRun.Opened, _ shopper: inout Shopper
    ) async throws -> Result<String, Ended> {
        let terminal = invocation.terminal
        let read = try CardSource.read(invocation, now: terminal.now)
        shopper = read.shopper
        let request = TokenizationRequest(.card(read.card), shopper: read.shopper)
        let result = try await opened.account.gateway.requireTokens().tokenize(request, PayRun.call(invocation))
        if case .token(let token) = result {
            terminal.say("The card has the token \(token.id).")
            return .success(token.id)
        }
        terminal.say("No payment was begun: the card has no token.", tone: .problem)
        return .failure(Ended(code: ResultReport.write(result, opened.account.settings, terminal)))
    }
}
