/// What a wallet handed to the shop's app or page: an encrypted payload that the provider opens.
///
/// The payload is one JSON object. It is kept byte for byte, because the wallet has signed it, and it is guarded: who
/// has it may be able to pay with it once.
public struct WalletPayment: Sendable, Equatable {
    /// The JSON object as the wallet gave it, in UTF-8.
    public var payload: Sensitive<[UInt8]>
    /// A public test card that takes the place of the wallet's card, for providers and environments that allow it. A
    /// real number has no way in here.
    public var testCard: TestCard?

    /// A payment as the wallet gave it.
    public init(payload: Sensitive<[UInt8]>, testCard: TestCard? = nil) {
        self.payload = payload
        self.testCard = testCard
    }

    /// Whose payload it is.
    public enum Wallet: Sendable, Hashable {
        /// Apple Pay. The payload is `paymentData`: `version`, `data`, `signature` and `header`, which holds
        /// `publicKeyHash`, `transactionId` and `ephemeralPublicKey` (EC) or `wrappedKey` (RSA). From Apple's
        /// "Payment token format reference".
        case applePay
        /// Google Pay. The payload is the token: `signature`, `protocolVersion`, `signedMessage`. From Google's
        /// "Payment data cryptography".
        case googlePay
    }

    /// What is wrong with the payload as this wallet's: missing, no JSON object, or without a member that the wallet
    /// always gives. Whether the signature holds is the provider's to say.
    public func issues(of wallet: Wallet) -> [FieldIssue] {
        guard !payload.withExposed({ $0.isEmpty }) else {
            return [FieldIssue(.walletPayload, .missing, message: "The wallet's payload is missing.")]
        }
        guard let json = payload.withExposed({ try? JSONValue(parsing: $0) }), json.kind == .object else {
            return [
                FieldIssue(
                    .walletPayload, .malformed,
                    message: "The wallet's payload is no JSON object: pass the object on as the wallet gave it.")
            ]
        }
        return Self.missing(in: json, wallet).map { name in
            FieldIssue(.walletPayload, .missing, message: "The wallet's payload has no \(name).")
        }
    }

    private static func missing(in json: JSONValue, _ wallet: Wallet) -> [SafeText] {
        func isText(_ value: JSONValue) -> Bool { (try? value.string().isEmpty) == false }
        switch wallet {
        case .applePay:
            let header = json["header"]
            return [
                isText(json["version"]) ? nil : "version", isText(json["data"]) ? nil : "data",
                isText(json["signature"]) ? nil : "signature",
                isText(header["publicKeyHash"]) ? nil : "header.publicKeyHash",
                isText(header["transactionId"]) ? nil : "header.transactionId",
                isText(header["ephemeralPublicKey"]) || isText(header["wrappedKey"])
                    ? nil : "header.ephemeralPublicKey",
            ].compactMap { $0 }
        case .googlePay:
            return [
                isText(json["signature"]) ? nil : "signature",
                isText(json["protocolVersion"]) ? nil : "protocolVersion",
                isText(json["signedMessage"]) ? nil : "signedMessage",
            ].compactMap { $0 }
        }
    }
}

extension WalletPayment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `wallet payment`, and the test card's name if there is one.
    public var description: String { "wallet payment" + (testCard.map { " (test card \($0.name))" } ?? "") }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
