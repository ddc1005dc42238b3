import GatewayKitCore

/// Finds payments at Spreedly again (API V1, "Show" and "List transactions").
///
/// A payment by its id is one call; what was done to it afterwards, and a payment by its own reference, take reading the
/// list from the newest entry back, which Spreedly limits to 30 calls a minute.
struct SpreedlyPaymentLookup: PaymentLookup {
    let client: SpreedlyClient
    let pace: SpreedlyListPace

    /// Spreedly's own client waits 66 seconds for calls that go to a gateway; the rest is for gateways that take longer
    /// and for queues.
    let longestProcessingTime: Duration = .seconds(600)

    /// API V1, "List": at most 100.
    private static let pageSize = 100
    /// How far Spreedly's clock may be from ours, in seconds.
    private static let clockMargin: Int64 = 300

    func find(
        _ reference: PaymentReference, since: WallTime, _ context: CallContext
    ) async throws(GatewayError) -> PaymentFinding {
        guard reference.accountName == client.account.name.description else {
            throw client.unusable(
                "The payment belongs to account \(reference.accountName).", "Nothing was sent. Use that account.")
        }
        return try await ending("spreedly.find", context) { call throws(GatewayError) in
            if let id = reference.providerID {
                return try await find(id: id, reference, since, call)
            }
            return try await find(ownReference: reference.ownReference, since, call)
        } outcome: { finding in
            if case .found = finding { "found" } else { "absent" }
        }
    }

    func page(after cursor: String?, _ context: CallContext) async throws(GatewayError) -> PaymentPage {
        if let cursor, !PaymentToken.isWellFormed(id: cursor) {
            throw client.unusable("This is no cursor.", "Nothing was sent. Use one that a page gave.")
        }
        return try await ending("spreedly.list-payments", context) { call throws(GatewayError) in
            let (page, records) = try await list(after: cursor, "spreedly.list-payments", call)
            let payments = page.transactions.filter { !$0.isVaultOnly }
            return PaymentPage(records: payments.compactMap(records.record), next: page.next)
        } outcome: { _ in
            "page"
        }
    }

    // MARK: - By id

    private func find(
        id: String, _ reference: PaymentReference, _ since: WallTime, _ call: Call
    ) async throws(GatewayError) -> PaymentFinding {
        guard PaymentToken.isWellFormed(id: id) else {
            throw client.unusable("This is no id of a payment.", "Nothing was sent. Correct it.")
        }
        let request = try client.vaultRequest("spreedly.find", .get, ["transactions", id + ".json"])
        let records = SpreedlyPaymentRecords(facts: try await facts(request, call))
        guard !records.saysNotFound else { return .absent(witnesses: []) }
        let shown = try records.shown()
        guard let record = records.record(shown), record.id == id else {
            throw contradiction(call, "Spreedly's answer is about another transaction than the one asked for.")
        }
        let isChargeable = [.purchase, .authorization, .capture].contains(record.kind)
        guard record.state == .succeeded, isChargeable else { return .found(record) }
        // Nothing can have been done to it before it was made.
        let bound = [since, record.createdAt].compactMap { $0 }.max() ?? since
        let seen = try await read(backTo: bound, call)
        return .found(SpreedlyPaymentTree(seen.map(\.record)).completed(record))
    }

    // MARK: - By the attempt's own reference

    private func find(
        ownReference: String, _ since: WallTime, _ call: Call
    ) async throws(GatewayError) -> PaymentFinding {
        let seen = try await read(backTo: since, call)
        let matches = seen.filter { $0.record.ownReference == ownReference }.map(\.record)
        let live = matches.filter { $0.state != .failed }
        guard live.count < 2 else {
            throw contradiction(
                call, "Spreedly has more than one transaction with this reference: it may have been charged twice.")
        }
        if let found = live.first ?? matches.first {
            return .found(SpreedlyPaymentTree(seen.map(\.record)).completed(found))
        }
        // One that lost its reference may be the one looked for, if it was made while that was under way.
        let end = since.adding(seconds: longestProcessingTime.components.seconds + Self.clockMargin)
        let isObscured = seen.contains { entry in
            entry.record.ownReference == nil && entry.record.createdAt.map { $0 <= end } ?? true
        }
        guard !isObscured else {
            throw contradiction(
                call, "Spreedly has transactions of that time without a reference: one of them may be the payment.")
        }
        return .absent(witnesses: seen.map(\.record.id))
    }

