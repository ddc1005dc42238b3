import GatewayKitCore
import Testing

/// Answers that say, or seem to say, that the card was stored (dossier 1.4). Success needs explicit proof.
@Suite struct SuccessAnswerTests {
    static let token = "01KZZ4M2Q8S6T1V0X9Y3B5D7FH"

    /// The members of a good answer, each as JSON text.
    static let method: [(String, String)] = [
        ("token", "\"\(token)\""), ("created_at", "\"2030-06-15T12:00:00.345Z\""), ("email", "null"), ("data", "null"),
        ("storage_state", "\"cached\""), ("test", "true"), ("metadata", "null"), ("last_four_digits", "\"1111\""),
        ("first_six_digits", "\"411111\""), ("card_type", "\"visa\""), ("first_name", "\"Ada\""),
        ("last_name", "\"Okoro\""), ("month", "9"), ("year", "2031"), ("zip", "null"), ("full_name", "\"Ada Okoro\""),
        ("payment_method_type", "\"credit_card\""), ("errors", "[]"),
        ("fingerprint", "\"a1b2c3d4e5f60718293a4b5c6d7e8f901234\""), ("verification_value", "\"XXX\""),
        ("number", "\"XXXX-XXXX-XXXX-1111\""),
    ]
    static let transaction: [(String, String)] = [
        ("token", "\"5F0N1QH8YB3RKTV0C4J2W7E9XA\""), ("created_at", "\"2030-06-15T12:00:00Z\""),
        ("succeeded", "true"), ("transaction_type", "\"AddPaymentMethod\""), ("retained", "false"),
        ("state", "\"succeeded\""), ("message_key", "\"messages.transaction_succeeded\""),
        ("message", "\"Succeeded!\""),
    ]

    /// A good answer with members changed (`nil` leaves one out) or added.
    static func answer(
        _ transactionChanges: [String: String?] = [:], method methodChanges: [String: String?] = [:]
    ) -> String {
        func object(_ members: [(String, String)], _ changes: [String: String?]) -> String {
            var parts = members.compactMap { name, value -> String? in
                switch changes[name] {
                case .none: "\"\(name)\":\(value)"
                case .some(nil): nil
                case .some(let changed?): "\"\(name)\":\(changed)"
                }
            }
            for (name, value) in changes.sorted(by: { $0.key < $1.key })
            where !members.contains(where: { $0.0 == name }) {
                if let value { parts.append("\"\(name)\":\(value)") }
            }
            return "{" + parts.joined(separator: ",") + "}"
        }
        let members = transaction + [("payment_method", object(method, methodChanges))]
        return "{\"transaction\":" + object(members, transactionChanges) + "}"
    }

    private func end(_ body: String, status: Int = 201, fields: [String] = []) async throws -> End {
        try await Shop.answer(of: try AnswerPeer(status: status, body, fields: fields))
    }

    @Test("A whole answer gives a whole token", arguments: [201, 200, 202])
    func whole(status: Int) async throws {
        let token = try #require(
            try await end(Self.answer(), status: status, fields: ["X-Request-Id: 6b1f0c7e-0d39-4b0e"]).token)
        var expected = PaymentToken(id: Self.token, account: try #require(AccountName("shop")), usage: .single)
        expected.card = CardSummary(
            brand: .visa, lastFour: "1111", firstSix: "411111", expiry: CardExpiry(month: 9, year: 2031))
        expected.providerKind = "credit_card"
        expected.isTest = true
        expected.fingerprint = "a1b2c3d4e5f60718293a4b5c6d7e8f901234"
        expected.providerState = "cached"
        expected.transactionID = "5F0N1QH8YB3RKTV0C4J2W7E9XA"
        expected.requestID = "6b1f0c7e-0d39-4b0e"
        #expect(token == expected)
    }

