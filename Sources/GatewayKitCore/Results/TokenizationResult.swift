/// What came of handing an instrument to a provider for a token.
public enum TokenizationResult: Sendable, Equatable {
    /// The provider stored the instrument.
    case token(PaymentToken)
    /// One or more fields are wrong; all that were found are listed. Nothing was stored. The issues' origin tells
    /// whether our own check or the provider found them.
    case invalid([FieldIssue])
    /// The provider refused; nothing was stored.
    case declined(Decline)
    /// The shopper must do something first.
    case actionRequired(NextAction)
    /// The session cannot take card data (expired, used, wrong state): open another one.
    case sessionUnusable(SessionStatus)
    /// The card may have arrived, but no usable answer came. Ask the session where there is one; do not submit again
    /// unasked. `cause` tells what went wrong.
    case unknown(SessionReference, cause: GatewayError)
}

extension TokenizationResult {
    /// The name of the case, for events and metrics.
    public var outcomeName: String {
        switch self {
        case .token: "token"
        case .invalid: "invalid"
        case .declined: "declined"
        case .actionRequired: "actionRequired"
        case .sessionUnusable: "sessionUnusable"
        case .unknown: "unknown"
        }
    }
}
