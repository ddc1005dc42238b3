/// What a path and a method mean (dossier 1.7, 2.1 and 2.8).
enum SpreedlyOperation: String, Sendable {
    case tokenize, show, list, update, retain, redact, recache
    case updateGratis = "update-gratis"
    case deleteMetadata = "delete-metadata"
    case methodTransactions = "method-transactions"
    case listTransactions = "list-transactions"
    case showTransaction = "show-transaction"
    case transactionStatus = "transaction-status"
    case purchase, authorize, verify, capture, void, credit, complete
    case generalCredit = "general-credit"
    case createGateway = "create-gateway"
    case listGateways = "list-gateways"
    case showGateway = "show-gateway"

    /// As the test gateway's messages name it.
    var verb: String { self == .generalCredit ? "general credit" : rawValue }

    /// Paths end with `.json` or with nothing (dossier 0); XML is not spoken here.
    static func route(method: String, path: [String]) -> SandboxRoute {
        guard var last = path.last else { return .unknown }
        if last.hasSuffix(".json") { last.removeLast(5) }
        let parts = Array(path.dropLast()) + [last]
        guard let calls = calls(on: parts) else { return .unknown }
        guard let operation = calls.first(where: { $0.method == method })?.operation else {
            return .wrongMethod(allowed: calls.map(\.method))
        }
        return .operation(operation.rawValue, parameters: Array(parts.dropFirst().prefix(1)))
    }

    private typealias Call = (method: String, operation: SpreedlyOperation)

    private static func calls(on parts: [String]) -> [Call]? {
        guard parts.count < 2 || isToken(parts[1]) else { return nil }
        return switch (parts.first, parts.count) {
        case ("payment_methods", 1): [("GET", .list), ("POST", .tokenize)]
        case ("payment_methods", 2) where parts[1] == "restricted": [("POST", .tokenize)]
        case ("payment_methods", 2): [("GET", .show), ("PUT", .update)]
        case ("payment_methods", 3): methodCalls(parts[2])
        case ("transactions", 1): [("GET", .listTransactions)]
        case ("transactions", 2): [("GET", .showTransaction)]
        case ("transactions", 3) where parts[2] == "status": [("GET", .transactionStatus)]
        case ("transactions", 3): transactionCalls(parts[2])
        case ("gateways", 1): [("GET", .listGateways), ("POST", .createGateway)]
        case ("gateways", 2): [("GET", .showGateway)]
        case ("gateways", 3): gatewayCalls(parts[2])
        default: nil
        }
    }

    private static func gatewayCalls(_ name: String) -> [Call]? {
        switch name {
        case "purchase": [("POST", .purchase)]
        case "authorize": [("POST", .authorize)]
        case "verify": [("POST", .verify)]
        case "general_credit": [("POST", .generalCredit)]
        default: nil
        }
    }

    private static func transactionCalls(_ name: String) -> [Call]? {
        switch name {
        case "capture": [("POST", .capture)]
        case "void": [("POST", .void)]
        case "credit": [("POST", .credit)]
        case "complete": [("POST", .complete)]
        default: nil
        }
    }

    private static func methodCalls(_ name: String) -> [Call]? {
        switch name {
        case "retain": [("PUT", .retain)]
        case "redact": [("PUT", .redact)]
        case "recache": [("POST", .recache), ("PUT", .recache)]
        case "update_gratis": [("PUT", .updateGratis)]
        case "metadata": [("DELETE", .deleteMetadata)]
        case "transactions": [("GET", .methodTransactions)]
        default: nil
        }
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: false
                }
            }
    }
}
