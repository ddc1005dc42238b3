import GatewayKitCore

/// Rates in BlueSnap's two forms: `exchangeRate` of the calls with a token, `currencyRate` of the server's tools.
enum BlueSnapRatesBody {
    /// `nil` when there is no base or no list. Entries that are no currency with a number are left out, and so are
    /// those that BlueSnap lists for currencies outside ISO 4217. A name may be missing.
    static func read(_ json: JSONValue, _ redactor: Redactor) -> CurrencyRates? {
        guard let base = json["baseCurrency"].nonEmptyText.flatMap({ try? Currency($0) }) else { return nil }
        let list = json["exchangeRate"].present ?? json["currencyRate"].present
        guard let list, list.kind == .array || list.kind == .object else { return nil }
        var rates = CurrencyRates(base: base, rates: [])
        for item in list.items {
            guard let currency = item["quoteCurrency"].nonEmptyText.flatMap({ try? Currency($0) }),
                let text = try? item["conversionRate"].decimalText(), text.utf8.count <= 48
            else { continue }
            rates.rates.append(
                CurrencyRates.Rate(
                    currency, text, name: item["quoteCurrencyName"].nonEmptyText.map(redactor.redact(_:)),
                    fractionDigits: try? item["fractionDigits"].present?.integer()))
        }
        return rates
    }
}
