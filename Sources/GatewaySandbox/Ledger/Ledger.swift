import GatewayKitCore

/// What really happened at the imitated providers, in its order. Safe to use from any thread.
///
/// Requests that were never processed (see ``FaultKind/processesRequest``) are not in it. An entry is there before
/// the first byte of its answer is sent.
public final class Ledger: Sendable {
    private struct State {
        var entries: [LedgerEntry] = []
        var next = 1
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The entries, oldest first: all of them, or the newest ones when there were more than the configuration's limit.
    public var entries: [LedgerEntry] {
        state.withLock { [limit] state in Array(state.entries.suffix(limit)) }
    }

    /// How many things have happened, those no longer kept included.
    public var count: Int { state.withLock { $0.next - 1 } }

    /// Writes down what happened and returns its number.
    func append(_ make: (Int) -> LedgerEntry) -> Int {
        state.withLock { [limit] state in
            let number = state.next
            state.next += 1
            // Taking out half at once keeps the cost of a full ledger constant per entry.
            if state.entries.count >= 2 * limit { state.entries.removeFirst(limit) }
            state.entries.append(make(number))
            return number
        }
    }

    /// Corrects an entry whose answer did not get out.
    func markLost(_ number: Int) {
        state.withLock { state in
            guard let first = state.entries.first?.number else { return }
            let index = number - first
            if state.entries.indices.contains(index) { state.entries[index].delivery = .lost }
        }
    }

    func removeAll() {
        state.withLock { $0.entries = [] }
    }
}
