import GatewayKitCore
import GatewaySandbox
import GatewayTransport
import Testing

@testable import BlueSnapAdapter

@Suite struct BlueSnapWalletSessionTests {
    private static func session(
        _ peer: ScriptedBlueSnap, url: String = "https://apple-pay-gateway.apple.com/paymentservices/startSession",
        domain: String = "shop.example", name: String = "Made Up Shop"
    ) async throws -> Sensitive<String> {
        try await Shop.gateway(nil, Shop.runtime(peer)).requireWalletSessions()
            .applePaySession(validationURL: url, domain: domain, displayName: name, CallContext())
    }

    @Test("the merchant session is Apple's own object, and in no text")
    func session() async throws {
        // {"merchantSessionIdentifier":"SSH1"}
        let body = #"{"walletType":"APPLE_PAY","walletToken":"eyJtZXJjaGFudFNlc3Npb25JZGVudGlmaWVyIjoiU1NIMSJ9"}"#
        let peer = ScriptedBlueSnap(["wallet-session": [.answer(200, body)]])
        let session = try await Self.session(peer)
        #expect(session.withExposed { $0 } == #"{"merchantSessionIdentifier":"SSH1"}"#)
        #expect(peer.lines == ["POST http://127.0.0.1:9/bluesnap/services/2/wallets"])
        #expect(
            peer.bodies("wallet-session") == [
                #"{"walletType":"APPLE_PAY","#
                    + #""validationUrl":"https://apple-pay-gateway.apple.com/paymentservices/startSession","#
                    + #""domainName":"shop.example","displayName":"Made Up Shop"}"#
            ])
        #expect(peer.sent.first?.fields.contains("authorization: " + Shop.basic) == true)
    }

    @Test(
        "an address that is none of Apple's goes nowhere",
        arguments: [
            "http://apple-pay-gateway.apple.com/x", "https://apple.com.evil.example/x", "https://evilapple.com/x",
            "https://apple-pay-gateway.apple.com@evil.example/x", "https://apple-pay-gateway.apple.com:8443/x",
            "https://apple-pay-gateway.apple.com/x?y=1", "https://apple-pay-gateway.apple.com/../x", "", "apple.com",
            "https://evil.example/apple-pay-gateway.apple.com", "https://127.0.0.1/x",
        ])
    func strangers(url: String) async throws {
        let peer = ScriptedBlueSnap([:])
        let error = await thrown { _ = try await Self.session(peer, url: url) }
        #expect(error?.code == .invalidInput)
        #expect(peer.sent.isEmpty)
    }

    @Test("a domain with a path, and no name, are refused before anything is sent")
    func input() async throws {
        for (domain, name) in [("shop.example/x", "Shop"), ("", "Shop"), ("a b", "Shop"), ("shop.example", " ")] {
            let peer = ScriptedBlueSnap([:])
            let error = await thrown { _ = try await Self.session(peer, domain: domain, name: name) }
            #expect(error?.code == .invalidInput)
            #expect(peer.sent.isEmpty)
        }
    }

    @Test(
        "an answer without a session is none", arguments: ["{}", #"{"walletToken":"!"}"#, #"{"walletToken":"MQ=="}"#])
    func unreadable(body: String) async throws {
        let peer = ScriptedBlueSnap(["wallet-session": [.answer(200, body)]])
        let error = await thrown { _ = try await Self.session(peer) }
        #expect(error?.code == .unreadableAnswer)
    }

    @Test("at the sandbox")
    func sandbox() async throws {
        let box = try BlueSnapBox()
        let session = try await box.gateway().requireWalletSessions().applePaySession(
            validationURL: "https://apple-pay-gateway.apple.com/paymentservices/startSession", domain: "shop.example",
            displayName: "Made Up Shop", CallContext())
        #expect(session.withExposed { $0.contains("merchantSessionIdentifier") })
    }
}

@Suite struct BlueSnapPayPalTests {
    private static let url = "https://www.sandbox.paypal.com/checkoutnow?token=EC-1"
    private static let proceed = "http://127.0.0.1:9/bluesnap/jsp/dev_scripts/iframeCheck/pay_pal_proceed.html"
    private static let cancel = "http://127.0.0.1:9/bluesnap/jsp/dev_scripts/iframeCheck/pay_pal_cancel.html"

    private static func page(
        _ peer: ScriptedBlueSnap, _ request: CheckoutPageRequest, renewal: Renewal? = nil
    ) async throws -> CheckoutPage {
        try await Shop.gateway(nil, Shop.runtime(peer)).requireCheckout().page(
            request, for: PaymentSession(reference: try Shop.reference()), CallContext(renewal: renewal))
    }

    private static func request(_ amount: String = "30.00", _ currency: Currency = .usd) throws -> CheckoutPageRequest {
        CheckoutPageRequest(amount: try Money(amount, currency))
    }

    @Test(
        "amounts are written exactly, with the digits of the currency",
        arguments: [
            ("30.00", "USD", "30.00"), ("0.30", "USD", "0.30"), ("0.1", "EUR", "0.10"), ("3000", "JPY", "3000"),
            ("1.005", "KWD", "1.005"), ("92233720368547758.07", "USD", "92233720368547758.07"),
        ])
    func amounts(amount: String, code: String, sent: String) async throws {
        let peer = ScriptedBlueSnap(["paypal-token": [.answer(200, #"{"paypalUrl":"\#(Self.url)"}"#)]])
        _ = try await Self.page(peer, Self.request(amount, Currency(code)))
        #expect(
            peer.lines == [
                "GET http://127.0.0.1:9/bluesnap/services/2/tokenized-services/paypal-token?amount=\(sent)"
                    + "&currency=\(code)"
            ])
    }

    @Test("the page holds all that judges addresses later, and shows no address")
    func page() async throws {
        let peer = ScriptedBlueSnap(["paypal-token": [.answer(200, #"{"paypalUrl":"\#(Self.url)"}"#)]])
        var request = try Self.request()
        request.collectsShipping = true
        request.orderReference = "ord-778"
        let page = try await Self.page(peer, request)
        #expect(peer.lines.first?.hasSuffix("&req-confirm-shipping=0&no-shipping=2") == true)
        #expect(page.url == Self.url)
        #expect(page.amount == request.amount && page.orderReference == "ord-778")
        #expect(page.returnURL == Self.proceed && page.cancelURL == Self.cancel)
        #expect(!everything(of: page).contains("EC-1"))
    }

    @Test("a used or expired token is renewed once, and the page is of the new session")
    func renewed() async throws {
        let page = ScriptedBlueSnap.Reply.answer(200, #"{"paypalUrl":"\#(Self.url)"}"#)
        for reply in [
            ScriptedBlueSnap.Reply.error("PAYPAL_TOKEN_ALREADY_USED"), .expired, .answer(403, "\"Unauthorized\""),
        ] {
            let peer = ScriptedBlueSnap(["paypal-token": [reply, page]])
            let opened = try await Self.page(peer, Self.request(), renewal: try Renewal(Shop.other))
            #expect(opened.session.id == Shop.other)
            #expect(peer.count("paypal-token") == 2)
        }
    }

    @Test("what the page cannot honour is refused before anything is sent")
    func refused() async throws {
        let amount = try Money("1.00", .usd)
        for (request, code) in [
            (CheckoutPageRequest(), GatewayError.Code.invalidInput),
            (CheckoutPageRequest(amount: .zero(.usd)), .invalidInput),
            (CheckoutPageRequest(amount: Money(minorUnits: -1, currency: .usd)), .invalidInput),
            (CheckoutPageRequest(returnURL: "https://shop.example/", amount: amount), .notSupported),
            (CheckoutPageRequest(cancelURL: "https://shop.example/", amount: amount), .notSupported),
            (CheckoutPageRequest(amount: amount, surface: .subscription), .notSupported),
            (CheckoutPageRequest(amount: amount, planID: "1"), .notSupported),
        ] {
            let peer = ScriptedBlueSnap([:])
            let error = await thrown { _ = try await Self.page(peer, request) }
            #expect(error?.code == code)
            #expect(peer.sent.isEmpty)
        }
    }

    @Test("a currency without PayPal is told by name")
    func currency() async throws {
        let peer = ScriptedBlueSnap(["paypal-token": [.error("PAYPAL_UNSUPPORTED_CURRENCY")]])
        let error = await thrown { _ = try await Self.page(peer, Self.request("100", .jpy)) }
        #expect(error?.code == .requestRefused)
        #expect(error?.message.description == "PayPal is not offered in JPY.")
    }

    @Test(
        "a shopper is sent to PayPal and to nobody else",
        arguments: [
            "https://paypal.com.evil.example/", "http://www.paypal.com/", "https://evil.example/",
            "javascript:alert(1)",
            "https://www.paypal.com@evil.example/", "https://evilpaypal.com/", "", "https://www.paypal.com:8443/",
        ])
    func strangers(url: String) async throws {
        let peer = ScriptedBlueSnap(["paypal-token": [.answer(200, #"{"paypalUrl":"\#(url)"}"#)]])
        let error = await thrown { _ = try await Self.page(peer, Self.request()) }
        #expect(error?.code == .unreadableAnswer)
    }

    @Test("a call that is lost has opened nothing that takes money")
    func lost() async throws {
        let error = await thrown {
            _ = try await Self.page(ScriptedBlueSnap(["paypal-token": [.lost]]), Self.request())
        }
        #expect(error?.code == .connectionLost)
    }

    @Test(
        "addresses are judged to the letter",
        arguments: [
            (proceed + "?INVOICE_ID=1010101010", "successCandidate", "1010101010"),
            (proceed + "?a=b&INVOICE_ID=7#x", "successCandidate", "7"), (proceed, "pending", nil),
            (proceed + "?INVOICE_ID=", "pending", nil), (proceed + "?invoice_id=7", "untrusted", nil),
            (proceed + "?INVOICE_ID=7&INVOICE_ID=8", "untrusted", nil),
            (proceed + "?INVOICE_ID=7;INVOICE_ID=8", "untrusted", nil), (cancel, "cancelled", nil),
            (cancel + "?token=EC-1", "cancelled", nil), (proceed + "/more?INVOICE_ID=7", "ignore", nil),
            (proceed.replacing("127.0.0.1", with: "127.0.0.2") + "?INVOICE_ID=7", "ignore", nil),
            (proceed.replacing("http:", with: "https:") + "?INVOICE_ID=7", "ignore", nil),
            (proceed.replacing(":9", with: ":8") + "?INVOICE_ID=7", "ignore", nil),
            (proceed.replacing("127.0.0.1", with: "u@127.0.0.1") + "?INVOICE_ID=7", "ignore", nil),
            (proceed.replacing("jsp", with: "JSP") + "?INVOICE_ID=7", "ignore", nil),
            (proceed.replacing("iframeCheck", with: "x/../iframeCheck") + "?INVOICE_ID=7", "ignore", nil),
            ("https://shop.example/?next=" + proceed + "?INVOICE_ID=7", "ignore", nil), ("", "ignore", nil),
            ("javascript:void(0)", "ignore", nil), (String(repeating: "x", count: 20_000), "ignore", nil),
        ] as [(String, String, String?)])
    func verdicts(url: String, kind: String, invoice: String?) async throws {
        let page = CheckoutPage(
            session: try Shop.reference(), url: Self.url, surface: .mobile, amount: try Money("1.00", .usd),
            returnURL: Self.proceed, cancelURL: Self.cancel)
        let verdict = try Shop.gateway(nil, Shop.runtime(ScriptedBlueSnap([:]))).requireCheckout()
            .verdict(on: url, of: page)
        #expect(verdict.kind.rawValue == kind)
        #expect(verdict.paymentID == invoice)
    }

    @Test(
        "the proof is BlueSnap's word, in any case; a word that is unknown is neither success nor failure",
        arguments: [
            ("SUCCESS", "succeeded"), ("success", "succeeded"), ("Pending", "processing"),
            ("PENDING_MERCHANT_REVIEW", "processing"), ("FAIL", "unknown"), ("SUCCESSFUL", "unknown"),
            ("OK", "unknown"),
        ])
    func proof(word: String, phase: String) async throws {
        let peer = ScriptedBlueSnap(["transaction-status": [.answer(200, #"{"processingStatus":"\#(word)"}"#)]])
        let page = CheckoutPage(session: try Shop.reference(), url: Self.url, surface: .mobile)
        let status = try await Shop.gateway(nil, Shop.runtime(peer)).requireCheckout().proof(of: page, CallContext())
        #expect(status.phase.description == phase)
        #expect(status.providerWord == word)
        #expect(
            peer.lines == ["GET http://127.0.0.1:9/bluesnap/services/2/tokenized-services/transaction-status"])
    }

    @Test("the proof never asks a new session, and never makes one up")
    func proofIsOfThisSession() async throws {
        let page = CheckoutPage(session: try Shop.reference(), url: Self.url, surface: .mobile)
        for (reply, code) in [
            (ScriptedBlueSnap.Reply.expired, GatewayError.Code.sessionUnusable),
            (.answer(200, "{}"), .unreadableAnswer),
            (.answer(200, #"{"processingStatus":null}"#), .unreadableAnswer), (.answer(500, ""), .providerUnavailable),
            (.lost, .connectionLost), (.error("ORDER_NOT_FOUND", "10000"), .notFound),
        ] {
            let peer = ScriptedBlueSnap(["transaction-status": [reply]])
            let renewal = try Renewal(Shop.other)
            let error = await thrown {
                _ = try await Shop.gateway(nil, Shop.runtime(peer)).requireCheckout()
                    .proof(of: page, CallContext(renewal: renewal))
            }
            #expect(error?.code == code)
            #expect(renewal.asked == 0)
        }
    }

    @Test("at the sandbox: the page is opened and paid, the end is judged, and BlueSnap proves it; its ledger agrees")
    func sandbox() async throws {
        let box = try BlueSnapBox()
        let gateway = try box.gateway()
        let checkout = try gateway.requireCheckout()
        let session = try await gateway.requireTokens().openSession(SessionRequest(), CallContext())
        let page = try await checkout.page(Self.request(), for: session, CallContext())
        let waiting = try await checkout.proof(of: page, CallContext())
        #expect(waiting.phase == .processing)

        var pay = WireRequest("shopper.pay", .post, try WireURL(base: page.url), repeatability: .once)
        pay.body = WireBody(contentType: "application/x-www-form-urlencoded", bytes: Sensitive([]), secrets: [])
        let paid = try await Shop.transport.send(pay, deadline: .now + .seconds(60))
        let end = try #require(paid.fields["location"])
        let verdict = checkout.verdict(on: end, of: page)
        #expect(verdict.kind == .successCandidate)
        #expect(verdict.paymentID?.isEmpty == false)
        let proof = try await checkout.proof(of: page, CallContext())
        #expect(proof.phase == .succeeded)
        let movements = box.sandbox.ledger.entries.compactMap(\.movement)
        #expect(movements.map(\.amount) == [3_000] && movements.map(\.currency) == ["USD"])

        let error = await thrown { _ = try await checkout.page(Self.request(), for: session, CallContext()) }
        #expect(error?.code == .sessionUnusable, "a session pays once")
    }

    @Test("at the sandbox: the shopper gives up, and nothing is taken")
    func cancelled() async throws {
        let box = try BlueSnapBox()
        let gateway = try box.gateway()
        let checkout = try gateway.requireCheckout()
        let session = try await gateway.requireTokens().openSession(SessionRequest(), CallContext())
        let page = try await checkout.page(Self.request(), for: session, CallContext())
        let cancelURL = try #require(page.cancelURL)
        let id = try #require(page.url.split(separator: "/").last)
        let url = try WireURL(base: cancelURL).appending(query: "token", .plain(String(id)))
        _ = try await Shop.transport.send(
            WireRequest("shopper.cancel", .get, url, repeatability: .once), deadline: .now + .seconds(60))
        #expect(checkout.verdict(on: cancelURL + "?token=\(id)", of: page).kind == .cancelled)
        #expect(try await checkout.proof(of: page, CallContext()).phase == .unknown)
        #expect(box.sandbox.ledger.entries.allSatisfy { $0.movement == nil })
    }
}

@Suite struct BlueSnapStateTests {
    @Test(
        "nine states of Brazil have codes of BlueSnap's own; every other state is ISO's", arguments: ["US", "CA", "BR"])
    func states(country: String) {
        var own = 0
        for state in CountryRules.states(of: country) {
            let word = BlueSnapStates.word(for: state.lowercased(), in: country)
            #expect(BlueSnapStates.state(for: word, in: country) == state)
            if word != state { own += 1 }
        }
        #expect(own == (country == "BR" ? 9 : 0))
        #expect(BlueSnapStates.word(for: nil, in: country) == nil)
    }
}
