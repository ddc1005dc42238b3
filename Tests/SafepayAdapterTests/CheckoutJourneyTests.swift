import GatewayKit
import GatewayKitCore
import GatewaySandbox
import Testing

@testable import SafepayAdapter

/// Whole ways of shoppers through the sandbox's pages, over real HTTP: each address that the browser comes to is judged,
/// and the outcome is read.
@Suite("Safepay's pages from end to end")
struct CheckoutJourneyTests {
    /// A shop with its account in a sandbox of its own.
    private final class Stand {
        let sandbox = Sandbox(SandboxConfiguration())
        let gateway: Gateway
        let transport: any HTTPTransport
        let origin: String

        init() throws {
            try sandbox.start()
            let address = try #require(sandbox.baseURL(for: "safepay"))
            let credentials = try #require(sandbox.credentials(for: "safepay"))
            let provider = SafepayProvider()
            let runtime = try GatewayRuntime.standard(NetworkSettings(), reachesSandbox: true)
            transport = runtime.transport
            let base = try WireURL(base: address)
            origin = base.origin.description
            gateway = try provider.makeGateway(
                AccountSettings(
                    name: AccountName(provider.id), provider: provider.id,
                    environment: try #require(provider.environments.first { $0.kind == .sandbox }), baseURL: base,
                    values: [
                        "apiKey": .plain(credentials["apiKey"] ?? ""),
                        "secretKey": .secret(Sensitive(credentials["secretKey"] ?? "")),
                    ]), runtime)
        }

        deinit { sandbox.stop() }

        func page(
            _ surface: CheckoutPageRequest.Surface, _ entry: SessionRequest.Entry, amount: Int64 = 150_000
        ) async throws -> CheckoutPage {
            let session = try await gateway.requireTokens().openSession(
                SessionRequest(.payment, entry: entry, amount: Money(minorUnits: amount, currency: .pkr)))
            let leadsBack = surface == .browser
            return try await gateway.requireCheckout().page(
                CheckoutPageRequest(
                    returnURL: leadsBack ? "https://shop.example/pay/success" : nil,
                    cancelURL: leadsBack ? "https://shop.example/pay/failed" : nil, orderReference: "A 1",
                    surface: surface), for: session, CallContext())
        }

        /// The outcome after these addresses; waits take no time.
        func outcome(of page: CheckoutPage, _ addresses: [String]) async throws -> CheckoutOutcome {
            let clock = ManualClock()
            let confirmer = CheckoutConfirmer(
                try gateway.requireCheckout(), page,
                policy: PollingPolicy(firstWait: .seconds(5), deadline: .seconds(60)),
                quietWait: .seconds(5), clock: clock)
            for address in addresses { confirmer.report(address) }
            let waking = Task { while !Task.isCancelled { await clock.wakeNext() } }
            defer { waking.cancel() }
            return await confirmer.outcome()
        }
    }

    enum Step: Sendable { case pay(String), fail, cancel, answer(Bool), goOn }

    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        let surface: CheckoutPageRequest.Surface
        let entry: SessionRequest.Entry
        var amount: Int64 = 150_000
        let steps: [Step]
        /// What was not ignored, in its order.
        let verdicts: [CheckoutVerdict.Kind]
        let outcome: CheckoutOutcome.Kind