    // MARK: - The list

    private typealias Seen = (record: PaymentRecord, transaction: SpreedlyPaymentTransaction)

    /// Every payment from now back to `since`, newest first.
    private func read(backTo since: WallTime, _ call: Call) async throws(GatewayError) -> [Seen] {
        let bound = since.adding(seconds: -Self.clockMargin)
        var seen: [Seen] = []
        var cursor: String?
        while true {
            let (page, records) = try await list(after: cursor, "spreedly.find", call)
            for transaction in page.transactions {
                if let created = transaction.createdAt, created < bound { return seen }
                if !transaction.isVaultOnly, let record = records.record(transaction) {
                    seen.append((record, transaction))
                }
            }
            guard let next = page.next, next != cursor else { return seen }
            cursor = next
        }
    }

    private func list(
        after cursor: String?, _ operation: WireRequest.Operation, _ call: Call
    ) async throws(GatewayError) -> (SpreedlyPaymentRecords.Page, SpreedlyPaymentRecords) {
        var query = [(name: "order", value: "desc"), (name: "count", value: String(Self.pageSize))]
        if let cursor { query.insert((name: "since_token", value: cursor), at: 0) }
        let request = try client.vaultRequest(operation, .get, ["transactions.json"], query: query)
        guard await pace.admit(before: call.deadline) else {
            throw GatewayError(
                .rateLimited, message: "Spreedly's limit for lists leaves no call within the time limit.",
                advice: "Nothing was sent. Wait a minute, or give the look-up more time.",
                account: client.account.name, operation: operation)
        }
        let records = SpreedlyPaymentRecords(facts: try await facts(request, call))
        return (try records.page(Self.pageSize), records)
    }

    private func facts(_ request: WireRequest, _ call: Call) async throws(GatewayError) -> SpreedlyAnswerFacts {
        switch await client.answer(request, call) {
        case .success(let response):
            return client.facts(response, request, call, nothingHappened: "Nothing was changed.")
        case .failure(let error):
            throw GatewayError(error, in: call)
        }
    }

    private func contradiction(_ call: Call, _ message: SafeText) -> GatewayError {
        GatewayError(
            .unreadableAnswer, message: message,
            advice: "Nothing was changed. Let a person look at the payment at Spreedly and resolve it.",
            reach: .answered, account: call.account, operation: call.operation, tries: 1)
    }

    /// One look-up from its first event to its last.
    private func ending<Value: Sendable>(
        _ operation: WireRequest.Operation, _ context: CallContext,
        _ body: (Call) async throws(GatewayError) -> Value, outcome: (Value) -> String
    ) async throws(GatewayError) -> Value {
        let call = client.pipeline.begin(operation, context)
        do throws(GatewayError) {
            let value = try await body(call)
            client.pipeline.end(call, outcome: outcome(value))
            return value
        } catch {
            client.pipeline.end(call, outcome: error.code.description, detail: error.message)
            throw error
        }
    }
}

/// Keeps lists of transactions below Spreedly's 30 a minute (API V1, "List transactions"), with some left for others who
/// use the same environment.
final class SpreedlyListPace: Sendable {
    private static let limit = 25
    private static let window = Duration.seconds(60)

    private let clock: any GatewayClock
    private let times = Locked<[ContinuousClock.Instant]>([])

    init(_ clock: any GatewayClock) { self.clock = clock }

    /// Waits for a turn; `false` when there is none before `deadline` or the task is cancelled.
    func admit(before deadline: ContinuousClock.Instant) async -> Bool {
        let now = clock.now
        let turn = times.withLock { times -> ContinuousClock.Instant? in
            times.removeAll { $0.advanced(by: Self.window) <= now }
            let turn =
                times.count < Self.limit ? now : times[times.count - Self.limit].advanced(by: Self.window)
            guard turn < deadline else { return nil }
            times.append(turn)
            return turn
        }
        guard let turn else { return false }
        guard turn > now else { return true }
        return (try? await clock.sleep(until: turn, tolerance: nil)) != nil
    }
}
