import GatewayKitCore

/// What was sent to a token.
enum BlueSnapInstrument: Sendable {
    case card(BlueSnapCard)
    /// A number without a date: it is looked at, and cannot be charged.
    case numberAlone(BlueSnapCard)
    /// A card of the token's shopper.
    case stored(BlueSnapCard)
    /// `APPLE_PAY` or `GOOGLE_PAY`, with the card behind it.
    case wallet(String, BlueSnapCard)
    case bank(BlueSnapBank)

    var card: BlueSnapCard? {
        switch self {
        case .card(let card), .numberAlone(let card), .stored(let card), .wallet(_, let card): card
        case .bank: nil
        }
    }

    /// As `TOKEN_WAS_ALREADY_USED_FOR_` ends.
    var method: String {
        switch self {
        case .card, .numberAlone, .stored: "CC"
        case .wallet(let kind, _): kind
        case .bank: "ECP"
        }
    }
}

/// A bank account as it is kept.
struct BlueSnapBank: Sendable, Equatable {
    var routing: String
    var account: String
    var type: String

    var publicAccount: String { String(account.suffix(4)) }

    static let types: Set<String> = [
        "CONSUMER_CHECKING", "CONSUMER_SAVINGS", "CORPORATE_CHECKING", "CORPORATE_SAVINGS",
    ]

    /// Bad numbers are 10001 (dossier 8.2); what makes them bad is a guess: the check digit of the routing number, and
    /// another count than 4 to 17 digits of the account's.
    init(routing: String, account: String, type: String) throws(BlueSnapRefusal) {
        let digits = routing.utf8.map { Int($0) - 0x30 }
        let weighted = zip(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        guard digits.count == 9, digits.allSatisfy({ 0...9 ~= $0 }), weighted % 10 == 0 else {
            throw .invalid("routingNumber")
        }
        guard (4...17).contains(account.utf8.count), account.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            throw .invalid("accountNumber")
        }
        guard Self.types.contains(type) else { throw .invalid("accountType") }
        self.routing = routing
        self.account = account
        self.type = type
    }

    /// As the Payment API has it.
    init(_ json: JSONValue) throws(BlueSnapRefusal) {
        try self.init(
            routing: (try? json["routingNumber"].string()) ?? "", account: (try? json["accountNumber"].string()) ?? "",
            type: (try? json["accountType"].string()) ?? "")
    }
}

/// A token for hosted payment fields (dossier 1).
struct BlueSnapToken: Sendable {
    static let lifetime: Int64 = 60 * 60

    let text: String
    let createdAt: WallTime
    /// The shopper for whom it was made.
    var shopper: String?
    var demandsAuthentication = false
    var instrument: BlueSnapInstrument?
    var storesCard: Bool?
    var fraudSession: String?
    /// `billingCity`, `shippingZip`, `email` and so on, as they came.
    var contact: [String: String] = [:]
    /// The method with which a payment was made.
    var usedFor: String?
    /// The page at PayPal, by its id.
    var page: String?

    init(text: String, createdAt: WallTime) {
        self.text = text
        self.createdAt = createdAt
    }

    func isExpired(at now: WallTime) -> Bool {
        now >= createdAt.adding(seconds: Self.lifetime)
    }
}
