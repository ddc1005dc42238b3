import GatewayKitCore
import GatewaySandbox
import SpreedlyAdapter
import Testing

/// Payments of the tests' shop.
struct Till {
    static let token = "01KZZ4M2Q8S6T1V0X9Y3B5D7FH"
    static let reference = "attempt-0001"
    static let paymentID = "01KZZ5M3R9T7W1Y0A5C8E2G6JK"

    let gateway: Gateway
    let payments: PaymentCapabilities

    init(_ settings: AccountSettings, _ runtime: GatewayRuntime = Shop.runtime()) throws {
        gateway = try SpreedlyProvider().makeGateway(settings, runtime)
        payments = gateway.payments
    }

    var account: AccountName { gateway.account }

    /// A token that the sandbox made.
    func token(_ card: String = "visa", retain: Bool? = true) async throws -> String {
        let code = card.hasPrefix("amex") ? "7373" : Shop.securityCode
        let result = try await gateway.requireTokens().tokenize(
            Shop.request(Shop.card(card, code: code), retain: retain))
        guard case .token(let token) = result else { throw NoToken() }
        return token.id
    }

    struct NoToken: Error {}

    /// A shop whose every request gets this answer, without a network.
    static func scripted(_ status: Int, _ body: String, _ observer: Recorder? = nil) throws -> Till {
        let transport = ScriptedTransport(status: status, body: Array(body.utf8))
        return try Till(
            try Shop.settings("http://127.0.0.1:9/v1"), Shop.runtime(observer, transport: transport))
    }

    /// How a payment is found again.
    func find(
        _ id: String? = nil, reference: String = reference, since: WallTime = Shop.now,
        _ context: CallContext = CallContext()
    ) async throws(GatewayError) -> PaymentFinding? {
        try await payments.lookup?.find(
            PaymentReference(account: account, ownReference: reference, providerID: id), since: since, context)
    }

    func resume(_ id: String, reference: String = reference) async -> MoneyEnd {
        do throws(NothingMoved) {
            return try await .init(
                payments.charging?.resume(
                    PaymentReference(account: account, ownReference: reference, providerID: id), CallContext()))
        } catch {
            return .nothing(error)
        }
    }

    static func request(
        _ kind: PaymentRequest.Kind = .purchase, _ units: Int64 = 1000, _ currency: Currency = .usd,
        token: String = token, reference: String = reference
    ) -> PaymentRequest {
        PaymentRequest(
            kind, Money(minorUnits: kind == .verify ? 0 : units, currency: currency), token: token,
            ownReference: reference)
    }

    func child(
        of id: String = paymentID, _ units: Int64 = 1000, _ currency: Currency = .usd, reference: String = "child-0001"
    ) -> ChildRequest {
        ChildRequest(
            of: PaymentReference(account: account, ownReference: Self.reference, providerID: id),
            Money(minorUnits: units, currency: currency), ownReference: reference)
    }
}

/// Every call that moves money, as one thing.
enum MoneyVerb: String, CaseIterable, Sendable {
    case purchase, authorize, verify, credit, capture, void, refund

    /// `transaction_type` of its answers.
    var wireKind: String {
        switch self {
        case .purchase: "Purchase"
        case .authorize: "Authorization"
        case .verify: "Verification"
        case .credit: "GeneralCredit"
        case .capture: "Capture"
        case .void: "Void"
        case .refund: "Credit"
        }
    }

    var path: String {
        switch self {
        case .purchase, .authorize, .verify: "gateways/\(Shop.gatewayToken)/\(rawValue).json"
        case .credit: "gateways/\(Shop.gatewayToken)/general_credit.json"
        case .capture, .void: "transactions/\(Till.paymentID)/\(rawValue).json"
        case .refund: "transactions/\(Till.paymentID)/credit.json"
        }
    }

    var isChild: Bool { [.capture, .void, .refund].contains(self) }
    var hasAmount: Bool { self != .verify && self != .void }

