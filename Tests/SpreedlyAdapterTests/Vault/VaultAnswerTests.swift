import GatewayKitCore
import SpreedlyAdapter
import Testing

/// How the answers of the vault's calls are read (dossier 1.4, 1.7, 2.4, 2.5).
@Suite struct VaultAnswerTests {
    private static let token = Instruments.storedToken

    private func end(_ call: VaultCall, _ body: String, status: Int = 200) async throws -> VaultEnd {
        try await VaultEnd.answer(of: try AnswerPeer(status: status, body), call)
    }

    private static func method(_ changes: String = "", state: String = "\"retained\"") -> String {
        """
        {"token":"\(token)","created_at":"2026-03-02T10:11:12.345Z","updated_at":"2026-03-02T12:30:00Z",\
        "email":"ada@example.com","storage_state":\(state),"test":true,\
        "metadata":{"cart":"c-771","visits":3,"vip":true,"none":null,"nested":{}},"last_four_digits":"1111",\
        "first_six_digits":"411111","card_type":"visa","full_name":"Ada Okoro","month":9,"year":2031,\
        "address1":"9 Mill Row","zip":"LS1 4AB","country":"GB","shipping_city":"Leeds","company":"",\
        "payment_method_type":"credit_card","errors":[],"fingerprint":"a1b2c3d4","verification_value":"",\
        "number":"XXXX-XXXX-XXXX-1111"\(changes)}
        """
    }

