import GatewayKitCore
import GatewayPayments

/// A provider with a ledger of its own, and a script of what becomes of the calls that move money.
final class ScriptedProvider: Charging, Crediting, Capturing, Voiding, Refunding, PaymentLookup {
    enum Step: Sendable {
        case approve
        case approvePart(Int64)
        case approveOther(Int64)
        case decline
        case invalid
        case pending
        /// Done, but the answer is lost.
        case lostAfter
        /// Not done, and the answer is lost.
        case lostBefore
        case notSent
        /// Refused, or done before and therefore refused: the adapter cannot tell.
        case unclearRefusal(done: Bool)
        /// Waits for ``release()``, then approves.
        case wait
    }

    struct Sent: Sendable, Equatable {
        let reference: String
        let kind: PaymentRecord.Kind
        let amount: Money?
        let parent: String?
    }

    private struct State {
        var steps: [Step] = []
        var sent: [Sent] = []
        var records: [PaymentRecord] = []
        var isReleased = false
        var looks = 0
        var lookError: GatewayError?
        var hidden: Set<String> = []
        var forgetsReferences = false
        var pageError: GatewayError?
    }

    private let state = Locked(State())
    private let wall: TestWall
    let account: AccountName
    let longestProcessingTime = Duration.seconds(600)

    init(_ wall: TestWall, account: AccountName = StoreBench.account) {
        self.wall = wall
        self.account = account
    }

    var sent: [Sent] { state.withLock { $0.sent } }
    var records: [PaymentRecord] { state.withLock { $0.records } }
    var looks: Int { state.withLock { $0.looks } }

    func plan(_ steps: Step...) { state.withLock { $0.steps += steps } }
    func release() { state.withLock { $0.isReleased = true } }
    func fail(_ error: GatewayError?) { state.withLock { $0.lookError = error } }
    func failNextPage(_ error: GatewayError) { state.withLock { $0.pageError = error } }
    func hide(_ id: String) { state.withLock { _ = $0.hidden.insert(id) } }
    func forgetReferences() { state.withLock { $0.forgetsReferences = true } }

    /// Something that happened at the provider without us.
    func add(_ record: PaymentRecord) { state.withLock { $0.records.append(record) } }
    func change(_ id: String, _ edit: @Sendable (inout PaymentRecord) -> Void) {
        state.withLock { state in
            guard let index = state.records.firstIndex(where: { $0.id == id }) else { return }
            edit(&state.records[index])
        }
    }

    var gateway: Gateway {
        var payments = PaymentCapabilities()
        payments.charging = self
        payments.crediting = self
        payments.capturing = self
        payments.voiding = self
        payments.refunding = self
        payments.lookup = self
        return Gateway(account: account, provider: "test", payments: payments)
    }

    func charge(_ request: PaymentRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        let kind: PaymentRecord.Kind =
            switch request.kind {
            case .purchase: .purchase
            case .authorize: .authorization
            case .verify: .verification
            }
        return try await move(request.ownReference, kind, request.amount, nil)
    }

    func credit(_ request: PaymentRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        try await move(request.ownReference, .credit, request.amount, nil)
    }

    func resume(_ payment: PaymentReference, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        let record = records.first { $0.ownReference == payment.ownReference }
        guard let record else { return .unknown(payment, cause: lost(payment.ownReference)) }
        switch next() {
        case .notSent: throw nothing
        case .pending: return .pending(.redirect(method: .get, url: "https://acs.example/", fields: []), record)
        case .lostAfter:
            change(record.id) { $0.state = .succeeded }
            return .unknown(payment, cause: lost(payment.ownReference))
        case .decline:
            change(record.id) { $0.state = .failed }
            return .declined(Decline(.authenticationFailed, providerCode: nil, message: "no"), record)
        default:
            change(record.id) { $0.state = .succeeded }
            var done = record
            done.state = .succeeded
            return .approved(done)
        }
    }

    func capture(_ request: ChildRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        try await move(request.ownReference, .capture, request.amount, request.payment.providerID)
    }

    func void(_ request: ChildRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        try await move(request.ownReference, .void, nil, request.payment.providerID)
    }

    func refund(_ request: ChildRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        try await move(request.ownReference, .refund, request.amount, request.payment.providerID)
    }

