import CDroppingDisk
import GatewayKitCore
import GatewayPayments
import GatewayStoreSQLite
import Testing

/// What was acknowledged survives a loss of power at any point, whatever the disk has kept of what was not synced.
@Suite(.serialized) struct Durability {
    /// Does payments until the power is lost; gives what was acknowledged, by attempt.
    private func work(_ synchronous: String) async -> [AttemptID: PaymentAttempt] {
        var acknowledged: [AttemptID: PaymentAttempt] = [:]
        do {
            let store = try SQLitePaymentStore(
                disk: "dropping", path: "/journal", synchronous: synchronous, clock: TestWall().clock)
            for number in 0..<3 {
                let intent = try StoreBench.intent("order-\(number)")
                var attempt = try await store.open(intent, StoreBench.new("k\(number)")).attempt
                acknowledged[attempt.id] = attempt
                for state in [AttemptState.sending, number == 1 ? .unknown : .approved] {
                    attempt = try await store.advance(
                        attempt.id, from: attempt.version, StoreBench.change(state), holding: nil
                    ).attempt
                    acknowledged[attempt.id] = attempt
                }
            }
        } catch {}
        return acknowledged
    }

    /// What is missing after the power is back.
    private func losses(_ acknowledged: [AttemptID: PaymentAttempt], _ synchronous: String) async -> [String] {
        var losses: [String] = []
        do {
            let store = try SQLitePaymentStore(
                disk: "dropping", path: "/journal", synchronous: synchronous, clock: TestWall().clock)
            for (id, attempt) in acknowledged {
                let found = try await store.attempt(id)
                // What was under way may have been written or not.
                if (found?.version ?? 0) < attempt.version { losses.append("\(id) was \(attempt.state.rawValue)") }
            }
        } catch {
            losses.append("\(error)")
        }
        return losses
    }

    private func lossesAtEveryPoint(
        _ synchronous: String, _ seeds: [UInt64]
    ) async -> (points: Int, losses: [String]) {
        #expect(gk_disk_prepare() == 0)
        gk_disk_lose_power_after(0)
        let all = await work(synchronous)
        let points = gk_disk_operations()
        #expect(all.count == 3 && points > 20)
        var losses: [String] = []
        for point in 1...max(1, points) {
            for seed in seeds {
                #expect(gk_disk_prepare() == 0)
                gk_disk_lose_power_after(point)
                let acknowledged = await work(synchronous)
                gk_disk_restore(seed)
                losses += await self.losses(acknowledged, synchronous).map { "point \(point), seed \(seed): \($0)" }
            }
        }
        return (points, losses)
    }

    @Test("nothing that was acknowledged is lost, wherever the power goes")
    func durable() async {
        let result = await lossesAtEveryPoint("EXTRA", [0, 1, 2])
        #expect(result.losses.isEmpty, "\(result.losses.prefix(10))")
    }

    @Test("the disk of this test finds a store that does not sync")
    func found() async {
        let result = await lossesAtEveryPoint("OFF", [0])
        #expect(!result.losses.isEmpty)
    }
}
