import GatewayKitCore

/// What a session's id tells: everything that was fixed when it was opened, so that another process can judge what
/// Safepay says of it.
///
/// As text it has eight parts with colons between, `-` where there is none, the tracker last:
/// `v3:sandbox:payment:raw:PKR:150000:-:track_…`. The amount is in minor units in both generations.
struct SafepaySession: Sendable, Hashable {
    /// Safepay's two generations: the v1 order counts in major units and needs no secret, the v3 tracker in minor ones.
    enum Generation: String, CaseIterable, Sendable {
        case order = "v1"
        case tracker = "v3"
    }

    /// What a tracker is for ("payment modes" in Safepay's documents, without the deprecated `cof` and `payment-raw`).
    enum Mode: String, CaseIterable, Sendable {
        case payment
        case instrument
        case subscription
        case unscheduled = "unscheduled_cof"
    }

    /// How the card comes into a tracker.
    enum Entry: String, CaseIterable, Sendable {
        /// The card's data, by our own call.
        case raw
        /// A form of Safepay's, or a transient token.
        case flex
        /// A saved card, with the shopper.
        case tms
        /// A saved card, without the shopper.
        case mit
    }

    var generation: Generation
    /// Safepay's word.
    var environment: String
    var mode: Mode
    /// `nil` for orders.
    var entry: Entry?
    var currency: Currency
    /// `nil` for trackers that only keep a card.
    var amount: Money?
    var customer: String?
    var tracker: String

    /// The text.
    var id: String {
        [
            generation.rawValue, environment, mode.rawValue, entry?.rawValue ?? "-", currency.code,
            amount?.text(in: .minor) ?? "-", customer ?? "-", tracker,
        ].joined(separator: ":")
    }

    init(
        _ plan: SafepaySessionPlan, environment: String, tracker: String
    ) {
        generation = plan.generation
        self.environment = environment
        mode = plan.mode
        entry = plan.entry
        currency = plan.currency
        amount = plan.amount
        customer = plan.customer
        self.tracker = tracker
    }

    /// Reads the text strictly: what this type would not have written is no session.
    init?(id: String) {
        guard PaymentToken.isWellFormed(id: id) else { return nil }
        let parts = id.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 8, let generation = Generation(rawValue: parts[0]), let mode = Mode(rawValue: parts[2]),
            let currency = try? Currency(parts[4]), Self.isName(parts[1]), Self.isName(parts[7])
        else { return nil }
        self.generation = generation
        environment = parts[1]
        self.mode = mode
        entry = Entry(rawValue: parts[3])
        self.currency = currency
        amount = try? Money(parts[5], in: .minor, currency)
        customer = parts[6] == "-" ? nil : parts[6]
        tracker = parts[7]
        guard self.id == id, customer.map(Self.isName) ?? true else { return nil }
        switch generation {
        case .order: guard mode == .payment, entry == nil, amount != nil, customer == nil else { return nil }
        case .tracker: guard amount == nil || mode != .instrument, isOpened else { return nil }
        }
        if let amount, amount.minorUnits <= 0 { return nil }
    }

    /// Whether opening gives such a tracker at all.
    private var isOpened: Bool {
        guard let entry, amount != nil || mode == .instrument else { return false }
        let needsCustomer = mode == .subscription || mode == .unscheduled || entry == .tms
        guard customer != nil || !needsCustomer else { return false }
        return switch entry {
        case .raw, .flex: true
        case .tms: mode == .payment || mode == .subscription
        case .mit: mode == .unscheduled
        }
    }

    /// Whether a text can be a tracker's, customer's or card's name at Safepay: they are a prefix and a UUID, and more is
    /// not assumed of them.
    static func isName(_ text: String) -> Bool {
        text != "-" && (1...96).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F || $0 == 0x2D
            }
    }
}