    func find(
        _ reference: PaymentReference, since: WallTime, _ call: CallContext
    ) async throws(GatewayError) -> PaymentFinding {
        let (records, hidden, error) = state.withLock { state in
            state.looks += 1
            return (state.records, state.hidden, state.lookError)
        }
        if let error { throw error }
        let visible = records.filter { !hidden.contains($0.id) }
        let found = visible.first { record in
            if let id = reference.providerID { return record.id == id }
            return record.ownReference == reference.ownReference
        }
        guard var found else { return .absent(witnesses: reference.providerID == nil ? visible.map(\.id) : []) }
        found.children = visible.filter { $0.parentID == found.id }
        return .found(found)
    }

    func page(after cursor: String?, _ call: CallContext) async throws(GatewayError) -> PaymentPage {
        let error = state.withLock { state in
            defer { state.pageError = nil }
            return state.pageError
        }
        if let error { throw error }
        let all = Array(records.reversed())
        let start = cursor.flatMap { Int($0) } ?? 0
        let page = Array(all.dropFirst(start).prefix(2))
        return PaymentPage(records: page, next: start + 2 < all.count ? String(start + 2) : nil)
    }

    private func next() -> Step {
        state.withLock { $0.steps.isEmpty ? .approve : $0.steps.removeFirst() }
    }

    private var nothing: NothingMoved {
        NothingMoved(nothingSent: .unreachable, message: "Nobody is there.", advice: "Try again.")
    }

    private func lost(_ reference: String) -> GatewayError {
        GatewayError(.connectionLost, message: "The answer was lost.", advice: "Look.", reach: .sent)
    }

    private func move(
        _ reference: String, _ kind: PaymentRecord.Kind, _ amount: Money?, _ parent: String?
    ) async throws(NothingMoved) -> PaymentResult {
        let sent = Sent(reference: reference, kind: kind, amount: amount, parent: parent)
        let (step, number, forgets) = state.withLock { state in
            let step = state.steps.isEmpty ? Step.approve : state.steps.removeFirst()
            state.sent.append(sent)
            return (step, state.sent.count, state.forgetsReferences)
        }
        var record = PaymentRecord(id: "T\(number)", account: account, kind: kind, state: .succeeded)
        record.amount = kind == .verification ? nil : amount
        record.ownReference = forgets ? nil : reference
        record.parentID = parent
        record.createdAt = wall.now
        let unknown = PaymentReference(account: account, ownReference: reference)
        switch step {
        case .approve: break
        case .approvePart(let units), .approveOther(let units):
            record.amount = amount.map { Money(minorUnits: units, currency: $0.currency) }
        case .decline:
            record.state = .failed
            add(record)
            return .declined(Decline(.insufficientFunds, providerCode: "51", message: "no money"), record)
        case .invalid: return .invalid([FieldIssue(.token, .notAccepted, message: "no such token")])
        case .pending:
            record.state = .pending
            add(record)
            return .pending(.redirect(method: .get, url: "https://acs.example/", fields: []), record)
        case .lostAfter:
            add(record)
            return .unknown(unknown, cause: lost(reference))
        case .lostBefore: return .unknown(unknown, cause: lost(reference))
        case .unclearRefusal(let isDone):
            record.state = isDone ? .succeeded : .failed
            add(record)
            let cause = GatewayError(.requestRefused, message: "Refused.", advice: "Look.", reach: .answered)
            return .unknown(unknown, cause: cause)
        case .notSent: throw nothing
        case .wait:
            while !state.withLock({ $0.isReleased }) { await Task.yield() }
        }
        add(record)
        return .approved(record)
    }
}

/// A store that fails when it is told to.
final class FailingStore: PaymentStore {
    private let inner: any PaymentStore
    private let failing = Locked<Set<String>>([])
    private let hook = Locked<(@Sendable (AttemptState) -> Void)?>(nil)

    init(_ inner: any PaymentStore) { self.inner = inner }

    /// Is called after each step.
    func after(_ work: @escaping @Sendable (AttemptState) -> Void) { hook.withLock { $0 = work } }

    func fail(_ calls: Set<String>) { failing.withLock { $0 = calls } }

    private func check(_ call: String) throws(PaymentStoreError) {
        if failing.withLock({ $0.contains(call) || $0.contains("*") }) {
            throw PaymentStoreError(.unavailable, "The disk is gone.")
        }
    }

