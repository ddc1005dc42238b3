import GatewayKitCore
import Testing

@testable import SafepayAdapter

/// What is sent to open a session, byte for byte, and what is taken for one.
@Suite struct SafepayOpenSessionTests {
    private static func opened(
        _ request: SessionRequest, _ reply: ScriptedSafepay.Reply? = nil, values: [String: String] = [:]
    ) async throws -> (id: String?, error: GatewayError?, peer: ScriptedSafepay) {
        let peer = ScriptedSafepay(["init-order": [reply ?? order()], "create-tracker": [reply ?? tracker(request)]])
        let gateway = try Shop.gateway(peer, try Shop.settings(values: values))
        do {
            let session = try await gateway.requireTokens().openSession(request)
            return (session.reference.id, nil, peer)
        } catch {
            return (nil, error, peer)
        }
    }

    private static func order(amount: String = "1500", _ currency: String = "PKR") -> ScriptedSafepay.Reply {
        .data(
            """
            {"id":1,"token":"\(Shop.tracker)","client":"\(Shop.apiKey)","amount":\(amount),"currency":"\(currency)",\
            "environment":"sandbox","state":"TRACKER_STARTED"}
            """)
    }

    private static func tracker(_ request: SessionRequest, extra: String = "") -> ScriptedSafepay.Reply {
        let money = request.amount.map { #","quote_amount":{"currency":"\#($0.currency)","amount":\#($0.minorUnits)}"# }
        return .data(
            """
            {"tracker":{"token":"\(Shop.tracker)","client":"\(Shop.apiKey)","environment":"sandbox",\
            "state":"TRACKER_STARTED","purchase_totals":{"x":1\(money ?? "")}\(extra)}}
            """, status: 201)
    }

    @Test("A hosted payment is a v1 order: major units, no credential")
    func order() async throws {
        let request = SessionRequest(
            .payment, amount: Money(minorUnits: 150_050, currency: .pkr), orderReference: "A-1")
        let (id, _, peer) = try await Self.opened(request, Self.order(amount: "1500.5"))
        #expect(id == "v1:sandbox:payment:-:PKR:150050:-:\(Shop.tracker)")
        #expect(peer.lines == ["POST \(Shop.base)/order/v1/init"])
        #expect(peer.sent.first?.fields == ["accept: application/json"])
        #expect(
            peer.bodies == [
                #"{"client":"\#(Shop.apiKey)","amount":1500.50,"currency":"PKR","environment":"sandbox"}"#
            ])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let request: SessionRequest
        let body: String
        let id: String
        var testDescription: String { id }
    }

