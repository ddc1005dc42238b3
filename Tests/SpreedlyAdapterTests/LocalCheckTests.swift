import GatewayKitCore
import GatewaySandbox
import Testing

/// What is refused before anything is sent: the sandbox's ledger stays empty.
@Suite struct LocalCheckTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Shop.sandbox()
    }

    private func end(_ request: TokenizationRequest, authentication: String = "secret") async throws -> End {
        let recorder = Recorder()
        let before = sandbox.ledger.count
        let settings = try Shop.settings(in: sandbox, authentication: authentication)
        let end = await End(of: try Shop.tokens(settings, Shop.runtime(recorder)), request)
        #expect(end.leaks.isEmpty)
        #expect(sandbox.ledger.count == before + recorder.count(.requestStarted))
        return end
    }

    /// The field and the problem of each issue; nothing may have been sent.
    private func issues(_ request: TokenizationRequest) async throws -> [String] {
        let issues = try #require(try await end(request).issues)
        #expect(sandbox.ledger.count == 0)
        #expect(issues.allSatisfy { $0.origin == .local && $0.providerCode == nil && !$0.message.isEmpty })
        return issues.map { "\($0.field) \($0.problem)" }
    }

    @Test("A name is needed, unless an option says otherwise")
    func name() async throws {
        for holder in [nil, "", " \t\u{3000}"] {
            #expect(try await issues(Shop.request(Shop.card(holder: holder))) == ["name missing"])
        }
        let allowed = try Shop.request(Shop.card(holder: nil), options: ["allowBlankName": .flag(true)])
        #expect(try await end(allowed).token != nil)
    }

    @Test("C2, C3, F9: expiry is needed and must not have passed, unless an option says otherwise")
    func expiry() async throws {
        let past = try Shop.card(expiry: CardExpiry(month: 5, year: 2030))
        #expect(try await issues(Shop.request(past)) == ["expiryMonth expired"])
        let longPast = try Shop.card(expiry: CardExpiry(month: 12, year: 2029))
        #expect(try await issues(Shop.request(longPast)) == ["expiryYear expired"])
        #expect(try await issues(Shop.request(Shop.card(expiry: nil))) == ["expiryMonth missing"])
        let far = try Shop.card(expiry: CardExpiry(month: 1, year: 2051))
        #expect(
            try await issues(Shop.request(far, options: ["allowExpiredDate": .flag(true)])) == [
                "expiryYear tooFarAhead"
            ])
        #expect(
            try await issues(Shop.request(past, options: ["allowExpiredDate": .flag(false)])) == ["expiryMonth expired"]
        )
        #expect(
            try await issues(Shop.request(past, options: ["allowBlankDate": .flag(true)])) == ["expiryMonth expired"])

        let thisMonth = try Shop.card(expiry: CardExpiry(month: 6, year: 2030))
        #expect(try await end(Shop.request(thisMonth)).token != nil)
        #expect(try await end(Shop.request(past, options: ["allowExpiredDate": .flag(true)])).token != nil)
        let blank = try Shop.request(Shop.card(expiry: nil), options: ["allowBlankDate": .flag(true)])
        #expect(try await end(blank).token != nil)
    }

    @Test("All findings come at once, in the order of the fields")
    func allAtOnce() async throws {
        let card = Card(
            number: try CardNumber(Sensitive(String(Shop.number.dropLast() + "2"))),
            securityCode: try SecurityCode(Sensitive("1234")))
        let request = TokenizationRequest(
            .card(card),
            shopper: Shopper(
                billingAddress: Address(country: "XX"), shippingAddress: Address(country: "Germany")),
            metadata: [.init(key: "", value: .flag(true))])
        #expect(
            try await issues(request) == [
                "number checkDigit", "securityCode tooLong", "expiryMonth missing", "name missing",
                "country malformed", "shipping.country malformed", "metadata malformed",
            ])
    }

    @Test("Metadata: 25 entries, keys of 50 and values of 500 characters, no key twice")
    func metadata() async throws {
        func entries(_ count: Int) -> [TokenizationRequest.Metadata] {
            (0..<count).map { .init(key: "key\($0)", value: .integer($0)) }
        }
        func entry(_ key: String, _ value: String = "v") -> [TokenizationRequest.Metadata] {
            [.init(key: key, value: .text(value))]
        }
        let family = "👩‍👩‍👧"  // one character to Swift, five to everybody else
        let good = [
            entries(25), entry(String(repeating: "k", count: 50), String(repeating: "é", count: 500)),
            entry("k", String(repeating: family, count: 100)), entry("k", ""),
        ]
        for metadata in good { #expect(try await end(Shop.request(metadata: metadata)).token != nil) }
        let before = sandbox.ledger.count
        let bad = [
            (entries(26), "metadata tooLong"), (entry(String(repeating: "k", count: 51)), "metadata tooLong"),
            (entry("k", String(repeating: "é", count: 501)), "metadata tooLong"),
            (entry("k", String(repeating: family, count: 101)), "metadata tooLong"),
            (entry(String(repeating: family, count: 11)), "metadata tooLong"),
            (entry("k") + entry("k"), "metadata malformed"), (entry(""), "metadata malformed"),
        ]
        for (metadata, expected) in bad {
            let issues = try await Shop.tokens(Shop.settings(in: sandbox))
                .tokenize(Shop.request(metadata: metadata))
            guard case .invalid(let found) = issues else {
                Issue.record("\(expected) was not found")
                continue
            }
            #expect(found.map { "\($0.field) \($0.problem)" } == [expected])
        }
        #expect(sandbox.ledger.count == before)
    }

    @Test("A card number in a metadata key is not repeated by the complaint")
    func metadataEcho() async throws {
        let twice = [TokenizationRequest.Metadata](
            repeating: .init(key: Shop.number, value: .text(Shop.number)), count: 2)
        #expect(try await issues(Shop.request(metadata: twice)) == ["metadata malformed"])
    }

    @Test("With our checks off the provider decides; what cannot be written is still refused")
    func checksOff() async throws {
        let noName = try await end(Shop.request(Shop.card(holder: nil), checksLocally: false))
        #expect(noName.issues?.map(\.origin) == [.provider, .provider])
        #expect(sandbox.ledger.count == 1)
        let twice = [TokenizationRequest.Metadata](repeating: .init(key: "k", value: .flag(true)), count: 2)
        let error = try #require(try await end(Shop.request(metadata: twice, checksLocally: false)).thrown)
        #expect(error.code == .invalidInput)
        #expect(error.reach == .notSent)
        #expect(sandbox.ledger.count == 1)
    }

    @Test("Unknown options, and options of another kind, are refused even with our checks off")
    func options() async throws {
        let bad: [[String: OptionValue]] = [
            ["allowBlankname": .flag(true)], ["allow_blank_name": .flag(true)], [Shop.number: .flag(true)],
            ["allowBlankName": .text("true")], ["allowBlankName": .integer(1)], ["": .flag(true)],
        ]
        for options in bad {
            for checksLocally in [true, false] {
                let end = try await end(Shop.request(options: options, checksLocally: checksLocally))
                #expect(end.thrown?.code == .invalidInput)
                #expect(end.thrown?.reach == .notSent)
                #expect(end.thrown?.tries == 0)
            }
        }
        #expect(sandbox.ledger.count == 0)
    }

    @Test("To retain at once needs the access secret", arguments: ["restricted", "query"])
    func retain(authentication: String) async throws {
        let refused = try await end(Shop.request(retain: true), authentication: authentication)
        #expect(refused.thrown?.code == .configuration)
        #expect(sandbox.ledger.count == 0)
        #expect(try await end(Shop.request(retain: false), authentication: authentication).token?.usage == .single)
        #expect(try await end(Shop.request(retain: true)).token?.usage == .reusable)
    }

    @Test("A session of another account, or of nobody, is refused")
    func sessions() async throws {
        let tokens = try Shop.tokens(Shop.settings(in: sandbox))
        let own = try await tokens.openSession()
        #expect(try tokens.attach(own.reference) == own)
        let shop = try #require(AccountName("shop"))
        let other = try #require(AccountName("other"))
        for reference in [
            SessionReference(account: other, id: own.reference.id), SessionReference(account: shop, id: "s-1"),
            SessionReference(account: shop, id: ""), SessionReference(account: shop, id: Shop.number),
        ] {
            #expect(throws: GatewayError.self) { try tokens.attach(reference) }
            do {
                _ = try await tokens.tokenize(Shop.request(), in: PaymentSession(reference: reference))
                Issue.record("a foreign session was taken")
            } catch {
                let error = try #require(error as? GatewayError)
                #expect(error.code == .invalidInput)
                #expect(error.reach == .notSent)
                #expect(secretSearch.leaks(in: everything(of: error)).isEmpty)
            }
        }
        #expect(sandbox.ledger.count == 0)
        #expect(try await tokens.tokenize(Shop.request(), in: own).outcomeName == "token")
    }
}
