import GatewayKitCore

/// The part of a transaction that is about money (dossier 2.3, 2.4).
struct SpreedlyPayment: Sendable {
    enum State: String, Sendable {
        case succeeded, failed, pending, processing
        case gatewayFailed = "gateway_processing_failed"
        case unknown = "gateway_processing_result_unknown"

        var hasFailed: Bool { self == .failed || self == .gatewayFailed || self == .unknown }
    }

    /// What the shopper has to do (dossier 3.2).
    enum Step: String, Sendable {
        case fingerprint = "device_fingerprint"
        case challenge
        /// At the page of an offsite method; it has no word.
        case checkout
    }

    var state = State.succeeded
    var gatewayToken = ""
    /// `nil` for voids, and for verifications.
    var amount: Int64?
    var currency: String?
    var form = SpreedlyPaymentForm()
    /// What the gateway said; `nil` when it was not asked.
    var response: Response?
    var message = "Succeeded!"
    var messageKey: String?
    var steps: [Step] = []
    /// What comes of it when the steps are over.
    var succeedsAfterSteps = true
    /// The transaction that this one captures, voids or credits.
    var parent: String?
    var gatewayTransactionID = ""
    var updatedAt: WallTime?
    /// Of a payment: what was done to it.
    var captured: Int64 = 0
    var credited: Int64 = 0
    var isVoided = false

    struct Response: Sendable {
        var success: Bool
        var message: String
        var errorCode: String?
        var isUnknown = false
        var networkTransactionID: String?
    }

    /// Fields and order of a recorded authorization; captures, credits and voids are the same without instrument and
    /// stored credentials, and with `reference_token` (dossier 2.3).
    func write(_ transaction: SpreedlyTransaction, _ method: SpreedlyMethod?, to body: inout AnswerWriter) {
        body.set("on_test_gateway", true)
        body.set("created_at", transaction.createdAt.rfc3339)
        body.set("updated_at", (updatedAt ?? transaction.createdAt).rfc3339)
        body.set("succeeded", state == .succeeded)
        body.set("state", state.rawValue)
        body.set("token", transaction.token)
        body.set("transaction_type", transaction.kind.rawValue)
        // Without one the transaction's own token stands in, except in what follows a payment (dossier 2.2, 2.3).
        body.setOrNull("order_id", form.orderID ?? (parent == nil ? transaction.token : nil))
        body.setOrNull("ip", form.ip)
        body.setOrNull("description", form.description)
        body.setOrNull("email", form.email)
        body.setOrNull("merchant_name_descriptor", form.merchantName)
        body.setOrNull("merchant_location_descriptor", form.merchantLocation)
        body.setNull("gateway_specific_fields")
        body.object("gateway_specific_response_fields") { _ in }
        body.setOrNull("gateway_transaction_id", gatewayTransactionID.isEmpty ? nil : gatewayTransactionID)
        body.set("gateway_latency_ms", 0)
        body.setNull("warning")
        if let metadata = form.metadata { body.object("transaction_metadata") { metadata.write(to: &$0) } }
        if transaction.kind != .void {
            body.setOrNull("amount", amount.map { Int($0) })
            body.setOrNull("currency_code", currency)
        }
        if parent == nil { writeStart(to: &body) }
        if state == .succeeded || messageKey != nil {
            body.set("message_key", messageKey ?? "messages.transaction_succeeded")
        }
        body.set("message", message)
        body.set("gateway_token", gatewayToken)
        body.set("gateway_type", "test")
        if let response { body.object("response") { write(response, transaction, to: &$0) } }
        if parent == nil {
            writeSteps(transaction, to: &body)
            body.array("api_urls") { list in
                list.appendObject { $0.array("referencing_transaction") { _ in } }
                list.appendObject { $0.array("failover_transaction") { _ in } }
            }
            if let method {
                body.object("payment_method") { method.write(to: &$0) }
            } else {
                body.setNull("payment_method")
            }
        } else {
            body.array("api_urls") { _ in }
            body.setOrNull("reference_token", parent)
        }
    }

    private func writeStart(to body: inout AnswerWriter) {
        body.set("retain_on_success", form.retains)
        body.set("payment_method_added", false)
        body.set("smart_routed", false)
        body.setOrNull("stored_credential_initiator", form.initiator)
        body.setOrNull("stored_credential_reason_type", form.reason)
        body.setNull("stored_credential_alternate_gateway")
        body.set("attempt_3dsecure", form.attempts3DS)
    }

    private func write(_ response: Response, _ transaction: SpreedlyTransaction, to body: inout AnswerWriter) {
        body.set("success", response.success)
        body.set("message", response.message)
        for name in ["avs_code", "avs_message", "cvv_code", "cvv_message"] { body.setNull(name) }
        body.set("pending", false)
        body.set("result_unknown", response.isUnknown)
        body.set("error_code", response.errorCode ?? "")
        body.setNull("error_detail")
        body.set("cancelled", false)
        body.setNull("fraud_review")
        body.set("created_at", transaction.createdAt.rfc3339)
        body.set("updated_at", transaction.createdAt.rfc3339)
        body.setOrNull("network_transaction_id", response.networkTransactionID)
    }

    /// That forms are objects with `cdata` is how Spreedly's samples read them.
    private func writeSteps(_ transaction: SpreedlyTransaction, to body: inout AnswerWriter) {
        let step = steps.first
        body.setOrNull("required_action", step == .checkout ? nil : step?.rawValue)
        let page = "https://checkout.example/" + transaction.token
        func form(_ name: String, _ isThere: Bool) {
            guard isThere else { return body.setNull(name) }
            body.object(name) {
                $0.set("cdata", "<form action=\"\(page)/\(step?.rawValue ?? "")\" method=\"POST\"></form>")
            }
        }
        form("device_fingerprint_form", step == .fingerprint)
        form("challenge_form", step == .challenge)
        body.setOrNull("challenge_url", step == .challenge ? page + "/challenge" : nil)
        body.setNull("checkout_form")
        body.setOrNull("checkout_url", step == .checkout ? page : nil)
        body.setOrNull("redirect_url", self.form.redirectURL)
        body.setOrNull("callback_url", self.form.callbackURL)
    }
}
