import GatewayKitCore

extension ContractCapability {
    /// ``GatewayKitCore/Gateway/checkout``.
    public static let checkout = ContractCapability("checkout")
    /// ``GatewayKitCore/Gateway/profiles``.
    public static let profiles = ContractCapability("profiles")
    /// ``GatewayKitCore/Gateway/currencyRates``.
    public static let currencyRates = ContractCapability("currencyRates")
    /// ``GatewayKitCore/Gateway/shoppers``.
    public static let shoppers = ContractCapability("shoppers")
    /// ``GatewayKitCore/Gateway/walletSessions``.
    public static let walletSessions = ContractCapability("walletSessions")
}

/// Cases of what a checkout needs beside tokens: pages, profile, rates, shoppers' choices, wallets.
enum CheckoutCases {
    static let all = [
        page, strangeAddresses, profile, expiredProfile, renewedProfile, rates, configured, nothingChosen, wallet,
        foreignWallet,
    ]

    static let page = ContractCase(
        "checkout.page", .checkout, alsoNeeds: [.tokens], .anywhere,
        "A page is opened for the amount, which is proven as not paid while nobody has paid."
    ) { run in
        let checkout = try run.checkout()
        let page = try await run.openPage()
        run.expect(page.url.hasPrefix("https://") || page.url.hasPrefix("http://127.0.0.1"), "the page is no address")
        run.expect(!everything(of: page).contains(page.url), "a description shows the page's address")
        let end = run.see(
            await .of({ ContractEnd(read: $0, name: "proof \($0.phase)") }) { () async throws(GatewayError) in
                try await checkout.proof(of: page, CallContext())
            })
        run.observe(end.name)
        run.expect(
            ["proof open", "proof processing", "throws notFound"].contains(end.name),
            "nobody has paid, and it ends as \(end.name)")
    }

    static let strangeAddresses = ContractCase(
        "checkout.strange-address", .checkout, alsoNeeds: [.tokens], .anywhere,
        "An address that is not the page's own says nothing, whatever words are in it; judging makes no call."
    ) { run in
        let checkout = try run.checkout()
        let page = try await run.openPage()
        run.wire.forget()
        for address in [
            "", "about:blank", "https://shop.example/", "https://shop.example/success?status=success&paid=true",
            "https://evil.example/external/complete/success", String(repeating: "x", count: 100_000),
        ] {
            let verdict = checkout.verdict(on: address, of: page)
            run.observe(verdict.kind.rawValue)
            run.expect(verdict.kind == .ignore, "a strange address is told as \(verdict.kind.rawValue)")
        }
        run.expect(run.wire.entries.isEmpty, "something was sent to judge an address")
    }

    static let profile = ContractCase(
        "profiles.read", .profiles, alsoNeeds: [.tokens], .anywhere,
        "A new session's profile tells at least one method, and the session that it is of."
    ) { run in
        let session = try await run.tokens().openSession()
        let profile = try await run.profiles().profile(in: session, base: nil, CallContext())
        run.see(ContractEnd(read: profile, name: "profile"))
        run.observe("profile")
        run.expect(!profile.methods.isEmpty, "it tells no method")
        run.equal("the session", profile.session.reference, session.reference)
        let brands = Set(profile.brands.map(\.providerWord))
        run.equal("brands, each once", brands.count, profile.brands.count)
        run.equal("3-D Secure", profile.authenticates, profile.authenticationToken != nil)
    }

    static let expiredProfile = ContractCase(
        "profiles.expired-session", .profiles, alsoNeeds: [.tokens], .imitation,
        "A session that is too old has no profile: it is told as unusable."
    ) { run in
        let session = try await run.expiredSession()
        let profiles = try run.profiles()
        let end = run.see(
            await .of({ ContractEnd(read: $0, name: "profile") }) { () async throws(GatewayError) in
                try await profiles.profile(in: session, base: nil, CallContext())
            })
        run.observe(end.name)
        run.equal("it ends as", end.name, "throws sessionUnusable")
    }

    static let renewedProfile = ContractCase(
        "profiles.renewed-session", .profiles, alsoNeeds: [.tokens], .imitation,
        "A session that is too old is renewed once by the caller's source, and the profile is the new one's."
    ) { run in
        let session = try await run.expiredSession()
        let source = ContractRenewal(try run.tokens())
        let profile = try await run.profiles().profile(in: session, base: nil, CallContext(renewal: source))
        run.see(ContractEnd(read: profile, name: "profile"))
        run.observe("profile")
        run.equal("sessions asked for", source.opened.count, 1)
        run.equal("the session", profile.session.reference, source.opened.first)
    }

    static let rates = ContractCase(
        "currencyRates.read", .currencyRates, .anywhere,
        "Rates come for the base that was asked for, and a price is converted there by each of them."
    ) { run in
        let base = Currency.usd
        let rates = try await run.currencyRates().rates(base: base, quotes: [], in: nil, CallContext())
        run.see(ContractEnd(read: rates, name: "rates"))
        run.observe("rates")
        run.equal("the base", rates.base, base)
        run.expect(!rates.rates.isEmpty, "it tells no rate")
        for rate in rates.rates {
            do {
                let converted = try rates.convert(Money(minorUnits: 1_000_000, currency: base), to: rate.currency)
                run.equal("currency", converted.currency, rate.currency)
            } catch {
                run.note("\(rate.currency) cannot be converted to: \(error)")
            }
        }
    }