    static let rows: [Row] = [
        Row(
            request: SessionRequest(), body: #""mode":"instrument","entry_mode":"raw","currency":"PKR""#,
            id: "v3:sandbox:instrument:raw:PKR:-:-:"),
        Row(
            request: SessionRequest(.token, entry: .embeddedPage),
            body: #""mode":"instrument","entry_mode":"flex","currency":"PKR""#,
            id: "v3:sandbox:instrument:flex:PKR:-:-:"),
        Row(
            request: SessionRequest(.token, amount: Shop.amount, orderReference: "A-1"),
            body:
                #""mode":"payment","entry_mode":"raw","currency":"PKR","amount":150000,"metadata":{"order_id":"A-1"}"#,
            id: "v3:sandbox:payment:raw:PKR:150000:-:"),
        Row(
            request: SessionRequest(.payment, entry: .embeddedPage, amount: Shop.amount),
            body: #""mode":"payment","entry_mode":"flex","currency":"PKR","amount":150000"#,
            id: "v3:sandbox:payment:flex:PKR:150000:-:"),
        Row(
            request: SessionRequest(.payment, entry: .cardData, amount: Shop.amount),
            body: #""mode":"payment","entry_mode":"raw","currency":"PKR","amount":150000"#,
            id: "v3:sandbox:payment:raw:PKR:150000:-:"),
        Row(
            request: SessionRequest(
                .payment, entry: .storedInstrument, amount: Shop.amount, shopperID: Shop.customer),
            body:
                #""mode":"payment","entry_mode":"tms","currency":"PKR","amount":150000,"user":"\#(Shop.customer)""#,
            id: "v3:sandbox:payment:tms:PKR:150000:\(Shop.customer):"),
        Row(
            request: SessionRequest(.storeInstrument, shopperID: Shop.customer),
            body: #""mode":"instrument","entry_mode":"flex","currency":"PKR","user":"\#(Shop.customer)""#,
            id: "v3:sandbox:instrument:flex:PKR:-:\(Shop.customer):"),
        Row(
            request: SessionRequest(.subscription, amount: Shop.amount, shopperID: Shop.customer),
            body:
                #""mode":"subscription","entry_mode":"flex","currency":"PKR","amount":150000,"user":"\#(Shop.customer)""#,
            id: "v3:sandbox:subscription:flex:PKR:150000:\(Shop.customer):"),
        Row(
            request: SessionRequest(.unscheduled, amount: Shop.amount, shopperID: Shop.customer),
            body:
                #""mode":"unscheduled_cof","entry_mode":"mit","currency":"PKR","amount":150000,"user":"\#(Shop.customer)""#,
            id: "v3:sandbox:unscheduled_cof:mit:PKR:150000:\(Shop.customer):"),
    ]

