import GatewayKitCore

/// The reporter (dossier 2.5).
extension SafepaySandbox {
    func showPayment(_ token: String, _ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try checkSecretOrPassport(call)
        let report = try store.withLock { [client = access.apiKey] (store) throws(SafepayRefusal) in
            guard let tracker = store.trackers[token] else { throw .unknownPayment }
            return SafepayReport(
                tracker: tracker, customer: tracker.terms.customer.flatMap { store.customers[$0] }, client: client,
                now: call.now)
        }
        let body = AnswerWriter.object { body in
            body.set("ok", true)
            body.object("data") { report.write(to: &$0) }
        }
        return SandboxOutcome(reply: .json(200, body), outcome: .read, token: token)
    }

    /// The newest first, unless `direction` is `ASC` (a guess).
    func listPayments(_ call: SandboxCall) throws(SafepayRefusal) -> SandboxOutcome {
        try checkSecretOrPassport(call)
        let page = try SafepayListPart(call.request.query)
        let reports = store.withLock { [client = access.apiKey] store in
            store.trackers.tokens.compactMap { store.trackers[$0] }.map {
                SafepayReport(
                    tracker: $0, customer: $0.terms.customer.flatMap { store.customers[$0] }, client: client,
                    now: call.now)
            }
        }
        let body = AnswerWriter.object { body in
            body.set("ok", true)
            body.object("data") { data in
                data.set("count", reports.count)
                data.array("list") { list in
                    for report in page.select(from: reports) { list.appendObject { report.writeLine(to: &$0) } }
                }
                data.object("meta") { page.write(to: &$0) }
            }
        }
        return SandboxOutcome(reply: .json(200, body), outcome: .read)
    }
}

/// The part of a list that a query asks for. That parameters which cannot be read are refused is a guess.
struct SafepayListPart {
    private var limit = 20
    private var page = 1
    private var isAscending = false

    init(_ query: [ReceivedRequest.QueryItem]) throws(SafepayRefusal) {
        var seen: Set<String> = []
        for item in query where ["limit", "page", "direction"].contains(item.name) {
            guard seen.insert(item.name).inserted else { throw .malformed(item.name) }
            switch item.name {
            case "direction":
                isAscending = item.value == "ASC"
                guard isAscending || item.value == "DESC" else { throw .malformed(item.name) }
            default:
                guard item.value.utf8.count <= 6, let number = Int(item.value), number > 0 else {
                    throw .malformed(item.name)
                }
                if item.name == "limit" { limit = min(number, 100) } else { page = number }
            }
        }
    }

    /// - Parameter values: Oldest first.
    func select<Value>(from values: [Value]) -> [Value] {
        let ordered = isAscending ? values : values.reversed()
        return Array(ordered.dropFirst((page - 1) * limit).prefix(limit))
    }

    func write(to body: inout AnswerWriter) {
        body.set("limit", limit)
        body.set("page", page)
        body.set("offset", (page - 1) * limit)
        body.set("sort_by", "created_at")
        body.set("direction", isAscending ? "ASC" : "DESC")
    }
}
