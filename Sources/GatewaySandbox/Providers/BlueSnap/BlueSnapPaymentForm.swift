import GatewayKitCore

/// The members that requests for money share (dossier 4.2, 4.5).
///
/// Guesses: a member of another name is refused; names for a card's holder may come from the token's billing members.
struct BlueSnapPaymentForm {
    let root: JSONValue
    /// Where the members are that say what to pay with: the whole, or a part of it.
    let instrument: JSONValue
    var amount: Money
    var ownReference: String?
    var holder: [String: String] = [:]
    var shipping: [String: String] = [:]
    var shopper: String?
    var token: String?
    var storesCard = false

    static let cardNames: Set<String> = [
        "cardTransactionType", "amount", "currency", "recurringTransaction", "softDescriptor", "descriptorPhoneNumber",
        "merchantTransactionId", "pfToken", "vaultedShopperId", "creditCard", "wallet", "cardHolderInfo",
        "transactionFraudInfo", "storeCard", "threeDSecure", "transactionInitiator", "networkTransactionInfo",
        "transactionMetaData", "level3Data", "productDescription", "taxReference", "updateShopperWithCardholderInfo",
        "walletId", "vendorsInfo",
    ]
    static let bankNames: Set<String> = [
        "amount", "currency", "softDescriptor", "merchantTransactionId", "pfToken", "vaultedShopperId", "payerInfo",
        "transactionFraudInfo", "ecpTransaction", "paypalTransaction", "authorizedByShopper", "transactionMetaData",
    ]

    /// - Parameter amount: Where the request has none.
    init(
        _ root: JSONValue, known: Set<String>, holder name: String, amount fixed: Money? = nil
    ) throws(BlueSnapRefusal) {
        self.root = root
        if let source = root["paymentSource"].present {
            instrument = source["creditCardInfo"].present ?? source
        } else {
            instrument = root
        }
        for member in (try? root.members()) ?? [] where !known.contains(member.name) {
            throw .invalid(member.name, "There is no such member")
        }
        if let fixed { amount = fixed } else { amount = try Self.amount(root) }
        ownReference = try Self.ownReference(root)
        if let info = root[name].present { holder = try Self.holder(info) }
        shopper = try? root["vaultedShopperId"].present?.scalarText()
        if let text = instrument["pfToken"].present {
            guard let text = try? text.string() else { throw .invalid("pfToken") }
            token = text
        }
        if let flag = root["storeCard"].present {
            guard flag.kind == .bool, let value = try? flag.bool() else { throw .invalid("storeCard") }
            storesCard = value
        }
        try readFraud()
        try Self.word(root, "recurringTransaction", ["ECOMMERCE", "RECURRING"], "INVALID_RECURRING_TRANSACTION")
        try Self.word(root, "transactionInitiator", ["SHOPPER", "MERCHANT"], "VALIDATION_GENERAL_FAILURE")
        try Self.checkMetadata(root["transactionMetaData"])
    }

    private static func word(
        _ root: JSONValue, _ name: String, _ words: Set<String>, _ refusal: String
    ) throws(BlueSnapRefusal) {
        guard let value = root[name].present else { return }
        guard let text = try? value.string(), words.contains(text) else {
            throw BlueSnapRefusal(refusal, 10001, "The value of \(name) is wrong")
        }
    }

    static func currency(_ root: JSONValue) throws(BlueSnapRefusal) -> Currency {
        guard let code = try? root["currency"].string(), let currency = try? Currency(code), currency.code == code
        else {
            throw .unknownCurrency
        }
        guard BlueSnapCatalogue.rates.contains(where: { $0.code == code }) else {
            throw BlueSnapRefusal("NO_AVAILABLE_PROCESSORS", 14016, "No processor is set up for this currency")
        }
        return currency
    }

    static func amount(_ root: JSONValue) throws(BlueSnapRefusal) -> Money {
        let currency = try currency(root)
        guard let text = try? root["amount"].decimalText() else { throw .invalid("amount") }
        return try BlueSnapSandbox.amount(text, currency)
    }

    static func ownReference(_ root: JSONValue) throws(BlueSnapRefusal) -> String? {
        guard let value = root["merchantTransactionId"].present else { return nil }
        guard let text = try? value.string(), (1...50).contains(text.utf8.count) else {
            throw BlueSnapRefusal("INVALID_MERCHANT_TRANSACTION_ID", 10001, "The merchant's transaction id is wrong")
        }
        return text
    }

