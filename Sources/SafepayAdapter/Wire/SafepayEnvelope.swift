import GatewayKitCore

/// What Safepay wraps its answers in. Four shapes are known: `{"data", "status": {"errors", "message"}}` of most
/// services, `{"ok", "data"}` of the reporter, and for errors also `{"code", "message"}` and `{"error"}`.
struct SafepayEnvelope {
    let data: JSONValue
    /// Everything that it says went wrong, the most telling first.
    let errors: [String]
    /// The error code of the authentication layer, such as `error.unauthorized_access`.
    let code: String?
    /// The reporter's own word for success, where it is told.
    let isOK: Bool?
    /// Whether it says that the call did what it should: `success`, or `ok`, or data without a word of failure.
    let saysSuccess: Bool

    /// `nil` for what is none of the four.
    init?(_ json: JSONValue) {
        guard json.kind == .object else { return nil }
        data = json["data"]
        let status = json["status"]
        let message = status["message"].nonEmptyText
        let isOK = try? json["ok"].present?.bool()
        var errors = status["errors"].items.compactMap(Self.words)
        errors += [json["error"]].compactMap(Self.words)
        var code: String?
        if data.present == nil, message == nil {
            code = json["code"].nonEmptyText
            errors += [json["message"].nonEmptyText].compactMap { $0 }
        }
        code = code ?? status["errors"].items.lazy.compactMap { $0["code"].nonEmptyText }.first
        // The word alone tells nothing that is certain, unless the table of errors knows it.
        if errors.isEmpty, let message, message != Self.success, SafepayErrors.meaning(of: message) != nil {
            errors.append(message)
        }
        let wordIsFine = message.map { $0 == Self.success } ?? true
        saysSuccess =
            errors.isEmpty && code == nil && wordIsFine && isOK != false
            && (message == Self.success || isOK == true || data.present != nil)
        self.errors = errors
        self.isOK = isOK
        self.code = code
        if data.kind == .absent, message == nil, isOK == nil, errors.isEmpty, code == nil { return nil }
    }

    static let success = "success"

    /// Whether it tells in words or by a code that the call failed. Neither this nor ``saysSuccess`` is a word that
    /// nobody knows.
    var saysFailure: Bool { !errors.isEmpty || code != nil }

    /// One peer's documents show objects in the list of errors.
    private static func words(_ value: JSONValue) -> String? {
        value.nonEmptyText ?? value["message"].nonEmptyText
    }
}

extension JSONValue {
    /// The text of a scalar, or `nil` when there is none or it is empty.
    var nonEmptyText: String? {
        guard let text = try? present?.scalarText(), !text.isEmpty else { return nil }
        return text
    }
}