    @Test("B11: a member that nobody needs may be missing or null", arguments: (transaction + method).map(\.0))
    func oneMissing(name: String) async throws {
        for value in [nil, "null"] as [String?] {
            if Self.transaction.contains(where: { $0.0 == name }) {
                let end = try await end(Self.answer([name: value]))
                #expect(end.name == (name == "succeeded" ? "unknown" : "token"), "transaction.\(name)")
            }
            if Self.method.contains(where: { $0.0 == name }) {
                let end = try await end(Self.answer(method: [name: value]))
                #expect(end.name == (name == "token" ? "unknown" : "token"), "payment_method.\(name)")
            }
        }
    }

    @Test("Members of another kind never break and never make a success")
    func otherKinds() async throws {
        for value in ["1", "{}", "[]", "\"\"", "true", "1.5", "\"x\""] {
            for (name, _) in Self.method where name != "token" {
                #expect(try await end(Self.answer(method: [name: value])).name == "token", "\(name): \(value)")
            }
        }
        for value in ["{}", "[]", "\"\"", "true", "false", "\" \"", "\"a b\"", "\"a\\u001bb\"", "\"é\""] {
            #expect(try await end(Self.answer(method: ["token": value])).name == "unknown", "token: \(value)")
        }
        for value in ["{}", "[]", "\"\"", "1", "\"yes\"", "\"True\""] {
            #expect(try await end(Self.answer(["succeeded": value])).name == "unknown", "succeeded: \(value)")
        }
        for value in ["{}", "[]", "\"\"", "1", "true", "\"Succeeded\"", "\"succeeded \""] {
            #expect(try await end(Self.answer(["state": value])).name == "unknown", "state: \(value)")
        }
        #expect(try await end(Self.answer(["succeeded": "\"true\""])).name == "token", "lenient as the SDKs are")
    }

    @Test("Members that nobody knows are ignored")
    func extraMembers() async throws {
        let body = Self.answer(["new": "{\"deep\":[1,null]}"], method: ["newer": "[[]]", "email": "\"é@example.com\""])
        #expect(try await end(body).token?.id == Self.token)
    }

    @Test(
        "Only an explicit success is one (dossier 2.4)",
        arguments: [
            ("true", "succeeded", "token"), ("true", nil, "token"), ("true", "pending", "unknown"),
            ("true", "processing", "unknown"), ("true", "failed", "unknown"), ("true", "sandbox_unheard_of", "unknown"),
            ("true", "gateway_processing_result_unknown", "unknown"), ("true", "complete", "unknown"),
            ("false", "succeeded", "unknown"), ("false", nil, "unknown"), ("false", "pending", "unknown"),
            ("false", "processing", "unknown"), ("false", "gateway_processing_result_unknown", "unknown"),
            ("false", "scrubbed", "unknown"), (nil, "succeeded", "unknown"), (nil, nil, "unknown"),
            (nil, "pending", "unknown"),
        ] as [(String?, String?, String)])
    func states(succeeded: String?, state: String?, expected: String) async throws {
        let end = try await end(Self.answer(["succeeded": succeeded, "state": state.map { "\"\($0)\"" }]))
        #expect(end.name == expected)
        if expected == "unknown", let state, state != "succeeded" {
            #expect(end.unknown?.answer?.providerCode == state, "the provider's word is kept")
        }
    }

    @Test(
        "A failure that names no stored card is one; beside a token it is a contradiction",
        arguments: ["failed", "gateway_processing_failed", "gateway_setup_failed"])
    func failures(state: String) async throws {
        for status in [200, 201, 402, 422] {
            for succeeded in ["false", nil] as [String?] {
                let changes = [
                    "succeeded": succeeded, "state": "\"\(state)\"", "message_key": nil, "message": "\"No.\"",
                ]
                let bare = try await end(Self.answer(changes, method: ["token": nil]), status: status)
                #expect(bare.decline?.providerCode == state)
                #expect(bare.decline?.message.description == "No.")
                let withToken = try await end(Self.answer(changes), status: status)
                #expect(withToken.name == "unknown")
            }
        }
    }

