import GatewayKitCore
import SpreedlyAdapter
import Testing

/// How the answers about each kind of instrument are read (dossier 1.3, 1.4, 1.6).
@Suite struct InstrumentAnswerTests {
    private func end(_ instrument: PaymentInstrument, _ body: String, status: Int = 201) async throws -> End {
        try await Instruments.answer(of: try AnswerPeer(status: status, body), Instruments.request(instrument))
    }

    /// A good answer about something that is no card.
    private static func answer(_ kind: String, _ members: String, token: String = Instruments.storedToken) -> String {
        """
        {"transaction":{"token":"5F0N1QH8YB3RKTV0C4J2W7E9XA","succeeded":true,"state":"succeeded",\
        "payment_method":{"token":"\(token)","storage_state":"cached","test":true,\
        "payment_method_type":"\(kind)","errors":[]\(members.isEmpty ? "" : ",")\(members)}}}
        """
    }

    @Test("Bank account: the answer's other names, and digits only where they may be shown")
    func bankAccount() async throws {
        let members = """
            "bank_name":"First Bank of Tests","account_type":"checking","account_holder_type":"personal",\
            "routing_number_display_digits":"021","account_number_display_digits":"3210","routing_number":"021*",\
            "account_number":"*3210"
            """
        let instrument = PaymentInstrument.bankAccount(Instruments.account())
        let token = try await end(instrument, Self.answer("bank_account", members)).token
        #expect(token?.providerKind == "bank_account" && token?.card == nil)
        #expect(
            token?.bankAccount
                == BankAccountSummary(
                    bankName: "First Bank of Tests", type: "checking", holderType: "personal", lastFour: "3210",
                    routingPrefix: "021"))
        let masks = #""routing_number":"021*","account_number":"*3210","bank_name":null"#
        let masked = try await end(instrument, Self.answer("bank_account", masks)).token
        #expect(masked?.bankAccount == BankAccountSummary(lastFour: "3210", routingPrefix: "021"))
    }

    @Test("Whole numbers in an answer are not shown", arguments: ["bank_account", "third_party_token", "apple_pay"])
    func echoed(kind: String) async throws {
        let members = """
            "account_number":"\(Instruments.accountNumber)","routing_number":"\(Instruments.routingNumber)",\
            "account_number_display_digits":"\(Instruments.accountNumber)","third_party_token":"test_vault:\(Shop.number)",\
            "reference":"\(Instruments.reference)","bank_name":"Bank of \(Shop.number)","number":"\(Shop.number)",\
            "basis_payment_method":{"number":"\(Shop.number)"},"fingerprint":"\(Instruments.accountNumber)"
            """
        let rows: [(PaymentInstrument, [String])] = [
            (.bankAccount(Instruments.account()), [Instruments.accountNumber, Instruments.routingNumber]),
            (Instruments.foreign, [Instruments.reference]), (Instruments.applePay(), []),
        ]
        for (instrument, own) in rows {
            let search = LeakSearch(([Shop.number, Shop.accessSecret] + own).map { Sensitive($0) })
            let end = try await Instruments.answer(
                of: try AnswerPeer(status: 201, Self.answer(kind, members)), Instruments.request(instrument),
                search: search)
            #expect(end.token != nil)
        }
    }

    @Test("Wallets: the kind, the card that stands behind it, and the test mark")
    func wallets() async throws {
        let members = #""card_type":"visa","last_four_digits":"1111","first_six_digits":"411111""#
        for (instrument, kind) in [(Instruments.applePay(), "apple_pay"), (Instruments.googlePay(), "google_pay")] {
            let token = try #require(try await end(instrument, Self.answer(kind, members)).token)
            #expect(token.providerKind == kind && token.isTest == true)
            #expect(token.card == CardSummary(brand: .visa, lastFour: "1111", firstSix: "411111"))
            let bare = try #require(try await end(instrument, Self.answer(kind, "")).token)
            #expect(bare.card == nil && bare.bankAccount == nil)
        }
    }

    @Test("An answer about another instrument is no success")
    func another() async throws {
        let rows: [(PaymentInstrument, String)] = [
            (.bankAccount(Instruments.account()), #""account_number_display_digits":"9999""#),
            (.bankAccount(Instruments.account()), #""account_number":"*9999""#),
            (Instruments.applePay(), #""last_four_digits":"9999""#),
        ]
        for (instrument, members) in rows {
            let end = try await end(instrument, Self.answer("x", members))
            #expect(end.name == "unknown", "\(instrument.kindName) \(members)")
        }
        let recache = try await end(try Instruments.stored(), Self.answer("credit_card", "", token: "other"))
        #expect(recache.unknown?.message.description.contains("another instrument") == true)
    }

    @Test("Recache: success, a refusal that names the card, an unknown card")
    func recache() async throws {
        let stored = try Instruments.stored()
        let good = Self.answer("credit_card", #""last_four_digits":"1111","card_type":"visa""#)
        #expect(try await end(stored, good, status: 200).token?.id == Instruments.storedToken)
        let failed = """
            {"transaction":{"succeeded":false,"state":"failed","message":"Unable to recache.",\
            "message_key":"messages.unable_to_recache","payment_method":{"token":"\(Instruments.storedToken)"}}}
            """
        for status in [200, 422] {
            let end = try await end(stored, failed, status: status)
            #expect(end.decline?.providerCode == "messages.unable_to_recache", "\(end.name)")
        }
        let unknown = #"{"errors":[{"key":"errors.payment_method_not_found","message":"Unable to find it."}]}"#
        let missing = try await end(stored, unknown, status: 404)
        #expect(missing.thrown?.code == .notFound)
        #expect(missing.thrown?.answer?.providerCode == "errors.payment_method_not_found")
        let code = #"{"errors":[{"attribute":"verification_value","key":"errors.invalid_cvv","message":"Bad."}]}"#
        #expect(try await end(stored, code, status: 422).issues?.map(\.field) == [.securityCode])
    }

    static let fields: [(String, FieldIssue.Field)] = [
        ("bank_routing_number", .routingNumber), ("routing_number", .routingNumber),
        ("bank_account_number", .accountNumber), ("account_number", .accountNumber),
        ("bank_account_type", .accountType), ("account_type", .accountType),
        ("bank_account_holder_type", .holderType), ("account_holder_type", .holderType), ("bank_name", .bankName),
        ("payment_data", .walletPayload), ("reference", .reference), ("gateway_type", .vault),
        ("payment_method_type", .method),
    ]

    @Test("Spreedly's names of the new fields", arguments: fields.indices)
    func attribute(index: Int) async throws {
        let (attribute, field) = Self.fields[index]
        let body = """
            {"errors":[{"attribute":"\(attribute)","key":"errors.invalid",\
            "message":"\(Instruments.accountNumber) is invalid"}]}
            """
        let issue = try await end(.bankAccount(Instruments.account()), body, status: 422).issues?.first
        #expect(issue?.field == field && issue?.problem == .malformed && issue?.origin == .provider)
        #expect(issue?.providerCode == "errors.invalid" && issue?.providerField == attribute)
    }

    @Test("F1: whatever comes back that proves nothing, no instrument is told as declined")
    func unclear() async throws {
        for instrument in try Instruments.all() {
            for (status, body) in Unclear.answers {
                let end = try await Instruments.answer(
                    of: try AnswerPeer(status: status, body), Instruments.request(instrument), search: nil)
                #expect(end.name == "unknown", "\(instrument.kindName) \(status) \(body): \(end.name)")
            }
        }
    }
}

/// Answers that tell neither that something was done nor that it was not.
enum Unclear {
    static let answers: [(Int, String)] = [
        (200, ""), (201, "{}"), (200, "<html>Welcome</html>"), (200, "{\"transaction\":"), (200, "null"),
        (200, #"{"transaction":{}}"#), (200, #"{"transaction":{"succeeded":true,"state":"pending"}}"#),
        (200, #"{"transaction":{"succeeded":false,"state":"a_new_word"}}"#),
        (200, #"{"transaction":{"succeeded":true,"state":"succeeded","payment_method":null}}"#),
        (422, ""), (422, "<html>"), (422, #"{"transaction":{"succeeded":true,"state":"succeeded"}}"#),
        (302, ""), (408, ""), (409, "{}"), (500, ""), (502, "<html>Bad gateway</html>"),
        (503, #"{"errors":[{"key":"errors.circuit_breaker_open","message":"Retry after 30 s."}]}"#), (504, ""),
    ]
}
