/// What a shopper pays with.
///
/// Kinds are added as adapters learn them; an adapter that does not know a kind answers with
/// ``GatewayError/Code/notSupported``, before anything is sent.
public enum PaymentInstrument: Sendable {
    /// A card whose number the caller holds. It is subject to PCI DSS: see `Docs/Security.md`.
    case card(Card)
}