    @Test("A failed transaction's field errors are issues, wherever they stand")
    func failedFields() async throws {
        let errors = #"[{"attribute":"year","key":"errors.expired","message":"Year is expired"}]"#
        let changes = ["succeeded": "false", "state": "\"failed\"", "message": "\"The payment method is invalid.\""]
        let inMethod = try await end(Self.answer(changes, method: ["token": nil, "errors": errors]), status: 422)
        let inTransaction = try await end(
            Self.answer(changes.merging(["errors": errors]) { $1 }, method: ["token": nil]), status: 422)
        for end in [inMethod, inTransaction] {
            #expect(end.issues?.map(\.field) == [.expiryYear])
            #expect(end.issues?.map(\.problem) == [.expired])
        }
    }

    @Test("A refusing status with a success in its body is a contradiction", arguments: [400, 402, 403, 404, 422, 429])
    func contradiction(status: Int) async throws {
        #expect(try await end(Self.answer(), status: status).name == "unknown")
    }

    @Test(
        "B5: 2xx with JSON that says nothing",
        arguments: [
            "{}", "[]", "null", "0", "\"\"", #"{"transaction":null}"#, #"{"transaction":[]}"#, #"{"transaction":"x"}"#,
            #"{"transaction":{}}"#, #"{"transaction":{"token":"x"}}"#, #"{"payment_method":{"token":"x"}}"#,
            #"{"errors":[]}"#, #"{"errors":[{"key":"errors.blank","attribute":"year","message":"x"}]}"#,
            #"{"transaction":{"succeeded":true,"state":"succeeded"}}"#,
            #"{"transaction":{"succeeded":true,"state":"succeeded","payment_method":null}}"#,
            #"{"transaction":{"succeeded":true,"state":"succeeded","payment_method":[]}}"#,
            #"{"transaction":{"succeeded":true,"succeeded":false,"state":"succeeded","payment_method":{"token":"x"}}}"#,
        ])
    func sayingNothing(body: String) async throws {
        let end = try await end(body)
        #expect(end.unknown?.code == .unreadableAnswer)
        #expect(end.unknown?.reach == .answered)
    }

    @Test(
        "Card types in all spellings (dossier 1.4)",
        arguments: [
            ("visa", CardBrand.visa), ("master", .mastercard), ("american_express", .americanExpress),
            ("discover", .discover), ("diners_club", .dinersClub), ("jcb", .jcb), ("maestro", .maestro),
            ("unionpay", .unionPay), ("union_pay", .unionPay), ("forbrubsforeningen", .forbrugsforeningen),
            ("forbrugsforeningen", .forbrugsforeningen), ("dankort", .dankort), ("elo", .elo), ("alelo", .alelo),
            ("cabal", .cabal), ("carnet", .carnet), ("naranja", .naranja), ("sodexo", .sodexo), ("vr", .vr),
            ("tarjeta-d", .tarjetaD), ("maestro_no_luhn", .maestro), ("bp_plus", .bpPlus),
        ])
    func cardTypes(word: String, brand: CardBrand) async throws {
        #expect(try await end(Self.answer(method: ["card_type": "\"\(word)\""])).token?.card?.brand == brand)
    }

    @Test("An unknown card type keeps its word; one that no brand can have is left out")
    func unknownCardTypes() async throws {
        let named = try await end(Self.answer(method: ["card_type": "\"brand_of_2031\""]))
        #expect(named.token?.card?.brand?.id == "brand_of_2031")
        let odd = try await end(Self.answer(method: ["card_type": "\"\(Shop.number)\""]))
        #expect(odd.token != nil)
        #expect(odd.token?.card?.brand == nil)
    }

