/// The faults that are still to come. Safe to use from any thread.
///
/// Each call asks once, and the first rule that matches strikes; a rule that has struck as often as it should is
/// taken out. Which call that is depends only on the order of the calls and the sandbox's seed.
public final class FaultBook: Sendable {
    private struct State {
        var rules: [FaultRule]
        var dice: SeededGenerator
    }

    private let initial: [FaultRule]
    private let seed: UInt64
    private let state: Locked<State>

    init(rules: [FaultRule], seed: UInt64) {
        initial = rules.filter { $0.count != 0 }
        self.seed = seed
        state = Locked(State(rules: initial, dice: SeededGenerator(seed: seed)))
    }

    /// The rules that can still strike, with the counts that are left.
    public var rules: [FaultRule] { state.withLock { $0.rules } }

    /// Adds a rule behind the others. A rule that strikes no times is not kept.
    public func add(_ rule: FaultRule) {
        guard rule.count != 0 else { return }
        state.withLock { $0.rules.append(rule) }
    }

    /// Adds a rule by its parts; see ``FaultRule``.
    public func add(
        _ kind: FaultKind, provider: String? = nil, operation: String? = nil, count: Int? = 1, after: Int = 0,
        percent: Int = 100, processing: Bool? = nil
    ) {
        add(
            FaultRule(
                kind, provider: provider, operation: operation, count: count, after: after, percent: percent,
                processing: processing))
    }

    /// Takes out all rules.
    public func removeAll() {
        state.withLock { $0.rules = [] }
    }

    /// As at the start: the configured rules, the dice from the seed.
    func reset() {
        state.withLock { [initial, seed] in
            $0 = State(rules: initial, dice: SeededGenerator(seed: seed))
        }
    }

    /// The rule that strikes this call.
    func strike(provider: String, operation: String) -> FaultRule? {
        take { $0.kind != .refuse && $0.matches(provider: provider, operation: operation) }
    }

    /// Whether a connection that has just been accepted is refused.
    func strikeConnection() -> Bool {
        take { $0.kind == .refuse } != nil
    }

    private func take(where isMeant: (FaultRule) -> Bool) -> FaultRule? {
        state.withLock { state in
            for index in state.rules.indices where isMeant(state.rules[index]) {
                if state.rules[index].after > 0 {
                    state.rules[index].after -= 1
                    continue
                }
                let rule = state.rules[index]
                if rule.percent < 100, state.dice.next(upperBound: UInt64(100)) >= UInt64(rule.percent) { continue }
                switch rule.count {
                case nil: return rule
                case .some(let count) where count > 1: state.rules[index].count = count - 1
                case .some: state.rules.remove(at: index)
                }
                return rule
            }
            return nil
        }
    }
}
