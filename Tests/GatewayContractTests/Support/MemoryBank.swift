import GatewayKitCore

/// Moves money in memory, with at most one mistake: for the cases of payments, which need no network.
final class MemoryBank: Charging, Capturing, Voiding, Refunding, PaymentLookup {
    enum Mistake: String, Sendable, CaseIterable {
        case tenthOfTheAmount, declineAsUnknown, childWithoutParent, finderOfAnything, blindFinder, noWitness
    }

    private let account: AccountName
    private let mistake: Mistake?
    private let declined: Money
    private let records = Locked<[PaymentRecord]>([])

    init(_ account: AccountName, declining declined: Money, _ mistake: Mistake? = nil) {
        self.account = account
        self.declined = declined
        self.mistake = mistake
    }

    var capabilities: PaymentCapabilities {
        var capabilities = PaymentCapabilities()
        capabilities.charging = self
        capabilities.capturing = self
        capabilities.voiding = self
        capabilities.refunding = self
        capabilities.lookup = self
        return capabilities
    }

    private func record(
        _ kind: PaymentRecord.Kind, _ amount: Money, _ ownReference: String, parent: String? = nil
    ) -> PaymentRecord {
        records.withLock { [account, mistake] records in
            var record = PaymentRecord(id: "tx_\(records.count)", account: account, kind: kind, state: .succeeded)
            record.amount = amount
            if mistake == .tenthOfTheAmount {
                record.amount = Money(minorUnits: amount.minorUnits / 10, currency: amount.currency)
            }
            record.ownReference = ownReference
            record.parentID = mistake == .childWithoutParent && parent != nil ? "tx_of_another" : parent
            records.append(record)
            return record
        }
    }

    func charge(_ request: PaymentRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        guard request.amount != declined else {
            let words: SafeText = "Not enough money."
            guard mistake == .declineAsUnknown else {
                return .declined(Decline(.cardDeclined, providerCode: "51", message: words), nil)
            }
            return .unknown(
                PaymentReference(account: account, ownReference: request.ownReference),
                cause: GatewayError(.timedOut, message: words, advice: "It may have been paid.", reach: .sent))
        }
        let kind: PaymentRecord.Kind = request.kind == .authorize ? .authorization : .purchase
        return .approved(record(kind, request.amount, request.ownReference))
    }

    func resume(_ payment: PaymentReference, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        .unknown(payment, cause: GatewayError(.notFound, message: "None.", advice: "It may have been paid."))
    }

    func capture(_ request: ChildRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        .approved(record(.capture, request.amount, request.ownReference, parent: request.payment.providerID))
    }

    func void(_ request: ChildRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        .approved(record(.void, request.amount, request.ownReference, parent: request.payment.providerID))
    }

    func refund(_ request: ChildRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        .approved(record(.refund, request.amount, request.ownReference, parent: request.payment.providerID))
    }

    func find(
        _ reference: PaymentReference, since: WallTime, _ call: CallContext
    ) async throws(GatewayError) -> PaymentFinding {
        records.withLock { [mistake] records in
            let found = records.first {
                $0.id == reference.providerID || $0.ownReference == reference.ownReference
            }
            if mistake == .finderOfAnything, let last = records.last { return .found(last) }
            if let found, mistake != .blindFinder { return .found(found) }
            return .absent(witnesses: mistake == .noWitness ? [] : records.map(\.id))
        }
    }

    func page(after cursor: String?, _ call: CallContext) async throws(GatewayError) -> PaymentPage {
        PaymentPage(records: records.withLock { $0.reversed() }, next: nil)
    }

    var longestProcessingTime: Duration { .seconds(60) }
}
