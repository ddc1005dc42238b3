import GatewayKitCore

/// A transaction of the vault. Those that move money are not imitated yet.
struct SpreedlyTransaction: Sendable {
    enum Kind: String, Sendable {
        case add = "AddPaymentMethod"
        case retain = "RetainPaymentMethod"
        case redact = "RedactPaymentMethod"
        case recache = "RecacheSensitiveData"
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

    /// `succeeded` or `failed`: nothing here goes to a gateway (dossier 2.4).
    var state: String { failure == nil ? "succeeded" : "failed" }
    /// 422 for what failed (dossier 2.5).
    var status: Int { failure != nil ? 422 : kind == .add ? 201 : 200 }

    /// Fields and order of a recorded answer (dossier 1.4); `null` for a method that is no longer kept.
    func write(_ method: SpreedlyMethod?, to body: inout AnswerWriter) {
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
