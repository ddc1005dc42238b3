import GatewayKitCore

/// The part of a list that a query asks for (dossier 2.6).
///
/// Guesses: a parameter that cannot be understood or is repeated is `errors.invalid` on its name, and so are a count
/// above 100 and a `since_token` that is not known; methods are filtered by the words of `storage_state`.
struct SpreedlyPage {
    private var since: String?
    private var isDescending = false
    private var count = 20
    private(set) var state: String?
    /// `metadata[name]=value`.
    private(set) var metadata: [(name: String, value: String)] = []

    init(_ query: [ReceivedRequest.QueryItem], states: Set<String>) throws(SpreedlyRefusal) {
        var seen: Set<String> = []
        for item in query {
            if item.name.hasPrefix("metadata["), item.name.hasSuffix("]"), seen.insert(item.name).inserted {
                metadata.append((String(item.name.dropFirst(9).dropLast()), item.value))
                continue
            }
            guard ["since_token", "order", "count", "state"].contains(item.name) else { continue }
            guard seen.insert(item.name).inserted, read(item, states: states) else {
                throw SpreedlyRefusal(422, [.invalid(item.name)])
            }
        }
    }

    private mutating func read(_ item: ReceivedRequest.QueryItem, states: Set<String>) -> Bool {
        switch item.name {
        case "since_token":
            since = item.value
            return true
        case "order":
            isDescending = item.value == "desc"
            return ["asc", "desc"].contains(item.value)
        case "count":
            guard SpreedlyFields.isDigits(item.value), let number = Int(item.value), (1...100).contains(number) else {
                return false
            }
            count = number
            return true
        default:
            state = item.value
            return states.contains(item.value)
        }
    }

    /// The objects after the cursor that are wanted, at most as many as asked for.
    func select<Value>(
        from kept: KeptObjects<Value>, where isWanted: (Value) -> Bool
    ) throws(SpreedlyRefusal) -> [Value] {
        let tokens = kept.tokens
        var chosen: [Value] = []
        func take(_ rest: some Sequence<String>) {
            for token in rest {
                if let value = kept[token], isWanted(value) { chosen.append(value) }
                if chosen.count == count { return }
            }
        }
        let position = since.map { since in tokens.firstIndex(of: since) }
        if case .some(.none) = position { throw SpreedlyRefusal(422, [.invalid("since_token")]) }
        let cursor = position ?? nil
        if isDescending {
            take(tokens[..<(cursor ?? tokens.endIndex)].reversed())
        } else {
            take(tokens[(cursor.map { $0 + 1 } ?? tokens.startIndex)...])
        }
        return chosen
    }
}
