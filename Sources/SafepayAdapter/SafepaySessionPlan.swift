import GatewayKitCore

/// What is to be opened for a request: generation, mode and entry mode, by this table.
///
/// | purpose | entry (the first is the default) | opened |
/// | --- | --- | --- |
/// | `token` without amount | `cardData`, `embeddedPage`, `hostedPage` | v3 `instrument` with `raw`, `flex`, `flex` |
/// | `token` with amount | `cardData`, `embeddedPage`, `storedInstrument` | v3 `payment` with `raw`, `flex`, `tms` |
/// | `payment` | `hostedPage` | v1 order, or v3 `payment` with `flex` where the account says so |
/// | `payment` | `embeddedPage`, `cardData`, `storedInstrument` | v3 `payment` with `flex`, `raw`, `tms` |
/// | `storeInstrument` | `hostedPage`, `embeddedPage`, `cardData` | v3 `instrument` with `flex`, `flex`, `raw` |
/// | `subscription` | `hostedPage`, `embeddedPage`, `cardData`, `storedInstrument` | v3 `subscription` with `flex`, `flex`, `raw`, `tms` |
/// | `unscheduled` | `storedInstrument`, `hostedPage`, `embeddedPage`, `cardData` | v3 `unscheduled_cof` with `mit`, `flex`, `flex`, `raw` |
struct SafepaySessionPlan: Sendable, Hashable {
    var generation: SafepaySession.Generation
    var mode: SafepaySession.Mode
    var entry: SafepaySession.Entry?
    var currency: Currency
    var amount: Money?
    var customer: String?
    var orderReference: String?

    init(
        _ request: SessionRequest, hostedPages: SafepaySession.Generation, currency: Currency, account: AccountName
    ) throws(GatewayError) {
        func invalid(_ message: SafeText, _ advice: SafeText) -> GatewayError {
            GatewayError(.invalidInput, message: message, advice: "Nothing was sent. " + advice, account: account)
        }
        try request.refuseAuthentication(of: account)
        let mode = try Self.mode(request, account)
        let entry = request.entry ?? Self.standardEntry(of: request.purpose)
        self.mode = mode
        generation =
            request.purpose == .payment && entry == .hostedPage ? hostedPages : .tracker
        self.entry =
            generation == .order ? nil : try Self.entryMode(entry, mode, request.purpose, account)
        if mode == .instrument {
            guard request.amount == nil else {
                throw invalid("No money moves when a card is stored, so there is no amount.", "Leave the amount out.")
            }
        } else {
            guard let amount = request.amount else {
                throw invalid(
                    "Safepay fixes the amount when a session for a payment is opened, and there is none.",
                    "Give the amount.")
            }
            guard amount.minorUnits > 0 else { throw invalid("The amount is not above zero.", "Correct it.") }
        }
        amount = request.amount
        self.currency = request.amount?.currency ?? currency
        let needsCustomer =
            mode == .subscription || mode == .unscheduled || self.entry == .tms || request.purpose == .storeInstrument
        guard request.shopperID != nil || !needsCustomer else {
            throw invalid(
                "Safepay does this for one of its customers only, and none is named.",
                "Give the id of the customer as shopper (cus_…).")
        }
        guard request.shopperID.map(SafepaySession.isName) ?? true else {
            throw invalid("The shopper is no customer of Safepay's.", "Give the id of a customer (cus_…).")
        }
        customer = generation == .order ? nil : request.shopperID
        orderReference = request.orderReference
    }

    private static func mode(
        _ request: SessionRequest, _ account: AccountName
    ) throws(GatewayError) -> SafepaySession.Mode {
        switch request.purpose {
        case .token: return request.amount == nil ? .instrument : .payment
        case .payment: return .payment
        case .storeInstrument: return .instrument
        case .subscription: return .subscription
        case .unscheduled: return .unscheduled
        default:
            throw GatewayError(
                .notSupported, message: "Safepay has no sessions for \(request.purpose).",
                advice: "Nothing was sent. Use another purpose.", account: account)
        }
    }

    private static func standardEntry(of purpose: SessionRequest.Purpose) -> SessionRequest.Entry {
        switch purpose {
        case .token: .cardData
        case .unscheduled: .storedInstrument
        default: .hostedPage
        }
    }

    private static func entryMode(
        _ entry: SessionRequest.Entry, _ mode: SafepaySession.Mode, _ purpose: SessionRequest.Purpose,
        _ account: AccountName
    ) throws(GatewayError) -> SafepaySession.Entry {
        switch (entry, mode) {
        case (.storedInstrument, .instrument): break
        case (.hostedPage, .payment) where purpose == .token: break
        case (.storedInstrument, .unscheduled): return .mit
        case (.storedInstrument, _): return .tms
        case (.cardData, _): return .raw
        case (.hostedPage, _), (.embeddedPage, _): return .flex
        default: break
        }
        throw GatewayError(
            .notSupported, message: "At Safepay a session for \(purpose) takes no \(entry).",
            advice: "Nothing was sent. Let the instrument come in another way.", account: account)
    }
}