    @Test("Month and year as text; an impossible date is left out")
    func dates() async throws {
        let text = try await end(Self.answer(method: ["month": "\"9\"", "year": "\"2031\""]))
        #expect(text.token?.card?.expiry == CardExpiry(month: 9, year: 2031))
        let zero = try await end(Self.answer(method: ["month": "\"09\""]))
        #expect(zero.token?.card?.expiry == CardExpiry(month: 9, year: 2031))
        let odd = try await end(Self.answer(method: ["month": "13"]))
        #expect(odd.token != nil)
        #expect(odd.token?.card?.expiry == nil)
    }

    @Test(
        "K4: the storage state tells how often a token can be used, and nothing is made up",
        arguments: [
            ("cached", PaymentToken.Usage.single), ("retained", .reusable), ("used", .unknown), ("redacted", .unknown),
            ("sandbox_unheard_of", .unknown),
        ])
    func storageStates(word: String, usage: PaymentToken.Usage) async throws {
        let token = try await end(Self.answer(method: ["storage_state": "\"\(word)\""])).token
        #expect(token?.usage == usage)
        #expect(token?.providerState == word)
        #expect(token?.expiresAt == nil)
    }

    @Test("An answer about another card is not ours")
    func anotherCard() async throws {
        #expect(try await end(Self.answer(method: ["last_four_digits": "\"4444\""])).name == "unknown")
    }

    @Test("L3: the card number where the token or another shown value belongs is never shown")
    func echoes() async throws {
        let number = Shop.number
        let spaced = "4111-1111-1111-1111"
        let encoded = Base64Reading.encode(number)
        for text in [number, "tok_\(number)", spaced, encoded, "x\(number)x"] {
            #expect(try await end(Self.answer(method: ["token": "\"\(text)\""])).name == "unknown")
        }
        for text in [number, spaced, encoded, "pan \(number) cvv 737", Shop.accessSecret] {
            for name in ["fingerprint", "storage_state", "card_type", "first_six_digits", "test", "month"] {
                let end = try await end(Self.answer(method: [name: "\"\(text)\""]), fields: ["x-request-id: \(text)"])
                #expect(end.token?.id == Self.token)
            }
            for name in ["token", "message", "message_key", "transaction_type", "made_up"] {
                #expect(try await end(Self.answer([name: "\"\(text)\""])).token?.id == Self.token)
            }
            #expect(try await end(Self.answer(["state": "\"\(text)\"", "message": "\"\(text)\""])).name == "unknown")
        }
    }

    @Test("A token that has the security code among its groups of digits is a token still")
    func codeInToken() async throws {
        let token = "6b1f-\(Shop.securityCode)-0d39"
        let runtime = Shop.runtime(
            transport: ScriptedTransport(status: 201, body: Array(Self.answer(method: ["token": "\"\(token)\""]).utf8)))
        let end = await End(of: try Shop.tokens(Shop.settings("http://127.0.0.1:9/v1"), runtime), try Shop.request())
        #expect(end.token?.id == token)
    }

    @Test(
        "The content type does not matter, the bytes do",
        arguments: [
            "application/json", "application/json;charset=UTF-8", "application/json; charset=\"utf-8\"",
            "application/json; charset=iso-8859-1", "text/plain", "text/html; charset=utf-8", "application/xml",
            "APPLICATION/JSON", "garbage", nil,
        ] as [String?])
    func contentTypes(type: String?) async throws {
        let peer = try AnswerPeer(status: 201, Self.answer(), type: type)
        #expect(try await Shop.answer(of: peer).token?.id == Self.token)
    }

    @Test("C13: a byte order mark is passed over; UTF-16 is no answer")
    func byteOrderMark() async throws {
        let body = Array(Self.answer().utf8)
        let marked = try AnswerPeer(status: 201, bytes: [0xEF, 0xBB, 0xBF] + body, type: "application/json")
        #expect(try await Shop.answer(of: marked).token?.id == Self.token)
        let wide = try AnswerPeer(
            status: 201, bytes: body.flatMap { [$0, 0] }, type: "application/json; charset=utf-16le")
        #expect(try await Shop.answer(of: wide).name == "unknown")
    }
}
