/// What a path and a method mean (dossier 1.1, 1.2, 2.2, 2.3, 3.2). The vaults that sessions of the older kind name
/// stand below `guardian` and `basis-theory` on the same server.
enum HellgateOperation: String, Sendable {
    case status, tokenize, list, show, redact
    case openSession = "open-session"
    case storeCard = "store-card"

    static func route(method: String, path: [String]) -> SandboxRoute {
        guard let calls = calls(on: path) else { return .unknown }
        guard let call = calls.first(where: { $0.method == method }) else {
            return .wrongMethod(allowed: calls.map(\.method))
        }
        return .operation(call.operation.rawValue, parameters: call.parameters)
    }

    private typealias Call = (method: String, operation: HellgateOperation, parameters: [String])

    private static func calls(on path: [String]) -> [Call]? {
        guard let first = path.first else { return nil }
        switch (first, path.count, path.last ?? "") {
        case ("tokens", 2, "session"): return [("POST", .openSession, [])]
        case ("tokens", 1, _): return [("GET", .list, [])]
        case ("tokens", 2, let id): return [("GET", .show, [id]), ("DELETE", .redact, [id])]
        case ("sessions", 2, let id): return [("GET", .status, [id])]
        case ("sessions", 3, "complete-action"): return [("POST", .tokenize, [path[1]])]
        case ("guardian", 2, "tokenize"): return [("POST", .storeCard, [HellgateSession.Kind.guardian.rawValue])]
        case ("basis-theory", 2, "tokenize"): return [("POST", .storeCard, [HellgateSession.Kind.basisTheory.rawValue])]
        default: return nil
        }
    }
}
