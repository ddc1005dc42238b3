/// What a path and a method mean (dossier 1, 2, 4.3). Pages of the imitated issuer stand below `cruise`.
enum SafepayOperation: String, Sendable {
    case initOrder = "init-order"
    case showOrder = "show-order"
    case createTracker = "create-tracker"
    case act, metadata, reset, void, reversal, refund, passport
    case showPayment = "show-payment"
    case listPayments = "list-payments"

    static func route(method: String, path: [String]) -> SandboxRoute {
        guard let calls = calls(on: path) else { return .unknown }
        guard let call = calls.first(where: { $0.method == method }) else {
            return .wrongMethod(allowed: calls.map(\.method))
        }
        return .operation(call.operation.rawValue, parameters: call.parameters)
    }

    typealias Call = (method: String, operation: SafepayOperation, parameters: [String])

    private static func calls(on path: [String]) -> [Call]? {
        switch path.first {
        case "order": orderCalls(Array(path.dropFirst()))
        case "client": clientCalls(Array(path.dropFirst()))
        case "reporter": reporterCalls(Array(path.dropFirst()))
        default: nil
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
        path == ["passport", "v1", "token"] ? [("POST", .passport, [])] : nil
    }

    private static func reporterCalls(_ path: [String]) -> [Call]? {
        guard path.starts(with: ["api", "v1", "payments"]) else { return nil }
        switch path.count {
        case 3: return [("GET", .listPayments, [])]
        case 4 where !path[3].isEmpty: return [("GET", .showPayment, [path[3]])]
        default: return nil
        }
    }
}
