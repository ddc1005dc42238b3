import GatewayKitCore
import Testing

@Suite("Locked")
struct LockedTests {
    @Test("Increments from many tasks are not lost")
    func counting() async {
        let counter = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<5000 { counter.withLock { $0 += 1 } } }
            }
        }
        #expect(counter.withLock { $0 } == 40_000)
    }

    @Test("An error thrown inside keeps its type and releases the lock")
    func throwing() {
        struct Refused: Error, Equatable {}
        let value = Locked([1])
        #expect(throws: Refused()) {
            try value.withLock { (list) throws(Refused) in
                list.append(2)
                throw Refused()
            }
        }
        #expect(value.withLock { $0 } == [1, 2])
    }

    @Test("The value is released with the lock")
    func release() {
        final class Canary: Sendable {
            let released: Locked<Bool>
            init(_ released: Locked<Bool>) { self.released = released }
            deinit { released.withLock { $0 = true } }
        }
        let released = Locked(false)
        do {
            let holder = Locked(Canary(released))
            #expect(!released.withLock { $0 })
            _ = holder
        }
        #expect(released.withLock { $0 })
    }

    @Test("It holds values that cannot be copied")
    func noncopyable() {
        struct Ticket: ~Copyable {
            var number: Int
        }
        let ticket = Locked(Ticket(number: 1))
        ticket.withLock { $0.number += 1 }
        #expect(ticket.withLock { $0.number } == 2)
    }
}
