import GatewayKitCore

/// A `transaction` that moves money, or did (API V1, "Transactions"; field list from recordings of 2026). Read
/// leniently: Spreedly adds members without notice, and clients that broke over a missing one charged twice.
struct SpreedlyPaymentTransaction {
    /// `nil` also for what can be no token.
    let id: String?
    let kind: String?
    let succeeded: Bool?
    let state: String?
    let orderID: String?
    /// The payment that this one captures, voids or credits.
    let referenceID: String?
    let amount: Money?
    /// Whether an amount or a currency was told that could not be read.
    let hasStrangeAmount: Bool
    let message: String?
    let messageKey: String?
    let requiredAction: String?
    let method: SpreedlyStoredMethod?
    let errors: [SpreedlyErrorEntry]
    let response: SpreedlyGatewayResponse
    let createdAt: WallTime?
    private let hasState: Bool
    private let json: JSONValue

    /// `nil` when this is no object.
    init?(_ json: JSONValue) {
        guard json.kind == .object else { return nil }
        self.json = json
        id = json["token"].idText
        kind = json["transaction_type"].nonEmptyText
        succeeded = try? json["succeeded"].present?.bool()
        state = json["state"].nonEmptyText
        hasState = json["state"].present != nil
        orderID = json["order_id"].nonEmptyText
        referenceID = json["reference_token"].nonEmptyText
        let units = (try? json["amount"].present?.integer()).flatMap { Int64(exactly: $0) }.flatMap {
            $0 < 0 ? nil : $0
        }
        let currency = json["currency_code"].nonEmptyText.flatMap { try? Currency($0) }
        amount = units.flatMap { units in currency.map { Money(minorUnits: units, currency: $0) } }
        hasStrangeAmount =
            (json["amount"].present != nil && units == nil)
            || (json["currency_code"].nonEmptyText != nil && currency == nil)
        message = json["message"].nonEmptyText
        messageKey = json["message_key"].nonEmptyText
        requiredAction = json["required_action"].nonEmptyText
        method = SpreedlyStoredMethod(in: json)
        response = SpreedlyGatewayResponse(json)
        errors = SpreedlyErrorEntry.list(json["errors"]) + (method?.errors ?? [])
        createdAt = json["created_at"].nonEmptyText.flatMap { WallTime(rfc3339: $0) }
    }

    /// What came of it. Whatever contradicts itself or is not in the tables of the API is unknown.
    var outcome: PaymentRecord.State {
        guard state != "gateway_processing_result_unknown", response.resultUnknown != true, !isDuplicate else {
            return .unknown
        }
        switch state {
        case "succeeded",
            nil where !hasState:
            let isContradicted = response.success == false || response.pending == true || response.cancelled == true
            return succeeded == true && !isContradicted ? .succeeded : .unknown
        case "pending", "processing":
            return succeeded == true ? .unknown : .pending
        case "failed", "gateway_processing_failed", "gateway_setup_failed":
            return succeeded == true || response.success == true ? .unknown : .failed
        default:
            return .unknown
        }
    }

    /// Whether the gateway takes it for a repetition: then an earlier one may have gone through.
    var isDuplicate: Bool { declineCodes.contains { SpreedlyErrors.declineReasons[$0] == .duplicate } }

    /// The codes that may tell why it was declined, the most telling one first.
    var declineCodes: [String] {
        [response.failureReason, response.errorCode, messageKey].compactMap { $0 }
    }

    /// What it does, in GatewayKit's words.
    var recordKind: PaymentRecord.Kind { kind.flatMap { Self.kinds[$0] } ?? .other }

    /// Whether money is involved as far as the answer tells.
    var movesMoney: Bool { recordKind != .other || amount != nil }

    /// Whether the answer does not name another transaction than this one. The reduced view may name none.
    func mayBe(_ id: String) -> Bool { json["token"].nonEmptyText.map { $0 == id } ?? true }

    /// Whether it is about stored instruments only.
    var isVaultOnly: Bool { kind.map(Self.vaultKinds.contains) ?? false }

    /// `transaction_type` (dossier of the API, "Paths").
    static let kinds: [String: PaymentRecord.Kind] = [
        "Purchase": .purchase, "OffsitePurchase": .purchase, "Authorization": .authorization,
        "OffsiteAuthorization": .authorization, "Verification": .verification, "Capture": .capture, "Void": .void,
        "Credit": .refund, "GeneralCredit": .credit,
    ]
    private static let vaultKinds: Set = [
        "AddPaymentMethod", "RetainPaymentMethod", "RedactPaymentMethod", "RecacheSensitiveData", "Store",
        "RedactGateway", "DeliverPaymentMethod", "UpdatePaymentMethod", "ContactCardHolder", "ReplacePaymentMethod",
        "InvalidReplacePaymentMethod", "NoChangeReplacePaymentMethod",
    ]

