import GatewayKit
import GatewayKitCore

/// `shopper create`.
enum ShopperCreate {
    private static let name = Option.value("name", "NAME", reading: .text, help: "The shopper's whole name.")

    static let command = Command(
        "create", summary: "Store a shopper at a provider, and print the id",
        discussion: """
            Moves no money. It is sent once: a provider lets the same shopper be stored twice, so a run whose outcome is \
            unknown (exit code 4) is not repeated without a look at the provider's own list.
            """,
        examples: [
            .init(
                "gatewayctl shopper create -a pk --name 'Ada Okoro' --email ada@shop.example "
                    + "--phone +923001234567 --country PK",
                "A shopper whose cards are to be kept:")
        ],
        options: AccountRun.options + [name] + ShopperOptions.all, rules: AccountChoice.rules
    ) { invocation in
        try await AccountRun.run(invocation) { opened, call, terminal in
            let customers = try opened.gateway.requireCustomers()
            let shopper = ShopperOptions.apply(invocation, to: Shopper(name: invocation[name]))
            let result = try await customers.create(shopper, call)
            return write(result, opened.settings, terminal, schema: AccountRun.schema(invocation))
        }
    }

    private static func write(
        _ result: CustomerResult, _ settings: AccountSettings, _ terminal: Terminal, schema: String
    ) -> ExitCode {
        var fields = [Field("Result", "result", .text(result.outcomeName))]
        let code: ExitCode
        switch result {
        case .created(let id):
            fields.append(Field("Shopper", "shopper", .identifier(id)))
            code = .done
        case .invalid(let issues):
            fields.append(Field("Fields", "fields", .list(issues.map { .object(ResultReport.fields(of: $0)) })))
            code = issues.allSatisfy { $0.origin == .local } ? .badInput : .providerSaidNo
        case .unknown(let cause):
            fields.append(Field("Cause", "cause", .object(ResultReport.fields(of: cause))))
            terminal.say("The outcome is unknown: \(cause.advice)", tone: .problem)
            code = .outcomeUnknown
        }
        terminal.emit(Report(schema: schema, fields: SessionReport.fields(of: settings) + fields))
        return code
    }
}
