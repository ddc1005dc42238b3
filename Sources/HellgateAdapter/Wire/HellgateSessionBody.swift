import GatewayKitCore

/// A session as `GET /sessions/{id}` and `complete-action` answer it. Everything is read leniently: Hellgate's own SDKs
/// ignore members that they do not know, and one of them breaks over a word that it does not know.
struct HellgateSessionBody {
    static let tokenizeCard = "tokenize_card"

    /// What the client must do; goes before ``status``, as in both SDKs.
    let nextAction: String?
    let status: String?
    let tokenID: String?
    let reason: String?
    let reasonCode: String?
    private let hasNextAction: Bool
    private let hasStatus: Bool
    private let data: JSONValue

    init?(_ json: JSONValue) {
        guard json.kind == .object else { return nil }
        data = json["data"]
        nextAction = json["next_action"].nonEmptyText
        status = json["status"].nonEmptyText
        hasNextAction = json["next_action"].present != nil
        hasStatus = json["status"].present != nil
        tokenID = data["token_id"].nonEmptyText
        reason = data["reason"].nonEmptyText
        reasonCode = data["reason_code"].nonEmptyText
        // A JSON object about something else is no session.
        if !hasNextAction, !hasStatus, data.kind != .object { return nil }
    }

    /// The word that decides.
    var word: String? { hasNextAction ? nextAction : status }

    /// Words as in the SDKs; `failed` is in one of their recorded bodies, `expired` is a guess.
    var phase: SessionStatus.Phase {
        if hasNextAction {
            return switch nextAction {
            case Self.tokenizeCard: .open
            case "wait": .processing
            default: .unknown
            }
        }
        return switch status {
        case "success": .succeeded
        case "failure", "failed": .failed
        case "expired": .expired
        default: .unknown
        }
    }

    /// Whether it says explicitly that there is no token. The current SDK takes reason and code for it without a look at
    /// the status; a status word that says something else is not passed over here.
    var isFailure: Bool {
        guard tokenID == nil else { return false }
        return phase == .failed || (!hasNextAction && !hasStatus && reason != nil && reasonCode != nil)
    }

    /// How card data is to be handed in.
    enum Way {
        /// Encrypted for this key, to the session itself.
        case encrypted(modulus: String, exponent: String)
        /// In the clear, to a vault that gives a token for the session.
        case vault(kind: HellgateVaultAccess.Kind, address: String, key: Sensitive<String>)
        /// Neither, or something that is not understood; why.
        case none(SafeText)
    }

    /// The key is preferred where a session hands out both: then no other host sees the card.
    var way: Way {
        let jwk = data["jwk"]
        if jwk.present != nil {
            guard jwk["kty"].nonEmptyText == "RSA", let modulus = jwk["n"].nonEmptyText,
                let exponent = jwk["e"].nonEmptyText
            else { return .none("its key is no RSA key") }
            guard jwk["alg"].nonEmptyText ?? "RSA-OAEP-256" == "RSA-OAEP-256",
                jwk["use"].nonEmptyText ?? "enc" == "enc"
            else { return .none("its key is for another use") }
            return .encrypted(modulus: modulus, exponent: exponent)
        }
        guard let provider = data["provider"].nonEmptyText else { return .none("it names neither a key nor a vault") }
        guard let kind = HellgateVaultAccess.Kind(rawValue: provider) else {
            return .none("it names a vault of an unknown kind")
        }
        guard let address = data["base_url"].nonEmptyText, let key = try? data["api_key"].present?.sensitive() else {
            return .none("it names a vault without address or key")
        }
        return .vault(kind: kind, address: address, key: key)
    }
}

/// A vault that a session names, after its address was read and found on the allow list.
struct HellgateVaultAccess {
    enum Kind: String {
        case guardian
        case basisTheory = "basis_theory"

        /// The header field that carries the vault's key.
        var keyField: HTTPFieldName {
            switch self {
            case .guardian: "x-api-key"
            case .basisTheory: "bt-api-key"
            }
        }
    }

    let kind: Kind
    let url: WireURL
    let key: Sensitive<String>
}
