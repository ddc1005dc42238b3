import GatewayKitCore

/// A bank account as it is kept and shown; the names differ from those of the request (dossier 1.3).
struct SpreedlyBankAccount: Sendable {
    var routingDisplayDigits = ""
    var accountDisplayDigits = ""
    var type: String?
    var holderType: String?
    var bankName: String?

    /// What an answer calls these; the order is a guess.
    func write(to body: inout AnswerWriter, isRedacted: Bool) {
        body.setOrNull("bank_name", bankName)
        body.setOrNull("account_type", type)
        body.setOrNull("account_holder_type", holderType)
        body.set("routing_number_display_digits", routingDisplayDigits)
        body.set("account_number_display_digits", accountDisplayDigits)
        body.set("routing_number", isRedacted ? "" : routingDisplayDigits + "*")
        body.set("account_number", isRedacted ? "" : "*" + accountDisplayDigits)
    }
}

/// Bank accounts (dossier 1.3 and 7): US and CA only, routing numbers of nine digits.
///
/// Errors name `routing_number` and `account_number`, as Spreedly's iOS SDK expects. Guesses: the other attributes are
/// called as in answers too; both types may be missing; a name is wanted as for cards; an account number has 4 to 17
/// digits; a US routing number is wrong when its check digit is; the test account that Spreedly refuses is
/// `errors.invalid`.
extension SpreedlyCreateForm {
    private static let testRouting = "021000021"
    private static let testAccount = "9876543210"
    private static let refusedAccount = "9876543211"

    mutating func readBankAccount(_ account: JSONValue, _ outer: JSONValue) {
        var bank = SpreedlyBankAccount()
        fields.names(account, allowsBlank: fields.flag("allow_blank_name", outer, account) ?? false, into: &method)
        let number = account["bank_account_number"]
        if let sent = try? number.present?.sensitive() { submitted = SubmittedCard(number: sent) }
        let country = try? account["country"].present?.string()
        if let country, !["US", "CA"].contains(country) { fields.issues.append(.invalid("country")) }
        let routingDigits = digits("routing_number", account["bank_routing_number"]) { text in
            text.utf8.count == 9 && (country == "CA" || Self.hasRightCheckDigit(text))
        }
        let accountDigits = digits("account_number", number) { text in
            (4...17).contains(text.utf8.count) && text != Self.refusedAccount
        }
        bank.type = word("account_type", account["bank_account_type"], of: ["checking", "savings"])
        bank.holderType = word(
            "account_holder_type", account["bank_account_holder_type"], of: ["personal", "business"])
        bank.bankName = fields.text("bank_name", account["bank_name"])
        if let routingDigits, let accountDigits {
            bank.routingDisplayDigits = String(routingDigits.prefix(3))
            bank.accountDisplayDigits = String(accountDigits.suffix(4))
            method.fingerprint = fingerprint.of(routingDigits + " " + accountDigits)
            isTest = routingDigits == Self.testRouting && accountDigits == Self.testAccount
        }
        method.instrument = .bankAccount(bank)
    }

    private mutating func digits(_ name: String, _ value: JSONValue, isRight: (String) -> Bool) -> String? {
        guard let text = fields.requiredText(name, value) else { return nil }
        guard SpreedlyFields.isDigits(text), isRight(text) else {
            fields.issues.append(.invalid(name))
            return nil
        }
        return text
    }

    private mutating func word(_ name: String, _ value: JSONValue, of words: Set<String>) -> String? {
        guard let text = fields.text(name, value) else { return nil }
        if !words.contains(text) { fields.issues.append(.invalid(name)) }
        return text
    }

    /// The American Bankers Association's rule: the digits by 3, 7, 1 in turn add up to a multiple of ten.
    private static func hasRightCheckDigit(_ text: String) -> Bool {
        let weights = [3, 7, 1]
        return text.utf8.enumerated().reduce(0) { $0 + Int($1.element & 15) * weights[$1.offset % 3] }
            .isMultiple(of: 10)
    }
}

extension SpreedlyCreateForm {
    /// Another vault's token, flat (dossier 1.3); all three members are required. Any gateway type is taken.
    ///
    /// A reference that may be a card number is refused, because the sandbox keeps none.
    mutating func readThirdPartyToken(_ outer: JSONValue) {
        let reference = fields.requiredText("reference", outer["reference"])
        let gateway = fields.requiredText("gateway_type", outer["gateway_type"])
        guard let reference, let gateway else { return }
        let runs = reference.utf8.split { $0 < 0x30 || $0 > 0x39 }
        if runs.contains(where: { CardBrand.mayBeCardNumber(Array($0)) }) {
            fields.issues.append(.invalid("reference"))
        }
        method.instrument = .thirdPartyToken(gatewayType: gateway, reference: reference)
        isTest = true
    }
}
