import GatewayKitCore
import GatewayPayments
import Testing

/// The same random operations on both stores give the same verdicts: each is the other's model.
@Suite struct StoreModels {
    @Test("random operations: both stores agree", arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func agree(_ seed: UInt64) async throws {
        let memory = try StoreBench(.memory)
        let sqlite = try StoreBench(.sqlite)
        var random = SplitMix(seed)
        var ids: [AttemptID] = []
        for step in 0..<250 {
            let seconds = Int64(random.next() % 40)
            memory.wall.move(seconds)
            sqlite.wall.move(seconds)
            switch random.next() % 10 {
            case 0, 1:
                let intent = try StoreBench.intent("order-\(random.next() % 4)")
                let kind =
                    random.pick([.authorize, .purchase, .purchase, .credit] as [PaymentAttempt.Kind]) ?? .purchase
                let new = NewAttempt(
                    id: AttemptID(reading: "a\(step)"), kind: kind, key: "k\(random.next() % 6)",
                    fingerprint: [UInt8(random.next() % 2)])
                let verdict = try await memory.store.open(intent, new)
                #expect(try await sqlite.store.open(intent, new) == verdict, "step \(step)")
                if case .opened(let attempt) = verdict { ids.append(attempt.id) }
            case 2, 3:
                guard let parent = random.pick(ids) else { continue }
                var new = NewAttempt(
                    id: AttemptID(reading: "c\(step)"), kind: random.pick([.capture, .void, .refund]) ?? .void,
                    key: "k\(random.next() % 6)", fingerprint: [1])
                if random.next() % 2 == 0 { new.amount = StoreBench.usd(Int64(random.next() % 700)) }
                let asked = new
                let verdict = try await memory.store.openChild(of: parent, asked)
                #expect(try await sqlite.store.openChild(of: parent, asked) == verdict, "step \(step)")
                if case .opened(let attempt) = verdict { ids.append(attempt.id) }
            case 4:
                guard let id = random.pick(ids) else { continue }
                let lease = try await memory.store.lease(id, worker: "w", for: .seconds(20))
                #expect(try await sqlite.store.lease(id, worker: "w", for: .seconds(20)) == lease, "step \(step)")
                if let lease, random.next() % 2 == 0 {
                    try await memory.store.giveBack(lease, lookAgainAfter: .seconds(9))
                    try await sqlite.store.giveBack(lease, lookAgainAfter: .seconds(9))
                }
            case 5 where random.next() % 8 == 0:
                let id = "order-\(random.next() % 4)"
                let stored = try await memory.store.giveUp(id, by: "shop")
                #expect(try await sqlite.store.giveUp(id, by: "shop") == stored, "step \(step)")
            case 6 where random.next() % 8 == 0:
                let time = memory.wall.now.adding(seconds: -300)
                let count = try await memory.store.purge(settledBefore: time)
                #expect(try await sqlite.store.purge(settledBefore: time) == count, "step \(step)")
            default:
                guard let id = random.pick(ids), let attempt = try await memory.store.attempt(id) else { continue }
                let next = random.pick(AttemptState.allCases) ?? .unknown
                let change = StoreBench.change(
                    next, attempt.amount, id: next == .approved ? "p\(step)" : nil)
                let verdict = try await memory.store.advance(id, from: attempt.version, change, holding: nil)
                #expect(
                    try await sqlite.store.advance(id, from: attempt.version, change, holding: nil) == verdict,
                    "step \(step)")
            }
        }
        for id in ids {
            #expect(try await memory.store.history(of: id) == sqlite.store.history(of: id))
        }
        var filter = AttemptFilter()
        filter.limit = 10_000
        #expect(try await memory.store.attempts(filter) == sqlite.store.attempts(filter))
        filter.isDue = true
        #expect(try await memory.store.attempts(filter) == sqlite.store.attempts(filter))
        for number in 0..<4 {
            let stored = try await memory.store.intent("order-\(number)")
            #expect(try await sqlite.store.intent("order-\(number)") == stored)
            let holders = stored?.attempts.filter { !$0.kind.isChild && $0.state.holdsIntent } ?? []
            #expect(holders.count <= 1)
            for payment in stored?.attempts.filter({ !$0.kind.isChild }) ?? [] {
                let children = stored?.attempts.filter { $0.parentID == payment.id } ?? []
                #expect(children.filter(\.state.isOpen).count <= 1)
                let balance = PaymentBalance(payment, children)
                #expect(balance.captured.minorUnits <= balance.approved.minorUnits)
                #expect(balance.refunded.minorUnits <= balance.captured.minorUnits)
            }
        }
    }
}

/// A generator whose run can be repeated.
struct SplitMix {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func pick<Item>(_ items: [Item]) -> Item? {
        items.isEmpty ? nil : items[Int(next() % UInt64(items.count))]
    }
}
