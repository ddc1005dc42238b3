import GatewayKitCore
import GatewaySandbox
import SpreedlyAdapter
import Testing

/// Payments over real HTTP, from the first call to the last, against what the sandbox's ledger says.
@Suite struct SandboxPaymentTests {
    private func withTill(_ body: (Till, Sandbox) async throws -> Void) async throws {
        let sandbox = try Shop.sandbox()
        defer { sandbox.stop() }
        try await body(try Till(try Shop.settings(in: sandbox)), sandbox)
    }

    private func movements(_ sandbox: Sandbox) -> [LedgerMovement] { sandbox.ledger.entries.compactMap(\.movement) }

    private func found(_ finding: PaymentFinding?) throws -> PaymentRecord {
        guard case .found(let record) = finding else { throw Till.NoToken() }
        return record
    }

    @Test("A purchase, a partial refund, the rest, and no more than that")
    func purchase() async throws {
        try await withTill { till, sandbox in
            let token = try await till.token()
            let paid = try #require(await MoneyVerb.purchase.make(till, 7910, token: token).approved)
            #expect(paid.amount == Money(minorUnits: 7910, currency: .usd))
            #expect(paid.kind == .purchase && paid.state == .succeeded && paid.ownReference == Till.reference)
            #expect(paid.networkTransactionID?.isEmpty == false && paid.gatewayTransactionID?.isEmpty == false)
            #expect(paid.token?.id == token && paid.token?.card?.lastFour == "1111" && paid.isTest == true)
            for (units, name) in [(3000, "r1"), (4910, "r2")] as [(Int64, String)] {
                let back = try #require(await MoneyVerb.refund.make(till, units, of: paid.id, reference: name).approved)
                #expect(back.kind == .refund && back.parentID == paid.id && back.ownReference == name)
                #expect(back.amount?.minorUnits == units)
            }
            let more = await MoneyVerb.refund.make(till, 1, of: paid.id, reference: "r3")
            #expect(more.unknown?.cause.answer?.providerCode == "10009")
            let settled = try found(try await till.find(reference: "r3"))
            #expect(settled.state == .failed && settled.decline?.providerCode == "10009")
            #expect(movements(sandbox).map(\.kind) == ["purchase", "refund", "refund"])
            #expect(movements(sandbox).map(\.amount) == [7910, 3000, 4910])
            let record = try found(try await till.find(paid.id))
            #expect(record.children.map(\.ownReference) == ["r1", "r2", "r3"])
            #expect(record.children.map(\.state) == [.succeeded, .succeeded, .failed])
        }
    }

