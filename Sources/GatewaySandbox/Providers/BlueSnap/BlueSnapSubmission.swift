import GatewayCrypto
import GatewayKitCore

/// The body of the call that sends details to a token (dossier 1.4): flat, and every value a text.
///
/// Guesses: a member of another name is refused, but for the `dummy` of the SDK's probe; so are two methods in one body,
/// and a value that is no text.
struct BlueSnapSubmission: Sendable {
    var instrument: BlueSnapInstrument?
    var storesCard: Bool?
    var fraudSession: String?
    var contact: [String: String] = [:]

    private static let cardNames: Set<String> = ["ccNumber", "cvv", "expDate", "ccType", "lastFourDigits"]
    private static let bankNames: Set<String> = ["ecpRoutingNumber", "ecpAccountNumber", "ecpAccountType"]
    private static let otherNames: Set<String> = [
        "storeCard", "fraudSessionId", "applePayToken", "paymentToken", "paymentMethod", "dummy",
    ]
    static let contactNames: Set<String> = {
        let parts = ["FirstName", "LastName", "Country", "State", "City", "Address", "Zip"]
        return Set(["billing", "shipping"].flatMap { kind in parts.map { kind + $0 } } + ["email"])
    }()
    private static let allNames = cardNames.union(bankNames).union(otherNames).union(contactNames)

    /// - Parameter stored: The card of the token's shopper with this type and these last four digits.
    init(
        _ root: JSONValue, now: WallTime,
        stored: (_ type: String, _ lastFour: String) throws(BlueSnapRefusal) -> BlueSnapCard
    ) throws(BlueSnapRefusal) {
        var texts: [String: String] = [:]
        for member in (try? root.members()) ?? [] {
            guard Self.allNames.contains(member.name) else { throw .invalid(member.name, "There is no such member") }
            guard let text = try? member.value.string() else { throw .invalid(member.name, "Every value is a text") }
            texts[member.name] = text
        }
        if let text = texts["storeCard"] {
            guard text == "true" || text == "false" else { throw .invalid("storeCard") }
            storesCard = text == "true"
        }
        if let text = texts["fraudSessionId"] {
            guard (1...32).contains(text.utf8.count) else { throw .invalid("fraudSessionId") }
            fraudSession = text
        }
        contact = texts.filter { Self.contactNames.contains($0.key) }
        try Self.check(contact)
        instrument = try Self.instrument(texts, now, stored)
    }

    private static func instrument(
        _ texts: [String: String], _ now: WallTime, _ stored: (String, String) throws(BlueSnapRefusal) -> BlueSnapCard
    ) throws(BlueSnapRefusal) -> BlueSnapInstrument? {
        let wallet = texts["applePayToken"] ?? texts["paymentToken"]
        let isBank = texts.keys.contains { bankNames.contains($0) }
        let isCard = texts.keys.contains { cardNames.contains($0) }
        let kinds = [isCard, wallet != nil, isBank].filter { $0 }
        guard kinds.count <= 1, texts["applePayToken"] == nil || texts["paymentToken"] == nil else {
            throw .invalid("paymentMethod", "More than one payment method")
        }
        switch texts["paymentMethod"] {
        case nil: guard !isBank, texts["paymentToken"] == nil else { throw .invalid("paymentMethod") }
        case "ECP", "ACH": guard isBank else { throw .invalid("paymentMethod") }
        case "GOOGLE_PAY": guard texts["paymentToken"] != nil else { throw .invalid("paymentMethod") }
        default: throw .invalid("paymentMethod")
        }
        if isBank {
            return .bank(
                try BlueSnapBank(
                    routing: texts["ecpRoutingNumber"] ?? "", account: texts["ecpAccountNumber"] ?? "",
                    type: texts["ecpAccountType"] ?? ""))
        }
        if let text = texts["applePayToken"] { return .wallet("APPLE_PAY", try BlueSnapWallet.applePay(text)) }
        if let text = texts["paymentToken"] { return .wallet("GOOGLE_PAY", try BlueSnapWallet.googlePay(text)) }
        return isCard ? try card(texts, now, stored) : nil
    }

