import GatewayCrypto
import GatewayKitCore

/// Apple Pay in a browser: BlueSnap asks Apple for the merchant session, with its own certificate.
struct BlueSnapWallets: WalletSessionSource {
    let client: BlueSnapClient

    /// The merchant session as the JSON object that `completeMerchantValidation` takes. It names the merchant and is good
    /// for a few minutes.
    ///
    /// The address must be `https` on a host below `apple.com`: BlueSnap is to call it.
    func applePaySession(
        validationURL: String, domain: String, displayName: String, _ context: CallContext
    ) async throws(GatewayError) -> Sensitive<String> {
        guard Self.isApples(validationURL) else {
            throw client.invalid(
                "The address for the merchant's validation is none of Apple's.",
                "Nothing was sent. Pass on the validationURL of Apple's event as it is.")
        }
        guard Self.isHost(domain) else {
            throw client.invalid(
                "The shop's domain is no host name.", "Nothing was sent. Give a name such as shop.example.")
        }
        guard !displayName.allSatisfy(\.isWhitespace) else {
            throw client.invalid("The name for the shopper is missing.", "Nothing was sent. Give the shop's name.")
        }
        let request = try client.serverRequest(
            "bluesnap.wallet-session", .post, ["wallets"],
            body: try client.body { json in
                json.set("walletType", "APPLE_PAY")
                json.set("validationUrl", validationURL)
                json.set("domainName", domain)
                json.set("displayName", displayName)
            }, repeatability: .read)
        return try await client.call(
            request.operation, context, outcome: { (_: Sensitive<String>) in ("session", nil) }
        ) { call async throws(GatewayError) in
            switch await client.exchange(request, call) {
            case .failure(let error): throw GatewayError(ofRead: error, in: call)
            case .success(let response):
                let facts = client.facts(response, request, call, nothingHappened: "No money was moved.")
                guard facts.isSuccess else {
                    throw facts.failure(.apiUser, else: "No money was moved: it is safe to ask again.")
                }
                guard let session = facts.object.flatMap(Self.session) else {
                    throw facts.unclear(
                        "BlueSnap's answer has no session for Apple Pay.",
                        "No money was moved: it is safe to ask again.")
                }
                return session
            }
        }
    }

    /// `walletToken`: the object that Apple gave, in base64.
    private static func session(_ json: JSONValue) -> Sensitive<String>? {
        guard let text = json["walletToken"].nonEmptyText, let bytes = try? Base64.standard.decode(text),
            let session = try? JSONValue(parsing: bytes), session.kind == .object
        else { return nil }
        return Sensitive(String(decoding: bytes, as: UTF8.self))
    }

    static func isApples(_ text: String) -> Bool {
        guard text.utf8.count <= 512, let url = try? WireURL(base: text) else { return false }
        return url.origin.isSecure && url.origin.port == 443 && url.origin.host.hasSuffix(".apple.com")
    }

    private static func isHost(_ text: String) -> Bool {
        guard text.utf8.count <= 253, !text.contains("/"), !text.contains(":"), text.contains("."),
            let url = try? WireURL(base: "https://" + text)
        else { return false }
        return url.path.isEmpty
    }
}
