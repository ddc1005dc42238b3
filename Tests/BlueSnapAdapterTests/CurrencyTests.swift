import GatewayKitCore
import Testing

@testable import BlueSnapAdapter

@Suite struct BlueSnapCurrencyTests {
    private static func rates(
        _ script: [String: [ScriptedBlueSnap.Reply]], base: Currency? = nil, quotes: [Currency] = [],
        inSession: Bool = false
    ) async throws -> (CurrencyRates, ScriptedBlueSnap) {
        let peer = ScriptedBlueSnap(script)
        let session = inSession ? PaymentSession(reference: try Shop.reference()) : nil
        let rates = try await Shop.gateway(nil, Shop.runtime(peer)).requireCurrencyRates()
            .rates(base: base, quotes: quotes, in: session, CallContext())
        return (rates, peer)
    }

    private static let tools =
        #"{"baseCurrency":"EUR","currencyRate":[{"quoteCurrency":"JPY","conversionRate":160.25},{"quoteCurrency":"USD","conversionRate":1.0850}]}"#

    @Test("with the API user: every quote is asked for, and rates keep the text in which they came")
    func asBackend() async throws {
        let (rates, peer) = try await Self.rates(
            ["currency-rates": [.answer(200, Self.tools)]], base: .eur, quotes: [.usd, .jpy])
        #expect(
            peer.lines == [
                "GET http://127.0.0.1:9/bluesnap/services/2/tools/currency-rates"
                    + "?base-currency=EUR&quote-currency=USD&quote-currency=JPY"
            ])
        #expect(peer.sent.first?.fields.contains("authorization: " + Shop.basic) == true)
        #expect(rates.rates.map(\.text) == ["160.25", "1.0850"])
        #expect(try rates.convert(Money("100.00", .eur), to: .usd) == Money("108.50", .usd))
    }

    @Test("without a base nothing is asked for, and the merchant's own comes")
    func merchantsBase() async throws {
        let (rates, peer) = try await Self.rates(["currency-rates": [.answer(200, Self.tools)]])
        #expect(peer.lines == ["GET http://127.0.0.1:9/bluesnap/services/2/tools/currency-rates"])
        #expect(rates.base == .eur)
    }

    @Test("with a token: all come, those wanted are picked; names may be missing, as in the older form")
    func inSession() async throws {
        let body = """
            {"baseCurrency":"USD","baseCurrencyName":"US Dollar","exchangeRate":[
            {"quoteCurrency":"EUR","quoteCurrencyName":"Euro","fractionDigits":2,"conversionRate":0.92134},
            {"quoteCurrency":"JPY","fractionDigits":0,"conversionRate":151.27,"inverseConversionRate":0.0066},
            {"quoteCurrency":"QQQ","conversionRate":1},{"quoteCurrency":"GBP","conversionRate":"x"},{}]}
            """
        let (all, peer) = try await Self.rates(["rates": [.answer(200, body)]], inSession: true)
        #expect(
            peer.lines == [
                "GET http://127.0.0.1:9/bluesnap/services/2/tokenized-services/rates?base-currency=USD"
            ])
        #expect(all.rates.map(\.currency) == [.eur, .jpy])
        #expect(all.rates.map(\.fractionDigits) == [2, 0])
        #expect(all.rates.first?.name == "Euro" && all.rates.last?.name == nil)
        let (some, _) = try await Self.rates(["rates": [.answer(200, body)]], quotes: [.jpy], inSession: true)
        #expect(some.rates.map(\.currency) == [.jpy])
    }

    @Test("a currency without a rate is the same error, whichever way it was asked for")
    func unknownCurrency() async throws {
        let tools = await thrown {
            _ = try await Self.rates(
                ["currency-rates": [.error("PRICING_CURRENCY_NOT_FOUND", "13001")]], base: .usd, quotes: [.kwd])
        }
        let session = await thrown {
            let body = #"{"baseCurrency":"USD","exchangeRate":[{"quoteCurrency":"EUR","conversionRate":0.9}]}"#
            _ = try await Self.rates(["rates": [.answer(200, body)]], quotes: [.kwd], inSession: true)
        }
        #expect(tools?.code == .requestRefused && session?.code == .requestRefused)
        #expect(tools?.message == session?.message)
        #expect(tools?.answer?.providerCode == "PRICING_CURRENCY_NOT_FOUND")
    }

    @Test(
        "rates of another base, no rates, and what is no answer are never used",
        arguments: [
            #"{"baseCurrency":"GBP","currencyRate":[]}"#, #"{"baseCurrency":"USD"}"#, "{}", "[]", "",
            #"{"currencyRate":[]}"#,
        ])
    func otherBase(body: String) async throws {
        let error = await thrown {
            _ = try await Self.rates(["currency-rates": [.answer(200, body)]], base: .usd)
        }
        #expect(error?.code == .unreadableAnswer)
    }

    @Test("both ways at the sandbox agree, and an expired token is renewed once")
    func sandbox() async throws {
        let box = try BlueSnapBox()
        let gateway = try box.gateway()
        let source = try gateway.requireCurrencyRates()
        let tools = try await source.rates(base: .usd, quotes: [.jpy, .eur], in: nil, CallContext())
        let session = try await gateway.requireTokens().openSession(SessionRequest(), CallContext())
        let shop = try await source.rates(base: .usd, quotes: [.jpy, .eur], in: session, CallContext())
        for currency in [Currency.jpy, .eur] {
            let amount = try Money("25.50", .usd)
            #expect(try tools.convert(amount, to: currency) == shop.convert(amount, to: currency))
        }
        box.advance(seconds: 3_601)
        let fresh = try await gateway.requireTokens().openSession(SessionRequest(), CallContext())
        let renewal = try Renewal(fresh.reference.id)
        let again = try await source.rates(base: .usd, quotes: [], in: session, CallContext(renewal: renewal))
        #expect(renewal.asked == 1)
        #expect(again.rates.count > 2)
        let error = await thrown { _ = try await source.rates(base: .usd, quotes: [], in: session, CallContext()) }
        #expect(error?.code == .sessionUnusable)
    }
}
