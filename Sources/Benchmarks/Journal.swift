import GatewayCrypto
import GatewayKitCore
import GatewayPayments
import GatewayStoreSQLite

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What the journal costs per payment: a service over a provider that approves at once, with each store.
enum Journal {
    static func measure(seconds: Int, into report: inout Report) async throws(BenchmarkFailure) {
        let share = Double(seconds) / 4
        var rows: [Report.Row] = []
        for (name, inFlight, onDisk) in [
            ("in memory, 1 in flight", 1, false), ("SQLite, 1 in flight", 1, true), ("SQLite, 64 in flight", 64, true),
        ] {
            rows.append(try await run(name, inFlight: inFlight, onDisk: onDisk, seconds: share))
        }
        rows.append(try await settle())
        report.sections.append(
            Report.Section(
                key: "journal", title: "Payments through the journal, without a network",
                notes: [
                    "Each payment is three durable transactions: begun, claimed, answered. The file is in /tmp.",
                    "The last row is the reconciler settling unknown payments, one after the other.",
                ], rows: rows))
    }

    private static func run(
        _ name: String, inFlight: Int, onDisk: Bool, seconds: Double
    ) async throws(BenchmarkFailure) -> Report.Row {
        let folder = try Folder()
        defer { folder.remove() }
        let service = try service(onDisk ? folder.journal : nil, answers: true)
        let start = Meter.now
        let end = start + UInt64(seconds * 1e9)
        let samples = await withTaskGroup(of: [UInt64].self) { group in
            for worker in 0..<inFlight {
                group.addTask {
                    var samples: [UInt64] = []
                    var number = 0
                    while Meter.now < end {
                        let began = Meter.now
                        if await pay(service, "\(worker)-\(number)") { samples.append(Meter.now - began) }
                        number += 1
                    }
                    return samples
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        let rate = Double(samples.count) / (Double(Meter.now - start) / 1e9)
        return Report.Row(
            name: name,
            cells: Samples(nanoseconds: samples).columns + [.number("perSecond", "per second", rate, digits: 0)])
    }

    private static func settle() async throws(BenchmarkFailure) -> Report.Row {
        let folder = try Folder()
        defer { folder.remove() }
        let service = try service(folder.journal, answers: false)
        for number in 0..<500 { _ = await pay(service, "\(number)") }
        let start = Meter.now
        let report: ReconcileReport
        do throws(PaymentStoreError) {
            report = try await Reconciler(service, worker: "benchmark").run()
        } catch {
            throw BenchmarkFailure("the journal cannot be used")
        }
        let passed = Meter.now - start
        let settled = report.entries.count { $0.result == .settled }
        guard settled == 500 else { throw BenchmarkFailure("\(settled) of 500 payments were settled") }
        return Report.Row(
            name: "settled by the reconciler",
            cells: Samples(nanoseconds: [passed / 500]).columns + [
                .number("perSecond", "per second", 500 / (Double(passed) / 1e9), digits: 0)
            ])
    }

    private static func pay(_ service: PaymentService, _ id: String) async -> Bool {
        guard
            let intent = try? PaymentIntent(
                id: id, amount: Money(minorUnits: 1_000, currency: .usd), account: InstantProvider.account)
        else { return false }
        let outcome = try? await service.start(intent, PaymentInstruction(.purchase, token: "token", key: id))
        return outcome?.result.outcomeName == "approved"
    }

    private static func service(_ path: String?, answers: Bool) throws(BenchmarkFailure) -> PaymentService {
        do {
            let store: any PaymentStore = try path.map { try SQLitePaymentStore(path: $0) } ?? InMemoryPaymentStore()
            return PaymentService(
                gateway: InstantProvider(answers: answers).gateway, store: store,
                authenticator: KeyedAuthenticator(key: SecretBytes(Array(repeating: 7, count: 32))))
        } catch {
            throw BenchmarkFailure("the journal cannot be opened")
        }
    }

    /// A folder for one journal.
    private struct Folder {
        let path: String
        var journal: String { path + "/journal.sqlite" }

        init() throws(BenchmarkFailure) {
            var template = Array("/tmp/gatewaykit-benchmark-XXXXXX".utf8CString)
            let made = template.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
            }
            guard let made else { throw BenchmarkFailure("there is no place for a journal") }
            path = made
        }

        func remove() {
            unlink(journal)
            unlink(journal + "-journal")
            rmdir(path)
        }
    }
}

/// Does every payment at once, and answers or loses the answer.
private struct InstantProvider: Charging, PaymentLookup {
    static let account = AccountName("benchmark" as ProviderID)

    let answers: Bool
    let longestProcessingTime = Duration.seconds(600)

    var gateway: Gateway {
        var payments = PaymentCapabilities()
        payments.charging = self
        payments.lookup = self
        return Gateway(account: Self.account, provider: "benchmark", payments: payments)
    }

    private func record(_ reference: String) -> PaymentRecord {
        var record = PaymentRecord(id: "T" + reference, account: Self.account, kind: .purchase, state: .succeeded)
        record.amount = Money(minorUnits: 1_000, currency: .usd)
        record.ownReference = reference
        return record
    }

    func charge(_ request: PaymentRequest, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        guard !answers else { return .approved(record(request.ownReference)) }
        let lost = GatewayError(.connectionLost, message: "Lost.", advice: "Look.", reach: .sent)
        return .unknown(PaymentReference(account: Self.account, ownReference: request.ownReference), cause: lost)
    }

    func resume(_ payment: PaymentReference, _ call: CallContext) async throws(NothingMoved) -> PaymentResult {
        .approved(record(payment.ownReference))
    }

    func find(
        _ reference: PaymentReference, since: WallTime, _ call: CallContext
    ) async throws(GatewayError) -> PaymentFinding {
        .found(record(reference.ownReference))
    }

    func page(after cursor: String?, _ call: CallContext) async throws(GatewayError) -> PaymentPage {
        PaymentPage(records: [], next: nil)
    }
}
