/// Hands the shopper to a page of the provider's, and reads what the page's addresses say.
///
/// What an address says is a hint and never a proof: anybody can type an address. The proof is read from the provider
/// (``proof(of:_:)``).
public protocol HostedCheckout: Sendable {
    /// The page for a session.
    ///
    /// A page that takes money may only be shown once the intent to take it is recorded: application code opens such
    /// pages through `PaymentService`. Opening a page moves nothing by itself; may be repeated unless the adapter's
    /// documentation says otherwise.
    /// - Throws: ``GatewayError`` when there is no usable answer; ``GatewayError/Code/invalidInput`` when a part is
    ///   missing or cannot be used, before anything is sent.
    func page(
        _ request: CheckoutPageRequest, for session: PaymentSession, _ call: CallContext
    ) async throws(GatewayError) -> CheckoutPage

    /// What an address that the shopper's browser has reached says about a page. Pure: makes no call, and gives the
    /// same answer every time. Text of any form and length may be given.
    func verdict(on url: String, of page: CheckoutPage) -> CheckoutVerdict

    /// Reads from the provider what became of the page's session: the only thing to act upon. A read: may be repeated.
    ///
    /// ``SessionStatus/Phase/succeeded`` only where everything that the page was opened for (amount, currency, session,
    /// environment) is what the provider tells.
    /// - Throws: ``GatewayError`` when there is no usable answer.
    func proof(of page: CheckoutPage, _ call: CallContext) async throws(GatewayError) -> SessionStatus

    /// The rule by which the provider's own sample apps watch addresses, for comparing with such an app; `nil` where there
    /// is none. Use ``verdict(on:of:)`` instead.
    var keywordRule: KeywordRule? { get }
}

extension HostedCheckout {
    /// None.
    public var keywordRule: KeywordRule? { nil }
}

/// What a page is wanted for, beside what its session says.
public struct CheckoutPageRequest: Sendable, Hashable {
    /// Where the shopper's browser comes back to. No query: pages append their own.
    public var returnURL: String?
    /// Where the shopper's browser goes when the shopper gives up.
    public var cancelURL: String?
    /// The shop's own number of the order.
    public var orderReference: String?
    /// The amount, where the page is given it. Where the session has fixed one, both must be equal.
    public var amount: Money?
    /// Where the page is shown.
    public var surface: Surface
    /// The provider's id of a shopper that it has stored.
    public var shopperID: String?
    /// The provider's id of the plan to subscribe to.
    public var planID: String?
    /// Whether the provider asks for a shipping address.
    public var collectsShipping: Bool

    /// Describes a page.
    public init(
        returnURL: String? = nil, cancelURL: String? = nil, orderReference: String? = nil, amount: Money? = nil,
        surface: Surface = .browser, shopperID: String? = nil, planID: String? = nil, collectsShipping: Bool = false
    ) {
        self.returnURL = returnURL
        self.cancelURL = cancelURL
        self.orderReference = orderReference
        self.amount = amount
        self.surface = surface
        self.shopperID = shopperID
        self.planID = planID
        self.collectsShipping = collectsShipping
    }

    /// Where a page is shown.
    public enum Surface: String, Sendable, Hashable, Codable, CaseIterable {
        /// In a browser, which goes back to the shop's address.
        case browser
        /// In a web view of an app, which watches addresses.
        case mobile
        /// In a frame of the shop's page.
        case embedded
        /// To subscribe to a plan.
        case subscription
    }
}

/// A page that was opened, with all that is needed to judge addresses later, in another process too.
public struct CheckoutPage: Sendable, Hashable, Codable {
    /// The session behind the page.
    public var session: SessionReference
    /// The address to open. Confidential where it carries a token: it is not in descriptions.
    public var url: String
    /// What was asked for.
    public var surface: CheckoutPageRequest.Surface
    /// What the page takes, where it takes money.
    public var amount: Money?
    /// Where the shopper's browser comes back to.
    public var returnURL: String?
    /// Where the shopper's browser goes when the shopper gives up.
    public var cancelURL: String?
    /// The shop's own number of the order.
    public var orderReference: String?

    /// Made by adapters.
    public init(
        session: SessionReference, url: String, surface: CheckoutPageRequest.Surface, amount: Money? = nil,
        returnURL: String? = nil, cancelURL: String? = nil, orderReference: String? = nil
    ) {
        self.session = session
        self.url = url
        self.surface = surface
        self.amount = amount
        self.returnURL = returnURL
        self.cancelURL = cancelURL
        self.orderReference = orderReference
    }
}

extension CheckoutPage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The session and the surface; never the address.
    public var description: String { "checkout page (\(surface.rawValue)), \(session)" }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
