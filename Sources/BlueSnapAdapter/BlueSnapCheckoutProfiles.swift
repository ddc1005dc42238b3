import GatewayKitCore

/// The start-up data of BlueSnap's SDKs (`sdk-init`): one call that tells all that a checkout begins with.
struct BlueSnapCheckoutProfiles: CheckoutProfileSource {
    let client: BlueSnapClient

    /// The profile, with rates for the dollar of the United States where no base is given, as BlueSnap's SDKs ask.
    ///
    /// 3-D Secure is on where BlueSnap gives the token that it begins with; that token belongs to this session, so after
    /// a renewal the profile's is the new session's.
    func profile(
        in session: PaymentSession, base: Currency?, _ context: CallContext
    ) async throws(GatewayError) -> CheckoutProfile {
        try await client.read(
            "bluesnap.sdk-init", session.reference, context, outcome: "profile",
            request: { token in Self.request(client, token, base: base) },
            parse: { (facts, json, reference) throws(GatewayError) in
                guard let body = BlueSnapProfileBody(json, facts.redactor, at: facts.now) else {
                    throw facts.unclear(
                        "BlueSnap's answer does not tell what a checkout can offer.",
                        "Nothing was changed: it is safe to ask again.")
                }
                return body.profile(in: PaymentSession(reference: reference))
            })
    }

    static func request(_ client: BlueSnapClient, _ token: BlueSnapToken, base: Currency?) -> WireRequest {
        client.tokenRequest(
            "bluesnap.sdk-init", .get, ["tokenized-services", "sdk-init"], token,
            query: [("base-currency", (base ?? .usd).code), ("create-jwt", "True")], repeatability: .read)
    }
}
