/// The rule by which some providers' sample apps watch a web view: words anywhere in the address. For comparing with such
/// an app, and for replacing one step by step; it is not the way to judge addresses, that is
/// ``HostedCheckout/verdict(on:of:)``.
///
/// The rule, as those apps have it: each new address clears both flags; a success word anywhere in it sets the one, a
/// failure word the other, and failure wins. An address with a word starts a delay of two seconds. When a delay ends the
/// flags of *that moment* are reported, and nothing is ever reported again.
///
/// Its traps, which it keeps:
/// - A word counts wherever it stands: in a return address among the parameters, in an order number, in a message, in the
///   host of somebody else's page. Opening the page can be "success".
/// - It is a delay, not a settling: later addresses do not put it off. Failure after 1.9 seconds replaces success,
///   failure after 2.1 seconds does not.
/// - An address without a word clears the flags, but the delay goes on: when it ends nothing is reported, and nothing is
///   reported ever after. The outcome is lost.
/// - It asks neither who wrote the address nor which session it is about, and knows no cancelling.
///
/// Its verdicts are hints like all others: read the proof.
public struct KeywordRule: Sendable, Hashable {
    /// Words of success. Compared byte by byte, case-sensitive, with the address as it is written.
    public var success: [String]
    /// Words of failure.
    public var failure: [String]
    /// How long after an address with a word the flags are reported.
    public var delay: Duration

    /// A rule with these words. An empty word is in no address, as with Foundation's `range(of:)`.
    public init(success: [String], failure: [String], delay: Duration = .seconds(2)) {
        self.success = success
        self.failure = failure
        self.delay = delay
    }

    /// What the words in an address say.
    public enum Reading: String, Sendable, Hashable, CaseIterable {
        /// No word.
        case none
        /// A word of success and none of failure.
        case success
        /// A word of failure.
        case failure
    }

    /// What the words in an address say, without any delay.
    public func reading(of url: String) -> Reading {
        let bytes = Array(url.utf8)
        if failure.contains(where: { Self.holds(bytes, Array($0.utf8)) }) { return .failure }
        return success.contains(where: { Self.holds(bytes, Array($0.utf8)) }) ? .success : .none
    }

    /// The hint that a reading is.
    public func verdict(of reading: Reading) -> CheckoutVerdict {
        switch reading {
        case .none: CheckoutVerdict(.ignore, reason: "By the keyword rule: no word.")
        case .success: CheckoutVerdict(.successCandidate, reason: "By the keyword rule: a word of success somewhere.")
        case .failure: CheckoutVerdict(.failureHint, reason: "By the keyword rule: a word of failure somewhere.")
        }
    }

    private static func holds(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
        guard let first = word.first else { return false }
        var rest = bytes[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: word) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}

/// The keyword rule in time, without any I/O: it is told addresses and the ends of delays.
public struct KeywordTimeline: Sendable {
    /// The rule.
    public let rule: KeywordRule
    /// When the delays end that are under way, in the order in which they began.
    public private(set) var delays: [ContinuousClock.Instant] = []
    /// What was reported, once something was; ``KeywordRule/Reading/none`` is the lost outcome.
    public private(set) var reported: KeywordRule.Reading?
    private var flags = KeywordRule.Reading.none

    /// Begins without an address.
    public init(_ rule: KeywordRule) {
        self.rule = rule
    }

    /// A new address is shown.
    /// - Returns: When to call ``delayEnded(_:)``; `nil` when the address starts no delay.
    public mutating func show(_ url: String, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        flags = rule.reading(of: url)
        guard flags != .none, reported == nil else { return nil }
        let end = now.advanced(by: rule.delay)
        delays.append(end)
        return end
    }

    /// The delays that end at `now` or before end.
    /// - Returns: The hint to report, the one time that there is one. An outcome that was lost is
    ///   ``CheckoutVerdict/Kind/ignore``.
    public mutating func delayEnded(_ now: ContinuousClock.Instant) -> CheckoutVerdict? {
        let isOver = delays.contains { $0 <= now }
        delays.removeAll { $0 <= now }
        guard isOver, reported == nil else { return nil }
        reported = flags
        guard flags != .none else {
            return CheckoutVerdict(
                .ignore, reason: "By the keyword rule: the outcome is lost, another address came within the delay.")
        }
        return rule.verdict(of: flags)
    }
}

/// The keyword rule on a clock: told the addresses, it reports once.
public final class KeywordWatch: Sendable {
    private struct State {
        var timeline: KeywordTimeline
        var timers: [Task<Void, Never>] = []
    }

    private let clock: any GatewayClock
    private let deliver: @Sendable (CheckoutVerdict) -> Void
    private let state: Locked<State>

    /// - Parameter deliver: Is called at most once, from any thread: with the hint, or with
    ///   ``CheckoutVerdict/Kind/ignore`` when the rule has lost it.
    public init(
        _ rule: KeywordRule, clock: any GatewayClock = ContinuousClock(),
        deliver: @escaping @Sendable (CheckoutVerdict) -> Void
    ) {
        self.clock = clock
        self.deliver = deliver
        state = Locked(State(timeline: KeywordTimeline(rule)))
    }

    deinit {
        state.withLock { state in for timer in state.timers { timer.cancel() } }
    }

    /// A new address is shown.
    public func show(_ url: String) {
        let now = clock.now
        state.withLock { state in
            guard let end = state.timeline.show(url, at: now) else { return }
            state.timers.append(
                Task { [weak self, clock] in
                    if await clock.waits(until: end) { self?.delayEnded() }
                })
        }
    }

    private func delayEnded() {
        let now = clock.now
        if let verdict = state.withLock({ $0.timeline.delayEnded(now) }) { deliver(verdict) }
    }
}
