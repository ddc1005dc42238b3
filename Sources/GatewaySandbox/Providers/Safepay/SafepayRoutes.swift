/// What a path and a method mean (dossier 1, 2, 4.3). Pages of the imitated processor stand below `cruise`.
enum SafepayOperation: String, Sendable {
    case initOrder = "init-order"
    case showOrder = "show-order"
    case createTracker = "create-tracker"
    /// One path for all actions; the body tells which, and the rest of these are their names.
    case act
    case captureContext = "capture-context"
    case tokenize, enrol, authorize, validate, capture
    case metadata, reset, void, reversal, refund, passport
    case showPayment = "show-payment"
    case listPayments = "list-payments"
    case createCustomer = "create-customer"
    case showCustomer = "show-customer"
    case listCustomers = "list-customers"
    case changeCustomer = "change-customer"
    case deleteCustomer = "delete-customer"
    case listWallet = "list-wallet"
    case showSavedCard = "show-saved-card"
    case deleteSavedCard = "delete-saved-card"
    case createPlan = "create-plan"
    case showPlan = "show-plan"
    case changePlan = "change-plan"
    case deletePlan = "delete-plan"
    case searchPlans = "search-plans"
    case showSubscription = "show-subscription"
    case searchSubscriptions = "search-subscriptions"
    case pauseSubscription = "pause-subscription"
    case resumeSubscription = "resume-subscription"
    case cancelSubscription = "cancel-subscription"
    case showPage = "show-page"
    case submitPage = "submit-page"
    case showEnd = "show-end"
    case collect
    case stepUp = "step-up"
    case answerChallenge = "answer-challenge"
    case answerNatively = "answer-natively"

    static func route(method: String, path: [String]) -> SandboxRoute {
        guard let calls = calls(on: path) else { return .unknown }
        guard let call = calls.first(where: { $0.method == method }) else {
            return .wrongMethod(allowed: calls.map(\.method))
        }
        return .operation(call.operation.rawValue, parameters: call.parameters)
    }

    typealias Call = (method: String, operation: SafepayOperation, parameters: [String])

    private static func calls(on path: [String]) -> [Call]? {
        let rest = Array(path.dropFirst())
        switch path.first {
        case "order": return orderCalls(rest)
        case "client": return clientCalls(rest)
        case "reporter": return reporterCalls(rest)
        case "user": return userCalls(rest)
        case "checkout", "embedded": return pageCalls(path)
        case "cruise": return issuerCalls(rest)
        default: return nil
        }
    }

    /// A collection ends with a slash, and without it the front end refuses (dossier 0): `POST` is a wrong method there,
    /// and so is every other one (a guess).
    private static func orderCalls(_ path: [String]) -> [Call]? {
        switch (path.first, path.count) {
        case ("v1", 2) where path[1] == "init": [("POST", .initOrder, [])]
        case ("v1", 2): [("GET", .showOrder, [path[1]])]
        case ("payments", 2) where path[1] == "v3": []
        case ("payments", 3) where path[1] == "v3":
            path[2].isEmpty
                ? [("POST", .createTracker, [])] : [("POST", .act, [path[2]]), ("PUT", .reset, [path[2]])]
        case ("payments", 4) where path[1] == "v3": changeCall(path[3]).map { [("POST", $0, [path[2]])] }
        default: nil
        }
    }

    private static func changeCall(_ name: String) -> SafepayOperation? {
        switch name {
        case "metadata": .metadata
        case "void": .void
        case "reversal": .reversal
        case "refund": .refund
        default: nil
        }
    }

    private static func clientCalls(_ path: [String]) -> [Call]? {
        guard path.count >= 3, path[1] == "v1" else { return path == ["plans", "v1"] ? [] : nil }
        switch (path[0], path[2], path.count) {
        case ("passport", "token", 3): return [("POST", .passport, [])]
        case ("plans", "", 3): return [("POST", .createPlan, [])]
        case ("plans", "search", 3): return [("GET", .searchPlans, [])]
        case ("plans", let id, 3):
            return [("GET", .showPlan, [id]), ("PUT", .changePlan, [id]), ("DELETE", .deletePlan, [id])]
        case ("subscriptions", "search", 3): return [("GET", .searchSubscriptions, [])]
        case ("subscriptions", let id, 3): return [("GET", .showSubscription, [id]), ("PUT", .pauseSubscription, [id])]
        case ("subscriptions", let id, 4) where path[3] == "resumption": return [("PUT", .resumeSubscription, [id])]
        case ("subscriptions", let id, 4) where path[3] == "cancel": return [("POST", .cancelSubscription, [id])]
        default: return nil
        }
    }

    private static func reporterCalls(_ path: [String]) -> [Call]? {
        guard path.starts(with: ["api", "v1", "payments"]) else { return nil }
        switch path.count {
        case 3: return [("GET", .listPayments, [])]
        case 4 where !path[3].isEmpty: return [("GET", .showPayment, [path[3]])]
        default: return nil
        }
    }

    private static func userCalls(_ path: [String]) -> [Call]? {
        guard path.starts(with: ["customers", "v1"]) else { return nil }
        switch (path.count, path.dropFirst(2).first ?? "", path.last ?? "") {
        case (2, _, _): return []
        case (3, "", _): return [("POST", .createCustomer, []), ("GET", .listCustomers, [])]
        case (3, let id, _):
            return [("GET", .showCustomer, [id]), ("PUT", .changeCustomer, [id]), ("DELETE", .deleteCustomer, [id])]
        case (4, _, "wallet"): return []
        case (5, let id, let card) where path[3] == "wallet":
            return card.isEmpty
                ? [("GET", .listWallet, [id])]
                : [("GET", .showSavedCard, [id, card]), ("DELETE", .deleteSavedCard, [id, card])]
        default: return nil
        }
    }

    private static func pageCalls(_ path: [String]) -> [Call]? {
        func page(_ kind: SafepayPage.Kind) -> [Call] {
            [("GET", .showPage, [kind.rawValue]), ("POST", .submitPage, [kind.rawValue])]
        }
        switch path {
        case ["checkout", "pay"]: return page(.hosted)
        case ["checkout", "subscribe"]: return page(.subscribe)
        case ["embedded"], ["embedded", ""]: return page(.embedded)
        default: break
        }
        guard path.count == 3, path[1] == "external" else { return nil }
        guard ["complete", "mobile", "error", "success", "failure"].contains(path[2]) else { return nil }
        let kind: SafepayPage.Kind = path[0] == "embedded" ? .embedded : .hosted
        return [("GET", .showEnd, [path[2], kind.rawValue])]
    }

    private static func issuerCalls(_ path: [String]) -> [Call]? {
        switch path {
        case ["collect"]: [("POST", .collect, [])]
        case ["step-up"]: [("POST", .stepUp, [])]
        case ["answer"]: [("POST", .answerChallenge, [])]
        case ["native"]: [("POST", .answerNatively, [])]
        default: nil
        }
    }
}
