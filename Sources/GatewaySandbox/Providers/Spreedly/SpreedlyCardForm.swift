import GatewayKitCore

/// Reads the body of a create call for a card and collects everything that is wrong with it (dossier 1.2, 1.5).
///
/// Guesses, because no source tells: a number with other characters than digits, or of more than 19 digits, is
/// `errors.invalid`; `retained` without the access secret is `errors.invalid` on `retained`; a missing
/// `payment_method` or `credit_card` is `errors.blank`. See ``SpreedlyFields`` for more.
struct SpreedlyCardForm {
    private(set) var method = SpreedlyMethod()
    private(set) var submitted: SubmittedCard?
    /// Whether the number is on the public test list; everything else counts as a real card.
    private(set) var isTestNumber = false
    var issues: [SpreedlyRefusal.Item] { fields.issues }

    private static let testNumbers = Set(TestCard.all.map(\.number))

    private var fields = SpreedlyFields()

    init(_ root: JSONValue, way: SpreedlyAccess.Way, now: WallTime, fingerprint: KeyedFingerprint) {
        let outer = root["payment_method"]
        let card = outer["credit_card"]
        guard outer.kind == .object else {
            fields.issues = [outer.present == nil ? .blank("payment_method") : .invalid("payment_method")]
            return
        }
        guard card.kind == .object else {
            fields.issues = [card.present == nil ? .blank("credit_card") : .invalid("credit_card")]
            return
        }
        fields.names(
            card, allowsBlank: fields.flag("allow_blank_name", outer, card) ?? false, into: &method)
        readNumber(card["number"], fingerprint: fingerprint)
        fields.date(
            card, allowsBlank: fields.flag("allow_blank_date", outer, card) ?? false,
            allowsExpired: fields.flag("allow_expired_date", outer, card) ?? false, now: now, into: &method)
        if let sent = try? card["verification_value"].present?.sensitive() { submitted?.securityCode = sent }
        method.codeLength =
            fields.securityCode(card["verification_value"], wrong: .invalid("verification_value")) ?? 0
        for name in SpreedlyMethod.billingFields + SpreedlyMethod.shippingFields {
            method.address[name] = fields.text(name, card[name])
        }
        method.email = fields.text("email", outer["email"]) ?? fields.text("email", card["email"])
        method.isEligibleForUpdater = fields.flag("eligible_for_card_updater", outer, card) ?? true
        _ = fields.flag("provision_network_token", outer, card)
        if fields.flag("retained", outer) ?? false {
            method.storage = .retained
            if way != .authenticated { fields.issues.append(.invalid("retained")) }
        }
        method.metadata = fields.metadata(outer["metadata"])
        method.data = SpreedlyFields.detached(outer["data"])
    }

    private mutating func readNumber(_ value: JSONValue, fingerprint: KeyedFingerprint) {
        if let sent = try? value.present?.sensitive() { submitted = SubmittedCard(number: sent) }
        guard let number = fields.requiredText("number", value) else { return }
        guard SpreedlyFields.isDigits(number), number.utf8.count <= CardNumber.lengths.upperBound else {
            fields.issues.append(.invalid("number"))
            return
        }
        // Spreedly's own Ruby client's tests see "343" refused as a real card and not as a malformed one.
        guard let card = try? CardNumber(Sensitive(number)) else { return }
        method.brand = card.brand
        method.firstSix = String(number.prefix(6))
        method.firstEight = String(number.prefix(8))
        method.lastFour = card.lastFour
        guard card.issues.isEmpty else {
            fields.issues.append(.invalid("number"))
            return
        }
        guard card.brand != nil else {
            fields.issues.append(.blankCardType)
            return
        }
        isTestNumber = Self.testNumbers.contains(number)
        method.fingerprint = fingerprint.of(number)
    }
}
