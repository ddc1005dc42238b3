/// What a provider keeps under its tokens, in the order of making; when there are more than the limit, the oldest go.
struct KeptObjects<Value: Sendable>: Sendable {
    private let limit: Int
    private var values: [String: Value] = [:]
    /// Tokens in the order of their making, from ``oldest`` on; what lies before is taken out now and then, so that a
    /// full store costs the same for every new object.
    private var order: [String] = []
    private var oldest = 0

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Oldest first.
    var tokens: ArraySlice<String> { order[oldest...] }

    subscript(token: String) -> Value? { values[token] }

    /// Keeps a new object; the token must not be in use.
    mutating func add(_ value: Value, token: String) {
        values[token] = value
        order.append(token)
        guard order.count - oldest > limit else { return }
        values[order[oldest]] = nil
        oldest += 1
        if oldest > limit {
            order.removeFirst(oldest)
            oldest = 0
        }
    }

    /// Puts another state in the place of an object; nothing happens when it is not kept.
    mutating func replace(_ value: Value, token: String) {
        if values[token] != nil { values[token] = value }
    }

    /// Forgets an object; its token stays in the order, for nothing.
    mutating func remove(_ token: String) {
        values[token] = nil
    }

    mutating func removeAll() {
        self = KeptObjects(limit: limit)
    }
}
