import GatewayKit
import GatewayKitCore

extension Root {
    /// `rates`.
    static let rates = Rates.command
}

/// `rates`.
enum Rates {
    static let base = Option.value(
        "base", "CODE", reading: .text,
        help:
            "The currency that rates are told for; without it the merchant's own, or in a session the provider's usual one (BlueSnap: USD)."
    )
    private static let quote = Option.list(
        "quote", "CODE", reading: .text, help: "Tell the rate of this currency only.")
    private static let convert = Option.value(
        "convert", "AMOUNT", reading: .text, help: "Convert this amount of the base, in major units: 25.00.")
    private static let tax = Option.value(
        "tax", "AMOUNT", reading: .text, help: "With --convert: the tax that comes on top, in the base.")
    private static let session = Option.value(
        "session", "SESSION", reading: .text, help: "Ask in this session instead of with the account's key.")

    static let command = Command(
        "rates", summary: "Tell a provider's rates of exchange, and convert a price by them",
        discussion: """
            A read: moves no money and changes nothing. Conversion is exact and rounds once, half away from zero, to the \
            digits that the provider takes. A price with a tax is converted part by part; its total is the sum.
            """,
        examples: [
            .init("gatewayctl rates --account eu --base USD --quote EUR --quote JPY", "Two rates:"),
            .init("gatewayctl rates --account eu --base USD --convert 25.00 --tax 1.52", "A price in every currency:"),
            .init("gatewayctl rates -p bluesnap --sandbox --base EUR -o json", "Without any account:"),
        ],
        options: AccountRun.options + [base, quote, convert, tax, session], rules: AccountChoice.rules
    ) { invocation in
        let base = try currency(invocation, base)
        let quotes = try invocation[quote].map { try currency($0, "--quote", invocation) }
        guard invocation[tax] == nil || invocation[convert] != nil else {
            throw invocation.usageError("'--tax' needs '--convert'")
        }
        if let base { _ = try price(invocation, base) }
        return try await AccountRun.run(invocation, isRead: true) { opened, call, terminal in
            let source = try opened.gateway.requireCurrencyRates()
            let session = try attached(invocation, opened, terminal)
            let rates = try await source.rates(base: base, quotes: quotes, in: session, call)
            terminal.emit(
                Report(
                    schema: AccountRun.schema(invocation),
                    fields: SessionReport.fields(of: opened.settings)
                        + fields(of: rates, price: try price(invocation, rates.base))))
            return .done
        }
    }

    /// What `checkout profile` tells too.
    static func fields(of rates: CurrencyRates, price: Price? = nil) -> [Field] {
        let rows = rates.rates.map { rate -> OutputValue in
            .object(
                [
                    Field("Currency", "currency", .identifier(rate.currency.code)),
                    Field("Rate", "rate", .identifier(rate.text)),
                    Field("Name", "name", .text(orNull: rate.name)),
                ] + (price.map { converted($0, to: rate.currency, by: rates) } ?? []))
        }
        return [
            Field("Base", "base", .identifier(rates.base.code)),
            Field("Price", "price", .text(orNull: price?.description)), Field("Rates", "rates", .list(rows)),
        ]
    }

    private static func converted(_ price: Price, to currency: Currency, by rates: CurrencyRates) -> [Field] {
        var converted: Price?
        var problem: String?
        do throws(RateError) {
            converted = try price.converted(to: currency, by: rates)
        } catch {
            problem = error.description
        }
        return [
            Field("Amount", "amount", .identifier(orNull: converted?.amount.decimalText)),
            Field("Tax", "tax", .identifier(orNull: converted?.tax.decimalText)),
            Field("Total", "total", .identifier(orNull: converted?.total.decimalText)),
            Field("Problem", "problem", .text(orNull: problem)),
        ]
    }

    private static func price(_ invocation: Invocation, _ base: Currency) throws -> Price? {
        guard let text = invocation[convert] else { return nil }
        do throws(MoneyError) {
            let tax: Money? = if let text = invocation[tax] { try Money(text, base) } else { nil }
            return try Price(amount: Money(text, base), tax: tax)
        } catch {
            throw invocation.usageError("the amount cannot be used: \(error.description)")
        }
    }

    static func currency(_ invocation: Invocation, _ option: Option<String?>) throws -> Currency? {
        try invocation[option].map { try currency($0, option.spec.spelling, invocation) }
    }

    private static func currency(_ code: String, _ option: String, _ invocation: Invocation) throws -> Currency {
        do throws(MoneyError) {
            return try Currency(code)
        } catch {
            throw invocation.usageError("'\(option)' cannot be used: \(error.description)")
        }
    }

    private static func attached(
        _ invocation: Invocation, _ opened: AccountChoice.Opened, _ terminal: Terminal
    ) throws -> PaymentSession? {
        guard let id = invocation[session] else { return nil }
        SessionInput.protect(id, terminal)
        return try opened.gateway.requireTokens().attach(SessionReference(account: opened.settings.name, id: id))
    }
}
