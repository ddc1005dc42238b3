import GatewayKitCore
import GatewayTransport
import SpreedlyAdapter
import Testing

/// What goes out, seen by a peer on a real socket (dossier 1.1 and 1.2).
@Suite struct RequestTests {
    /// An answer that needs no reading: only the request counts here.
    private static func peer() throws -> AnswerPeer { try AnswerPeer(status: 503) }

    private func sent(
        _ request: TokenizationRequest, authentication: String? = "secret", secret: String? = Shop.accessSecret,
        key: String = Shop.environmentKey
    ) async throws -> (AnswerPeer.Received, JSONValue) {
        let peer = try Self.peer()
        let settings = try Shop.settings(peer.baseURL, authentication: authentication, key: key, secret: secret)
        _ = await End(of: try Shop.tokens(settings), request)
        let received = try #require(peer.received.first)
        #expect(peer.received.count == 1)
        return (received, try JSONValue(parsing: received.body))
    }

    private static let plainCard = """
        "payment_method": {"credit_card": {"full_name": "Ada Okoro", "number": "\(Shop.number)", \
        "verification_value": "737", "month": 9, "year": 2031}}
        """

    @Test("Key and secret: Basic, and nothing but the payment method in the body")
    func secret() async throws {
        let (received, body) = try await sent(try Shop.request())
        #expect(received.requestLine == "POST /v1/payment_methods.json HTTP/1.1")
        let basic = Base64Reading.encode("\(Shop.environmentKey):\(Shop.accessSecret)")
        #expect(received.values(of: "authorization") == ["Basic " + basic])
        #expect(received.values(of: "content-type") == ["application/json"])
        #expect(received.values(of: "accept") == ["application/json"])
        #expect(body == (try JSONValue(parsing: Array("{\(Self.plainCard)}".utf8))))
    }

    @Test("Restricted path: the key in the body, no Authorization")
    func restricted() async throws {
        for authentication in ["restricted", nil] {
            let (received, body) = try await sent(
                try Shop.request(), authentication: authentication,
                secret: authentication == nil ? nil : "unused-secret")
            #expect(received.requestLine == "POST /v1/payment_methods/restricted.json HTTP/1.1")
            #expect(received.values(of: "authorization") == [])
            let expected = #"{"environment_key": "\#(Shop.environmentKey)", \#(Self.plainCard)}"#
            #expect(body == (try JSONValue(parsing: Array(expected.utf8))))
        }
    }

