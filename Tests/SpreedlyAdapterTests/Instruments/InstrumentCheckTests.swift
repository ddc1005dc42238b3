import GatewayKit
import GatewayKitCore
import SpreedlyAdapter
import Testing

/// What is refused before anything is sent, for each kind of instrument.
@Suite struct InstrumentCheckTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let instrument: PaymentInstrument
        let issues: [String]
        var testDescription: String { "\(instrument.kindName): \(issues)" }

        init(_ instrument: PaymentInstrument, _ issues: String...) {
            self.instrument = instrument
            self.issues = issues
        }
    }

    static let rows: [Row] = [
        Row(.bankAccount(Instruments.account(routing: "021000022")), "routingNumber checkDigit"),
        Row(.bankAccount(Instruments.account(routing: "000000000")), "routingNumber checkDigit"),
        Row(.bankAccount(Instruments.account(routing: "02100002")), "routingNumber tooShort"),
        Row(.bankAccount(Instruments.account(routing: "0210000210")), "routingNumber tooLong"),
        Row(.bankAccount(Instruments.account(routing: "02100002x")), "routingNumber malformed"),
        Row(
            .bankAccount(Instruments.account(" ", routing: "")), "routingNumber missing", "accountNumber missing"),
        Row(.bankAccount(Instruments.account("123")), "accountNumber tooShort"),
        Row(.bankAccount(Instruments.account("123456789012345678")), "accountNumber tooLong"),
        Row(.bankAccount(Instruments.account("12a4")), "accountNumber malformed"),
        Row(.bankAccount(Instruments.account(holder: nil)), "name missing"),
        Row(Instruments.applePay(""), "walletPayload missing"),
        Row(Instruments.applePay("not JSON"), "walletPayload malformed"),
        Row(Instruments.applePay("[]"), "walletPayload malformed"),
        Row(Instruments.applePay(Instruments.applePayload + "{}"), "walletPayload malformed"),
        Row(
            Instruments.applePay(#"{"version":"EC_v1","data":"","signature":null,"header":{}}"#),
            "walletPayload missing", "walletPayload missing", "walletPayload missing", "walletPayload missing",
            "walletPayload missing"),
        Row(Instruments.googlePay(#"{"signature":"x","signedMessage":"y"}"#), "walletPayload missing"),
        Row(.foreignToken(ForeignToken(vault: "", reference: Sensitive(" "))), "vault missing", "reference missing"),
        Row(.foreignToken(ForeignToken(vault: "Not A Word", reference: Sensitive("r"))), "vault malformed"),
        Row(.offsite(OffsiteMethod(kind: "", returnURL: "")), "method missing", "returnURL missing"),
        Row(.offsite(OffsiteMethod(kind: "pay pal", returnURL: "https://a.example")), "method malformed"),
    ]

    @Test("Each field that is wrong is named, and nothing is sent", arguments: rows)
    func row(_ row: Row) async throws {
        let peer = try AnswerPeer(status: 201)
        let end = try await Instruments.answer(of: peer, Instruments.request(row.instrument))
        #expect(end.issues?.map { "\($0.field) \($0.problem)" } == row.issues)
        #expect(end.issues?.allSatisfy { $0.origin == .local && !$0.message.isEmpty } == true)
        #expect(peer.received.isEmpty)
    }

    @Test(
        "Where a browser may be sent back to",
        arguments: [
            ("https://shop.example", true), ("https://shop.example/a?b=c%20d", true),
            ("http://localhost:8080/back", true), ("http://127.0.0.1/", true), ("http://shop.example", false),
            ("javascript:alert(1)", false), ("//shop.example", false), ("https://a@shop.example", false),
            ("https://shop.example/a b", false), ("https://shop.example\\@evil.example", false), ("https://", false),
        ])
    func returnURL(address: String, isFine: Bool) {
        let issues = OffsiteMethod(kind: "sprel", returnURL: address).issues
        #expect(issues.map(\.field) == (isFine ? [] : [.returnURL]))
    }

    @Test("A token that is none is refused even without checks: it would be a part of the address")
    func noToken() async throws {
        for token in ["", " ", "a b", "tök", "a\n", String(repeating: "t", count: 257)] {
            let peer = try AnswerPeer(status: 201)
            let stored = try Instruments.stored(token)
            let end = try await Instruments.answer(of: peer, Instruments.request(stored, checksLocally: false))
            #expect(end.thrown?.code == .invalidInput && end.thrown?.reach == .notSent)
            #expect(peer.received.isEmpty)
        }
    }

    @Test("What a call has no place for is refused")
    func noPlace() async throws {
        let offsite = PaymentInstrument.offsite(OffsiteMethod(kind: "sprel", returnURL: "https://shop.example"))
        for instrument in [offsite, try Instruments.stored()] {
            for retain in [true, false] {
                let peer = try AnswerPeer(status: 201)
                let end = try await Instruments.answer(of: peer, Instruments.request(instrument, retain: retain))
                #expect(end.thrown?.code == .invalidInput)
                #expect(peer.received.isEmpty)
            }
        }
    }

    @Test("Live accounts that have not opted in take no raw instrument of any kind, and every other kind")
    func liveGuard() async throws {
        let configuration = try Configuration.load(
            ConfigurationSources(
                environment: [
                    "SPREEDLY_ENVIRONMENT_KEY": Shop.environmentKey, "SPREEDLY_ACCESS_SECRET": Shop.accessSecret,
                ], files: FileAccess { _ in .nothing }), for: .all)
        let runtime = Shop.runtime(transport: ScriptedTransport(status: 503, body: []))
        let gateway = try ProviderRegistry.all.gateway(in: configuration, runtime)
        #expect(gateway.vault != nil, "the guard keeps the other capabilities")
        for instrument in try Instruments.all() {
            let end = await End(of: try gateway.requireTokens(), Instruments.request(instrument))
            #expect(end.name == (instrument.isRaw ? "throws configuration" : "unknown"), "\(instrument.kindName)")
        }
    }

    @Test("No instrument shows what is in it")
    func shown() throws {
        for instrument in try Instruments.all() {
            let text = everything(of: instrument)
            #expect(Instruments.search.leaks(in: text).isEmpty, "\(text)")
            #expect(!text.contains("Okoro") && !text.contains(Shop.securityCode))
        }
        #expect("\(Instruments.account())" == "checking account ending 3210")
        #expect(Instruments.account("1234567").lastFour == nil)
    }
}
