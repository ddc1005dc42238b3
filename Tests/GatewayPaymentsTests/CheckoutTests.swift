import GatewayCrypto
import GatewayKitCore
import GatewayPayments
import GatewayStoreSQLite
import Testing

/// Pages that take money: a provider with pages, and a journal in a file.
@Suite struct Checkouts {
    private struct Bench {
        let provider = ScriptedCheckout()
        let wall = TestWall()
        let folder = TestFolder()
        let key = SecretBytes(Array(0..<32))

        /// Another process on the same journal.
        func service(_ store: (any PaymentStore)? = nil, seals: Bool = true) throws -> PaymentService {
            PaymentService(
                gateway: provider.gateway(),
                store: try store ?? SQLitePaymentStore(path: folder.journal, clock: wall.clock),
                authenticator: KeyedAuthenticator(key: key), sealer: seals ? try SandboxBench.sealer(key) : nil,
                timeout: .seconds(300))
        }

        func open(
            _ key: String? = "k1", by service: PaymentService? = nil, order: String = "order-1",
            _ instruction: CheckoutInstruction? = nil
        ) async throws -> OpenedCheckout {
            var instruction =
                instruction
                ?? CheckoutInstruction(page: CheckoutPageRequest(returnURL: "https://shop.example/back"))
            instruction.key = key
            return try await (try service ?? self.service()).openCheckout(try StoreBench.intent(order), instruction)
        }

        func reconcile() async throws -> [ReconcileReport.Entry] {
            try await Reconciler(try service(), worker: "w").run().entries
        }

        func state(_ order: String = "order-1") async throws -> [AttemptState] {
            try await service().store.intent(order)?.attempts.map(\.state) ?? []
        }
    }

    private func address(_ result: PaymentResult) -> String? {
        if case .pending(.redirect(_, let url, _)?, _) = result { url } else { nil }
    }

    @Test("R1: one page of an intent is open, whoever asks for it, under any key, after any restart")
    func onePage() async throws {
        let bench = Bench()
        let first = try await bench.open()
        let page = try #require(first.page)
        #expect(first.payment.attempt.state == .pending && first.payment.attempt.usesPage && !first.payment.isJoined)
        #expect(address(first.payment.result) == page.url)
        for key in ["k1", "k2", nil] {
            let again = try await bench.open(key)
            #expect(again.page == page && again.payment.isJoined)
            #expect(again.payment.attempt.id == first.payment.attempt.id)
        }
        #expect(bench.provider.pages.count == 1)
        let session = try #require(bench.provider.sessions.first)
        #expect(session.amount == StoreBench.usd(1_000) && session.orderReference == "R-order-1")
        #expect(bench.provider.pages.first?.amount == StoreBench.usd(1_000))
        #expect(bench.folder.bytes().firstRange(of: Array("hush-hush".utf8)) == nil, "the page is sealed")
    }

    @Test("R1, R2: of many openings at once, in two processes, one page comes")
    func atOnce() async throws {
        let bench = Bench()
        bench.provider.hold(true)
        let services = [try bench.service(), try bench.service()]
        let pages = try await withThrowingTaskGroup(of: CheckoutPage?.self) { group in
            for number in 0..<10 {
                group.addTask { try await bench.open("k\(number % 3)", by: services[number % 2]).page }
            }
            while try await bench.state() != [.sending] { await Task.yield() }
            bench.provider.hold(false)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(pages).count == 1 && pages.allSatisfy { $0 != nil })
        #expect(bench.provider.pages.count == 1)
    }

