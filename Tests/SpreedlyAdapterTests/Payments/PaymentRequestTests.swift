import GatewayKitCore
import SpreedlyAdapter
import Testing

/// What goes out, seen by a peer on a real socket, and what does not.
@Suite struct PaymentRequestTests {
    private func sent(
        _ body: (Till) async throws -> Void
    ) async throws -> (received: AnswerPeer.Received, body: JSONValue) {
        let peer = try AnswerPeer(status: 503)
        try await body(try Till(try Shop.settings(peer.baseURL)))
        let received = try #require(peer.received.first)
        #expect(peer.received.count == 1, "a money call must not be sent twice")
        return (received, try JSONValue(parsing: received.body))
    }

    private func isSame(_ value: JSONValue, _ text: String) throws -> Bool {
        value == (try JSONValue(parsing: Array(text.utf8)))
    }

    @Test("Each call has its path and exactly its members", arguments: MoneyVerb.allCases)
    func paths(verb: MoneyVerb) async throws {
        let (received, body) = try await sent { till in _ = await verb.make(till) }
        #expect(received.requestLine == "POST /v1/\(verb.path) HTTP/1.1")
        #expect(
            received.values(of: "authorization") == [
                "Basic " + Base64Reading.encode("\(Shop.environmentKey):\(Shop.accessSecret)")
            ])
        let money = #""amount":1000,"currency_code":"USD""#
        let token = #""payment_method_token":"\#(Till.token)""#
        let order = #""order_id":"\#(Till.reference)""#
        let members =
            switch verb {
            case .purchase, .authorize, .credit: [token, money, order]
            case .verify: [token, #""currency_code":"USD""#, order]
            case .capture, .refund: [money, order]
            case .void: [order]
            }
        #expect(try isSame(body, #"{"transaction":{\#(members.joined(separator: ","))}}"#))
    }

