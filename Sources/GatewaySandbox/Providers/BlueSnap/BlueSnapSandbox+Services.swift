import GatewayKitCore

/// The services for tokens that move no money (dossier 2), and the server's tools (2.4).
extension BlueSnapSandbox {
    func profile(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        let token = try serviceToken(call, store)
        let query = try query(call, ["base-currency", "create-jwt"])
        let base = try BlueSnapCatalogue.rate(query["base-currency"] ?? "USD")
        let wantsJWT = query["create-jwt"] == "True"
        guard wantsJWT || query["create-jwt"] == nil else { throw .invalid("create-jwt") }
        let isOn = chosen[Self.authenticationChoice] == "on"
        // Opaque to clients; what Cardinal's hold is not established.
        let jwt = wantsJWT && isOn ? "eyJhbGciOiJIUzI1NiJ9." + store.mint.secret(40) + "." + store.mint.secret(43) : nil
        let shopper = try token.shopper.map { (id) throws(BlueSnapRefusal) in try store.shopper(id) }
        let answer = reply { body in
            body.set("kountMerchantId", 700_000)
            body.set("merchantName", "Example Shop")
            body.set("merchantId", merchant)
            body.set("threeDSecureJwt", jwt)
            body.object("rates") { BlueSnapCatalogue.writeRates(base, to: &$0) }
            body.object("supportedPaymentMethods") { BlueSnapCatalogue.writeMethods(to: &$0) }
            if let shopper { body.object("shopper") { shopper.write(to: &$0) } }
        }
        return SandboxOutcome(reply: answer, outcome: .read)
    }

    func methods(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        _ = try serviceToken(call, store)
        return SandboxOutcome(reply: reply { BlueSnapCatalogue.writeMethods(to: &$0) }, outcome: .read)
    }

    func rates(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        _ = try serviceToken(call, store)
        let base = try BlueSnapCatalogue.rate(try query(call, ["base-currency"])["base-currency"] ?? "USD")
        return SandboxOutcome(reply: reply { BlueSnapCatalogue.writeRates(base, to: &$0) }, outcome: .read)
    }

    /// That all rates are told where no quote is asked for is a guess.
    func currencyRates(_ call: SandboxCall) throws(BlueSnapRefusal) -> SandboxOutcome {
        var base: BlueSnapCatalogue.Rate?
        var quotes: [BlueSnapCatalogue.Rate] = []
        for item in call.request.query {
            switch item.name {
            case "base-currency" where base == nil: base = try BlueSnapCatalogue.rate(item.value)
            case "quote-currency": quotes.append(try BlueSnapCatalogue.rate(item.value))
            default: throw .invalid(item.name)
            }
        }
        let from = if let base { base } else { try BlueSnapCatalogue.rate("USD") }
        let wanted = quotes.isEmpty ? BlueSnapCatalogue.rates.filter { $0.code != from.code } : quotes
        let answer = reply { body in
            body.set("baseCurrency", from.code)
            body.array("currencyRate") { list in
                for quote in wanted {
                    list.appendObject { entry in
                        entry.set("quoteCurrency", quote.code)
                        let rate = BlueSnapCatalogue.conversion(quote, from)
                        entry.set("conversionRate", decimal: BlueSnapCatalogue.text(millionths: rate))
                    }
                }
            }
        }
        return SandboxOutcome(reply: answer, outcome: .read)
    }

    /// That the value is rounded half up to the currency's digits is a guess.
    func convert(_ call: SandboxCall) throws(BlueSnapRefusal) -> SandboxOutcome {
        let query = try query(call, ["from", "to", "amount"])
        let from = try BlueSnapCatalogue.rate(query["from"] ?? "")
        let to = try BlueSnapCatalogue.rate(query["to"] ?? "")
        guard let currency = try? Currency(from.code), let target = try? Currency(to.code),
            let amount = try? Money(query["amount"] ?? "", currency), amount.minorUnits < 1_000_000_000_000_000
        else { throw .invalid("amount") }
        let rate = BlueSnapCatalogue.conversion(to, from)
        let scale = Self.power(currency.minorUnitDigits) * 1_000_000
        let product = Int128(amount.minorUnits) * Self.power(target.minorUnitDigits) * Int128(rate)
        let converted = (product + scale / 2) / scale
        let value = Money(minorUnits: Int64(clamping: converted), currency: target).decimalText
        let answer = reply { body in
            body.set("value", decimal: value)
            body.set("currency", to.code)
            body.object("formattedPrice") { price in
                price.set("iso", to.code + " " + value)
                price.set("symbol", to.symbol + value)
            }
        }
        return SandboxOutcome(reply: answer, outcome: .read)
    }

    private static func power(_ digits: Int) -> Int128 {
        (0..<digits).reduce(Int128(1)) { result, _ in result * 10 }
    }

    /// Apple's merchant session, made up. That the address must be one of Apple's is what Apple demands of whoever calls
    /// it; which error BlueSnap gives for another one is a guess.
    func walletSession(_ call: SandboxCall, _ store: inout BlueSnapStore) throws(BlueSnapRefusal) -> SandboxOutcome {
        let root = try readBody(call.request)
        let known: Set<String> = ["walletType", "validationUrl", "domainName", "displayName"]
        var texts: [String: String] = [:]
        for member in (try? root.members()) ?? [] {
            guard known.contains(member.name), let text = try? member.value.string(), !text.isEmpty else {
                throw .invalid(member.name)
            }
            texts[member.name] = text
        }
        guard texts["walletType"] == "APPLE_PAY" else { throw .invalid("walletType") }
        let host = (texts["validationUrl"] ?? "").split(separator: "/").dropFirst().first ?? ""
        guard texts["validationUrl"]?.hasPrefix("https://") == true, host.hasSuffix(".apple.com") else {
            throw .invalid("validationUrl")
        }
        guard let domain = texts["domainName"], !domain.contains("/") else { throw .invalid("domainName") }
        let session = AnswerWriter.object { body in
            body.set("merchantSessionIdentifier", "SSH" + store.mint.secret(40))
            body.set("nonce", store.mint.secret(8))
            body.set("domainName", domain)
            body.set("displayName", texts["displayName"] ?? domain)
            body.set("epochTimestamp", Int(call.now.secondsSince1970) * 1000)
        }
        let answer = reply { body in
            body.set("walletType", "APPLE_PAY")
            body.set("walletToken", Base64.encode(session))
        }
        return SandboxOutcome(reply: answer, outcome: .read)
    }

    /// Each parameter once, and none of another name: a guess.
    func query(_ call: SandboxCall, _ known: Set<String>) throws(BlueSnapRefusal) -> [String: String] {
        var values: [String: String] = [:]
        for item in call.request.query {
            guard known.contains(item.name), values[item.name] == nil else { throw .invalid(item.name) }
            values[item.name] = item.value
        }
        return values
    }
}