    @Test("what the browser's address says changes nothing; the provider's record does", arguments: [true, false])
    func proof(_ isPaid: Bool) async throws {
        let bench = Bench()
        let opened = try await bench.open()
        let (id, page) = (opened.payment.attempt.id, try #require(opened.page))
        let service = try bench.service()
        #expect(try await service.verdict(on: "https://shop.example/back?ok=1", of: id).kind == .successCandidate)
        #expect(try await service.verdict(on: "https://elsewhere.example/", of: id).kind == .ignore)
        #expect(try await bench.state() == [.pending])
        #expect(try await service.resume(id).result.outcomeName == "pending")
        bench.provider.shopper(isPaid ? .pay : .fail, on: page)
        let settled = try await bench.service().resume(id)
        #expect(settled.result.outcomeName == (isPaid ? "approved" : "declined"))
        #expect(settled.attempt.sealedAction == nil)
        #expect(settled.attempt.providerID == (isPaid ? "P-session-1" : nil))
        #expect(await nothingMoved { _ = try await service.verdict(on: page.url, of: id) } != nil, "it is over")
        let next = try await bench.open("k2")
        #expect((next.page == nil) == isPaid)
        #expect(bench.provider.pages.count == (isPaid ? 1 : 2))
    }

    @Test("the reconciler settles a page that was paid while nobody looked")
    func reconciled() async throws {
        let bench = Bench()
        let page = try #require(try await bench.open().page)
        #expect(try await bench.reconcile().map(\.result) == [.unsettled])
        bench.provider.shopper(.begin, on: page)
        bench.wall.move(60)
        #expect(try await bench.reconcile().map(\.result) == [.unsettled])
        bench.provider.shopper(.pay, on: page)
        bench.wall.move(3_600)
        #expect(try await bench.reconcile().map(\.result) == [.settled])
        #expect(try await bench.state() == [.approved])
        let paid = try await bench.open("k2")
        #expect(paid.page == nil && paid.payment.result.approvedID == "P-session-1")
    }

    @Test("F2: paid on a page after the order was given up: a late approval")
    func late() async throws {
        let bench = Bench()
        let page = try #require(try await bench.open().page)
        _ = try await bench.service().giveUp("order-1", by: "shop")
        let again = try await bench.open("k2")
        #expect(again.page == nil && again.payment.result.outcomeName == "pending", "open, but nobody is sent there")
        #expect(address(again.payment.result) == nil)
        bench.provider.shopper(.pay, on: page)
        let entries = try await bench.reconcile()
        #expect(entries.map(\.result) == [.lateApproval] && entries.first?.attempt.isLateApproval == true)
    }

    @Test("an open page is resolved by nobody as unpaid: only one whose session is over and of which nothing is told")
    func resolved() async throws {
        let bench = Bench()
        let opened = try await bench.open()
        let id = opened.payment.attempt.id
        await #expect(throws: GatewayError.self) {
            try await bench.service().resolve(id, happened: false, by: "ada", evidence: "the shopper called")
        }
        #expect(try await bench.state() == [.pending])
        bench.provider.shopper(.outlive, on: try #require(opened.page))
        #expect(try await bench.reconcile().map(\.attempt.state) == [.unknown])
        bench.wall.move(86_400)
        _ = try await bench.reconcile()
        #expect(try await bench.state() == [.unknown], "silence proves nothing, however long")
        let attempt = try await bench.service().resolve(id, happened: false, by: "ada", evidence: "the statement")
        #expect(attempt.state == .nothingMoved)
    }

    @Test("a plan's page, of which nothing could be proven, is not opened")
    func plan() async throws {
        let bench = Bench()
        let asked = CheckoutInstruction(page: CheckoutPageRequest(surface: .subscription, planID: "plan_1"))
        await #expect(throws: NothingMoved.self) { try await bench.open("k1", asked) }
        #expect(bench.provider.sessions.isEmpty)
    }

    @Test("an expired page is unknown until nothing can turn up any more; then another may be opened")
    func expired() async throws {
        let bench = Bench()
        let opened = try await bench.open()
        bench.provider.shopper(.expire, on: try #require(opened.page))
        bench.wall.move(60)
        #expect(try await bench.reconcile().map(\.attempt.state) == [.unknown])
        bench.wall.move(600)
        #expect(try await bench.reconcile().map(\.attempt.state) == [.unknown])
        #expect(try await bench.open("k2").page == nil)
        bench.wall.move(3_600)
        #expect(try await bench.reconcile().map(\.attempt.state) == [.nothingMoved])
        #expect(try await bench.open("k2").page?.session.id == "session-2")
    }

    @Test("a payment that turns up after the page has expired counts")
    func paidAtTheEnd() async throws {
        let bench = Bench()
        let page = try #require(try await bench.open().page)
        bench.provider.shopper(.expire, on: page)
        #expect(try await bench.reconcile().map(\.attempt.state) == [.unknown])
        bench.provider.shopper(.pay, on: page)
        bench.wall.move(60)
        #expect(try await bench.reconcile().map(\.attempt.state) == [.approved])
    }

    @Test(
        "a success that fits neither amount nor payment settles nothing",
        arguments: [0, 1_001, 100_000, -1] as [Int64])
    func contradiction(_ units: Int64) async throws {
        let bench = Bench()
        let page = try #require(try await bench.open().page)
        bench.provider.shopper(units < 0 ? .pay : .payOther(units), on: page)
        if units < 0 { bench.provider.losePayment(page) }
        #expect(try await bench.reconcile().map(\.result) == [.unsettled])
        #expect(try await bench.state() == [.pending])
    }

    @Test("no session, or no page: nothing moved, and the same key opens another", arguments: [true, false])
    func notOpened(_ isSession: Bool) async throws {
        let bench = Bench()
        let lost = GatewayError(.connectionLost, message: "The answer was lost.", advice: "Try again.", reach: .sent)
        isSession ? bench.provider.failOpening(lost) : bench.provider.failPages(lost)
        #expect(await nothingMoved { _ = try await bench.open() }?.error.code == .connectionLost)
        #expect(try await bench.state() == [.nothingMoved])
        bench.provider.failOpening(nil)
        bench.provider.failPages(nil)
        #expect(try await bench.open().page != nil)
    }

    @Test("a journal that fails when the page is there: the page is not handed out")
    func unrecorded() async throws {
        let bench = Bench()
        let store = FailingStore(try SQLitePaymentStore(path: bench.folder.journal, clock: bench.wall.clock))
        store.fail(["advance pending"])
        let service = try bench.service(store)
        #expect(await nothingMoved { _ = try await bench.open(by: service) }?.error.code == .unreachable)
        #expect(try await bench.state() == [.nothingMoved])
    }

    @Test("a process that dies while it opens a page leaves nothing that could be paid")
    func died() async throws {
        let bench = Bench()
        let store = FailingStore(try SQLitePaymentStore(path: bench.folder.journal, clock: bench.wall.clock))
        store.fail(["advance pending", "advance nothingMoved"])
        let service = try bench.service(store)
        #expect(await nothingMoved { _ = try await bench.open(by: service) } != nil)
        #expect(try await bench.state() == [.sending])
        #expect(try await bench.reconcile().isEmpty, "its time is not over")
        bench.wall.move(400)
        #expect(try await bench.reconcile().map(\.attempt.state) == [.nothingMoved])
        #expect(bench.provider.proofs == 0)
        #expect(try await bench.open().page != nil)
    }

    @Test("an intent that is paid another way opens no page, and a page that is open keeps other ways out")
    func otherWays() async throws {
        let bench = ServiceBench()
        let pages = ScriptedCheckout()
        var payments = PaymentCapabilities()
        payments.charging = bench.provider
        let service = PaymentService(
            gateway: pages.gateway(payments: payments), store: bench.store, authenticator: TestAuthenticator(),
            sealer: try SandboxBench.sealer(), timeout: .seconds(300))
        bench.provider.plan(.lostAfter)
        try await bench.pay(by: service)
        let none = try await service.openCheckout(try StoreBench.intent(), CheckoutInstruction())
        #expect(none.page == nil && none.payment.result.isUnknown && pages.sessions.isEmpty)
        let opened = try await service.openCheckout(try StoreBench.intent("order-2"), CheckoutInstruction())
        let joined = try await bench.pay(order: "order-2", by: service)
        #expect(joined.attempt.id == opened.payment.attempt.id && joined.result.outcomeName == "pending")
        #expect(bench.provider.sent.count == 1)
    }

    @Test("a page for another amount, no sealer, no pages: refused before anything is written")
    func refused() async throws {
        let bench = Bench()
        for instruction in [
            CheckoutInstruction(session: SessionRequest(.payment, amount: StoreBench.usd(999))),
            CheckoutInstruction(page: CheckoutPageRequest(amount: StoreBench.usd(999))),
        ] {
            #expect(await nothingMoved { _ = try await bench.open("k1", instruction) }?.error.code == .invalidInput)
        }
        let unsealed = try bench.service(seals: false)
        #expect(await nothingMoved { _ = try await bench.open(by: unsealed) }?.error.code == .configuration)
        let none = PaymentService(
            gateway: Gateway(account: StoreBench.account, provider: "test"), store: InMemoryPaymentStore(),
            authenticator: TestAuthenticator(), sealer: try SandboxBench.sealer())
        #expect(await nothingMoved { _ = try await bench.open(by: none) }?.error.code == .notSupported)
        #expect(try await bench.state().isEmpty && bench.provider.sessions.isEmpty)
    }

    @Test("a page whose journal's key is lost stays pending for a person")
    func lostKey() async throws {
        let bench = Bench()
        let opened = try await bench.open()
        let service = PaymentService(
            gateway: bench.provider.gateway(),
            store: try SQLitePaymentStore(path: bench.folder.journal, clock: bench.wall.clock),
            authenticator: KeyedAuthenticator(key: bench.key),
            sealer: try SandboxBench.sealer(SecretBytes(Array(repeating: 5, count: 32))))
        #expect(try await service.lookUp(opened.payment.attempt.id).result.outcomeName == "pending")
        let resolved = try await service.resolve(
            opened.payment.attempt.id, happened: false, by: "Olga", evidence: "the provider's pages")
        #expect(resolved.state == .declined && resolved.sealedAction == nil)
    }
}