        var testDescription: String { name }
    }

    static let ways: [Way] = [
        Way(
            name: "v1 in a browser, paid", surface: .browser, entry: .hostedPage, steps: [.pay("visa")],
            verdicts: [.successCandidate], outcome: .succeeded),
        Way(
            name: "v1 in a web view, paid", surface: .mobile, entry: .hostedPage, steps: [.pay("visa")],
            verdicts: [.successCandidate], outcome: .succeeded),
        Way(
            name: "v1 in a web view, given up", surface: .mobile, entry: .hostedPage, steps: [.cancel],
            verdicts: [.cancelled], outcome: .failed),
        Way(
            name: "v1 in a browser, given up", surface: .browser, entry: .hostedPage, steps: [.cancel],
            verdicts: [.cancelled], outcome: .failed),
        Way(
            name: "v1 in a browser, declined", surface: .browser, entry: .hostedPage, steps: [.fail],
            verdicts: [.failureHint], outcome: .unconfirmedFailure),
        Way(
            name: "v1 with a challenge, passed", surface: .mobile, entry: .hostedPage,
            steps: [.pay("3ds-cardinal-challenge"), .answer(true), .goOn],
            verdicts: [.authenticationDone, .successCandidate], outcome: .succeeded),
        Way(
            name: "v1 with a challenge, not passed", surface: .mobile, entry: .hostedPage,
            steps: [.pay("3ds-cardinal-challenge"), .answer(false)], verdicts: [.authenticationFailed],
            outcome: .undecided),
        Way(
            name: "v3 in a frame, paid", surface: .embedded, entry: .embeddedPage, steps: [.pay("visa")],
            verdicts: [.successCandidate], outcome: .succeeded),
        Way(
            name: "v3 in a browser, paid", surface: .browser, entry: .embeddedPage, steps: [.pay("visa")],
            verdicts: [.successCandidate], outcome: .succeeded),
        Way(
            name: "v3 in a frame, failed", surface: .embedded, entry: .embeddedPage, steps: [.fail],
            verdicts: [.failureHint], outcome: .unconfirmedFailure),
        Way(
            name: "v3 in a web view, declined by the amount, waits for another card", surface: .mobile,
            entry: .embeddedPage, amount: 400_300, steps: [.pay("visa")], verdicts: [.failureHint], outcome: .undecided),
        Way(
            name: "v3 with a challenge, passed", surface: .embedded, entry: .embeddedPage,
            steps: [.pay("3ds-cardinal-challenge"), .answer(true), .goOn],
            verdicts: [.authenticationDone, .successCandidate], outcome: .succeeded),
        Way(
            name: "v3 whose authentication fails", surface: .embedded, entry: .embeddedPage,
            steps: [.pay("3ds-app-failed")], verdicts: [.authenticationFailed], outcome: .undecided),
    ]

    @Test("a shopper's way: every address has its verdict, the proof its outcome", arguments: ways)
    func way(_ way: Way) async throws {
        let stand = try Stand()
        let page = try await stand.page(way.surface, way.entry, amount: way.amount)
        var browser = PageBrowser(stand.transport, origin: stand.origin)
        try await browser.open(page.url)
        for step in way.steps {
            switch step {
            case .pay(let card):
                let number = try #require(TestCard.named(card)).number
                try await browser.submit(("card", number), ("outcome", "pay"))
            case .fail: try await browser.submit(("outcome", "fail"))
            case .cancel: try await browser.submit(("outcome", "cancel"))
            case .answer(let isPassed): try await browser.submit(("outcome", isPassed ? "success" : "failure"))
            case .goOn: try await browser.submit()
            }
        }
        let checkout = try stand.gateway.requireCheckout()
        let verdicts = browser.visited.map { checkout.verdict(on: $0, of: page).kind }.filter { $0 != .ignore }
        #expect(verdicts == way.verdicts, "\(browser.visited)")
        let outcome = try await stand.outcome(of: page, browser.visited)
        #expect(outcome.kind == way.outcome, "\(outcome)")
        let paid = stand.sandbox.ledger.entries.count { $0.movement != nil }
        #expect((outcome.kind == .succeeded) == (paid == 1), "\(paid) movements")
        // Coming back later, and the same addresses again, change nothing.
        #expect(try await stand.outcome(of: page, browser.visited.reversed()).kind.isFinal == outcome.kind.isFinal)
    }

    @Test("success that somebody types, in each spelling that is believed, is never confirmed")
    func typed() async throws {
        let stand = try Stand()
        for (surface, entry) in [
            (CheckoutPageRequest.Surface.mobile, SessionRequest.Entry.hostedPage), (.embedded, .embeddedPage),
        ] {
            let page = try await stand.page(surface, entry)
            let tracker = try #require(SafepaySession(id: page.session.id)).tracker
            let root = stand.origin + "/safepay"
            let outcome = try await stand.outcome(
                of: page,
                [
                    root + "/embedded/external/complete?tracker=\(tracker)&action=complete",
                    root + "/checkout/external/mobile?tracker=\(tracker)&action=complete",
                ])
            #expect(outcome.kind == .undecided && outcome.reads > 0)
        }
        #expect(!stand.sandbox.ledger.entries.contains { $0.movement != nil })
    }

    @Test("somebody else's paid session pays nothing of ours")
    func anotherSession() async throws {
        let stand = try Stand()
        let mine = try await stand.page(.mobile, .hostedPage)
        let theirs = try await stand.page(.mobile, .hostedPage)
        var browser = PageBrowser(stand.transport, origin: stand.origin)
        try await browser.open(theirs.url)
        try await browser.submit(("card", try #require(TestCard.named("visa")).number), ("outcome", "pay"))
        let verdicts = try browser.visited.map { try stand.gateway.requireCheckout().verdict(on: $0, of: mine).kind }
        #expect(verdicts.last == .untrusted)
        #expect(try await stand.outcome(of: mine, browser.visited).kind == .undecided)
        #expect(try await stand.outcome(of: theirs, browser.visited).kind == .succeeded)
    }

    @Test("the sample app's words report success as soon as the page is opened, and miss what is told without them")
    func keywords() async throws {
        let stand = try Stand()
        let rule = try #require(stand.gateway.requireCheckout().keywordRule)
        // Both words stand in the shop's own addresses.
        #expect(rule.reading(of: try await stand.page(.browser, .hostedPage).url) == .failure)
        let page = try await stand.page(.mobile, .hostedPage)
        var browser = PageBrowser(stand.transport, origin: stand.origin)
        try await browser.open(page.url)
        #expect(rule.reading(of: page.url) == KeywordRule.Reading.none)
        try await browser.submit(("outcome", "cancel"))
        #expect(rule.reading(of: browser.visited.last ?? "") == .success, "giving up looks like success")
    }
}