    @Test("Every mode and entry mode of v3: trailing slash, minor units, the secret in its header", arguments: rows)
    func tracker(row: Row) async throws {
        let (id, error, peer) = try await Self.opened(row.request)
        #expect(id == row.id + Shop.tracker, "\(String(describing: error))")
        #expect(peer.lines == ["POST \(Shop.base)/order/payments/v3/"])
        #expect(
            peer.sent.first?.fields == ["accept: application/json", "x-sfpy-merchant-secret: \(Shop.secretKey)"])
        #expect(peer.bodies == [#"{"merchant_api_key":"\#(Shop.apiKey)","intent":"CYBERSOURCE",\#(row.body)}"#])
    }

    @Test("The account chooses the generation of hosted pages, the processor, and the currency without an amount")
    func settings() async throws {
        let paid = SessionRequest(.payment, amount: Shop.amount)
        let (id, _, peer) = try await Self.opened(paid, values: ["hostedPages": "v3", "intent": "MPGS"])
        #expect(id?.hasPrefix("v3:sandbox:payment:flex:") == true)
        #expect(peer.bodies.first?.contains(#""intent":"MPGS""#) == true)
        #expect(try await Self.opened(SessionRequest(), values: ["currency": "USD"]).id?.contains(":USD:-:") == true)
        for values in [["hostedPages": "v2"], ["intent": "STRIPE"], ["currency": "PKRX"]] {
            #expect(throws: GatewayError.self) { try Shop.gateway(ScriptedSafepay([:]), Shop.settings(values: values)) }
        }
    }

    @Test(
        "What Safepay cannot do, or cannot do without, is refused before anything is sent",
        arguments: [
            (SessionRequest(.payment), GatewayError.Code.invalidInput),
            (SessionRequest(.payment, amount: .zero(.pkr)), .invalidInput),
            (SessionRequest(.payment, amount: Money(minorUnits: -1, currency: .pkr)), .invalidInput),
            (SessionRequest(.storeInstrument), .invalidInput),
            (SessionRequest(.storeInstrument, amount: Shop.amount, shopperID: Shop.customer), .invalidInput),
            (SessionRequest(.storeInstrument, entry: .storedInstrument, shopperID: Shop.customer), .notSupported),
            (SessionRequest(.subscription, amount: Shop.amount), .invalidInput),
            (SessionRequest(.subscription, shopperID: Shop.customer), .invalidInput),
            (SessionRequest(.unscheduled, amount: Shop.amount), .invalidInput),
            (SessionRequest(.payment, entry: .storedInstrument, amount: Shop.amount), .invalidInput),
            (SessionRequest(.token, entry: .hostedPage, amount: Shop.amount), .notSupported),
            (SessionRequest(.storeInstrument, shopperID: "cus/../x"), .invalidInput),
            (SessionRequest(.token, authentication: .required), .notSupported),
        ])
    func refused(request: SessionRequest, code: GatewayError.Code) async throws {
        let (_, error, peer) = try await Self.opened(request)
        #expect(error?.code == code, "\(String(describing: error))")
        #expect(peer.sent.isEmpty)
    }

    @Test("M2, M13: a session whose answer tells of another amount, currency, mode or merchant is not handed out")
    func another() async throws {
        let hosted = SessionRequest(.payment, amount: Shop.amount)
        for reply in [Self.order(amount: "150000"), Self.order(amount: "15"), Self.order("USD"), .data("{}")] {
            #expect(try await Self.opened(hosted, reply).error?.code == .unreadableAnswer)
        }
        #expect(try await Self.opened(hosted, Self.order(amount: "1500.00")).id != nil)
        #expect(try await Self.opened(hosted, Self.order(amount: "1500.000")).id != nil)
        let card = SessionRequest(.payment, entry: .cardData, amount: Shop.amount)
        let hundredfold = SessionRequest(.payment, amount: Money(minorUnits: 15_000_000, currency: .pkr))
        for reply in [
            Self.tracker(hundredfold), Self.tracker(SessionRequest()),
            Self.tracker(card, extra: #","mode":"instrument""#), Self.tracker(card, extra: #","entry_mode":"flex""#),
        ] {
            #expect(try await Self.opened(card, reply).error?.code == .unreadableAnswer)
        }
    }

    @Test("B1, B2, B12: the three shapes of errors at Safepay, 200 that is none, and a wrong path")
    func errors() async throws {
        typealias Reply = ScriptedSafepay.Reply
        let rows: [(Reply, GatewayError.Code, words: String?, code: String?)] = [
            (.refusal("client not found", status: 404), .notFound, "client not found", nil),
            (.access(), .credentialsRefused, "strategies/union: [no such key]", "error.unauthorized_access"),
            (.bare("no such plan"), .requestRefused, "no such plan", nil),
            (.refusal("some text", status: 200), .requestRefused, "some text", nil),
            (
                .answer(status: 200, body: #"{"data":{},"status":{"errors":[],"message":"odd"}}"#), .unreadableAnswer,
                nil, nil
            ),
            (.answer(status: 405, body: "<html>405 Not Allowed</html>"), .requestRefused, nil, nil),
            (.answer(status: 200, body: "<html>welcome</html>"), .unreadableAnswer, nil, nil),
            (.answer(status: 503, body: ""), .providerUnavailable, nil, nil),
            (.refusal("too many", status: 429), .rateLimited, "too many", nil),
        ]
        for (reply, code, words, providerCode) in rows {
            let error = try await Self.opened(SessionRequest(), reply).error
            #expect(error?.code == code, "\(String(describing: error))")
            #expect(error?.answer?.providerMessage?.description == words)
            #expect(error?.answer?.providerCode == providerCode)
        }
    }

    @Test("Without keys nothing is sent, and the error names the setting")
    func keys() async throws {
        for (key, values, request) in [
            (nil, [:], SessionRequest()), (nil, ["passportToken": "tbt-0000000000000000"], SessionRequest()),
        ] as [(String?, [String: String], SessionRequest)] {
            let peer = ScriptedSafepay([:])
            let gateway = try Shop.gateway(peer, try Shop.settings(key: key, values: values))
            let error = await thrown { _ = try await gateway.requireTokens().openSession(request) }
            #expect(error?.code == .configuration)
            #expect(error?.message.description.contains("secretKey") == true)
            #expect(peer.sent.isEmpty)
        }
    }
}
