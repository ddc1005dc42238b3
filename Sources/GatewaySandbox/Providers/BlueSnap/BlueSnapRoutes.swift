import GatewayKitCore

/// What a path and a method mean (dossier 1, 2, 4). The pages that stand for PayPal's are on the same server.
enum BlueSnapOperation: String, Sendable {
    case openSession = "open-session"
    case prefill, tokenize
    /// The probe for a token that is too old: a submission of nothing.
    case status
    case profile = "sdk-init"
    case methods = "payment-methods"
    case rates
    case payPalToken = "paypal-token"
    case payPalStatus = "transaction-status"
    case configureShopper = "configure-shopper"
    case currencyRates = "currency-rates"
    case convert
    case wallet = "wallet-session"
    case purchase, authorize, capture, void, refund
    case refundByQuery = "refund-by-query"
    case showTransaction = "show-transaction"
    case chargeAlternative = "charge-alternative"
    case showAlternative = "show-alternative"
    case createShopper = "create-shopper"
    case showShopper = "show-shopper"
    case updateShopper = "update-shopper"
    case createPlan = "create-plan"
    case showPlan = "show-plan"
    case updatePlan = "update-plan"
    case subscribe
    case showSubscription = "show-subscription"
    case updateSubscription = "update-subscription"
    case resolveSubscription = "resolve-subscription"
    case subscriptionCharges = "subscription-charges"
    case startOnDemand = "start-on-demand"
    case chargeOnDemand = "charge-on-demand"
    case payPalPage = "paypal-page"
    case payPalPay = "paypal-pay"
    case payPalProceed = "paypal-proceed"
    case payPalCancel = "paypal-cancel"

    /// Who may call it.
    enum Realm { case server, token, shopper }

    var realm: Realm {
        switch self {
        case .tokenize, .status, .profile, .methods, .rates, .payPalToken, .payPalStatus, .configureShopper: .token
        case .payPalPage, .payPalPay, .payPalProceed, .payPalCancel: .shopper
        default: .server
        }
    }

    /// Where one address and method stand for several, the body tells them apart. The SDKs' probes of a token send a
    /// member `dummy` or nothing.
    func refined(by body: [UInt8]) -> BlueSnapOperation {
        guard [.tokenize, .purchase, .capture].contains(self), let root = try? JSONValue(parsing: body),
            let members = try? root.members()
        else { return self }
        let type = try? root["cardTransactionType"].string()
        return switch self {
        case .tokenize where members.allSatisfy({ $0.name == "dummy" }): .status
        case .purchase where type == "AUTH_ONLY": .authorize
        case .capture where type == "AUTH_REVERSAL": .void
        default: self
        }
    }

    static func route(method: String, path: [String]) -> SandboxRoute {
        guard let calls = calls(on: path) else { return .unknown }
        guard let call = calls.first(where: { $0.method == method }) else {
            return .wrongMethod(allowed: calls.map(\.method))
        }
        return .operation(call.operation.rawValue, parameters: call.parameters)
    }

    private typealias Call = (method: String, operation: BlueSnapOperation, parameters: [String])

    private static func calls(on path: [String]) -> [Call]? {
        if path.starts(with: ["services", "2"]) { return services(Array(path.dropFirst(2))) }
        if path.starts(with: ["paypal", "checkout"]), path.count == 3 {
            return [("GET", .payPalPage, [path[2]]), ("POST", .payPalPay, [path[2]])]
        }
        guard path.starts(with: ["jsp", "dev_scripts", "iframeCheck"]), path.count == 4 else { return nil }
        return switch path[3] {
        case "pay_pal_proceed.html": [("GET", .payPalProceed, [])]
        case "pay_pal_cancel.html": [("GET", .payPalCancel, [])]
        default: nil
        }
    }

    private static func services(_ path: [String]) -> [Call]? {
        switch (path.first, path.count, path.last ?? "") {
        case ("payment-fields-tokens", 1, _): [("POST", .openSession, [])]
        case ("payment-fields-tokens", 2, "prefill"): [("POST", .prefill, [])]
        case ("payment-fields-tokens", 2, let token): [("PUT", .tokenize, [token])]
        case ("tokenized-services", 2, let name): tokenized(name)
        case ("tools", 2, "currency-rates"): [("GET", .currencyRates, [])]
        case ("tools", 2, "merchant-currency-convertor"): [("GET", .convert, [])]
        case ("wallets", 1, _): [("POST", .wallet, [])]
        case ("transactions", _, _): transactions(Array(path.dropFirst()))
        case ("alt-transactions", 1, _): [("POST", .chargeAlternative, [])]
        case ("alt-transactions", 2, let id): [("GET", .showAlternative, [id])]
        case ("vaulted-shoppers", 1, _): [("POST", .createShopper, [])]
        case ("vaulted-shoppers", 2, let id): [("GET", .showShopper, [id]), ("PUT", .updateShopper, [id])]
        case ("recurring", _, _): recurring(Array(path.dropFirst()))
        default: nil
        }
    }

    private static func transactions(_ path: [String]) -> [Call]? {
        switch (path.count, path.first, path.last ?? "") {
        case (0, _, _): [("POST", .purchase, []), ("PUT", .capture, [])]
        case (1, _, let id): [("GET", .showTransaction, [id])]
        case (2, "refund", let id): [("POST", .refund, [id])]
        case (2, let id?, "refund"): [("PUT", .refundByQuery, [id])]
        case (3, "refund", let id) where path[1] == "merchant": [("POST", .refund, ["merchant", id])]
        default: nil
        }
    }

    private static func recurring(_ path: [String]) -> [Call]? {
        switch (path.count, path.first, path.last ?? "") {
        case (1, "plans", _): [("POST", .createPlan, [])]
        case (2, "plans", let id): [("GET", .showPlan, [id]), ("PUT", .updatePlan, [id])]
        case (1, "subscriptions", _): [("POST", .subscribe, [])]
        case (2, "subscriptions", "resolve"): [("GET", .resolveSubscription, [])]
        case (2, "subscriptions", let id):
            [("GET", .showSubscription, [id]), ("PUT", .updateSubscription, [id])]
        case (3, "subscriptions", "charges"): [("GET", .subscriptionCharges, [path[1]])]
        case (1, "ondemand", _): [("POST", .startOnDemand, [])]
        case (2, "ondemand", let id): [("POST", .chargeOnDemand, [id])]
        default: nil
        }
    }

    private static func tokenized(_ name: String) -> [Call]? {
        switch name {
        case "sdk-init": [("GET", .profile, [])]
        case "supported-payment-methods": [("GET", .methods, [])]
        case "rates": [("GET", .rates, [])]
        case "paypal-token": [("GET", .payPalToken, [])]
        case "transaction-status": [("GET", .payPalStatus, [])]
        case "shopper": [("PUT", .configureShopper, [])]
        default: nil
        }
    }
}
