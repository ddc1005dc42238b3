import GatewayKitCore

/// Who may do what (dossier 1.2).
struct SafepayAccess: Sendable {
    let apiKey: String
    let secretKey: String

    static let header = "x-sfpy-merchant-secret"

    /// Server calls. Safepay's other credential for them, a merchant's JWT, is not imitated.
    func checkSecret(_ request: ReceivedRequest) throws(SafepayRefusal) {
        guard request.value(of: Self.header)?.equalsInConstantTime(secretKey) == true else { throw .noCredential }
    }

    /// Calls that an app makes, too, with a time-based token. That the secret decides where both are sent is a guess.
    func checkSecretOrPassport(_ request: ReceivedRequest, isValid: (String) -> Bool) throws(SafepayRefusal) {
        guard request.values(of: Self.header).isEmpty else { return try checkSecret(request) }
        guard let value = request.value(of: "authorization"), let space = value.firstIndex(of: " "),
            value[..<space].lowercased() == "bearer", isValid(String(value[value.index(after: space)...]))
        else { throw .noCredential }
    }

    func isOurs(_ key: String) -> Bool { key.equalsInConstantTime(apiKey) }
}
