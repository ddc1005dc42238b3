import GatewayKitCore

/// What is checked before a payment is sent.
extension SpreedlyClient {
    /// The gateway that takes the account's payments.
    func gatewayToken() throws(GatewayError) -> String {
        guard let token = account.text(SpreedlyProvider.gatewayToken), !token.isEmpty else {
            throw account.missing(SpreedlyProvider.gatewayToken)
        }
        guard PaymentToken.isWellFormed(id: token) else {
            throw GatewayError(
                .configuration, message: "The gatewayToken of account \(account.name) is no token.",
                advice: "Nothing was sent. Copy it again from Spreedly's list of gateways.", account: account.name)
        }
        return token
    }

    /// Wrong values of fields, all of them.
    func localIssues(_ start: SpreedlyStart, _ request: PaymentRequest) -> [FieldIssue] {
        var issues: [FieldIssue] = []
        if request.token.isEmpty {
            issues.append(FieldIssue(.token, .missing, message: "The token of the instrument is missing."))
        } else if !PaymentToken.isWellFormed(id: request.token) {
            issues.append(FieldIssue(.token, .malformed, message: "This is no token."))
        }
        if start == .verify {
            if !request.amount.isZero {
                issues.append(FieldIssue(.amount, .notAccepted, message: "A verification has no amount."))
            }
        } else if request.amount.minorUnits <= 0 {
            issues.append(FieldIssue(.amount, .notAccepted, message: "The amount must be more than nothing."))
        }
        return issues + request.shopper.issues
    }

    /// Refuses what Spreedly's call has no place for.
    func check(_ request: PaymentRequest) throws(GatewayError) {
        try check(ownReference: request.ownReference)
        for (name, value) in request.options.sorted(by: { $0.key < $1.key }) {
            guard let option = SpreedlyPaymentOption(rawValue: name) else {
                let known = SpreedlyPaymentOption.allCases.map(\.rawValue).joined(separator: ", ")
                throw unusable("Spreedly has no option '\(name)' for payments.", "Its options are: \(known).")
            }
            guard option.takes(value) else {
                throw unusable("The option '\(name)' has a value of another kind.", "Correct its value.")
            }
        }
    }

    /// The rule of core for references, which keeps them out of trouble at every gateway.
    static func isOwnReference(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }

    func check(ownReference: String) throws(GatewayError) {
        guard Self.isOwnReference(ownReference) else {
            throw unusable(
                "The attempt's own reference is not of 1 to 64 letters, digits, hyphens and underscores.",
                "Nothing was sent. Make a new reference.")
        }
    }

    /// The provider's id of a payment of this account; it becomes a part of the address.
    func id(of payment: PaymentReference) throws(GatewayError) -> String {
        guard payment.accountName == account.name.description else {
            throw unusable(
                "The payment belongs to account \(payment.accountName).", "Nothing was sent. Use that account.")
        }
        guard let id = payment.providerID, PaymentToken.isWellFormed(id: id) else {
            throw unusable(
                "The payment has no id of Spreedly's.", "Nothing was sent. Look it up by its own reference first.")
        }
        return id
    }

    /// The members of a transaction under their wrapper.
    func transactionBody(
        _ build: (inout JSONObjectWriter) -> Void
    ) throws(GatewayError) -> JSONBody {
        var writer = JSONWriter()
        writer.object { root in root.object("transaction", build) }
        do throws(JSONError) {
            return try writer.finish()
        } catch {
            throw unusable(
                "The request cannot be written: \(error.message).", "Nothing was sent. Correct the input.")
        }
    }

    func unusable(_ message: SafeText, _ advice: SafeText) -> GatewayError {
        GatewayError(.invalidInput, message: message, advice: advice, account: account.name)
    }
}
