import GatewayKitCore

/// A transaction: of the vault, or with a ``SpreedlyPayment`` in it.
struct SpreedlyTransaction: Sendable {
    enum Kind: String, Sendable {
        case add = "AddPaymentMethod"
        case retain = "RetainPaymentMethod"
        case redact = "RedactPaymentMethod"
        case recache = "RecacheSensitiveData"
        case purchase = "Purchase"
        case offsitePurchase = "OffsitePurchase"
        case authorization = "Authorization"
        case offsiteAuthorization = "OffsiteAuthorization"
        case verification = "Verification"
        case capture = "Capture"
        case void = "Void"
        case credit = "Credit"
        case generalCredit = "GeneralCredit"
    }

    /// Why a transaction failed; recorded failures have no `message_key`, so most have none here.
    struct Failure: Sendable, Equatable {
        var key: String?
        var message: String

        /// The key comes from the tests of Spreedly's Ruby client.
        static let redacted = Failure(
            key: "messages.unable_to_retain_a_redacted_payment_method",
            message: "Unable to retain a redacted payment method.")
        /// A guess: no source tells what retaining a used method answers.
        static let used = Failure(message: "Unable to retain a used payment method.")
        /// A guess: Spreedly's documents only say that the method must be retained.
        static let notRetained = Failure(message: "Only the data of a retained card can be recached.")
    }

    var token = ""
    var createdAt: WallTime
    var kind: Kind
    var failure: Failure?
    var methodToken: String
    /// Whether the method was retained after this transaction.
    var isRetained: Bool
    var payment: SpreedlyPayment?

    /// What goes to no gateway is `succeeded` or `failed` (dossier 2.4).
    var state: String { payment?.state.rawValue ?? (failure == nil ? "succeeded" : "failed") }
    var succeeded: Bool { state == "succeeded" }
    /// 422 for what failed (dossier 2.5).
    var status: Int {
        if let payment { return payment.state.hasFailed ? 422 : 200 }
        return failure != nil ? 422 : kind == .add ? 201 : 200
    }

    /// Fields and order of a recorded answer (dossier 1.4); `null` for a method that is no longer kept.
    func write(_ method: SpreedlyMethod?, to body: inout AnswerWriter) {
        if let payment { return payment.write(self, method, to: &body) }
        body.set("token", token)
        body.set("created_at", createdAt.rfc3339)
        body.set("updated_at", createdAt.rfc3339)
        body.set("succeeded", failure == nil)
        body.set("transaction_type", kind.rawValue)
        body.set("retained", isRetained)
        body.set("state", state)
        if let failure {
            body.set("message_key", failure.key)
            body.set("message", failure.message)
        } else {
            body.set("message_key", "messages.transaction_succeeded")
            body.set("message", "Succeeded!")
        }
        if let method {
            body.object("payment_method") { method.write(to: &$0) }
        } else {
            body.setNull("payment_method")
        }
    }
}
