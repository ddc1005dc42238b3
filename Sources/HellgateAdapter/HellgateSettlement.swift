import GatewayKitCore

/// Finds out from the session what became of a card whose answer was lost or unclear. It only reads.
struct HellgateSettlement {
    let client: HellgateClient
    let sessions: HellgateSessions
    let reference: SessionReference
    let card: Card
    let call: Call

    /// How often a session that is still at work is asked.
    private static let polls = 8
    private static let firstWait = Duration.milliseconds(250)
    private static let longestWait = Duration.seconds(4)
    private static let reserve = Duration.seconds(5)

    /// The same call with less time: a quarter of what is left, at most five seconds, is kept for asking the session.
    func leavingTime(_ call: Call) -> Call {
        var shorter = call
        let left = client.clock.now.duration(to: call.deadline)
        shorter.deadline = call.deadline.advanced(by: .zero - max(.zero, min(left / 4, Self.reserve)))
        return shorter
    }

    /// What the session says, within the caller's time; otherwise the outcome is unknown.
    ///
    /// - Parameter mayBeOurs: Whether the session's result must be this card's. It need not be after a conflict: then
    ///   somebody completed the session before, with this request or with another.
    func settle(_ cause: GatewayError, mayBeOurs: Bool = true) async -> TokenizationResult {
        var wait = Self.firstWait
        for _ in 0..<Self.polls {
            guard let answer = try? await sessions.ask(reference, in: call, without: [card.number.sensitive]) else {
                break
            }
            let status = answer.status
            if status.phase == .succeeded {
                guard mayBeOurs, var token = status.token else { break }
                token.card = card.summary
                token.requestID = status.requestID
                return .token(token)
            }
            if let decline = status.decline, mayBeOurs { return .declined(decline) }
            // Open: the request may still be on its way, so even this proves nothing.
            guard status.phase == .processing, await pause(wait) else { break }
            wait = min(wait * 2, Self.longestWait)
        }
        var cause = cause
        cause.advice = HellgateTokenAnswer.askTheSession
        if cause.reach == .notSent { cause.reach = .sent }
        return .unknown(reference, cause: cause)
    }

    /// Waits with jitter; `false` when the time is over or the caller has given up.
    private func pause(_ wait: Duration) async -> Bool {
        let share = Double(client.random.next() >> 11) / Double(UInt64(1) << 53)
        let end = client.clock.now.advanced(by: wait * (0.5 + share / 2))
        guard end < call.deadline else { return false }
        do {
            try await client.clock.sleep(until: end, tolerance: nil)
            return true
        } catch {
            return false
        }
    }
}
