import GatewayKitCore

/// How a payment ends (dossier 8), and what GatewayKit's imitation adds: amounts, in minor units of any currency.
///
/// BlueSnap's: cards and months that are declined, and the triggers of its fraud rules. GatewayKit's: 8101 and so on give
/// one name of 14002 after the other (``names``); 9901 is charged and 9902 is not, and both are told as a time-out of
/// the processor; 9903 is charged and answered with 500; 9904 is pending and 9905 under review; 9906 is a duplicate at
/// the processor.
enum BlueSnapDecision {
    /// The names of 14002 that the dossier has (5.2), and one that it has not.
    static let names = [
        "THREE_D_SECURITY_AUTHENTICATION_REQUIRED", "STRONG_CUSTOMER_AUTHENTICATION_REQUIRED", "THREE_D_SECURE_FAILURE",
        "INSUFFICIENT_FUNDS", "LIMIT_EXCEEDED", "EXPIRED_CARD", "INVALID_CARD_NUMBER", "INVALID_CARD_TYPE", "CVV_ERROR",
        "HIGH_RISK_ERROR", "CARD_LOST_OR_STOLEN", "PICKUP_CARD", "DO_NOT_HONOR", "CALL_ISSUER", "RESTRICTED_CARD",
        "ACCOUNT_CLOSED", "GENERAL_PAYMENT_PROCESSING_ERROR", "PROCESSING_GENERAL_DECLINE", "INCORRECT_INFORMATION",
        "INVALID_PIN_OR_PW_OR_ID_ERROR", "INVALID_TRANSACTION", "AUTHORIZATION_REVOKED", "INVALID_AMOUNT",
        "PROCESSING_AMOUNT_ERROR", "INCORRECT_SETUP", "THE_ISSUER_IS_UNAVAILABLE_OR_OFFLINE",
        "BLS_CONNECTION_PROBLEM", "SYSTEM_TECHNICAL_ERROR", "PROCESSING_DUPLICATE", "SANDBOX_UNHEARD_OF",
    ]
    static let firstName: Int64 = 8101

    enum Verdict {
        /// With the status that takes the place of `success`.
        case approved(status: String? = nil)
        /// - Parameter moved: Whether money moved all the same.
        case refused(BlueSnapRefusal, moved: Bool = false)
    }

    static func start(_ amount: Money, _ card: BlueSnapCard?, _ form: BlueSnapPaymentForm) -> Verdict {
        if let event = fraudEvent(amount, form) {
            var refusal = BlueSnapRefusal("FRAUD_DETECTED", 15011, "The transaction failed because of the fraud rules")
            refusal.fraudEvent = event
            return .refused(refusal)
        }
        if let name = card?.decline { return .refused(.declined(name)) }
        switch amount.minorUnits {
        case 9904: return .approved(status: "PENDING")
        case 9905: return .approved(status: "PENDING_MERCHANT_REVIEW")
        default: return follow(amount)
        }
    }

    /// Captures and refunds, which no card decides.
    static func follow(_ amount: Money) -> Verdict {
        switch amount.minorUnits {
        case 9901: return .refused(.declined("PROCESSING_TIMEOUT"), moved: true)
        case 9902: return .refused(.declined("PROCESSING_TIMEOUT"))
        case 9903: return .refused(.failure, moved: true)
        case 9906: return .refused(.declined("PROCESSING_DUPLICATE"))
        case let units:
            let index = units - firstName
            guard index >= 0, index < names.count else { return .approved() }
            return .refused(.declined(names[Int(index)]))
        }
    }

    /// Whose amount the rule means is a guess: 3729 in major units of any currency.
    private static func fraudEvent(_ amount: Money, _ form: BlueSnapPaymentForm) -> String? {
        let city = form.holder["city"]
        if city == "approve" || form.shipping["zip"] == "88888" { return nil }
        if form.holder["email"] == "decline@test.com" { return "emailDecline" }
        if city == "KADIMA-ZORAN" { return "billingCityDecline" }
        let unit = (0..<amount.currency.minorUnitDigits).reduce(Int64(1)) { result, _ in result * 10 }
        return amount.minorUnits == 3729 * unit ? "orderTotalDecline" : nil
    }
}