    private static func transaction(_ method: String, _ members: String = #""succeeded":true,"state":"succeeded""#)
        -> String
    {
        #"{"transaction":{"token":"5F0N1QH8",\#(members),"payment_method":\#(method)}}"#
    }

    @Test("A whole instrument, from either wrapper")
    func whole() async throws {
        var expected = StoredInstrument(
            id: Self.token, account: try #require(AccountName("shop")), state: .retained)
        expected.providerState = "retained"
        expected.providerKind = "credit_card"
        expected.card = CardSummary(
            brand: .visa, lastFour: "1111", firstSix: "411111", expiry: CardExpiry(month: 9, year: 2031))
        expected.shopper = Shopper(
            name: "Ada Okoro", email: "ada@example.com",
            billingAddress: Address(line1: "9 Mill Row", postalCode: "LS1 4AB", country: "GB"),
            shippingAddress: Address(city: "Leeds"))
        expected.metadata = [
            .init(key: "cart", value: .text("c-771")), .init(key: "visits", value: .integer(3)),
            .init(key: "vip", value: .flag(true)),
        ]
        expected.isTest = true
        expected.hasSecurityCode = false
        expected.fingerprint = "a1b2c3d4"
        expected.createdAt = WallTime(rfc3339: "2026-03-02T10:11:12.345Z")
        expected.updatedAt = WallTime(rfc3339: "2026-03-02T12:30:00Z")
        for call in VaultCall.allCases {
            let bare = try await end(call, #"{"payment_method":\#(Self.method())}"#)
            #expect(bare.done == expected, "\(call)")
            let list = try await end(call, #"{"payment_method":[\#(Self.method())]}"#)
            #expect(list.done == expected)
            var wrapped = expected
            wrapped.transactionID = "5F0N1QH8"
            for status in [200, 201] {
                #expect(try await end(call, Self.transaction(Self.method()), status: status).done == wrapped)
            }
        }
        #expect(expected.createdAt?.nanoseconds == 345_000_000)
    }

    @Test(
        "States, by their words",
        arguments: [
            ("retained", "retained"), ("cached", "cached"), ("used", "used"), ("redacted", "redacted"),
            ("closed", "closed"), ("a_new_word", "unknown"),
        ])
    func state(word: String, name: String) async throws {
        let body = #"{"payment_method":\#(Self.method(state: "\"\(word)\""))}"#
        let stored = try await end(.show, body).done
        #expect(stored?.state.description == name && stored?.providerState == word)
    }

    @Test("A redacted method: nothing but its token and state need be there")
    func bare() async throws {
        for rest in [
            "", #","number":"","verification_value":null,"card_type":null,"metadata":[],"errors":null"#,
            #","month":"9","year":"2031","test":"true","metadata":"x","created_at":"yesterday","email":7"#,
            #","storage_state":["x"],"unknown_member":{"a":[1]}"#,
        ] {
            let end = try await end(.show, #"{"payment_method":{"token":"\#(Self.token)"\#(rest)}}"#)
            #expect(end.done?.id == Self.token, "\(rest): \(end.name)")
            #expect(end.done?.state == .unknown)
        }
    }

    @Test("What could be card data in an instrument is masked")
    func echo() async throws {
        let body =
            #"{"payment_method":\#(Self.method("""
            ,"number2":"\(Shop.number)","first_name":"\(Shop.number)","city":"\(Shop.number)","verification_value2":"737",\
            "third_party_token":"test_vault:\(Shop.number)","phone_number":"\(Shop.accessSecret)","state":"\(Shop.number)"
            """))}"#
        for call in VaultCall.allCases {
            let stored = try #require(try await end(call, body).done)
            let texts = [stored.shopper.billingAddress?.city, stored.shopper.phone, stored.providerState]
            let search = LeakSearch([Sensitive(Shop.number), Sensitive(Shop.accessSecret)])
            #expect(search.leaks(in: texts.compactMap { $0 }.joined(separator: " ")).isEmpty, "\(texts)")
        }
    }

    @Test(
        "L3: a card number that was not sent shows in no id and no code of an answer",
        arguments: [Shop.number, "4111 1111 1111 1111"])
    func numberThatWasNotSent(number: String) async throws {
        let search = LeakSearch([Sensitive(Shop.number)])
        for status in [200, 422, 500, 537] {
            let peer = try AnswerPeer(
                status: status, #"{"errors":[{"attribute":"\#(number)","key":"\#(number)","message":"\#(number)"}]}"#,
                fields: ["x-request-id: \(number)"])
            let end = try await VaultEnd.answer(of: peer, .show)
            #expect(search.leaks(in: end.shown).isEmpty, "\(status): \(end.name)")
        }
        let echoed = Self.method().replacing("a1b2c3d4", with: number)
        let end = try await end(.show, Self.transaction(echoed).replacing("5F0N1QH8", with: number))
        #expect(search.leaks(in: end.shown).isEmpty, "\(end.name)")
    }

    @Test("Retaining what is redacted: refused, with Spreedly's key, whichever status")
    func refused() async throws {
        let members = """
            "succeeded":false,"state":"failed","message":"Unable to retain a redacted payment method.",\
            "message_key":"messages.unable_to_retain_a_redacted_payment_method"
            """
        for status in [200, 422, 402] {
            for method in [Self.method(state: "\"redacted\""), "null"] {
                let end = try await end(.retain, Self.transaction(method, members), status: status)
                #expect(end.refused?.reason == .unlisted)
                #expect(end.refused?.providerCode == "messages.unable_to_retain_a_redacted_payment_method")
                #expect(end.refused?.message.description.contains("redacted") == true)
            }
        }
        let list = #"{"errors":[{"key":"messages.unable_to_retain_a_redacted_payment_method","message":"No."}]}"#
        let asErrors = try await end(.retain, list, status: 422)
        #expect(asErrors.refused?.providerCode == "messages.unable_to_retain_a_redacted_payment_method")
        let inactive = #"{"errors":[{"key":"errors.account_inactive","message":"No."}]}"#
        #expect(try await end(.retain, inactive, status: 402).refused?.reason == .accountNotActive)
    }

    @Test("Fields that Spreedly refuses are named")
    func invalid() async throws {
        let body = #"{"errors":[{"attribute":"year","key":"errors.expired","message":"Year is expired"}]}"#
        let end = try await end(.update, body, status: 422)
        #expect(end.issues?.map { "\($0.field) \($0.problem) \($0.origin)" } == ["expiryYear expired provider"])
    }

    @Test("An unknown token is told as such, a wrong address is not taken for it")
    func notFound() async throws {
        let known = #"{"errors":[{"key":"errors.payment_method_not_found","message":"Unable to find it."}]}"#
        for call in VaultCall.allCases {
            #expect(try await end(call, known, status: 404).name == "notFound")
            for body in ["", "<html>Not found</html>", "{}", #"{"errors":[]}"#] {
                #expect(try await end(call, body, status: 404).name == "throws notFound", "\(call) \(body)")
            }
        }
    }

    @Test("F1: what proves nothing is an unknown outcome of a change, and a failure of a read")
    func unclear() async throws {
        for call in VaultCall.allCases {
            for (status, body) in Unclear.answers {
                let end = try await VaultEnd.answer(
                    of: try AnswerPeer(status: status, body), call, search: nil)
                if call == .show {
                    #expect(end.thrown?.reach == .answered, "\(status) \(body): \(end.name)")
                } else {
                    #expect(end.name == "unknown", "\(call) \(status) \(body): \(end.name)")
                }
            }
            let other = try await end(call, #"{"payment_method":{"token":"another"}}"#)
            #expect(other.name == (call == .show ? "throws unreadableAnswer" : "unknown"))
            let secret = try await end(call, #"{"payment_method":{"token":"\#(Shop.accessSecret)"}}"#)
            #expect(secret.name == (call == .show ? "throws unreadableAnswer" : "unknown"))
        }
    }

    @Test(
        "Statuses that refuse are errors, whatever the body",
        arguments: [
            (400, "requestRefused"), (401, "credentialsRefused"), (403, "notPermitted"), (405, "requestRefused"),
            (429, "rateLimited"),
        ])
    func statuses(status: Int, code: String) async throws {
        for call in VaultCall.allCases {
            for body in ["", "<html>", "{}", #"{"errors":[{"key":"errors.x","message":"x"}]}"#] {
                #expect(try await end(call, body, status: status).name == "throws " + code)
            }
        }
    }

    @Test("No answer: a read fails, a change is unknown; nothing sent is always an error")
    func transport() async throws {
        let (closed, port) = try AnswerPeer.bindLoopback()
        defer { _ = closed }
        let unreachable = try Shop.vault(Shop.settings("http://127.0.0.1:\(port)/v1"))
        for call in VaultCall.allCases {
            let cut = try await VaultEnd.answer(of: try AnswerPeer(Array("HTTP/1.1 200 OK\r\ncontent-le".utf8)), call)
            #expect(cut.name == (call == .show ? "throws connectionLost" : "unknown"), "\(cut.name)")
            let none = await VaultEnd(of: unreachable, call)
            #expect(none.thrown?.code == .unreachable && none.thrown?.reach == .notSent)
        }
    }
}
