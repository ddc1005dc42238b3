import GatewayKitCore

/// The body of a refusal: `{"code": 404, "message": "…", "classifier": "NOT_FOUND"}`. `code` repeats the status.
struct HellgateErrorBody {
    let message: String?
    let classifier: String?

    /// `nil` when the body says nothing of that kind.
    init?(_ json: JSONValue) {
        guard json.kind == .object else { return nil }
        message = json["message"].nonEmptyText
        classifier = json["classifier"].nonEmptyText
        if message == nil, classifier == nil { return nil }
    }
}

extension JSONValue {
    /// The text of a scalar, or `nil` when there is none or it is empty.
    var nonEmptyText: String? {
        guard let text = try? present?.scalarText(), !text.isEmpty else { return nil }
        return text
    }
}
