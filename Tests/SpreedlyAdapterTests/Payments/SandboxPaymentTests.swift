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
            #expect(more.declined?.decline.providerCode == "10009" && more.declined?.decline.reason == .unlisted)
            #expect(movements(sandbox).map(\.kind) == ["purchase", "refund", "refund"])
            #expect(movements(sandbox).map(\.amount) == [7910, 3000, 4910])
            let found = try await till.payments.lookup?.find(
                PaymentReference(account: till.account, ownReference: Till.reference, providerID: paid.id),
                since: Shop.now, CallContext())
            guard case .found(let record) = found else { throw Till.NoToken() }
            #expect(record.children.map(\.ownReference) == ["r1", "r2", "r3"])
            #expect(record.children.map(\.state) == [.succeeded, .succeeded, .failed])
        }
    }
}