    @Test("Key in the query: percent-encoded, no Authorization")
    func query() async throws {
        let (received, body) = try await sent(try Shop.request(), authentication: "query", secret: nil)
        #expect(
            received.requestLine
                == "POST /v1/payment_methods.json?environment_key=\(Shop.environmentKey) HTTP/1.1")
        #expect(received.values(of: "authorization") == [])
        #expect(body == (try JSONValue(parsing: Array("{\(Self.plainCard)}".utf8))))
        let (odd, _) = try await sent(try Shop.request(), authentication: "query", key: "a&b=c d/é")
        #expect(
            odd.requestLine
                == "POST /v1/payment_methods.json?environment_key=a%26b%3Dc%20d%2F%C3%A9 HTTP/1.1")
    }

    @Test("Without a word, a secret means key and secret")
    func standardAuthentication() async throws {
        let (received, _) = try await sent(try Shop.request(), authentication: nil)
        #expect(received.values(of: "authorization").count == 1)
    }

    @Test("Every field of a card, address and shipping, metadata and options, with their types")
    func everyField() async throws {
        let shopper = Shopper(
            email: "ada@example.com", phone: "441130000000", company: "Kite Ltd",
            billingAddress: Address(
                line1: "9 Mill Row", line2: "Unit 2", city: "Leeds", region: "LDS", postalCode: "LS1 4AB",
                country: "gb"),
            shippingAddress: Address(
                line1: "1 Dock St", line2: "Gate 4", city: "Leeds", region: "LDS", postalCode: "LS9 1AA",
                country: "GB"),
            shippingPhone: "441130000001")
        let request = try Shop.request(
            shopper: shopper, retain: true,
            metadata: [
                .init(key: "cart", value: .text("c-771")), .init(key: "visits", value: .integer(3)),
                .init(key: "vip", value: .flag(true)),
            ],
            options: [
                "allowBlankName": .flag(false), "allowExpiredDate": .flag(false), "allowBlankDate": .flag(false),
                "eligibleForCardUpdater": .flag(true), "provisionNetworkToken": .flag(false),
            ])
        let (_, body) = try await sent(request)
        let expected = """
            {"payment_method": {
                "credit_card": {
                  "full_name": "Ada Okoro", "number": "\(Shop.number)", "verification_value": "737",
                  "month": 9, "year": 2031, "company": "Kite Ltd",
                  "address1": "9 Mill Row", "address2": "Unit 2", "city": "Leeds", "state": "LDS",
                  "zip": "LS1 4AB", "country": "GB", "phone_number": "441130000000",
                  "shipping_address1": "1 Dock St", "shipping_address2": "Gate 4", "shipping_city": "Leeds",
                  "shipping_state": "LDS", "shipping_zip": "LS9 1AA", "shipping_country": "GB",
                  "shipping_phone_number": "441130000001"},
                "email": "ada@example.com",
                "metadata": {"cart": "c-771", "visits": 3, "vip": true},
                "retained": true, "allow_blank_name": false, "allow_expired_date": false, "allow_blank_date": false,
                "eligible_for_card_updater": true, "provision_network_token": false}}
            """
        #expect(body == (try JSONValue(parsing: Array(expected.utf8))))
        #expect(Set(request.options.keys) == Set(SpreedlyProvider().tokenizationOptions.map(\.name)))
    }

    @Test("An address of which only the postal code is known is sent (dossier 8, ios2 Address)")
    func partialAddress() async throws {
        let (_, body) = try await sent(
            try Shop.request(shopper: Shopper(billingAddress: Address(postalCode: "LS1 4AB"))))
        #expect(try body["payment_method"]["credit_card"]["zip"].string() == "LS1 4AB")
        #expect(body["payment_method"]["credit_card"]["address1"].kind == .absent)
    }

    @Test("retained false is said, unset is left out")
    func retainedFalse() async throws {
        let (_, no) = try await sent(try Shop.request(retain: false), authentication: "restricted")
        #expect(try no["payment_method"]["retained"].bool() == false)
        let (_, unset) = try await sent(try Shop.request(), authentication: "restricted")
        #expect(unset["payment_method"]["retained"].kind == .absent)
    }

    @Test(
        "C4, C6, C7, C9, C11, C13: names arrive byte for byte, one-word names whole",
        arguments: [
            "James", "김 철수", "Médico Ñandú", "Me\u{301}dico", "O\u{2019}Hara", "Zoë 👩‍👩‍👧 Ünal", "\u{FEFF}Ada Okoro",
            "Quote \" and \\ back", "عمر خان", "Tab\there",
        ])
    func names(name: String) async throws {
        let shopper = Shopper(billingAddress: Address(line1: name, city: "서울"))
        let (received, body) = try await sent(try Shop.request(try Shop.card(holder: name), shopper: shopper))
        let card = body["payment_method"]["credit_card"]
        #expect(Array(try card["full_name"].string().utf8) == Array(name.utf8))
        #expect(Array(try card["address1"].string().utf8) == Array(name.utf8))
        #expect(card["first_name"].kind == .absent)
        if name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }) {
            #expect(String(decoding: received.body, as: UTF8.self).utf8.count == received.body.count)
            #expect(LeakSearch([Sensitive(name + "\"")]).leaks(in: received.body).contains { $0.encoding == "plain" })
        }
    }

    @Test("The shopper's name stands in for a holder's that is absent or blank", arguments: [nil, "", "  "])
    func holderFallsBack(holder: String?) async throws {
        let (_, body) = try await sent(
            try Shop.request(try Shop.card(holder: holder), shopper: Shopper(name: "James")))
        #expect(try body["payment_method"]["credit_card"]["full_name"].string() == "James")
    }

    @Test("What is not given is not sent: no empty texts, no nulls")
    func leftOut() async throws {
        let card = try Shop.card(expiry: nil, code: nil, holder: nil)
        let (_, body) = try await sent(try Shop.request(card, checksLocally: false))
        #expect(
            body
                == (try JSONValue(
                    parsing: Array(#"{"payment_method": {"credit_card": {"number": "\#(Shop.number)"}}}"#.utf8))))
    }

    @Test("A number with spaces (C12) is sent as digits, months and years as integers")
    func normalised() async throws {
        let spaced = try CardNumber(Sensitive("4111 1111-1111 1111"))
        let card = Card(number: spaced, expiry: CardExpiry(month: 12, year: 2030), holderName: "Ada Okoro")
        let (_, body) = try await sent(try Shop.request(card))
        let sent = body["payment_method"]["credit_card"]
        #expect(try sent["number"].string() == Shop.number)
        #expect(sent["month"].kind == .number)
        #expect(try sent["month"].decimalText() == "12")
        #expect(try sent["year"].decimalText() == "2030")
    }
}

/// Base 64 by the book, apart from the adapter's.
enum Base64Reading {
    static func encode(_ text: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var bits = text.utf8.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        while !bits.count.isMultiple(of: 6) { bits.append(0) }
        var result = ""
        for start in stride(from: 0, to: bits.count, by: 6) {
            result.append(alphabet[bits[start..<(start + 6)].reduce(0) { $0 << 1 | Int($1) }])
        }
        while !result.count.isMultiple(of: 4) { result.append("=") }
        return result
    }
}
