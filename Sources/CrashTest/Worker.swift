import GatewayKitCore
import GatewayPayments

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One process that pays, gives credits, captures, refunds, voids and reconciles until it is killed or has done its steps. Each result
/// that it is told goes into a file, so that what callers were told can be compared with the truth.
struct Worker {
    let bench: Bench
    let name: String
    let seed: UInt64
    let steps: Int
    let intents: Int
    let diary: Int32

    func run() async throws {
        let service = try bench.service(nil)
        var random = SeededNumbers(seed)
        let call = CallContext(timeout: .seconds(2))
        let parent = getppid()
        for step in 0..<steps {
            // Nobody works on without the driver.
            guard getppid() == parent else { return }
            let (intent, kind) = try bench.intent(random.below(intents))
            let dice = random.below(100)
            // Keys are few and shared, so that processes meet under the same key and under different ones.
            let key = "key-\(random.below(3))"
            let part: Money? = random.below(2) == 0 ? Money(minorUnits: 3_000, currency: .usd) : nil
            do throws(NothingMoved) {
                if dice < 55 {
                    guard let kind else {
                        let credit = CreditInstruction(
                            token: bench.token, key: key, requestedBy: name, reason: "crash test")
                        tell(try await service.credit(intent, credit, call))
                        continue
                    }
                    let payment = PaymentInstruction(kind, token: bench.token, key: key)
                    tell(try await service.start(intent, payment, call))
                    continue
                }
                guard dice < 95 else {
                    _ = try? await Reconciler(service, worker: name).run(limit: 2, call)
                    continue
                }
                guard let payment = (try? await service.store.intent(intent.id))?.payment?.id else { continue }
                let child = ChildInstruction(
                    key: "\(name)-\(step)", amount: part, requestedBy: name, reason: "crash test")
                switch dice {
                case ..<72: tell(try await service.capture(payment, child, call))
                case ..<89: tell(try await service.refund(payment, child, call))
                default: tell(try await service.void(payment, child, call))
                }
            } catch {
                continue
            }
        }
    }

    private func tell(_ outcome: PaymentOutcome) {
        let line = Array("\(outcome.attempt.id) \(outcome.result.outcomeName)\n".utf8)
        _ = write(diary, line, line.count)
    }
}
