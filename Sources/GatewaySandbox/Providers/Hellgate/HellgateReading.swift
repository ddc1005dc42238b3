import GatewayKitCore

/// What the imitated Hellgate makes of card data, for the fuzzer.
package enum HellgateReading {
    /// Reads a compact JWE as a session is completed with.
    ///
    /// - Returns: The body of the refusal, or `nil` where it holds a card.
    package static func refusal(ofPayload text: String) -> [UInt8]? {
        body { () throws(HellgateRefusal) in
            guard let key = HellgateKey.shared else { throw .of(500) }
            return try key.claims(in: text)
        }
    }

    /// Reads the claims of such a JWE.
    ///
    /// - Returns: The body of the refusal, or `nil` where they are a card.
    package static func refusal(ofClaims bytes: [UInt8]) -> [UInt8]? {
        body { () throws(HellgateRefusal) in
            guard let claims = try? JSONValue(parsing: bytes) else { throw .malformed("enc_payload") }
            return claims
        }
    }

    private static func body(_ claims: () throws(HellgateRefusal) -> JSONValue) -> [UInt8]? {
        do throws(HellgateRefusal) {
            var card = try HellgateCard(claims(), .claims, allows: HellgateCard.additionalFields)
            card.judge(at: WallTime(secondsSince1970: 1_785_000_000))
            return nil
        } catch {
            return error.reply.body
        }
    }
}
