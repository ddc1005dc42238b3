import GatewayKitCore

/// The options by which a command gets a card: by the name of a test card, as JSON on stdin, or typed at a prompt.
/// There is no option for card data itself.
enum CardSource {
    static let testCard = Option.value(
        "test-card", "NAME", reading: .oneOf(TestCard.all.map(\.name)),
        help: "Use this public test card; 'gatewayctl card test-cards' lists them.")
    static let stdin = Option.flag(
        "card-stdin", help: "Read the card as one JSON object from stdin; 'gatewayctl help card-json' shows its form.")
    static let name = Option.value(
        "name", "NAME", reading: .text, help: "The name on the card.")

    static let all: [any OptionDeclaration] = [testCard, stdin, name]
    static let rules = [OptionRule.atMostOne(testCard, stdin)]

    /// What was read.
    struct Read: Sendable {
        var card: Card
        var shopper = Shopper()
    }

    /// Reads the card, and protects number and code before anything else is done with them.
    /// - Throws: ``Failure`` with `badInput` that names every field that is wrong.
    static func read(_ invocation: Invocation, now: WallTime) throws -> Read {
        let terminal = invocation.terminal
        var read: Read
        if let name = invocation[testCard] {
            read = Read(card: try card(testCard: name, now: now))
        } else if invocation[stdin] {
            read = try CardJSON.read(terminal.readInput(awaiting: "the card as one JSON object"), terminal, now: now)
        } else if terminal.isInputTerminal {
            read = Read(card: try prompt(terminal, now: now))
        } else {
            throw invocation.usageError("no card is given: use '--test-card NAME' or '--card-stdin'")
        }
        if let name = invocation[name] { read.card.holderName = name }
        terminal.protect([read.card.number.sensitive])
        if let code = read.card.securityCode { terminal.protect([code.sensitive]) }
        return read
    }

    private static func card(testCard name: String, now: WallTime) throws -> Card {
        guard let test = TestCard.all.first(where: { $0.name == name }) else {
            throw Failure(.usage, "there is no test card '\(name)'")
        }
        return try checked {
            try Card.read(
                number: Sensitive(test.number), month: "12", year: "\(now.utcDate.year + 3)",
                securityCode: Sensitive(test.brand.securityCodeLength == 4 ? "1234" : "123"),
                name: "Ada Okoro", now: now)
        }
    }

    private static func prompt(_ terminal: Terminal, now: WallTime) throws -> Card {
        let number = try terminal.readSecret(awaiting: "Card number")
        let expiry = try terminal.ask("Expiry (MM/YY)")
        let code = try terminal.readSecret(awaiting: "Security code, empty if none")
        let name = try terminal.ask("Name on the card")
        return try checked {
            try Card.read(
                number: number, expiry: expiry, securityCode: code.withExposed { $0.isEmpty } ? nil : code,
                name: name, now: now)
        }
    }

    static func checked<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as InvalidCardInput {
            throw Failure(
                .badInput, "the card cannot be used; nothing was sent",
                advice: error.issues.map { "\($0.field): \($0.message)" })
        }
    }
}
