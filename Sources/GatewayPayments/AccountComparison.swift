public import GatewayKitCore

/// What an account did in a period, compared with the journal.
public struct AccountComparison: Sendable, Equatable {
    /// Payments that the provider has and the journal has not. Failed ones do not count.
    public internal(set) var strangers: [PaymentRecord] = []
    /// Transactions that succeeded at the provider and are over in the journal without having been approved.
    public internal(set) var contradictions: [Contradiction] = []
    /// Transactions that carry the reference of an attempt whose transaction is another one: a provider, or a machine on
    /// the way to it, did one request twice.
    public internal(set) var duplicates: [Contradiction] = []
    /// How many of the provider's records lie in the period.
    public internal(set) var compared = 0
    /// Whether the provider's list was read back to the beginning of the period.
    public internal(set) var isComplete = false

    /// A record and the attempt that says otherwise.
    public struct Contradiction: Sendable, Equatable {
        /// What the provider has.
        public let record: PaymentRecord
        /// What the journal has.
        public let attempt: PaymentAttempt
    }
}

extension PaymentService {
    /// Reads what the account did from `start` up to `end` and compares it with the journal. A read; may be repeated.
    ///
    /// A rate limit is waited out on the service's clock.
    ///
    /// - Parameter pages: How many pages are read at the most.
    /// - Throws: ``GatewayError`` when there is no usable answer, or the journal cannot be used.
    public func compare(
        from start: WallTime, to end: WallTime, pages: Int = 1_000, _ call: CallContext = CallContext()
    ) async throws(GatewayError) -> AccountComparison {
        guard let lookup = gateway.payments.lookup else { throw unsupported("list payments").error }
        var comparison = AccountComparison()
        var cursor: String?
        for _ in 0..<max(1, pages) {
            let page = try await page(lookup, after: cursor, call)
            for record in page.records {
                guard let made = record.createdAt, made >= start, made < end else { continue }
                comparison.compared += 1
                try await compare(record, &comparison)
            }
            let oldest = page.records.compactMap(\.createdAt).min()
            if page.next == nil || (oldest.map { $0 < start } ?? false) {
                comparison.isComplete = true
                break
            }
            cursor = page.next
        }
        return comparison
    }

    private func compare(_ record: PaymentRecord, _ comparison: inout AccountComparison) async throws(GatewayError) {
        guard record.state != .failed else { return }
        do {
            var known = try await store.attempt(providerID: record.id, account: gateway.account)
            if known == nil, let reference = record.ownReference {
                known = try await store.attempt(AttemptID(reading: reference))
            }
            guard let known, known.account == gateway.account else {
                comparison.strangers.append(record)
                return
            }
            if let id = known.providerID, id != record.id {
                comparison.duplicates.append(AccountComparison.Contradiction(record: record, attempt: known))
                return
            }
            if record.state == .succeeded, !known.state.isOpen, known.state != .approved {
                comparison.contradictions.append(AccountComparison.Contradiction(record: record, attempt: known))
            }
        } catch {
            throw refuse(.unreachable, "The journal cannot be used: \(error.message)", "Mend it, then try again.").error
        }
    }

    private func page(
        _ lookup: any PaymentLookup, after cursor: String?, _ call: CallContext
    ) async throws(GatewayError) -> PaymentPage {
        var waits = 0
        while true {
            do throws(GatewayError) {
                return try await lookup.page(after: cursor, call)
            } catch {
                guard error.code == .rateLimited, waits < 20 else { throw error }
                waits += 1
                let wait = error.answer?.retryAfter ?? .seconds(10)
                do { try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil) } catch {
                    throw cancelled
                }
            }
        }
    }

    private var cancelled: GatewayError {
        refuse(.cancelled, "The comparison was cancelled.", "Nothing was changed.").error
    }
}