    @Test("Every member that a request can have goes where Spreedly has a place for it")
    func members() async throws {
        var request = Till.request()
        request.orderReference = "shop-771"
        request.description = "Two kites"
        request.shopperIPAddress = "192.0.2.7"
        request.retainOnSuccess = true
        request.returnURL = "https://shop.example/back"
        request.storedCredential = .init(.merchant, .recurring, networkTransactionID: "NTI0001")
        request.shopper = Shopper(
            name: "Ada Okoro", email: "ada@shop.example", phone: "+441130000000",
            billingAddress: Address(line1: "9 Mill Row", city: "Leeds", postalCode: "LS1 4AB", country: "GB"),
            shippingAddress: Address(line1: "1 Dock St", city: "Hull", country: "GB"), shippingName: "Ben Okoro")
        request.options = [
            "attempt3DSecure": .flag(true), "threeDSVersion": .integer(2), "browserInfo": .text("e30="),
            "callbackURL": .text("https://shop.example/call"), "attemptNetworkToken": .flag(false),
            "merchantNameDescriptor": .text("KITES"), "merchantLocationDescriptor": .text("LEEDS"),
            "scaProviderKey": .text("key"),
        ]
        #expect(Set(request.options.keys) == Set(SpreedlyProvider().paymentOptions.map(\.name)))
        let (_, body) = try await sent { [request] till in
            _ = try await till.payments.charging?.charge(request, CallContext())
        }
        #expect(
            try isSame(
                body,
                """
                {"transaction":{"payment_method_token":"\(Till.token)","amount":1000,"currency_code":"USD",\
                "order_id":"\(Till.reference)","description":"Two kites","ip":"192.0.2.7","email":"ada@shop.example",\
                "transaction_metadata":{"order_reference":"shop-771"},"retain_on_success":true,\
                "stored_credential_initiator":"merchant","stored_credential_reason_type":"recurring",\
                "network_transaction_id":"NTI0001",\
                "billing_address":{"name":"Ada Okoro","address1":"9 Mill Row","city":"Leeds","zip":"LS1 4AB",\
                "country":"GB","phone_number":"+441130000000"},\
                "shipping_address":{"name":"Ben Okoro","address1":"1 Dock St","city":"Hull","country":"GB",\
                "phone_number":"+441130000000"},"redirect_url":"https://shop.example/back",\
                "attempt_3dsecure":true,"three_ds_version":2,"browser_info":"e30=",\
                "callback_url":"https://shop.example/call","callback_format":"json","sca_provider_key":"key",\
                "attempt_network_token":false,"merchant_name_descriptor":"KITES",\
                "merchant_location_descriptor":"LEEDS"}}
                """))
    }

    @Test(
        "M1, M4, M5, M6, M7, M13: payments, captures and refunds send minor units as an integer, in every currency",
        arguments: [
            ("79.10", "USD", "7910"), ("35.200", "BHD", "35200"), ("18.600", "KWD", "18600"),
            ("92.000", "KWD", "92000"),
            ("9899", "JPY", "9899"), ("10000", "JPY", "10000"), ("5800", "JPY", "5800"), ("0.01", "EUR", "1"),
            ("1.2345", "CLF", "12345"), ("92233720368547758.07", "USD", "9223372036854775807"),
        ])
    func amounts(text: String, code: String, wire: String) async throws {
        let money = try Money(text, try Currency(code))
        for verb in MoneyVerb.allCases where verb.hasAmount {
            let (received, _) = try await sent { till in
                _ = await verb.make(till, money.minorUnits, money.currency)
            }
            let body = String(decoding: received.body, as: UTF8.self)
            #expect(body.contains(#""amount":\#(wire),"currency_code":"\#(code)""#), "\(body)")
        }
    }

    private func refused(
        _ settings: (String) throws -> AccountSettings = { try Shop.settings($0) }, _ call: (Till) async -> MoneyEnd
    ) async throws -> MoneyEnd {
        let peer = try AnswerPeer(status: 503)
        let end = await call(try Till(try settings(peer.baseURL)))
        #expect(peer.received.isEmpty, "nothing must be sent")
        #expect(end.thrown.map { $0.proof == nil && $0.error.reach == .notSent } ?? true)
        return end
    }

    @Test("Without a gateway's token nothing is sent to begin a payment, and the setting is named")
    func gatewayToken() async throws {
        for verb in MoneyVerb.allCases where !verb.isChild {
            for gateway in [nil, "", "two words"] as [String?] {
                let end = try await refused({ try Shop.settings($0, gateway: gateway) }) { await verb.make($0) }
                let error = try #require(end.thrown?.error)
                #expect(error.code == .configuration)
                #expect("\(error)".contains("gatewayToken"))
            }
        }
        for verb in MoneyVerb.allCases where verb.isChild {
            let peer = try AnswerPeer(status: 503)
            _ = await verb.make(try Till(try Shop.settings(peer.baseURL, gateway: nil)))
            #expect(peer.received.count == 1)
        }
    }

    @Test("Without the access secret no payment is sent, and the setting is named", arguments: MoneyVerb.allCases)
    func secret(verb: MoneyVerb) async throws {
        let end = try await refused({ try Shop.settings($0, authentication: "restricted", secret: nil) }) {
            await verb.make($0)
        }
        #expect(end.thrown?.error.code == .configuration)
        #expect("\(end.shown)".contains("accessSecret"))
    }

    @Test("What has no place in the call is refused before anything is sent")
    func unusable() async throws {
        for reference in ["", "a b", "é", String(repeating: "a", count: 65), "a/b"] {
            for verb in MoneyVerb.allCases {
                let end = try await refused { await verb.make($0, reference: reference) }
                #expect(end.thrown?.error.code == .invalidInput)
            }
        }
        for options in [["colour": .text("red")], ["attempt3DSecure": .text("yes")]] as [[String: OptionValue]] {
            var request = Till.request()
            request.options = options
            let end = try await refused { [request] till in
                do throws(NothingMoved) {
                    return try await .init(till.payments.charging?.charge(request, CallContext()))
                } catch {
                    return .nothing(error)
                }
            }
            #expect(end.thrown?.error.code == .invalidInput)
        }
        for verb in MoneyVerb.allCases where verb.isChild {
            let end = try await refused { await verb.make($0, of: "") }
            #expect(end.thrown?.error.code == .invalidInput)
        }
        #expect(try await refused { await $0.resume("") }.thrown?.error.code == .invalidInput)
    }

    @Test("Amounts and tokens that cannot be are told as fields, and nothing is sent")
    func fields() async throws {
        for verb in MoneyVerb.allCases where verb.hasAmount {
            for units in [0, -1, .min] as [Int64] {
                let issues = try await refused { await verb.make($0, units) }.issues
                #expect(issues?.map(\.field) == [.amount])
            }
        }
        for (token, problem) in [("", FieldIssue.Problem.missing), ("two words", .malformed)] {
            let issues = try await refused { await MoneyVerb.purchase.make($0, token: token) }.issues
            #expect(issues?.map(\.problem) == [problem] && issues?.map(\.field) == [.token])
        }
    }
}
