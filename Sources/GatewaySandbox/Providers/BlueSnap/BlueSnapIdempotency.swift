import GatewayKitCore

/// The first answers to requests with an `Idempotency-Key` (dossier 4.6), by key.
struct BlueSnapReplays: Sendable {
    static let life: Int64 = 24 * 60 * 60

    private struct Entry: Sendable {
        var request: String
        var outcome: SandboxOutcome
        var time: WallTime
    }

    private var entries: KeptObjects<Entry>
    /// The keys as they are kept: one that is used again after its time gets a new place.
    private var rounds: [String: Int] = [:]

    init(limit: Int) {
        entries = KeptObjects(limit: limit)
    }

    mutating func removeAll() {
        entries.removeAll()
        rounds = [:]
    }

    /// The answer that was given to this request, with its key; `nil` when there was none in the last 24 hours.
    ///
    /// That another request under the key is 422 is a guess: only that it is an error is known.
    func answer(_ key: String, _ request: String, at now: WallTime) throws(BlueSnapRefusal) -> SandboxOutcome? {
        guard let entry = entries[place(key)], now < entry.time.adding(seconds: Self.life) else { return nil }
        guard entry.request == request else {
            throw .invalid("Idempotency-Key", "The key was used with another request", status: 422)
        }
        return SandboxOutcome(
            reply: entry.outcome.reply, outcome: .read, token: entry.outcome.token, card: entry.outcome.card)
    }

    mutating func keep(_ outcome: SandboxOutcome, _ key: String, _ request: String, at now: WallTime) {
        var outcome = outcome
        outcome.submitted = nil
        if entries[place(key)] != nil { rounds[key, default: 0] += 1 }
        entries.add(Entry(request: request, outcome: outcome, time: now), token: place(key))
    }

    private func place(_ key: String) -> String { "\(rounds[key] ?? 0) " + key }
}

extension BlueSnapSandbox {
    static let idempotencyChoice = "bluesnap.idempotency"

    /// Does what is asked for once for a key. Only POST has them. That a key which is too long is 10001 is a guess.
    func once(
        _ call: SandboxCall, _ store: inout BlueSnapStore, _ act: (inout BlueSnapStore) -> SandboxOutcome
    ) -> SandboxOutcome {
        let keys = call.request.values(of: "idempotency-key")
        guard call.request.method == "POST", let key = keys.first else { return act(&store) }
        let request = fingerprint.of(call.request.rawPath + "\n" + String(decoding: call.request.body, as: UTF8.self))
        do throws(BlueSnapRefusal) {
            guard keys.count == 1, (1...64).contains(key.utf8.count) else { throw .invalid("Idempotency-Key") }
            if let answer = try store.replays.answer(key, request, at: call.now) {
                guard chosen[Self.idempotencyChoice] != "in-flight" else { throw .of(409, user: user) }
                return answer
            }
        } catch {
            return SandboxOutcome(reply: error.reply(form), outcome: .refused)
        }
        var outcome = act(&store)
        outcome.reply.set("idempotency-key", key)
        store.replays.keep(outcome, key, request, at: call.now)
        return outcome
    }
}
