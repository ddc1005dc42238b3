import GatewayKitCore
import Testing

@testable import SafepayAdapter

/// What proves that a session succeeded, and what does not.
@Suite struct SafepayStatusTests {
    private static func status(
        _ id: String, _ replies: [String: [ScriptedSafepay.Reply]]
    ) async throws -> SessionStatus {
        let gateway = try Shop.gateway(ScriptedSafepay(replies))
        return try await gateway.requireSessions().status(of: Shop.reference(id))
    }

    private static func order(
        _ state: String = "TRACKER_ENDED", token: String = Shop.tracker, client: String = Shop.apiKey,
        amount: String = "1500", currency: String = "PKR", environment: String = "sandbox"
    ) -> [String: [ScriptedSafepay.Reply]] {
        [
            "show-order": [
                .data(
                    """
                    {"token":"\(token)","client":"\(client)","amount":\(amount),"currency":"\(currency)",\
                    "environment":"\(environment)","state":"\(state)"}
                    """)
            ]
        ]
    }

    private static func report(
        _ state: String = "TRACKER_ENDED", token: String = Shop.tracker, environment: String = "sandbox",
        mode: String = "payment", charge: String? = nil, next: String = "NOOP", extra: String = ""
    ) -> [String: [ScriptedSafepay.Reply]] {
        [
            "show-payment": [
                .report(
                    """
                    {"token":"\(token)","environment":"\(environment)","state":"\(state)","intent":"CYBERSOURCE",\
                    "mode":"\(mode)","next_actions":{"CYBERSOURCE":{"kind":"\(next)"}},\
                    "purchase_totals":{"quote_amount":{"currency":"PKR","amount":150000}},\
                    "is_routed":false\(charge.map { ",\"charge\":" + $0 } ?? "")\(extra)}
                    """)
            ]
        ]
    }

    private static func charge(
        amount: Int = 150_000, currency: String = "PKR", tracker: String = Shop.tracker
    ) -> String {
        #"{"token":"ch_1","tracker":"\#(tracker)","amount":{"currency":"\#(currency)","amount":\#(amount)}}"#
    }

    @Test("v1: paid is our tracker, ended, with our amount, currency, merchant and environment; no credential is sent")
    func order() async throws {
        let peer = ScriptedSafepay(Self.order())
        let gateway = try Shop.gateway(peer)
        let status = try await gateway.requireSessions().status(of: Shop.reference(Shop.order))
        #expect(status.phase == .succeeded && status.providerWord == "TRACKER_ENDED")
        #expect(status.payment?.amount == Shop.amount && status.payment?.state == .succeeded)
        #expect(peer.lines == ["GET \(Shop.base)/order/v1/\(Shop.tracker)"])
        #expect(peer.sent.first?.fields == ["accept: application/json"])
        for wrong in [
            Self.order(client: "sec_other"), Self.order(amount: "150000"), Self.order(amount: "1499.99"),
            Self.order(currency: "USD"), Self.order(environment: "production"), Self.order(amount: "null"),
        ] {
            #expect(try await Self.status(Shop.order, wrong).phase == .unknown)
        }
        let error = await thrown { _ = try await Self.status(Shop.order, Self.order(token: "track_2")) }
        #expect(error?.code == .unreadableAnswer)
    }

    @Test("v1: another merchant's, environment's or amount's order is unknown in every state")
    func foreignOrder() async throws {
        for state in ["TRACKER_CANCELLED", "TRACKER_EXPIRED", "TRACKER_AUTHORIZED", "TRACKER_STARTED"] {
            for wrong in [
                Self.order(state, client: "sec_other"), Self.order(state, environment: "production"),
                Self.order(state, amount: "1499.99"),
            ] {
                let status = try await Self.status(Shop.order, wrong)
                #expect(status.phase == .unknown && status.payment == nil)
            }
        }
    }

