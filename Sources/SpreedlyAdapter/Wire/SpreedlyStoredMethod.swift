import GatewayKitCore

/// The `payment_method` of an answer. What is not read here is not kept: `third_party_token` above all, in which the
/// test gateway puts the whole card number.
struct SpreedlyStoredMethod {
    /// `nil` also for what cannot be a token: something else than text, or text with spaces or control characters.
    let token: String?
    let hasToken: Bool
    let kind: String?
    let storageState: String?
    let isTest: Bool?
    let fingerprint: String?
    let summary: CardSummary
    let bankAccount: BankAccountSummary?
    let errors: [SpreedlyErrorEntry]
    private let json: JSONValue

    /// The member `payment_method`, also if it came as a list of one.
    init?(in parent: JSONValue) {
        let items = parent["payment_method"].items
        guard items.count == 1, let only = items.first else { return nil }
        self.init(only)
    }

    init?(_ json: JSONValue) {
        guard json.kind == .object else { return nil }
        self.json = json
        hasToken = json["token"].present != nil
        token = (try? json["token"].present?.string()).flatMap { PaymentToken.isWellFormed(id: $0) ? $0 : nil }
        kind = json["payment_method_type"].nonEmptyText
        storageState = json["storage_state"].nonEmptyText
        isTest = try? json["test"].present?.bool()
        fingerprint = json["fingerprint"].nonEmptyText
        errors = SpreedlyErrorEntry.list(json["errors"])
        let month = try? json["month"].present?.integer()
        let year = try? json["year"].present?.integer()
        let expiry = month.flatMap { month in year.flatMap { CardExpiry(month: month, year: $0) } }
        summary = CardSummary(
            brand: json["card_type"].nonEmptyText.flatMap { SpreedlyErrors.brands[$0] ?? CardBrand(id: $0) },
            lastFour: json["last_four_digits"].nonEmptyText, firstSix: json["first_six_digits"].nonEmptyText,
            expiry: expiry)
        bankAccount = Self.bankAccount(json)
    }

    /// What the storage state says about repeated use (API V1).
    var usage: PaymentToken.Usage {
        switch storageState {
        case "retained": .reusable
        case "cached": .single
        default: .unknown
        }
    }

    /// What may be shown of the card; `nil` where the answer tells nothing of one.
    var card: CardSummary? { summary == CardSummary() ? nil : summary }

    /// The answer spells its members in another way than the request.
    private static func bankAccount(_ json: JSONValue) -> BankAccountSummary? {
        let summary = BankAccountSummary(
            bankName: json["bank_name"].nonEmptyText.map(Redactor.standard.redact(_:)),
            type: json["account_type"].nonEmptyText.map(Redactor.standard.redact(_:)),
            holderType: json["account_holder_type"].nonEmptyText.map(Redactor.standard.redact(_:)),
            lastFour: json["account_number_display_digits"].nonEmptyText
                ?? json["account_number"].nonEmptyText.flatMap(unmasked),
            routingPrefix: json["routing_number_display_digits"].nonEmptyText
                ?? json["routing_number"].nonEmptyText.flatMap(unmasked))
        return summary == BankAccountSummary() ? nil : summary
    }

    /// The digits of a mask such as `*3210`; a text without any mask is no mask and is not read.
    private static func unmasked(_ mask: String) -> String? {
        guard mask.contains("*") || mask.contains("X") else { return nil }
        return mask.filter { $0 != "*" && $0 != "X" && $0 != "-" }
    }
}

extension SpreedlyStoredMethod {
    /// The instrument as the vault keeps it; `nil` without a token.
    func instrument(_ account: AccountName, _ redactor: Redactor) -> StoredInstrument? {
        guard let token else { return nil }
        var stored = StoredInstrument(id: token, account: account, state: state)
        stored.providerState = storageState.map(redactor.redact(_:))
        stored.providerKind = kind.map(redactor.redact(_:))
        stored.card = card
        stored.bankAccount = bankAccount
        stored.shopper = shopper(redactor)
        stored.metadata = metadata(redactor)
        stored.isTest = isTest
        stored.hasSecurityCode = json["verification_value"].present.map { $0.nonEmptyText != nil }
        stored.fingerprint = fingerprint.map(redactor.redact(_:))
        stored.createdAt = json["created_at"].nonEmptyText.flatMap { WallTime(rfc3339: $0) }
        stored.updatedAt = json["updated_at"].nonEmptyText.flatMap { WallTime(rfc3339: $0) }
        return stored
    }

    private var state: StoredInstrument.State {
        switch storageState {
        case "retained": .retained
        case "cached": .cached
        case "used": .used
        case "redacted": .redacted
        case "closed": .closed
        default: .unknown
        }
    }

    private func shopper(_ redactor: Redactor) -> Shopper {
        func text(_ name: String) -> String? { json[name].nonEmptyText.map(redactor.redact(_:)) }
        func address(_ prefix: String) -> Address? {
            let address = Address(
                line1: text(prefix + "address1"), line2: text(prefix + "address2"), city: text(prefix + "city"),
                region: text(prefix + "state"), postalCode: text(prefix + "zip"), country: text(prefix + "country"))
            return address.isEmpty ? nil : address
        }
        let parts = [text("first_name"), text("last_name")].compactMap { $0 }
        return Shopper(
            name: text("full_name") ?? (parts.isEmpty ? nil : parts.joined(separator: " ")), email: text("email"),
            phone: text("phone_number"), company: text("company"), billingAddress: address(""),
            shippingAddress: address("shipping_"), shippingPhone: text("shipping_phone_number"))
    }

    /// Nested values, which Spreedly does not take, are left out.
    private func metadata(_ redactor: Redactor) -> [TokenizationRequest.Metadata] {
        let members = (try? json["metadata"].present?.members()) ?? []
        return members.compactMap { member in
            let value: OptionValue
            switch member.value.kind {
            case .bool: value = .flag((try? member.value.bool()) == true)
            case .number:
                let text = (try? member.value.scalarText()) ?? ""
                value = Int(text).map { .integer($0) } ?? .text(text)
            case .string: value = .text(redactor.redact((try? member.value.string()) ?? ""))
            case .absent, .null, .array, .object: return nil
            }
            return .init(key: redactor.redact(member.name), value: value)
        }
    }
}

extension JSONValue {
    /// The text of a scalar, or `nil` when there is none or it is empty.
    var nonEmptyText: String? {
        guard let text = try? present?.scalarText(), !text.isEmpty else { return nil }
        return text
    }
}
