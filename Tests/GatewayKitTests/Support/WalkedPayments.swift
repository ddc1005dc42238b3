import GatewayKitCore

/// The calls that move money, for the walk. The names of operations are those of the sandbox.
enum WalkedPayments {
    static func all(of gateway: Gateway) -> [WalkedCall] {
        guard let charging = gateway.payments.charging else { return [] }
        var calls = [PaymentRequest.Kind.purchase, .authorize, .verify].map { kind in
            money(kind.rawValue, prepare: { await token(gateway) }) { (token, context) async throws(NothingMoved) in
                try await charging.charge(request(kind, token), context)
            }
        }
        if let crediting = gateway.payments.crediting {
            calls.append(
                money("general-credit", prepare: { await token(gateway) }) {
                    (token, context) async throws(NothingMoved) in
                    try await crediting.credit(request(.purchase, token), context)
                })
        }
        if let capturing = gateway.payments.capturing {
            calls.append(
                money("capture", prepare: { await payment(gateway, .authorize) }) {
                    (id, context) async throws(NothingMoved) in
                    try await capturing.capture(child(gateway, id), context)
                })
        }
        if let voiding = gateway.payments.voiding {
            calls.append(
                money("void", prepare: { await payment(gateway, .authorize) }) {
                    (id, context) async throws(NothingMoved) in
                    try await voiding.void(child(gateway, id), context)
                })
        }
        if let refunding = gateway.payments.refunding {
            calls.append(
                money("credit", prepare: { await payment(gateway, .purchase) }) {
                    (id, context) async throws(NothingMoved) in
                    try await refunding.refund(child(gateway, id), context)
                })
        }
        var resume = money("complete", prepare: { await payment(gateway, .purchase, options: threeDS) }) {
            (id, context) async throws(NothingMoved) in
            let reference = PaymentReference(account: gateway.account, ownReference: first, providerID: id)
            return try await charging.resume(reference, context)
        }
        // It is shown first.
        resume.requests = 2
        calls.append(resume)
        return calls
    }

    private static let first = "walked-0001"
    /// One step of 3-D Secure at the test gateway, with amount 3003.
    private static let threeDS: [String: OptionValue] = ["attempt3DSecure": .flag(true), "browserInfo": .text("e30=")]

    private static func money(
        _ operation: String, prepare: @escaping @Sendable () async -> String,
        _ make: @escaping @Sendable (String, CallContext) async throws(NothingMoved) -> PaymentResult
    ) -> WalkedCall {
        WalkedCall(
            operation: operation, prepare: prepare,
            make: { id, context in
                do throws(NothingMoved) {
                    return CallEnd(try await make(id, context))
                } catch {
                    return CallEnd(error)
                }
            }, movesMoney: true)
    }

    private static func request(
        _ kind: PaymentRequest.Kind, _ token: String, _ options: [String: OptionValue] = [:]
    ) -> PaymentRequest {
        let amount = Money(minorUnits: kind == .verify ? 0 : 3003, currency: .eur)
        var request = PaymentRequest(kind, amount, token: token, ownReference: first)
        request.options = options
        return request
    }

    /// A third of it, so that a second delivery finds enough left.
    private static func child(_ gateway: Gateway, _ id: String) -> ChildRequest {
        ChildRequest(
            of: PaymentReference(account: gateway.account, ownReference: first, providerID: id),
            Money(minorUnits: 1001, currency: .eur), ownReference: "walked-0002")
    }

    /// A token that pays any number of times.
    private static func token(_ gateway: Gateway) async -> String {
        guard let stored = try? await gateway.tokens?.tokenize(WalkedCall.request()), case .token(let token) = stored,
            (try? await gateway.vault?.retain(token.id)) != nil
        else { return "" }
        return token.id
    }

    private static func payment(
        _ gateway: Gateway, _ kind: PaymentRequest.Kind, options: [String: OptionValue] = [:]
    ) async -> String {
        let token = await token(gateway)
        switch try? await gateway.payments.charging?.charge(request(kind, token, options), CallContext()) {
        case .approved(let record), .pending(_, let record): return record.id
        default: return ""
        }
    }
}
