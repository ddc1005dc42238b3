import GatewayKitCore
import GatewayPayments

/// A provider with pages: each session is opened, paid, fails or expires as the shopper of the test does it, and what
/// happened is in the provider's own books.
final class ScriptedCheckout: HostedCheckout, TokenProvider {
    enum Act: Sendable {
        case pay
        case payOther(Int64)
        case fail
        case expire
        case begin
        /// The session is over, and the provider tells nothing of it any more.
        case outlive
    }

    private struct State {
        var sessions: [SessionRequest] = []
        var phases: [String: SessionStatus.Phase] = [:]
        var payments: [String: PaymentRecord] = [:]
        var pages: [CheckoutPageRequest] = []
        var openError: GatewayError?
        var pageError: GatewayError?
        var isHeld = false
        var outlived: Set<String> = []
        var proofs = 0
    }

    private let state = Locked(State())
    let account: AccountName

    init(account: AccountName = StoreBench.account) { self.account = account }

    var sessions: [SessionRequest] { state.withLock { $0.sessions } }
    var pages: [CheckoutPageRequest] { state.withLock { $0.pages } }
    var proofs: Int { state.withLock { $0.proofs } }

    func failOpening(_ error: GatewayError?) { state.withLock { $0.openError = error } }
    func failPages(_ error: GatewayError?) { state.withLock { $0.pageError = error } }
    func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

    /// What the shopper does on a page.
    func shopper(_ act: Act, on page: CheckoutPage) {
        let id = page.session.id
        state.withLock { state in
            switch act {
            case .begin: state.phases[id] = .processing
            case .fail: state.phases[id] = .failed
            case .expire: state.phases[id] = .expired
            case .outlive: state.outlived.insert(id)
            case .pay, .payOther:
                var record = PaymentRecord(id: "P-\(id)", account: account, kind: .purchase, state: .succeeded)
                record.amount = page.amount
                if case .payOther(let units) = act {
                    record.amount = page.amount.map { Money(minorUnits: units, currency: $0.currency) }
                }
                record.ownReference = page.orderReference
                state.phases[id] = .succeeded
                state.payments[id] = record
            }
        }
    }

    /// The provider forgets what was paid on the page, and still says that it succeeded.
    func losePayment(_ page: CheckoutPage) { state.withLock { $0.payments[page.session.id] = nil } }

    func gateway(payments: PaymentCapabilities = PaymentCapabilities()) -> Gateway {
        Gateway(account: account, provider: "test", tokens: self, checkout: self, payments: payments)
    }

    func openSession(_ request: SessionRequest, _ call: CallContext) async throws(GatewayError) -> PaymentSession {
        while state.withLock({ $0.isHeld }) { await Task.yield() }
        if let error = state.withLock({ $0.openError }) { throw error }
        let id = state.withLock { state in
            state.sessions.append(request)
            let id = "session-\(state.sessions.count)"
            state.phases[id] = .open
            return id
        }
        return PaymentSession(reference: SessionReference(account: account, id: id))
    }

    func attach(_ reference: SessionReference) throws(GatewayError) -> PaymentSession {
        PaymentSession(reference: reference)
    }

    func tokenize(
        _ request: TokenizationRequest, in session: PaymentSession, _ call: CallContext
    ) async throws(GatewayError) -> TokenizationResult {
        throw GatewayError(.notSupported, message: "Cards are typed on pages.", advice: "Open one.", account: account)
    }

    func page(
        _ request: CheckoutPageRequest, for session: PaymentSession, _ call: CallContext
    ) async throws(GatewayError) -> CheckoutPage {
        if let error = state.withLock({ $0.pageError }) { throw error }
        state.withLock { $0.pages.append(request) }
        return CheckoutPage(
            session: session.reference, url: "https://pay.example/\(session.reference.id)?secret=hush-hush",
            surface: request.surface, amount: request.amount, returnURL: request.returnURL,
            cancelURL: request.cancelURL, orderReference: request.orderReference)
    }

    func verdict(on url: String, of page: CheckoutPage) -> CheckoutVerdict {
        url.hasPrefix(page.returnURL ?? "-")
            ? CheckoutVerdict(.successCandidate, reason: "back at the shop")
            : CheckoutVerdict(.ignore, reason: "elsewhere")
    }

    func proof(of page: CheckoutPage, _ call: CallContext) async throws(GatewayError) -> SessionStatus {
        guard !state.withLock({ $0.outlived.contains(page.session.id) }) else {
            throw GatewayError(.sessionUnusable, message: "The session is over.", advice: "None.", account: account)
        }
        let (phase, payment) = state.withLock { state in
            state.proofs += 1
            return (state.phases[page.session.id] ?? .unknown, state.payments[page.session.id])
        }
        var status = SessionStatus(reference: page.session, phase: phase, providerWord: phase.description)
        status.payment = payment
        return status
    }
}