    /// Makes the call.
    func make(
        _ till: Till, _ units: Int64 = 1000, _ currency: Currency = .usd, token: String = Till.token,
        of payment: String = Till.paymentID, reference: String = Till.reference, _ context: CallContext = CallContext()
    ) async -> MoneyEnd {
        func request(_ kind: PaymentRequest.Kind) -> PaymentRequest {
            Till.request(kind, units, currency, token: token, reference: reference)
        }
        let child = till.child(of: payment, units, currency, reference: reference)
        do throws(NothingMoved) {
            return switch self {
            case .purchase: try await .init(till.payments.charging?.charge(request(.purchase), context))
            case .authorize: try await .init(till.payments.charging?.charge(request(.authorize), context))
            case .verify: try await .init(till.payments.charging?.charge(request(.verify), context))
            case .credit: try await .init(till.payments.crediting?.credit(request(.purchase), context))
            case .capture: try await .init(till.payments.capturing?.capture(child, context))
            case .void: try await .init(till.payments.voiding?.void(child, context))
            case .refund: try await .init(till.payments.refunding?.refund(child, context))
            }
        } catch {
            return .nothing(error)
        }
    }
}

/// Both ways in which a money call can end.
enum MoneyEnd: Sendable {
    case result(PaymentResult)
    case nothing(NothingMoved)

    init(_ result: PaymentResult?) {
        self = result.map { .result($0) } ?? .result(.invalid([]))
    }

    var approved: PaymentRecord? { if case .result(.approved(let record)) = self { record } else { nil } }
    var pending: (action: NextAction?, record: PaymentRecord)? {
        if case .result(.pending(let action, let record)) = self { (action, record) } else { nil }
    }
    var declined: (decline: Decline, record: PaymentRecord?)? {
        if case .result(.declined(let decline, let record)) = self { (decline, record) } else { nil }
    }
    var issues: [FieldIssue]? { if case .result(.invalid(let issues)) = self { issues } else { nil } }
    var unknown: (reference: PaymentReference, cause: GatewayError)? {
        if case .result(.unknown(let reference, let cause)) = self { (reference, cause) } else { nil }
    }
    var thrown: NothingMoved? { if case .nothing(let nothing) = self { nothing } else { nil } }

    var name: String {
        switch self {
        case .result(let result): result.outcomeName
        case .nothing(let nothing): "throws " + nothing.error.code.description
        }
    }

    var shown: String {
        switch self {
        case .result(let result): everything(of: result)
        case .nothing(let nothing): everything(of: nothing)
        }
    }
}

/// Spreedly's answers about payments.
enum TransactionText {
    /// A transaction that agrees with what ``MoneyVerb/make(_:_:_:token:of:reference:_:)`` sends, with members replaced
    /// (`nil` takes one out). Values are JSON.
    static func of(_ verb: MoneyVerb, _ changes: [String: String?] = [:]) -> String {
        var members: [String: String] = [
            "token": "\"\(verb.isChild ? "01KZZ5N4S0V8X2Z1B6D9F3H7JK" : Till.paymentID)\"",
            "transaction_type": "\"\(verb.wireKind)\"", "succeeded": "true", "state": "\"succeeded\"",
            "message": "\"Succeeded!\"", "order_id": "\"\(Till.reference)\"", "on_test_gateway": "true",
            "gateway_token": "\"\(Shop.gatewayToken)\"", "gateway_type": "\"test\"",
            "created_at": "\"2030-06-15T12:00:00Z\"",
            "response":
                #"{"success":true,"message":"Successful","error_code":"","pending":false,"result_unknown":false}"#,
        ]
        if verb.hasAmount {
            members["amount"] = "1000"
            members["currency_code"] = "\"USD\""
        }
        if verb.isChild {
            members["reference_token"] = "\"\(Till.paymentID)\""
        } else {
            members["payment_method"] =
                #"{"token":"\#(Till.token)","storage_state":"retained","card_type":"visa","last_four_digits":"1111","errors":[]}"#
        }
        for (name, value) in changes { members[name] = value }
        return object(members)
    }

    static func object(_ members: [String: String]) -> String {
        "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    static func answer(_ verb: MoneyVerb, _ changes: [String: String?] = [:]) -> String {
        #"{"transaction":\#(of(verb, changes))}"#
    }

    /// A gateway's decline.
    static func declined(_ verb: MoneyVerb, _ changes: [String: String?] = [:]) -> String {
        var all: [String: String?] = [
            "succeeded": "false", "state": "\"gateway_processing_failed\"",
            "message": "\"Unable to process the \(verb.rawValue) transaction.\"",
            "response": #"{"success":false,"message":"Unable to process the transaction.","error_code":""}"#,
        ]
        for (name, value) in changes { all[name] = value }
        return answer(verb, all)
    }
}