    static func holder(_ json: JSONValue) throws(BlueSnapRefusal) -> [String: String] {
        var texts: [String: String] = [:]
        for member in (try? json.members()) ?? [] {
            guard
                BlueSnapShopper.fields.contains(member.name) || member.name == "personalIdentificationNumber"
                    || member.name == "merchantShopperId" || member.name == "zip",
                let text = try? member.value.string()
            else { throw .invalid(member.name) }
            texts[member.name] = text
        }
        try BlueSnapSubmission.check(country: texts["country"], state: texts["state"], "")
        return texts
    }

    private mutating func readFraud() throws(BlueSnapRefusal) {
        guard let fraud = root["transactionFraudInfo"].present else { return }
        let known: Set = ["fraudSessionId", "shopperIpAddress", "shippingContactInfo", "enterpriseSiteId", "company"]
        for member in (try? fraud.members()) ?? [] where !known.contains(member.name) { throw .invalid(member.name) }
        if let id = fraud["fraudSessionId"].present {
            guard let text = try? id.string(), (1...32).contains(text.utf8.count) else {
                throw .invalid("fraudSessionId")
            }
        }
        if let contact = fraud["shippingContactInfo"].present { shipping = try BlueSnapShopperForm.contact(contact) }
    }

    static func checkMetadata(_ json: JSONValue) throws(BlueSnapRefusal) {
        for item in json["metaData"].items {
            guard let key = try? item["metaKey"].string(), (1...40).contains(key.utf8.count),
                let value = try? item["metaValue"].string(), (1...500).contains(value.utf8.count)
            else { throw .invalid("transactionMetaData") }
        }
    }

    /// The first value: where a request has no member for the merchant's own reference, it can stand here.
    static func metadataReference(_ root: JSONValue) -> String? {
        try? root["transactionMetaData"]["metaData"].items.first?["metaValue"].string()
    }

    // MARK: - Cards

    /// A card as the Payment API has it, with its number. A wrong check digit is 10001 (dossier 8.2); what a stranger's
    /// number, a wrong type or date are told is a guess.
    static func card(_ json: JSONValue, now: WallTime) throws(BlueSnapRefusal) -> (BlueSnapCard, SubmittedCard) {
        guard let number = try? json["cardNumber"].string() else { throw .invalid("cardNumber") }
        let code = try? json["securityCode"].present?.string()
        let submitted = SubmittedCard(number: Sensitive(number), securityCode: code.map { Sensitive($0) })
        guard (try? CardNumber(Sensitive(number)))?.passesCheckDigit == true else { throw .invalid("cardNumber") }
        guard let month = try? json["expirationMonth"].scalarText(),
            let year = try? json["expirationYear"].scalarText(),
            let expiry = BlueSnapCard.expiry(month: month[...], year: year[...])
        else { throw .invalid("expirationMonth") }
        do throws(BlueSnapRefusal) {
            let type = try? json["cardType"].present?.string()
            return (
                try BlueSnapCard.read(number: number, type: type, expiry: expiry, code: code, now: now), submitted
            )
        } catch {
            throw switch error.name {
            case "INVALID_CC_NUMBER": .declined("INVALID_CARD_NUMBER")
            case "INVALID_EXP_DATE": .declined("EXPIRED_CARD")
            case "INVALID_CVV": .declined("CVV_ERROR")
            case "CARD_TYPE_NOT_SUPPORTED": .declined("INVALID_CARD_TYPE")
            default: error
            }
        }
    }
}

extension BlueSnapRefusal {
    /// Code 14002, which has many names.
    static func declined(_ name: String) -> BlueSnapRefusal {
        BlueSnapRefusal(name, 14002, "Transaction failed because of payment processing failure: 430306-14002")
    }

    static let noHolder = BlueSnapRefusal(
        "MISSING_SHOPPER_OR_CARD_HOLDER", 30, "Neither shopper nor card holder is named")
    static let noSource = BlueSnapRefusal("MISSING_ARGUMENTS", 16001, "There is nothing to pay with")
    static let manySources = BlueSnapRefusal(
        "MULTIPLE_PAYMENT_METHODS_NON_SELECTED", 16003, "There are several payment methods, and none is selected")
    static let manyTransactions = BlueSnapRefusal(
        "MULTIPLE_TRANSACTIONS_FOUND", 20002, "There is more than one transaction with this id")
    static let notAuthorized = BlueSnapRefusal(
        "TRANSACTION_NOT_AUTHORIZED", 20005, "The transaction was not authorized")
    static let captured = BlueSnapRefusal("TRANSACTION_ALREADY_CAPTURED", 20010, "The transaction was already captured")
    static let otherMethod = BlueSnapRefusal(
        "TRANSACTION_PAYMENT_METHOD_NOT_SUPPORTED", 20004, "This call is not for this payment method")
}