    @Test("v3: without the reporter's own word that it is so, nothing is paid")
    func reportWithoutOK() async throws {
        var replies = Self.report(charge: Self.charge())
        guard case .answer(let code, let body)? = replies["show-payment"]?.first else { return }
        replies["show-payment"] = [.answer(status: code, body: body.replacing(#""ok":true,"#, with: ""))]
        #expect(try await Self.status(Shop.session(), replies).phase == .unknown)
    }

    @Test("v3: paid is the reporter's ended tracker with a charge that matches in every point")
    func report() async throws {
        let status = try await Self.status(Shop.session(), Self.report(charge: Self.charge()))
        #expect(status.phase == .succeeded)
        #expect(status.payment?.amount == Shop.amount && status.payment?.gatewayTransactionID == "ch_1")
        for wrong in [
            Self.report(), Self.report(charge: Self.charge(amount: 1_500)),
            Self.report(charge: Self.charge(amount: 15_000_000)),
            Self.report(charge: Self.charge(currency: "USD")), Self.report(charge: Self.charge(tracker: "track_2")),
            Self.report(charge: "{}"), Self.report(charge: #"{"token":"ch_1","tracker":"\#(Shop.tracker)"}"#),
            Self.report(environment: "production", charge: Self.charge()),
            Self.report(mode: "instrument", charge: Self.charge()),
            Self.report(charge: Self.charge(), extra: #","client":{"api_key":"sec_other"}"#),
        ] {
            let status = try await Self.status(Shop.session(), wrong)
            #expect(status.phase == .unknown)
            #expect(status.payment?.state == .unknown)
        }
        for (reply, code) in [
            (
                ScriptedSafepay.Reply.answer(status: 200, body: #"{"ok":false,"error":"no"}"#),
                GatewayError.Code.requestRefused
            ),
            (.refusal("not found", status: 404), .notFound), (.answer(status: 500, body: ""), .providerUnavailable),
            (
                .answer(status: 200, body: #"{"ok":true,"data":{"token":"track_2","state":"TRACKER_ENDED"}}"#),
                .unreadableAnswer
            ),
            (.access(), .credentialsRefused),
        ] {
            #expect(await thrown { _ = try await Self.status(Shop.session(), ["show-payment": [reply]]) }?.code == code)
        }
    }

    @Test(
        "Every state of the documents, in both generations; what is not in them is unknown",
        arguments: [
            ("TRACKER_STARTED", SessionStatus.Phase.open), ("TRACKER_ENROLLED", .processing),
            ("TRACKER_AUTHORIZED", .processing), ("TRACKER_ENDED", .succeeded), ("TRACKER_CANCELLED", .failed),
            ("TRACKER_EXPIRED", .expired), ("TRACKER_REVERSED", .failed), ("TRACKER_VOIDED", .failed),
            ("TRACKER_REFUNDED", .failed), ("TRACKER_PARTIAL_REFUND", .failed), ("TRACKER_DISPUTED", .failed),
            ("TRACKER_FAILED", .unknown), ("TRACKER_UNKNOWN", .unknown), ("PAID", .unknown),
            ("tracker_ended", .unknown),
            ("", .unknown),
        ])
    func states(word: String, phase: SessionStatus.Phase) async throws {
        let charge = word == "TRACKER_ENDED" ? Self.charge() : nil
        #expect(try await Self.status(Shop.session(), Self.report(word, charge: charge)).phase == phase)
        let status = try await Self.status(Shop.order, Self.order(word))
        #expect(status.phase == phase)
        #expect(status.providerWord == (word.isEmpty ? nil : word))
    }

    @Test("Phases follow each other as the states do: nothing that was proven is taken back")
    func successors() {
        for state in SafepayTrackerState.allCases {
            for next in state.successors {
                let isAllowed = state.phase == next.phase || state.phase.successors.contains(next.phase)
                // A reset goes back to the card, and what follows a payment does not unmake its success.
                #expect(isAllowed || state.phase.isTerminal || (state, next) == (.enrolled, .started))
            }
        }
        #expect(SafepayTrackerState.ended.successors == [.voided, .refunded, .partlyRefunded, .disputed])
    }

    @Test(
        "After a decline the tracker waits for a card again: that is no failure; a card at work is told as such",
        arguments: [
            ("PAYER_AUTH_SETUP", SessionStatus.Phase.open), ("GENERATE_CAPTURE_CONTEXT", .open), ("NOOP", .open),
            ("PAYER_AUTH_ENROLLMENT", .processing), ("AUTHORIZATION", .processing), ("CAPTURE", .processing),
        ])
    func nextActions(kind: String, phase: SessionStatus.Phase) async throws {
        #expect(try await Self.status(Shop.session(), Self.report("TRACKER_STARTED", next: kind)).phase == phase)
    }

    @Test("What became of money that was taken stands in the payment's children")
    func children() async throws {
        for (word, kind) in [
            ("TRACKER_REFUNDED", PaymentRecord.Kind.refund), ("TRACKER_PARTIAL_REFUND", .refund),
            ("TRACKER_VOIDED", .void),
        ] {
            let payment = try #require(
                try await Self.status(Shop.session(), Self.report(word, charge: Self.charge())).payment)
            #expect(payment.state == .succeeded && payment.children.map(\.kind) == [kind])
        }
    }

    @Test("A saved card is proven by the card in the customer's wallet")
    func savedCard() async throws {
        let id = Shop.session("instrument", "flex", amount: "-", customer: Shop.customer)
        let attempt = """
            ,"attempts":[{"is_success":true,"payment_method":{"last_four":"1111","bin":"411111",\
            "expiration_month":"09","expiration_year":"2031","scheme":"Visa"}}]
            """
        func replies(
            _ wallet: String, _ state: String = "TRACKER_ENDED", charge: String? = nil, extra: String? = nil
        ) -> [String: [ScriptedSafepay.Reply]] {
            Self.report(state, mode: "instrument", charge: charge, extra: extra ?? attempt)
                .merging(["list-wallet": [.data(wallet)]]) { $1 }
        }
        let card =
            #"{"token":"\#(Shop.card)","last_4":"1111","expiry_month":"09","expiry_year":"2031","scheme":"Visa"}"#
        let saved = try await Self.status(id, replies(#"{"count":1,"wallet":[\#(card)]}"#))
        #expect(saved.phase == .succeeded)
        #expect(saved.token?.id == Shop.customer + "/" + Shop.card && saved.token?.usage == .reusable)
        for missing in [
            replies(#"{"count":0,"wallet":[]}"#),
            replies(#"{"count":1,"wallet":[\#(card.replacing("1111", with: "2222"))]}"#),
            replies(#"{"count":2,"wallet":[\#(card),\#(card)]}"#),
            replies(#"{"count":1,"wallet":[\#(card)]}"#, extra: ""),
            replies(#"{"count":1,"wallet":[\#(card)]}"#, charge: Self.charge()),
            replies(
                #"{"count":1,"wallet":[\#(card)]}"#, extra: attempt + #","customer":{"token":"cus_other"}"#),
        ] {
            #expect(try await Self.status(id, missing).phase == .unknown)
        }
        #expect(try await Self.status(id, replies("{}", "TRACKER_STARTED")).phase == .open)
        // A list that is not whole proves nothing either.
        let error = await thrown { _ = try await Self.status(id, replies(#"{"count":3,"wallet":[\#(card)]}"#)) }
        #expect(error?.code == .unreadableAnswer)
    }
}
