import GatewayKitCore

/// A call of a capability as the walk over all faults makes it.
struct ContractCall: Sendable {
    /// What it needs, brought about before the fault.
    struct Prepared: Sendable {
        var id = ""
        var session: PaymentSession?
        var reference: PaymentReference?
        var payment: PaymentRequest?
        var page: CheckoutPage?
    }

    /// The name of the method.
    let name: String
    let capability: ContractCapability
    var alsoNeeds: [ContractCapability] = []
    /// Whether it only reads: then it is never unknown.
    var isRead = false
    /// Whether it moves money: then only a row of the adapter's list lets an answer be thrown.
    var movesMoney = false
    var prepare: @Sendable (ContractRun) async throws -> Prepared = { _ in Prepared() }
    let make: @Sendable (ContractRun, Prepared, CallContext) async throws -> ContractEnd
}

extension ContractCall {
    /// Every call of every capability. A new capability of core joins here.
    static let all: [ContractCall] =
        tokenCalls + vaultCalls + sessionCalls + checkoutCalls
        + customerCalls + paymentCalls

    private static let tokenCalls = [
        ContractCall(
            name: "tokenize", capability: .tokens,
            prepare: { run in
                Prepared(session: try await run.tokens().openSession())
            },
            make: { run, prepared, context in
                let tokens = try run.tokens()
                let request = try run.approvedRequest()
                guard let session = prepared.session else { throw ContractRun.Stop.failed }
                return await .of(ContractEnd.init(_:)) { () async throws(GatewayError) in
                    try await tokens.tokenize(request, in: session, context)
                }
            })
    ]

    private static let vaultCalls = [
        vaultCall(.show, isRead: true) { vault, id, context throws(GatewayError) in
            try await vault.show(id, context)
        },
        ContractCall(
            name: "list", capability: .vault, alsoNeeds: [.tokens], isRead: true,
            prepare: { run in try await stored(run, [.list]) },
            make: { run, _, context in
                let vault = try run.vault()
                return await .of({ ContractEnd(read: $0, name: "page") }) { () async throws(GatewayError) in
                    try await vault.page(VaultQuery(), after: nil, context)
                }
            }),
        vaultCall(.update) { vault, id, context throws(GatewayError) in
            try await vault.update(id, VaultUpdate(shopper: Shopper(email: "grace@shop.example")), context)
        },
        vaultCall(.retain) { vault, id, context throws(GatewayError) in try await vault.retain(id, context) },
        vaultCall(.redact) { vault, id, context throws(GatewayError) in try await vault.redact(id, context) },
        vaultCall(.deleteMetadata) { vault, id, context throws(GatewayError) in
            try await vault.deleteMetadata(["order"], of: id, context)
        },
    ]

    private static func vaultCall(
        _ operation: VaultOperation, isRead: Bool = false,
        _ make: @escaping @Sendable (any Vault, String, CallContext) async throws(GatewayError) -> VaultResult
    ) -> ContractCall {
        ContractCall(
            name: operation.rawValue, capability: .vault, alsoNeeds: [.tokens], isRead: isRead,
            prepare: { run in try await stored(run, [operation]) },
            make: { run, prepared, context in
                let vault = try run.vault()
                return await .of(ContractEnd.init(_:)) { () async throws(GatewayError) in
                    try await make(vault, prepared.id, context)
                }
            })
    }

    /// A stored card, with an entry of metadata where that is what the call is about.
    private static func stored(_ run: ContractRun, _ operations: Set<VaultOperation>) async throws -> Prepared {
        _ = try run.vault(that: operations)
        try run.needsStoredTokens()
        let token = try await run.storedToken { request in
            guard operations.contains(.deleteMetadata) else { return }
            request.metadata = [.init(key: "order", value: .text("A-17"))]
        }
        return Prepared(id: token.id)
    }

    private static let sessionCalls = [
        ContractCall(
            name: "status", capability: .sessions, alsoNeeds: [.tokens], isRead: true,
            prepare: { run in
                _ = try run.fact(run.subject.testData.sessions, "what its sessions are like")
                return Prepared(session: try await run.tokens().openSession())
            },
            make: { run, prepared, context in
                let sessions = try run.sessions()
                guard let session = prepared.session else { throw ContractRun.Stop.failed }
                return await .of({ ContractEnd(read: $0, name: $0.phase.description) }) {
                    () async throws(GatewayError) in
                    try await sessions.status(of: session.reference, context)
                }
            })
    ]
}
