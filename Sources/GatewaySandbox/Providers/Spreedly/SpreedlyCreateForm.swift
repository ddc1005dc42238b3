import GatewayKitCore

/// Reads the body of a create call and collects everything that is wrong with it (dossier 1.2, 1.3, 1.5).
///
/// Guesses, because no source tells: `retained` without the access secret is `errors.invalid` on `retained`; a missing
/// `payment_method`, or none of the instruments in it, is `errors.blank`; two instruments in one call are
/// `errors.invalid` on the second. See ``SpreedlyFields`` and the files of the instruments for more.
struct SpreedlyCreateForm {
    var method = SpreedlyMethod()
    var fields = SpreedlyFields()
    /// What was sent of a number and a code, for the echo fault.
    var submitted: SubmittedCard?
    /// Whether it is public test data; everything else counts as real.
    var isTest = false
    let fingerprint: KeyedFingerprint

    private static let nested = ["credit_card", "apple_pay", "google_pay", "bank_account"]
    /// Of the offsite methods only Spreedly's own test method is imitated.
    private static let flat = ["third_party_token", "sprel"]

    init(_ root: JSONValue, way: SpreedlyAccess.Way, now: WallTime, fingerprint: KeyedFingerprint) {
        self.fingerprint = fingerprint
        let outer = root["payment_method"]
        guard outer.kind == .object else {
            fields.issues = [outer.present == nil ? .blank("payment_method") : .invalid("payment_method")]
            return
        }
        guard let kind = readKind(outer) else { return }
        let inner = outer[kind]
        switch kind {
        case "apple_pay":
            readApplePay(inner, outer)
            readAddress(outer)
        case "google_pay":
            readGooglePay(inner, outer)
            readAddress(inner, outer)
        case "bank_account":
            readBankAccount(inner, outer)
            readAddress(inner)
        case "third_party_token":
            readThirdPartyToken(outer)
            readFlatHolder(outer)
        case "sprel":
            method.instrument = .sprel
            isTest = true
            readFlatHolder(outer)
        default:
            readCard(inner, outer, now: now)
            readAddress(inner)
        }
        method.email = fields.text("email", outer["email"]) ?? fields.text("email", inner["email"])
        method.isEligibleForUpdater = fields.flag("eligible_for_card_updater", outer, inner) ?? true
        _ = fields.flag("provision_network_token", outer, inner)
        if fields.flag("retained", outer) ?? false {
            method.storage = .retained
            if way != .authenticated { fields.issues.append(.invalid("retained")) }
        }
        method.metadata = fields.metadata(outer["metadata"])
        method.data = SpreedlyFields.detached(outer["data"])
    }

    /// The name of the one instrument.
    private mutating func readKind(_ outer: JSONValue) -> String? {
        let type = fields.text("payment_method_type", outer["payment_method_type"])
        guard fields.issues.isEmpty else { return nil }
        if let type, !Self.nested.contains(type), !Self.flat.contains(type) {
            fields.issues.append(.invalid("payment_method_type"))
            return nil
        }
        var kinds = Self.flat.filter { $0 == type } + Self.nested.filter { outer[$0].present != nil }
        if kinds.isEmpty { kinds = [type ?? "credit_card"] }
        guard let kind = kinds.first else { return nil }
        if let other = kinds.dropFirst().first ?? (type == nil || type == kind ? nil : "payment_method_type") {
            fields.issues.append(.invalid(other))
            return nil
        }
        guard Self.flat.contains(kind) || outer[kind].kind == .object else {
            fields.issues.append(outer[kind].present == nil ? .blank(kind) : .invalid(kind))
            return nil
        }
        return kind
    }

    private mutating func readCard(_ card: JSONValue, _ outer: JSONValue, now: WallTime) {
        fields.names(card, allowsBlank: fields.flag("allow_blank_name", outer, card) ?? false, into: &method)
        if let sent = try? card["number"].present?.sensitive() { submitted = SubmittedCard(number: sent) }
        readNumber(card["number"])
        fields.date(
            card, allowsBlank: fields.flag("allow_blank_date", outer, card) ?? false,
            allowsExpired: fields.flag("allow_expired_date", outer, card) ?? false, now: now, into: &method)
        if let sent = try? card["verification_value"].present?.sensitive() { submitted?.securityCode = sent }
        method.codeLength =
            fields.securityCode(card["verification_value"], wrong: .invalid("verification_value")) ?? 0
    }

    /// Guess: a number with other characters than digits, or of more than 19 digits, is `errors.invalid`.
    private mutating func readNumber(_ value: JSONValue) {
        guard let number = fields.requiredText("number", value) else { return }
        guard SpreedlyFields.isDigits(number), number.utf8.count <= CardNumber.lengths.upperBound else {
            fields.issues.append(.invalid("number"))
            return
        }
        // Spreedly's own Ruby client's tests see "343" refused as a real card and not as a malformed one.
        guard let card = try? CardNumber(Sensitive(number)) else { return }
        take(card, digits: number)
        guard card.issues.isEmpty else {
            fields.issues.append(.invalid("number"))
            return
        }
        guard card.brand != nil else {
            fields.issues.append(.blankCardType)
            return
        }
        isTest = Self.isTestNumber(number)
    }

    // MARK: - Parts of several instruments

    static func isTestNumber(_ number: String) -> Bool { testNumbers.contains(number) }

    private static let testNumbers = Set(TestCard.all.map(\.number))

    mutating func take(_ card: CardNumber, digits: String) {
        method.brand = card.brand
        method.testCard = TestCard.all.first { $0.number == digits }?.name
        method.firstSix = String(digits.prefix(6))
        method.firstEight = String(digits.prefix(8))
        method.lastFour = card.lastFour
        method.fingerprint = fingerprint.of(digits)
    }

    /// That names and addresses may stand beside a flat instrument is a guess; none is required.
    private mutating func readFlatHolder(_ outer: JSONValue) {
        fields.names(outer, allowsBlank: true, into: &method)
        readAddress(outer)
    }

    private mutating func readAddress(_ levels: JSONValue...) {
        for name in SpreedlyMethod.billingFields + SpreedlyMethod.shippingFields {
            for level in levels where method.address[name] == nil {
                method.address[name] = fields.text(name, level[name])
            }
        }
    }
}
