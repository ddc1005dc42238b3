import GatewayKitCore

/// Reads an update: attributes that are not sensitive, flat under `payment_method` (dossier 1.7).
///
/// Guesses: what is absent stays and `null` empties; metadata is added to what is there; the rules for values are
/// those of creating; sensitive attributes, and the nested object of a create call, are `errors.invalid`.
struct SpreedlyUpdate {
    private(set) var method: SpreedlyMethod
    private(set) var fields = SpreedlyFields()

    private static let refused = [
        "number", "verification_value", "credit_card", "bank_account", "apple_pay", "google_pay", "bank_account_number",
        "bank_routing_number", "account_number", "routing_number",
    ]

    init(_ root: JSONValue, of method: SpreedlyMethod, now: WallTime) {
        self.method = method
        let level = root["payment_method"]
        guard level.kind == .object else {
            fields.issues = [level.present == nil ? .blank("payment_method") : .invalid("payment_method")]
            return
        }
        for name in Self.refused where level[name].present != nil { fields.issues.append(.invalid(name)) }
        readNames(level)
        readDate(level, now: now)
        for name in SpreedlyMethod.billingFields + SpreedlyMethod.shippingFields where level[name].kind != .absent {
            self.method.address[name] = fields.text(name, level[name])
        }
        if level["email"].kind != .absent { self.method.email = fields.text("email", level["email"]) }
        if level["data"].kind != .absent { self.method.data = SpreedlyFields.detached(level["data"]) }
        if let flag = fields.flag("eligible_for_card_updater", level) { self.method.isEligibleForUpdater = flag }
        if let flag = fields.flag("managed", level) { self.method.isManaged = flag }
        if let added = fields.metadata(level["metadata"]) {
            if let merged = self.method.metadata.map({ $0.merged(with: added) }) ?? added {
                self.method.metadata = merged
            } else {
                fields.issues.append(.invalid("metadata"))
            }
        }
        self.method.updatedAt = now
    }

    private mutating func readNames(_ level: JSONValue) {
        let allowsBlank = fields.flag("allow_blank_name", level) ?? false
        if level["first_name"].kind == .absent, level["last_name"].kind == .absent,
            let full = SpreedlyFields.unlessBlank(fields.text("full_name", level["full_name"]))
        {
            method.setFullName(full)
            return
        }
        if let first = name("first_name", level, allowsBlank: allowsBlank) { method.firstName = first }
        if let last = name("last_name", level, allowsBlank: allowsBlank) { method.lastName = last }
    }

    private mutating func name(_ name: String, _ level: JSONValue, allowsBlank: Bool) -> String?? {
        guard level[name].kind != .absent else { return nil }
        if !allowsBlank { return .some(fields.requiredText(name, level[name])) }
        return .some(SpreedlyFields.unlessBlank(fields.text(name, level[name])))
    }

    private mutating func readDate(_ level: JSONValue, now: WallTime) {
        let allowsBlank = fields.flag("allow_blank_date", level) ?? false
        let allowsExpired = fields.flag("allow_expired_date", level) ?? false
        let hasMonth = level["month"].kind != .absent
        let hasYear = level["year"].kind != .absent
        if hasMonth {
            method.month = fields.datePart("month", level["month"], isRequired: !allowsBlank) { (1...12).contains($0) }
        }
        if hasYear {
            method.year = fields.datePart("year", level["year"], isRequired: !allowsBlank) {
                (1000...9999).contains($0)
            }
        }
        if hasMonth || hasYear, !allowsExpired { fields.checkExpiry(of: method, now: now) }
    }
}
