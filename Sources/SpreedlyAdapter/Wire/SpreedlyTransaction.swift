import GatewayKitCore

/// The `transaction` that a create call answers with (API V1; field list from recordings of 2026). Everything is read
/// leniently: Spreedly adds members without notice, and clients that broke over a missing one charged twice.
struct SpreedlyTransaction {
    let token: String?
    let succeeded: Bool?
    let state: String?
    let message: String?
    let messageKey: String?
    let errors: [SpreedlyErrorEntry]
    let paymentMethod: SpreedlyStoredMethod?
    /// The whole object, for members that only some readers want.
    let json: JSONValue
    private let hasState: Bool

    /// The transaction of an answer, or `nil` when the answer has none.
    init?(_ root: JSONValue) {
        self.init(object: root["transaction"])
    }

    /// A transaction that is known to be one.
    init?(object json: JSONValue) {
        guard json.kind == .object else { return nil }
        self.json = json
        token = json["token"].nonEmptyText
        succeeded = try? json["succeeded"].present?.bool()
        state = json["state"].nonEmptyText
        hasState = json["state"].present != nil
        message = json["message"].nonEmptyText
        messageKey = json["message_key"].nonEmptyText
        paymentMethod = SpreedlyStoredMethod(in: json)
        errors = SpreedlyErrorEntry.list(json["errors"]) + (paymentMethod?.errors ?? [])
    }

    /// Whether Spreedly says explicitly that it worked: `succeeded` is true, and the state is the matching word or
    /// absent. A state that is unknown or cannot be read is no success, whatever else the answer says.
    var isSuccess: Bool {
        succeeded == true && (state == "succeeded" || !hasState)
    }

    /// Whether Spreedly says explicitly that nothing was stored. An answer that names a stored card all the same
    /// contradicts itself and is neither.
    var isFailure: Bool { saysItFailed && paymentMethod?.hasToken != true }

    /// Whether Spreedly says explicitly that it did not work; the instrument that it names may have been there before.
    var saysItFailed: Bool {
        succeeded != true && ["failed", "gateway_processing_failed", "gateway_setup_failed"].contains(state)
    }
}
