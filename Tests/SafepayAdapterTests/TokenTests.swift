import GatewayCrypto
import GatewayKit
import GatewayKitCore
import Testing

@testable import SafepayAdapter

/// Tokenization: what is sent, and what each answer means.
@Suite struct SafepayTokenTests {
    typealias Reply = ScriptedSafepay.Reply

    @Test("A card is sent as both mobile SDKs send it, and becomes a token of one payment")
    func card() async throws {
        let peer = ScriptedSafepay(["tokenize": [.setUp]])
        var request = try Shop.request()
        request.options["isMobile"] = .flag(true)
        let token = try #require(try await Shop.tokenize(peer, request).token)
        #expect(token.id == Shop.card)
        #expect(token.usage == .single)
        #expect(token.card?.lastFour == "1111")
        #expect(token.providerKind == "Visa")
        #expect(token.isTest == true)
        #expect(token.authenticationData == nil)
        #expect(peer.lines == ["POST \(Shop.base)/order/payments/v3/\(Shop.tracker)"])
        #expect(peer.sent.first?.fields == ["accept: application/json", "x-sfpy-merchant-secret: \(Shop.secretKey)"])
        #expect(
            peer.bodies == [
                """
                {"action":"PAYER_AUTH_SETUP","entry_mode":"raw","payload":{"is_mobile":true,"payment_method":{"card":\
                {"card_number":"\(Shop.number)","expiration_month":"09","expiration_year":"2031","cvv":"737"}}}}
                """
            ])
    }

    @Test("A transient token of Safepay's form, and a saved card by its id or by what may be shown of it")
    func others() async throws {
        let flex = ScriptedSafepay(["tokenize": [.setUp]])
        let jwt = Sensitive("eyJ0cmFuc2llbnQ.x.y")
        let end = try await Shop.tokenize(
            flex, TokenizationRequest(.foreignToken(ForeignToken(vault: "flex", reference: jwt))),
            in: Shop.session("payment", "flex"))
        #expect(end.token?.card?.lastFour == "1111" && end.token?.card?.brand == .visa)
        #expect(
            flex.bodies.first?.contains(
                #""entry_mode":"flex","payload":{"is_mobile":false,"payment_method":{"flex":{"transient_token_jwt":"eyJ0cmFuc2llbnQ.x.y"}}"#
            ) == true)

        let saved = Shop.session("payment", "tms", customer: Shop.customer)
        let tms = ScriptedSafepay(["tokenize": [.setUp]])
        let id = Sensitive(Shop.customer + "/" + Shop.card)
        let reused = try await Shop.tokenize(
            tms, TokenizationRequest(.foreignToken(ForeignToken(vault: "wallet", reference: id))), in: saved)
        #expect(reused.token?.usage == .reusable)
        #expect(
            tms.bodies.first?.contains(
                #""entry_mode":"tms","payload":{"is_mobile":false,"payment_method":{"tokenized_card":{"token":"\#(Shop.card)"}}"#
            ) == true)

        let list = Reply.data(
            """
            {"count":2,"wallet":[{"token":"pm_other","last_4":"4444","expiry_month":"9","expiry_year":"2031"},\
            {"token":"\(Shop.card)","last_4":"1111","expiry_month":"09","expiry_year":"2031","scheme":"Visa"}]}
            """)
        let chosen = ScriptedSafepay(["tokenize": [.setUp], "list-wallet": [list]])
        let shown = ShopperCard(
            providerBrand: "Visa", lastFour: "1111", expiry: try #require(CardExpiry(month: 9, year: 2031)))
        #expect(try await Shop.tokenize(chosen, TokenizationRequest(.shopperCard(shown)), in: saved).token != nil)
        #expect(
            chosen.lines.first
                == "GET \(Shop.base)/user/customers/v1/\(Shop.customer)/wallet/?limit=100&page=1&direction=ASC")
        #expect(chosen.bodies.last?.contains(Shop.card) == true)
        let unknown = ShopperCard(providerBrand: "Visa", lastFour: "9999", expiry: shown.expiry)
        #expect(
            try await Shop.tokenize(chosen, TokenizationRequest(.shopperCard(unknown)), in: saved).thrown?.code
                == .invalidInput)
    }

    @Test("A program without the secret key sends a card with the passport token of its backend")
    func passport() async throws {
        let peer = ScriptedSafepay(["tokenize": [.setUp]])
        let settings = try Shop.settings(key: nil, values: ["passportToken": "tbt-0000000000000000=="])
        #expect(try await Shop.tokenize(peer, settings: settings).token != nil)
        #expect(
            peer.sent.first?.fields == ["accept: application/json", "authorization: Bearer tbt-0000000000000000=="])
    }

    @Test("What 3-D Secure goes on with is sealed, bound to session and token, and opens with rotated keys")
    func sealed() async throws {
        let old = KeyedSealer.Key(id: "2030-01", SecretBytes(Array(repeating: 7, count: 32)))
        let new = KeyedSealer.Key(id: "2030-06", SecretBytes(Array(repeating: 8, count: 32)))
        let peer = ScriptedSafepay(["tokenize": [.setUp]])
        let end = try await Shop.tokenize(peer, sealer: KeyedSealer(current: old))
        let sealed = try #require(end.token?.authenticationData)
        #expect("\(sealed)" == "sealed")
        let account = try #require(AccountName("shop"))
        let context = SafepaySetupAnswer.context(account, try Shop.reference(Shop.session()), token: Shop.card)
        let rotated = try KeyedSealer(current: new, earlier: [old])
        let json = try JSONValue(parsing: rotated.open(sealed, context: context).withExposed { $0 })
        #expect(try json["access_token"].string() == "eyJhY2Nlc3M.a.b")
        #expect(try json["device_data_collection_url"].string() == "https://collect.example/V1")
        #expect(try json["cardinal_jwt"].string() == "eyJjYXJkaW5hbA.c.d")
        #expect(try json["tracker"].string() == Shop.tracker)
        let other = SafepaySetupAnswer.context(account, try Shop.reference(Shop.session()), token: "pm_other")
        #expect(throws: GatewayError.self) { try rotated.open(sealed, context: other) }
        #expect(throws: GatewayError.self) { try KeyedSealer(current: new).open(sealed, context: context) }
        for index in stride(from: 0, to: sealed.text.utf8.count, by: 7) {
            var bytes = Array(sealed.text.utf8)
            bytes[index] = bytes[index] == 0x41 ? 0x42 : 0x41
            let changed = Sealed(text: String(decoding: bytes, as: UTF8.self))
            #expect(throws: GatewayError.self) { try rotated.open(changed, context: context) }
        }
    }

    @Test("a page that takes money is not handed out as a way to a token; a session that charges at once takes no card")
    func moneyIsNoToken() async throws {
        let peer = ScriptedSafepay([:])
        let tokens = try Shop.gateway(peer).requireTokens()
        let page = TokenizationRequest(
            .offsite(OffsiteMethod(kind: "page", returnURL: "https://shop.example/back")))
        for id in [Shop.session("payment", "flex"), Shop.session("subscription", "flex", customer: "cus_1")] {
            let error = await thrown {
                _ = try await tokens.tokenize(page, in: PaymentSession(reference: try Shop.reference(id)))
            }
            #expect(error?.code == .notSupported)
        }
        let error = await thrown {
            _ = try await tokens.tokenize(
                TokenizationRequest(.card(try Shop.card())),
                in: PaymentSession(
                    reference: try Shop.reference(Shop.session("unscheduled_cof", "raw", customer: "cus_1"))))
        }
        #expect(error?.code == .notSupported)
        #expect(peer.lines.isEmpty)
        for never in [
            Shop.session("unscheduled_cof", "tms", customer: "cus_1"), Shop.session("payment", "mit"),
            Shop.session("payment", "tms"), Shop.session("instrument", "tms", amount: "-", customer: "cus_1"),
        ] {
            #expect(SafepaySession(id: never) == nil, "opening never gives it")
        }
    }

    @Test(
        "F10, F11: every listed text and code of Safepay's has one meaning, and the words are kept",
        arguments: [
            ("Tracker is in an invalid state", "sessionUnusable", ""), ("PT-1001", "sessionUnusable", ""),
            ("error performing action 'AUTHORIZATION': cannot add payment method: duplicate ", "declined", "duplicate"),
            ("55 : Incorrect OTP", "declined", "authenticationFailed"),
            ("this is a stolen or lost card", "declined", "lostOrStolen"),
            ("the card was reported lost", "declined", "lostOrStolen"),
            ("error performing action 'PAYER_AUTH_SETUP': insufficient funds", "declined", "insufficientFunds"),
            ("the card has expired", "declined", "expiredCard"),
            ("insufficient permissions", "throws requestRefused", ""),
            ("connection to the card network lost", "throws requestRefused", ""),
            ("CVN did not match", "declined", "incorrectSecurityCode"),
            ("CREATE_TOKEN_CARD_TYPE_NOT_ALLOWED", "declined", "cardKindNotAccepted"),
            ("customer is a duplicate", "declined", "duplicate"),
            ("error performing action 'PAYER_AUTH_SETUP': something new", "declined", "unlisted"),
            ("card_number: the number is not valid", "invalid", "number malformed"),
            (
                "error performing action 'PAYER_AUTH_SETUP': expiration_year: the card has expired", "invalid",
                "expiryYear expired"
            ),
            ("cvv: the code has the wrong length", "invalid", "securityCode malformed"),
            ("phone_number: the phone number supplied is not a number", "invalid", "phone malformed"),
            ("unsupported meta key", "invalid", "metadata notAccepted"),
            ("CAPTURE_CONTEXT_EXPIRED", "invalid", "reference expired"),
            ("CAPTURE_CONTEXT_INVALID", "invalid", "reference malformed"),
            ("CREATE_TOKEN_CAPTURE_CONTEXT_USED_TOO_MANY_TIMES", "invalid", "reference notAccepted"),
            ("BROWSER_ENCRYPTION_FAILED", "invalid", "reference malformed"),
            ("Missing authorization credentials", "throws credentialsRefused", ""),
            ("Unauthorized access", "throws credentialsRefused", ""),
            ("something new", "throws requestRefused", ""),
        ])
    func texts(text: String, name: String, detail: String) async throws {
        // The cause comes first, and the action behind it.
        let parts = text.split(separator: "'")
        let words =
            text.hasPrefix("error performing action")
            ? "\(parts[2].dropFirst(2).drop { $0 == " " })".trimming + " (\(parts[1]))" : text
        for reply in [Reply.refusal(text), .refusal(text, status: 200), .bare(text)] {
            let end = try await Shop.tokenize(ScriptedSafepay(["tokenize": [reply]]))
            #expect(end.name == name)
            if let decline = end.decline {
                #expect(decline.reason.description == detail)
                #expect(decline.message.description == words)
                #expect(decline.providerCode != nil)
            }
            if let issue = end.issues?.first {
                #expect("\(issue.field) \(issue.problem)" == detail)
                #expect(issue.message.description == words && issue.origin == .provider && issue.providerCode != nil)
            }
            if let status = end.unusable { #expect(status.phase == .unknown && status.providerWord == text) }
            if let error = end.thrown { #expect(error.answer?.providerMessage?.description == text) }
        }
    }

    @Test("B5, F4: the status decides where no text does, and what proves nothing is unknown")
    func statuses() async throws {
        let rows: [(Reply, String)] = [
            (.refusal("no such tracker", status: 404), "sessionUnusable"),
            (.answer(status: 404, body: "<html></html>"), "throws notFound"), (.access(), "throws credentialsRefused"),
            (.refusal("not yours", status: 403), "throws notPermitted"),
            (.refusal("stolen card", status: 403), "declined"),
            (.refusal("slow down", status: 429), "throws rateLimited"),
            (.answer(status: 405, body: "<html></html>"), "throws requestRefused"),
            // 408, 409 and what servers say of themselves prove nothing.
            (.refusal("card_number: duplicate", status: 409), "unknown"),
            (.refusal("insufficient funds", status: 500), "unknown"),
            (.answer(status: 408, body: ""), "unknown"), (.answer(status: 503, body: "<html></html>"), "unknown"),
            (.answer(status: 200, body: "{}"), "unknown"), (.answer(status: 200, body: "<html></html>"), "unknown"),
            (.answer(status: 200, body: #"{"data":{},"status":{"errors":[],"message":"done"}}"#), "unknown"),
            (.data(#"{"tracker":{"token":"\#(Shop.tracker)"},"action":{}}"#), "unknown"),
            (.data(#"{"tracker":{"token":"track_2"},"action":{"payment_method":{"token":"pm_1"}}}"#), "unknown"),
            (.data(#"{"action":{"payment_method":{"token":"\#(Shop.number)"}}}"#), "unknown"),
            (.lost, "unknown"), (.notSent, "throws unreachable"),
        ]
        for (reply, name) in rows {
            let end = try await Shop.tokenize(ScriptedSafepay(["tokenize": [reply]]))
            #expect(end.name == name, "\(reply)")
            if let cause = end.unknown { #expect(cause.reach != .notSent && !cause.advice.isEmpty) }
        }
    }

    @Test("Refused before anything is sent: other ways in, what Safepay has no place for, and our own checks")
    func refused() async throws {
        let instrument = Shop.instrument
        var retained = try Shop.request()
        retained.retain = true
        var option = try Shop.request()
        option.options["other"] = .flag(true)
        var fraud = try Shop.request()
        fraud.fraudSessionID = "f1"
        var metadata = try Shop.request()
        metadata.metadata = [.init(key: "colour", value: .text("red"))]
        let stored = TokenizationRequest(
            .storedCard(StoredCard(token: Shop.card, securityCode: try SecurityCode(Sensitive("737")))))
        let rows: [(TokenizationRequest, String, String)] = [
            (try Shop.request(), Shop.order, "throws invalidInput"),
            (try Shop.request(), Shop.session("payment", "flex"), "throws invalidInput"),
            (retained, Shop.session(), "throws notSupported"), (option, instrument, "throws invalidInput"),
            (fraud, instrument, "throws notSupported"), (stored, instrument, "throws notSupported"),
            (metadata, instrument, "invalid"),
            (try Shop.request(Shop.card(expiry: CardExpiry(month: 5, year: 2030))), instrument, "invalid"),
            (try Shop.request(Shop.card(code: nil)), instrument, "invalid"),
            (try Shop.request(Shop.card(expiry: nil)), instrument, "invalid"),
        ]
        for (request, session, name) in rows {
            let peer = ScriptedSafepay(["tokenize": [.setUp]])
            #expect(try await Shop.tokenize(peer, request, in: session).name == name)
            #expect(peer.sent.isEmpty)
        }
    }

    @Test("Metadata goes before the card, with the two known keys; without it the card is not sent")
    func metadata() async throws {
        var request = try Shop.request()
        request.metadata = [.init(key: "source", value: .text("web-app")), .init(key: "order_id", value: .text("A-1"))]
        let done = ScriptedSafepay(["metadata": [.data("{}")], "tokenize": [.setUp]])
        #expect(try await Shop.tokenize(done, request).token != nil)
        #expect(done.lines.first == "POST \(Shop.base)/order/payments/v3/\(Shop.tracker)/metadata")
        #expect(done.bodies.first == #"{"data":{"source":"web-app","order_id":"A-1"}}"#)
        let refused = ScriptedSafepay(["metadata": [.refusal("unsupported meta key")], "tokenize": [.setUp]])
        #expect(try await Shop.tokenize(refused, request).thrown?.code == .requestRefused)
        #expect(refused.count("tokenize", reached: true) == 0)
    }
}

extension String {
    /// Without spaces at its end.
    fileprivate var trimming: String {
        var copy = self
        while copy.last == " " { copy.removeLast() }
        return copy
    }
}
