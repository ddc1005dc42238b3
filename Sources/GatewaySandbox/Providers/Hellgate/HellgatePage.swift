import GatewayKitCore

/// The part of the list of tokens that a query asks for (dossier 3.1, 3.2).
///
/// Guesses: a parameter that is not known, repeated or malformed is refused; `created_at desc` exists; the list is
/// called `data`.
struct HellgatePage {
    private var limit = 50
    private var page = 1
    private var isDescending = false
    private var networkTokenStatus: String?
    private var from: WallTime?
    private var to: WallTime?

    init(_ query: [ReceivedRequest.QueryItem]) throws(HellgateRefusal) {
        var seen: Set<String> = []
        for item in query {
            guard seen.insert(item.name).inserted, read(item) else {
                throw .malformed(HellgateCard.shown(item.name))
            }
        }
    }

    private mutating func read(_ item: ReceivedRequest.QueryItem) -> Bool {
        switch item.name {
        case "limit":
            guard let number = Self.number(item.value), number <= 500 else { return false }
            limit = number
        case "page":
            guard let number = Self.number(item.value) else { return false }
            page = number
        case "sort":
            isDescending = item.value == "created_at desc"
            return isDescending || item.value == "created_at asc"
        case "network_token_status":
            networkTokenStatus = item.value
            return ["active", "inactive", "pending", "failed", "deleted"].contains(item.value)
        case "from":
            from = WallTime(rfc3339: item.value)
            return from != nil
        case "to":
            to = WallTime(rfc3339: item.value)
            return to != nil
        default:
            return false
        }
        return true
    }

    private static func number(_ text: String) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text),
            number > 0
        else { return nil }
        return number
    }

    /// - Parameter tokens: Oldest first.
    func write(_ tokens: [HellgateToken], to body: inout AnswerWriter) {
        var wanted = tokens.filter { token in
            (networkTokenStatus == nil || networkTokenStatus == token.networkTokenStatus)
                && (from.map { token.createdAt >= $0 } ?? true) && (to.map { token.createdAt <= $0 } ?? true)
        }
        if isDescending { wanted.reverse() }
        let start = (page - 1) * limit
        body.array("data") { list in
            for token in wanted.dropFirst(start).prefix(limit) { list.appendObject { token.write(to: &$0) } }
        }
        body.object("pagination") { pagination in
            pagination.set("current_page", page)
            pagination.set("page_size", limit)
            pagination.set("total_items", wanted.count)
            pagination.set("total_pages", (wanted.count + limit - 1) / limit)
        }
    }
}
