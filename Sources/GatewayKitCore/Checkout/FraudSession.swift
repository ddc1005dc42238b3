/// The session in which the shopper's device is looked at for fraud: one id for the app's collector and for the
/// instrument.
///
/// The collecting is the app's part; it needs the id and the merchant's id at the collector (Kount).
public struct FraudSession: Sendable, Hashable {
    /// The id: 1 to 32 ASCII letters, digits, hyphens and underscores.
    public let id: String
    /// The merchant's id at the collector, as the provider tells it (``CheckoutProfile/fraudMerchantID``).
    public let collectorMerchantID: String?

    /// How long an id may be (BlueSnap's and Kount's documents).
    public static let longestID = 32

    /// A session with an id drawn from `random`: 128 bits as 32 hexadecimal digits.
    public init(collectorMerchantID: String? = nil, random: RandomSource = .system) {
        self.init(checked: random.nextID() + random.nextID(), collectorMerchantID)
    }

    /// A session with the app's own id; without one, a new id is drawn.
    ///
    /// - Throws: ``GatewayError/Code/invalidInput`` when the id is too long or has other characters. It is never cut: the
    ///   collector would know another one.
    public init(
        id: String?, collectorMerchantID: String? = nil, random: RandomSource = .system
    ) throws(GatewayError) {
        guard let id, !id.isEmpty else {
            self.init(collectorMerchantID: collectorMerchantID, random: random)
            return
        }
        guard Self.isWellFormed(id) else {
            throw GatewayError(
                .invalidInput,
                message: "The id of a fraud session has 1 to 32 ASCII letters, digits, hyphens and underscores.",
                advice: "Nothing was sent. Give such an id, or none: then one is drawn.")
        }
        self.init(checked: id, collectorMerchantID)
    }

    private init(checked id: String, _ collectorMerchantID: String?) {
        self.id = id
        self.collectorMerchantID = collectorMerchantID
    }

    /// Whether a text can be an id.
    public static func isWellFormed(_ id: String) -> Bool {
        (1...longestID).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
            }
    }
}