    @Test("An authorization, two captures, a refund of one of them; what was captured is not voided")
    func authorization() async throws {
        try await withTill { till, sandbox in
            let token = try await till.token()
            let held = try #require(await MoneyVerb.authorize.make(till, 1000, .eur, token: token).approved)
            #expect(held.kind == .authorization)
            let first = try #require(
                await MoneyVerb.capture.make(till, 600, .eur, of: held.id, reference: "c1").approved)
            #expect(await MoneyVerb.capture.make(till, 400, .eur, of: held.id, reference: "c2").approved != nil)
            #expect(await MoneyVerb.capture.make(till, 1, .eur, of: held.id, reference: "c3").unknown != nil)
            #expect(await MoneyVerb.refund.make(till, 600, .eur, of: first.id, reference: "r1").approved != nil)
            #expect(await MoneyVerb.void.make(till, of: held.id, reference: "v1").unknown != nil)
            // Only what was captured can be credited.
            let wrong = await MoneyVerb.refund.make(till, 600, .eur, of: held.id, reference: "r2")
            #expect(wrong.thrown?.proof?.status == 422)
            #expect(movements(sandbox).map(\.kind) == ["authorization", "capture", "capture", "refund"])
            let record = try found(try await till.find(held.id))
            #expect(record.children.map(\.ownReference) == ["c1", "c2", "c3", "v1"])
            #expect(record.children.first?.children.map(\.ownReference) == ["r1"])
        }
    }

    @Test("A void, a verification, a credit without a payment")
    func others() async throws {
        try await withTill { till, sandbox in
            let token = try await till.token()
            let held = try #require(await MoneyVerb.authorize.make(till, token: token).approved)
            let void = try #require(await MoneyVerb.void.make(till, of: held.id, reference: "v1").approved)
            #expect(void.kind == .void && void.amount == nil && void.parentID == held.id)
            #expect(await MoneyVerb.void.make(till, of: held.id, reference: "v2").unknown != nil)
            let checked = try #require(await MoneyVerb.verify.make(till, token: token, reference: "a2").approved)
            #expect(checked.kind == .verification && checked.amount == nil)
            let given = try #require(await MoneyVerb.credit.make(till, 5, token: token, reference: "a3").approved)
            #expect(given.kind == .credit && given.amount?.minorUnits == 5)
            #expect(movements(sandbox).map(\.kind) == ["authorization", "void", "verification", "credit"])
            #expect(sandbox.ledger.entries.compactMap(\.ownReference) == [Till.reference, "v1", "v2", "a2", "a3"])
        }
    }

    @Test(
        "Declined cards are declined by every call, and no money moves",
        arguments: TestCard.all.filter { $0.name.hasSuffix("-declined") })
    func declinedCards(card: TestCard) async throws {
        try await withTill { till, sandbox in
            let token = try await till.token(card.name)
            for verb in [MoneyVerb.purchase, .authorize, .verify, .credit] {
                let (decline, record) = try #require(await verb.make(till, token: token).declined)
                #expect(decline.reason == .cardDeclined)
                #expect(decline.message.description.hasPrefix("Unable to process the "))
                #expect(record?.state == .failed && record?.providerState == "gateway_processing_failed")
            }
            #expect(movements(sandbox).isEmpty)
        }
    }

    @Test("Amount 44 fails as a capture and as a refund, and is found as failed")
    func fortyFour() async throws {
        try await withTill { till, sandbox in
            let token = try await till.token()
            let held = try #require(await MoneyVerb.authorize.make(till, token: token).approved)
            let paid = try #require(await MoneyVerb.purchase.make(till, token: token, reference: "a2").approved)
            for (verb, id) in [(MoneyVerb.capture, held.id), (.refund, paid.id)] {
                let reference = "child-" + verb.rawValue
                #expect(await verb.make(till, 44, of: id, reference: reference).unknown != nil)
                let record = try found(try await till.find(reference: reference))
                #expect(record.state == .failed && record.decline?.reason == .cardDeclined)
            }
            #expect(movements(sandbox).map(\.kind) == ["authorization", "purchase"])
        }
    }

    @Test(
        "F6: when the gateway's answer does not reach Spreedly the outcome is unknown, charged or not",
        arguments: [(9901, true), (9902, false)] as [(Int64, Bool)])
    func resultUnknown(units: Int64, isCharged: Bool) async throws {
        try await withTill { till, sandbox in
            let unknown = try #require(
                await MoneyVerb.purchase.make(till, units, token: try await till.token()).unknown)
            #expect(movements(sandbox).count == (isCharged ? 1 : 0))
            let record = try found(try await till.find(unknown.reference.providerID))
            #expect(record.state == .unknown && record.ownReference == Till.reference)
        }
    }

    @Test("Partial approval, processing and duplicates, as the sandbox's own amounts bring them about")
    func ownAmounts() async throws {
        try await withTill { till, sandbox in
            let token = try await till.token()
            let partial = try #require(await MoneyVerb.purchase.make(till, 9903, token: token).approved)
            #expect(partial.amount?.minorUnits == 9900)
            let pending = try #require(
                await MoneyVerb.purchase.make(till, 9904, token: token, reference: "a2").pending)
            #expect(pending.action == nil && pending.record.providerState == "processing")
            #expect(await MoneyVerb.purchase.make(till, 9906, token: token, reference: "a3").unknown != nil)
            let duplicate = try found(try await till.find(reference: "a3"))
            #expect(duplicate.state == .unknown && duplicate.decline?.reason == .duplicate)
            #expect(movements(sandbox).map(\.amount) == [9900])
        }
    }

    static let threeDS: [(units: Int64, steps: [String], end: String)] = [
        (3001, [], "approved"), (3003, ["device_fingerprint"], "approved"),
        (3004, ["device_fingerprint", "challenge"], "approved"), (3005, ["challenge"], "approved"),
        (3103, ["device_fingerprint"], "declined"), (3104, ["challenge"], "declined"),
    ]

    @Test("3-D Secure at the gateway: pending with a page for each step, completed by resume", arguments: threeDS)
    func authentication(units: Int64, steps: [String], end: String) async throws {
        try await withTill { till, sandbox in
            var request = Till.request(.purchase, units, token: try await till.token("visa-3ds"))
            request.options = [
                "attempt3DSecure": .flag(true), "threeDSVersion": .text("2"), "browserInfo": .text("e30="),
            ]
            request.returnURL = "https://shop.example/back"
            var last = MoneyEnd(try await till.payments.charging?.charge(request, CallContext()))
            for step in steps {
                let pending = try #require(last.pending, "\(last.shown)")
                guard case .html(let page) = pending.action else { throw Till.NoToken() }
                #expect(page.contains(step))
                #expect(movements(sandbox).isEmpty)
                last = await till.resume(pending.record.id)
            }
            #expect(last.name == end)
            #expect(movements(sandbox).count == (end == "approved" ? 1 : 0))
            // A payment that is over answers with what came of it, without another step.
            let id = try #require(last.approved?.id ?? last.declined?.record?.id)
            let completions = sandbox.ledger.entries.count { $0.operation == "complete" }
            #expect(completions == steps.count)
            #expect(await till.resume(id).name == end)
            #expect(sandbox.ledger.entries.count { $0.operation == "complete" } == completions)
        }
    }

    @Test("3-D Secure without the browser's facts is refused before the gateway")
    func noBrowser() async throws {
        try await withTill { till, sandbox in
            var request = Till.request(.purchase, 3003, token: try await till.token("visa-3ds"))
            request.options = ["attempt3DSecure": .flag(true)]
            let end = MoneyEnd(try await till.payments.charging?.charge(request, CallContext()))
            #expect(end.declined?.decline.message.description.contains("browser_info") == true)
            request.options["scaProviderKey"] = .text("key")
            let refused = MoneyEnd(try await till.payments.charging?.charge(request, CallContext()))
            #expect(refused.issues?.first?.providerCode == "errors.unsupported_flag_with_spreedly_3ds_authentication")
            #expect(movements(sandbox).isEmpty)
        }
    }

    @Test("A single-use token pays once; kept by consent it pays again; a decline does not use it up")
    func tokens() async throws {
        try await withTill { till, sandbox in
            let single = try await till.token(retain: false)
            #expect(await MoneyVerb.purchase.make(till, token: single).approved?.token?.usage == .unknown)
            #expect(await MoneyVerb.purchase.make(till, token: single, reference: "a2").unknown != nil)
            #expect(try found(try await till.find(reference: "a2")).state == .failed)
            var keep = Till.request(token: try await till.token(retain: false), reference: "a3")
            keep.retainOnSuccess = true
            let kept = MoneyEnd(try await till.payments.charging?.charge(keep, CallContext()))
            #expect(kept.approved?.token?.usage == .reusable)
            #expect(await MoneyVerb.purchase.make(till, token: keep.token, reference: "a4").approved != nil)
            #expect(movements(sandbox).count == 3)
        }
    }

    @Test("What Spreedly does not know is told by its proof: payment method, gateway, payment")
    func missing() async throws {
        try await withTill { till, sandbox in
            let noMethod = await MoneyVerb.purchase.make(till)
            #expect(noMethod.thrown?.error.code == .notFound && noMethod.thrown?.proof?.status == 422)
            for verb in MoneyVerb.allCases where verb.isChild {
                #expect(await verb.make(till).thrown?.proof?.status == 404)
            }
            let token = try await till.token()
            let credentials = try #require(sandbox.credentials(for: "spreedly"))
            let other = try Till(
                try Shop.settings(
                    try #require(sandbox.baseURL(for: "spreedly")), key: try #require(credentials["environmentKey"]),
                    secret: credentials["accessSecret"], gateway: "GatewayThatIsNotThere00001"))
            let noGateway = await MoneyVerb.purchase.make(other, token: token)
            #expect(noGateway.thrown?.error.code == .notFound && noGateway.thrown?.proof?.status == 404)
            #expect("\(noGateway.shown)".contains("gatewayToken"))
            #expect(try await till.find(Till.paymentID) == .absent(witnesses: []))
            #expect(movements(sandbox).isEmpty)
        }
    }

    @Test(
        "F2, F6, R5: charged but the answer lost is unknown, and found by its own reference",
        arguments: [FaultKind.answerLost, .truncated, .malformedJSON, .html(status: 502), .status(503)])
    func lost(kind: FaultKind) async throws {
        try await withTill { till, sandbox in
            let token = try await till.token()
            for verb in [MoneyVerb.purchase, .authorize, .credit] {
                let operation = verb == .credit ? "general-credit" : verb.rawValue
                sandbox.faults.add(FaultRule(kind, provider: "spreedly", operation: operation, processing: true))
                let reference = "lost-" + verb.rawValue
                let unknown = try #require(await verb.make(till, token: token, reference: reference).unknown)
                #expect(unknown.reference.ownReference == reference)
                let record = try found(try await till.find(reference: reference))
                #expect(record.state == .succeeded && record.amount?.minorUnits == 1000)
            }
            #expect(movements(sandbox).count == 3)
        }
    }
}