    static let configured = ContractCase(
        "shoppers.configured", .shoppers, alsoNeeds: [.tokens], .onRequest,
        "A shopper's choice is written down, in the session that was given; the same again is written down too."
    ) { run in
        let shoppers = try run.shoppers()
        let (configuration, session) = try await run.shopperConfiguration()
        for _ in 0..<2 {
            let result = try await shoppers.configure(configuration, in: session, CallContext())
            run.see(ContractEnd(result))
            run.observe(ContractEnd(result).name)
            run.equal("it ends as", result, .saved(session))
        }
    }

    static let nothingChosen = ContractCase(
        "shoppers.nothing-chosen", .shoppers, alsoNeeds: [.tokens], .anywhere,
        "Without a shopper, and without a choice, nothing is sent."
    ) { run in
        let shoppers = try run.shoppers()
        let session = try await run.tokens().openSession()
        run.wire.forget()
        let shopper = Shopper(name: "Ada Okoro")
        for configuration in [
            ShopperConfiguration(shopperID: nil, shopper: shopper, choice: .payPal),
            ShopperConfiguration(shopperID: "1", shopper: shopper, choice: nil),
        ] {
            let end = run.see(
                await .of(ContractEnd.init(_:)) { () async throws(GatewayError) in
                    try await shoppers.configure(configuration, in: session, CallContext())
                })
            run.observe(end.name)
            run.equal("it ends as", end.name, "throws invalidInput")
        }
        run.expect(run.wire.entries.isEmpty, "something was sent")
    }

    static let wallet = ContractCase(
        "walletSessions.apple-pay", .walletSessions, .imitation, "Apple Pay's merchant session is a JSON object."
    ) { run in
        let session = try await run.appleSession()
        run.observe("session")
        run.expect(session.withExposed { (try? JSONValue(parsing: Array($0.utf8)))?.kind == .object }, "it is none")
    }

    static let foreignWallet = ContractCase(
        "walletSessions.foreign-address", .walletSessions, .anywhere,
        "An address that is none of Apple's is refused before anything is sent."
    ) { run in
        for address in [
            "https://evil.example/", "https://apple.com.evil.example/", "http://apple-pay-gateway.apple.com/",
        ] {
            let end = run.see(
                await .of({ ContractEnd(read: $0, name: "session") }) { () async throws(GatewayError) in
                    try await run.gateway(run.stage.account).requireWalletSessions().applePaySession(
                        validationURL: address, domain: "shop.example", displayName: "Made Up Shop", CallContext())
                })
            run.observe(end.name)
            run.equal("it ends as", end.name, "throws invalidInput")
        }
        run.expect(run.wire.entries.isEmpty, "something was sent")
    }
}

/// Opens another session whenever it is asked, and remembers which.
final class ContractRenewal: SessionRenewal {
    private let tokens: any TokenProvider
    private let list = Locked<[SessionReference]>([])

    init(_ tokens: any TokenProvider) { self.tokens = tokens }

    var opened: [SessionReference] { list.withLock { $0 } }

    func session(insteadOf old: SessionReference) async throws(GatewayError) -> PaymentSession {
        let session = try await tokens.openSession()
        list.withLock { $0.append(session.reference) }
        return session
    }
}

extension ContractEnd {
    init(_ result: ShopperConfigurationResult) {
        switch result {
        case .saved: self.init(read: result, name: "saved")
        case .invalid: self.init(refused: result, name: "invalid")
        case .unknown(let cause): self.init(unknown: result, cause)
        }
    }
}

extension ContractRun {
    func checkout() throws -> any HostedCheckout {
        try gateway().checkout ?? stop(.skipped("the gateway does not offer pages"))
    }

    func profiles() throws -> any CheckoutProfileSource {
        try gateway().profiles ?? stop(.skipped("the gateway does not offer profiles"))
    }

    func currencyRates() throws -> any CurrencyRateSource {
        try gateway().currencyRates ?? stop(.skipped("the gateway does not offer rates"))
    }

    func shoppers() throws -> any ShopperConfiguring {
        try gateway().shoppers ?? stop(.skipped("the gateway does not offer shoppers"))
    }

    /// A page for an app, which has no address of the shop's to come back to.
    func openPage() async throws -> CheckoutPage {
        let payments = try fact(subject.testData.payments, "which amounts do what")
        let session = try await tokens().openSession(
            SessionRequest(.payment, entry: .hostedPage, amount: payments.amount, orderReference: "A-17"))
        return try await page(in: session)
    }

    func page(in session: PaymentSession, _ context: CallContext = CallContext()) async throws -> CheckoutPage {
        let payments = try fact(subject.testData.payments, "which amounts do what")
        return try await checkout().page(
            CheckoutPageRequest(orderReference: "A-17", amount: payments.amount, surface: .mobile), for: session,
            context)
    }

    func expiredSession() async throws -> PaymentSession {
        let facts = try fact(subject.testData.sessions, "what its sessions are like")
        guard let lifetime = facts.lifetime else {
            throw Stop.skipped("sessions of this provider do not expire")
        }
        let session = try await tokens().openSession()
        try controls().advance(lifetime + .seconds(1))
        return session
    }

    /// A choice that needs no card, and a session for the shopper.
    func shopperConfiguration() async throws -> (ShopperConfiguration, PaymentSession) {
        let id = try fact(subject.testData.returningShopper, "the id of a shopper that the provider has")
        let session = try await tokens().openSession(SessionRequest(.storeInstrument, shopperID: id))
        return (ShopperConfiguration(shopperID: id, shopper: Shopper(name: "Ada Okoro"), choice: .payPal), session)
    }

    func appleSession(_ context: CallContext = CallContext()) async throws -> Sensitive<String> {
        try await gateway().requireWalletSessions().applePaySession(
            validationURL: "https://apple-pay-gateway.apple.com/paymentservices/startSession", domain: "shop.example",
            displayName: "Made Up Shop", context)
    }
}