    private static func card(
        _ texts: [String: String], _ now: WallTime, _ stored: (String, String) throws(BlueSnapRefusal) -> BlueSnapCard
    ) throws(BlueSnapRefusal) -> BlueSnapInstrument {
        var expiry: CardExpiry?
        if let text = texts["expDate"] {
            expiry = BlueSnapCard.expiry(text)
            if texts["ccNumber"] == nil, expiry == nil { throw .expiry }
        }
        if let number = texts["ccNumber"] {
            guard texts["lastFourDigits"] == nil else { throw .invalid("lastFourDigits") }
            let card = try BlueSnapCard.read(
                number: number, type: texts["ccType"], expiry: expiry, code: texts["cvv"], now: now)
            guard let text = texts["expDate"] else {
                guard texts["cvv"] == nil else { throw .expiry }
                return .numberAlone(card)
            }
            // One digit for the month is what a careless client sends.
            guard expiry != nil, text.utf8.count == 7 else { throw .expiry }
            return .card(card)
        }
        guard let type = texts["ccType"], let lastFour = texts["lastFourDigits"], texts["cvv"] == nil else {
            throw .cardNumber
        }
        let card = try stored(type, lastFour)
        guard expiry == nil || expiry == card.expiry else { throw .unknownMethod }
        // That an expired one is refused here already is a guess.
        guard card.expiry?.isExpired(at: now) == false else { throw .expiry }
        return .stored(card)
    }

    /// The server refuses a state for countries that are not told to have any (dossier 7.5; AM #3229).
    private static func check(_ contact: [String: String]) throws(BlueSnapRefusal) {
        for kind in ["billing", "shipping"] {
            try check(country: contact[kind + "Country"], state: contact[kind + "State"], kind)
        }
        if let email = contact["email"], !isEmail(email) { throw .invalid("email") }
    }

    static func check(country: String?, state: String?, _ kind: String) throws(BlueSnapRefusal) {
        func name(_ part: String) -> String { kind.isEmpty ? part.lowercased() : kind + part }
        if let country {
            guard country.utf8.count == 2, country.utf8.allSatisfy({ 0x41...0x5A ~= $0 & 0xDF }) else {
                throw .invalid(name("Country"))
            }
        }
        if let state {
            guard ["US", "CA", "BR"].contains(country?.uppercased()), state.utf8.count == 2,
                state.utf8.allSatisfy({ 0x41...0x5A ~= $0 })
            else { throw .invalid(name("State")) }
        }
    }

    static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && parts.last?.contains(".") == true
    }
}

/// The wallets' payloads, as far as they tell the card. That a payload that cannot be read is 23010 is a guess, and so is
/// the form of Google Pay's: the JSON that Google's script gives, in base 64.
enum BlueSnapWallet {
    private static let invalid = BlueSnapRefusal(
        "INVALID_WALLET_PAYMENT_DATA", 23010, "The payment data of the wallet are not valid")

    /// Base 64 of an object with `billingContact`, `shippingContact` and `token` (dossier 1.4).
    static func applePay(_ text: String) throws(BlueSnapRefusal) -> BlueSnapCard {
        let root = try root(text)
        let token = root["token"]
        guard token["paymentData"].kind == .object, (try? token["transactionIdentifier"].string()) != nil else {
            throw invalid
        }
        return try card(token["paymentMethod"]["network"], token["paymentMethod"]["displayName"])
    }

    static func googlePay(_ text: String) throws(BlueSnapRefusal) -> BlueSnapCard {
        let data = try root(text)["paymentMethodData"]
        guard (try? data["tokenizationData"]["token"].string()) != nil else { throw invalid }
        return try card(data["info"]["cardNetwork"], data["info"]["cardDetails"])
    }

    private static func root(_ text: String) throws(BlueSnapRefusal) -> JSONValue {
        // The Android SDK writes the alphabet for addresses, with padding.
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        guard let bytes = try? GatewayCrypto.Base64.standard.decode(standard),
            let root = try? JSONValue(parsing: bytes),
            root.kind == .object
        else {
            throw invalid
        }
        return root
    }

    private static func card(_ network: JSONValue, _ words: JSONValue) throws(BlueSnapRefusal) -> BlueSnapCard {
        let type: String? =
            switch (try? network.string())?.lowercased() {
            case "visa": "VISA"
            case "mastercard": "MASTERCARD"
            case "amex": "AMEX"
            case "discover": "DISCOVER"
            case "jcb": "JCB"
            default: nil
            }
        guard let type else { throw .brand }
        let digits = ((try? words.string()) ?? "").filter { $0.isASCII && $0.isNumber }
        return BlueSnapCard(type: type, lastFour: String(digits.suffix(4)), country: "us")
    }
}
