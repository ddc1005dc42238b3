import GatewayKitCore

/// The calls that move money, and the look-up, for the walk.
extension ContractCall {
    static let paymentCalls = [
        ContractCall(
            name: "charge", capability: .charging, alsoNeeds: [.tokens], movesMoney: true,
            prepare: { run in Prepared(payment: try await run.paymentRequest(.purchase)) },
            make: { run, prepared, context in
                guard let request = prepared.payment else { throw ContractRun.Stop.failed }
                return await run.charge(request, context).end
            }),
        child("capture", .capturing, of: .authorize) { payments, request, context throws(NothingMoved) in
            try await payments.capturing?.capture(request, context)
        },
        child("void", .voiding, of: .authorize) { payments, request, context throws(NothingMoved) in
            try await payments.voiding?.void(request, context)
        },
        child("refund", .refunding, of: .purchase) { payments, request, context throws(NothingMoved) in
            try await payments.refunding?.refund(request, context)
        },
        ContractCall(
            name: "credit", capability: .crediting, alsoNeeds: [.tokens], movesMoney: true,
            prepare: { run in Prepared(payment: try await run.paymentRequest(.purchase)) },
            make: { run, prepared, context in
                guard let request = prepared.payment else { throw ContractRun.Stop.failed }
                return await run.credit(request, context).end
            }),
        ContractCall(
            name: "find", capability: .lookup, alsoNeeds: [.charging, .tokens], isRead: true,
            prepare: { run in
                let request = try await run.paymentRequest(.purchase)
                let record = try run.approved(await run.charge(request))
                return Prepared(reference: run.reference(to: record, request))
            },
            make: { run, prepared, context in
                guard let lookup = try run.gateway().payments.lookup, let reference = prepared.reference else {
                    throw ContractRun.Stop.failed
                }
                let since = run.now.adding(seconds: -60)
                return await .of({ ContractEnd(read: $0, name: "finding") }) { () async throws(GatewayError) in
                    try await lookup.find(reference, since: since, context)
                }
            }),
    ]

    private static func child(
        _ name: String, _ capability: ContractCapability, of parent: PaymentRequest.Kind,
        _ make:
            @escaping @Sendable (PaymentCapabilities, ChildRequest, CallContext) async throws(NothingMoved) ->
            PaymentResult?
    ) -> ContractCall {
        ContractCall(
            name: name, capability: capability, alsoNeeds: [.charging, .tokens], movesMoney: true,
            prepare: { run in
                let request = try await run.paymentRequest(parent)
                let record = try run.approved(await run.charge(request))
                return Prepared(reference: run.reference(to: record, request), payment: request)
            },
            make: { run, prepared, context in
                guard let reference = prepared.reference, let paid = prepared.payment else {
                    throw ContractRun.Stop.failed
                }
                let request = ChildRequest(of: reference, paid.amount, ownReference: run.ownReference())
                let payments = try run.gateway().payments
                let unknown = PaymentResult.unknown(
                    reference,
                    cause: GatewayError(.notSupported, message: "It is not offered.", advice: "Skip the case."))
                return await run.money { () async throws(NothingMoved) in
                    try await make(payments, request, context) ?? unknown
                }.end
            })
    }
}
