import GatewayKitCore
import GatewayPayments
import GatewayStoreSQLite
import Glibc
import Testing

/// A wall clock that stands still until it is moved.
final class TestWall: Sendable {
    private let seconds: Locked<Int64>

    init(_ start: Int64 = 1_900_000_000) { seconds = Locked(start) }

    var clock: WallClock { WallClock { [self] in now } }
    var now: WallTime { WallTime(secondsSince1970: seconds.withLock { $0 }) }
    func move(_ by: Int64) { seconds.withLock { $0 += by } }
}

/// A folder that goes with the value.
final class TestFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/gatewaykit-journal-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? "/proc/nonexistent"
        }
    }

    deinit {
        for name in ["/journal.sqlite", "/journal.sqlite-journal", "/other"] { unlink(path + name) }
        rmdir(path)
    }

    var journal: String { path + "/journal.sqlite" }

    func bytes() -> [UInt8] {
        guard let file = fopen(journal, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[0..<count]
        }
    }
}

/// The stores that every test of stores runs on.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case sqlite

    var testDescription: String { rawValue }
}

/// A store on a clock of the test's.
struct StoreBench {
    let store: any PaymentStore
    let wall = TestWall()
    let folder = TestFolder()

    init(_ kind: StoreKind) throws {
        switch kind {
        case .memory: store = InMemoryPaymentStore(clock: wall.clock)
        case .sqlite: store = try SQLitePaymentStore(path: folder.journal, clock: wall.clock)
        }
    }

    static func usd(_ cents: Int64) -> Money { Money(minorUnits: cents, currency: .usd) }

    static func intent(_ id: String = "order-1", _ amount: Money = usd(1_000)) throws -> PaymentIntent {
        try PaymentIntent(id: id, amount: amount, orderReference: "R-" + id, account: account)
    }

    static let account = AccountName("test" as ProviderID)

    static func new(_ key: String, _ kind: PaymentAttempt.Kind = .purchase, amount: Money? = nil) -> NewAttempt {
        var new = NewAttempt(id: AttemptID(reading: "a-" + key), kind: kind, key: key, fingerprint: [1, 2, 3])
        new.amount = amount
        return new
    }

    static func change(_ state: AttemptState, _ amount: Money? = nil, id: String? = nil) -> AttemptChange {
        var change = AttemptChange(to: state, by: "test", note: "by the test")
        if state == .sending || state == .resuming { change.answerWithin = .seconds(30) }
        if let id {
            var record = PaymentRecord(id: id, account: account, kind: .purchase, state: .succeeded)
            record.amount = amount
            change.record = record
        }
        return change
    }

    /// Begins an attempt and takes it along `states`.
    func walk(
        _ key: String, _ states: [AttemptState], intent: PaymentIntent? = nil, kind: PaymentAttempt.Kind = .purchase
    ) async throws -> PaymentAttempt {
        let opened = try await store.open(try intent ?? Self.intent(), Self.new(key, kind))
        return try await walk(try opened.attempt, states)
    }

    func walk(_ attempt: PaymentAttempt, _ states: [AttemptState]) async throws -> PaymentAttempt {
        var attempt = attempt
        for state in states {
            let change = Self.change(
                state, state == .approved ? attempt.amount : nil, id: state == .approved ? "p-\(attempt.id)" : nil)
            attempt = try await store.advance(attempt.id, from: attempt.version, change, holding: nil).attempt
        }
        return attempt
    }

    /// A child of a payment, taken along `states`.
    func child(
        _ payment: PaymentAttempt, _ key: String, _ kind: PaymentAttempt.Kind, _ amount: Money? = nil,
        _ states: [AttemptState] = [.sending, .approved]
    ) async throws -> PaymentAttempt {
        try await walk(try await store.openChild(of: payment.id, Self.new(key, kind, amount: amount)).attempt, states)
    }
}

struct Unexpected: Error {
    let what: String
}

extension OpenVerdict {
    var attempt: PaymentAttempt {
        get throws {
            guard case .opened(let attempt) = self else { throw Unexpected(what: "\(self)") }
            return attempt
        }
    }
    var existing: PaymentAttempt? { if case .existing(let attempt) = self { attempt } else { nil } }
    var refusal: OpenRefusal? { if case .refused(let reason) = self { reason } else { nil } }
}

extension AdvanceVerdict {
    var attempt: PaymentAttempt {
        get throws {
            guard case .done(let attempt) = self else { throw Unexpected(what: "\(self)") }
            return attempt
        }
    }
    var isDone: Bool { if case .done = self { true } else { false } }
}

/// The ways to get to each state.
extension AttemptState {
    var way: [AttemptState] {
        switch self {
        case .prepared: []
        case .sending: [.sending]
        case .pending: [.sending, .pending]
        case .resuming: [.sending, .pending, .resuming]
        case .approved: [.sending, .approved]
        case .declined: [.sending, .declined]
        case .nothingMoved: [.sending, .nothingMoved]
        case .unknown: [.sending, .unknown]
        case .abandoned: [.abandoned]
        }
    }
}

/// A MAC that is good enough to tell requests of a test apart.
struct TestAuthenticator: MessageAuthenticator {
    func authenticationCode(of message: [UInt8]) -> [UInt8] {
        var hashes: [UInt64] = [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4]
        for byte in message {
            for index in hashes.indices { hashes[index] = (hashes[index] ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return hashes.flatMap { hash in (0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) } }
    }
}