    func now() async throws(PaymentStoreError) -> WallTime {
        try check("now")
        return try await inner.now()
    }
    func open(_ intent: PaymentIntent, _ new: NewAttempt) async throws(PaymentStoreError) -> OpenVerdict {
        try check("open")
        return try await inner.open(intent, new)
    }
    func openChild(of payment: AttemptID, _ new: NewAttempt) async throws(PaymentStoreError) -> OpenVerdict {
        try check("openChild")
        return try await inner.openChild(of: payment, new)
    }
    func advance(
        _ id: AttemptID, from version: Int64, _ change: AttemptChange, holding lease: AttemptLease?
    ) async throws(PaymentStoreError) -> AdvanceVerdict {
        try check("advance \(change.state.rawValue)")
        let verdict = try await inner.advance(id, from: version, change, holding: lease)
        hook.withLock { $0 }?(change.state)
        return verdict
    }
    func attempt(_ id: AttemptID) async throws(PaymentStoreError) -> PaymentAttempt? {
        try check("attempt")
        return try await inner.attempt(id)
    }
    func attempt(providerID: String, account: AccountName) async throws(PaymentStoreError) -> PaymentAttempt? {
        try check("attempt")
        return try await inner.attempt(providerID: providerID, account: account)
    }
    func intent(_ id: String) async throws(PaymentStoreError) -> StoredIntent? { try await inner.intent(id) }
    func attempts(_ filter: AttemptFilter) async throws(PaymentStoreError) -> [PaymentAttempt] {
        try await inner.attempts(filter)
    }
    func history(of id: AttemptID) async throws(PaymentStoreError) -> [AttemptEvent] {
        try await inner.history(of: id)
    }
    func remark(_ id: AttemptID, by: String, _ text: SafeText) async throws(PaymentStoreError) {
        try await inner.remark(id, by: by, text)
    }
    func giveUp(_ intentID: String, by: String) async throws(PaymentStoreError) -> StoredIntent? {
        try await inner.giveUp(intentID, by: by)
    }
    func lease(
        _ id: AttemptID, worker: String, for duration: Duration
    ) async throws(PaymentStoreError) -> AttemptLease? {
        try await inner.lease(id, worker: worker, for: duration)
    }
    func giveBack(_ lease: AttemptLease, lookAgainAfter wait: Duration) async throws(PaymentStoreError) {
        try await inner.giveBack(lease, lookAgainAfter: wait)
    }
    func purge(settledBefore time: WallTime) async throws(PaymentStoreError) -> Int {
        try await inner.purge(settledBefore: time)
    }
}

/// A service over a scripted provider. Its time limits are long: tests of other suites may keep the shared threads busy
/// for many seconds.
struct ServiceBench {
    let wall = TestWall()
    let provider: ScriptedProvider
    let store: FailingStore
    let service: PaymentService

    init() {
        provider = ScriptedProvider(wall)
        store = FailingStore(InMemoryPaymentStore(clock: wall.clock))
        service = PaymentService(
            gateway: provider.gateway, store: store, authenticator: TestAuthenticator(), timeout: .seconds(300))
    }

    /// Another process on the same journal.
    func another() -> PaymentService {
        PaymentService(
            gateway: provider.gateway, store: store, authenticator: TestAuthenticator(), timeout: .seconds(300))
    }

    @discardableResult
    func pay(
        _ key: String? = "k1", order: String = "order-1", _ kind: PaymentRequest.Kind = .purchase,
        amount: Money = StoreBench.usd(1_000), token: String = "token-1", limit: Duration = .seconds(300),
        by other: PaymentService? = nil
    ) async throws -> PaymentOutcome {
        try await (other ?? service).start(
            try StoreBench.intent(order, amount), PaymentInstruction(kind, token: token, key: key),
            CallContext(timeout: limit))
    }

    func state(_ order: String = "order-1") async throws -> [AttemptState] {
        try await store.intent(order)?.attempts.map(\.state) ?? []
    }

    var reconciler: Reconciler { Reconciler(service, worker: "worker") }
}

extension PaymentResult {
    var approvedID: String? { if case .approved(let record) = self { record.id } else { nil } }
    var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// What `NothingMoved` a call ended with.
func nothingMoved(_ work: () async throws -> Void) async -> NothingMoved? {
    do {
        try await work()
        return nil
    } catch {
        return error as? NothingMoved
    }
}