    /// What the shopper has to do next, where the answer tells.
    var nextAction: NextAction? {
        let names: (form: String, addresses: [String])
        switch requiredAction {
        case "device_fingerprint": names = ("device_fingerprint_form", ["device_fingerprint_form_embed_url"])
        case "challenge": names = ("challenge_form", ["challenge_url", "challenge_form_embed_url"])
        default: names = ("checkout_form", ["checkout_url"])
        }
        // Samples show forms as text and as an object with `cdata`.
        if let form = json[names.form].nonEmptyText ?? json[names.form]["cdata"].nonEmptyText { return .html(form) }
        let addresses = names.addresses.lazy.compactMap { json[$0].nonEmptyText }
        guard let address = addresses.first(where: Self.isWebAddress) else { return nil }
        return .redirect(method: .get, url: address, fields: [])
    }

    /// Browsers run other schemes, such as `javascript:`, on the shop's own page.
    private static func isWebAddress(_ text: String) -> Bool {
        let lowered = text.lowercased()
        return lowered.hasPrefix("https://") || lowered.hasPrefix("http://")
    }

    /// The token that was charged or stored.
    func token(_ account: AccountName, _ redactor: Redactor) -> PaymentToken? {
        method?.paymentToken(account, redactor)
    }

    /// The transaction in GatewayKit's words; `nil` without an id.
    ///
    /// - Parameter asked: The id that was asked for, where the answer may leave it out.
    func record(_ account: AccountName, _ redactor: Redactor, id asked: String? = nil) -> PaymentRecord? {
        guard let id = id ?? asked, redactor.redact(id) == id else { return nil }
        var record = PaymentRecord(id: id, account: account, kind: recordKind, state: outcome)
        record.providerState = state.map(redactor.redact(_:))
        record.providerKind = kind.map(redactor.redact(_:))
        record.amount = amount
        // Spreedly's default for a transaction without one is the transaction's own token.
        record.ownReference = orderID == id ? nil : orderID.map { redactor.redact(reference: $0) }
        record.parentID = referenceID.map(redactor.redact(_:))
        record.networkTransactionID = response.networkTransactionID.map(redactor.redact(identifier:))
        record.gatewayTransactionID = json["gateway_transaction_id"].nonEmptyText.map(redactor.redact(identifier:))
        record.avsCode = response.avsCode.map(redactor.redact(_:))
        record.cvvCode = response.cvvCode.map(redactor.redact(_:))
        record.needsReview = response.fraudReview == true
        record.token = token(account, redactor)
        record.isTest = try? json["on_test_gateway"].present?.bool()
        record.createdAt = createdAt
        record.updatedAt = json["updated_at"].nonEmptyText.flatMap { WallTime(rfc3339: $0) }
        return record
    }
}

/// The `response` of a transaction: what the gateway said, in its own words. It may be missing.
struct SpreedlyGatewayResponse {
    let success: Bool?
    let pending: Bool?
    let resultUnknown: Bool?
    let cancelled: Bool?
    let fraudReview: Bool?
    let message: String?
    let errorCode: String?
    let avsCode: String?
    let cvvCode: String?
    let networkTransactionID: String?
    /// Spreedly's own word for the reason, where a gateway's code was translated.
    let failureReason: String?

    init(_ transaction: JSONValue) {
        let json = transaction["response"]
        success = try? json["success"].present?.bool()
        pending = try? json["pending"].present?.bool()
        resultUnknown = try? json["result_unknown"].present?.bool()
        cancelled = try? json["cancelled"].present?.bool()
        fraudReview = try? json["fraud_review"].present?.bool()
        message = json["message"].nonEmptyText
        errorCode = json["error_code"].nonEmptyText
        avsCode = json["avs_code"].nonEmptyText
        cvvCode = json["cvv_code"].nonEmptyText
        networkTransactionID = json["network_transaction_id"].nonEmptyText
        let places = [transaction["gateway_response"], json]
        failureReason = places.lazy.compactMap { $0["payment_outcome_data"]["failure_reason"].nonEmptyText }.first
    }
}

extension Redactor {
    /// A reference of core's form is an id, whose digits must stay as they are: it is how payments are found again.
    /// Whatever else stands there somebody else wrote.
    fileprivate func redact(reference: String) -> String {
        SpreedlyClient.isOwnReference(reference) ? redact(identifier: reference) : redact(reference)
    }
}

extension JSONValue {
    /// The text of an id that may become a part of an address, or `nil`.
    fileprivate var idText: String? {
        guard let text = try? present?.string(), PaymentToken.isWellFormed(id: text) else { return nil }
        return text
    }
}

extension SpreedlyStoredMethod {
    /// The token that was charged.
    fileprivate func paymentToken(_ account: AccountName, _ redactor: Redactor) -> PaymentToken? {
        guard let token, redactor.redact(token) == token else { return nil }
        var result = PaymentToken(id: token, account: account, usage: usage)
        result.card = card
        result.bankAccount = bankAccount
        result.providerKind = kind.map(redactor.redact(_:))
        result.isTest = isTest
        result.fingerprint = fingerprint.map(redactor.redact(_:))
        result.providerState = storageState.map(redactor.redact(_:))
        return result
    }
}
