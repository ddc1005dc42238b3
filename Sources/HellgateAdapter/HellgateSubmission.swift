import GatewayCrypto
import GatewayKitCore

/// One card on its way into one session. Each request that carries card data, or makes a token of it, is sent at most
/// once; an answer that is lost is settled by the session's own status where that can tell.
struct HellgateSubmission {
    let client: HellgateClient
    let sessions: HellgateSessions
    let reference: SessionReference
    let data: HellgateCardData
    /// Its redactor knows the card and the session.
    let call: Call

    /// - Throws: ``GatewayError`` only while the card certainly was not stored.
    func run() async throws(GatewayError) -> TokenizationResult {
        let answer: HellgateSessions.Answer
        do throws(GatewayError) {
            answer = try await sessions.ask(reference, in: call, without: [data.card.number.sensitive])
        } catch {
            if error.code == .notFound, error.answer?.providerCode == HellgateErrors.notFound {
                return .sessionUnusable(HellgateSessions.expired(reference, requestID: error.answer?.requestID))
            }
            throw cardNotSent(error)
        }
        guard answer.status.phase == .open else { return .sessionUnusable(answer.status) }
        switch answer.body.way {
        case .encrypted(let modulus, let exponent):
            let payload = try encrypt(modulus, exponent)
            return try await complete(vaultHoldsCard: false) { $0.set("enc_payload", payload) }
        case .vault(let kind, let address, let key):
            switch try await store(try vault(kind, address, key)) {
            case .token(let token):
                return try await complete(vaultHoldsCard: true) { data.writeResult(vaultToken: token, into: &$0) }
            case .unknown(let cause):
                return .unknown(reference, cause: cause)
            }
        case .none(let reason):
            throw GatewayError(
                .unreadableAnswer, message: "This session cannot take a card: \(reason).",
                advice: "Nothing was stored: the card was not sent. Open another session, or ask Hellgate.",
                reach: .answered, account: client.account.name, operation: call.operation)
        }
    }

    /// A read that went wrong before the card was sent says how far that read got; of the card, nothing was sent.
    private func cardNotSent(_ error: GatewayError) -> GatewayError {
        var error = error
        if error.reach == .sent { error.reach = .notSent }
        return error
    }

    private func unwritable(_ reason: SafeText) -> GatewayError {
        client.invalid("The request cannot be written: \(reason).", "Nothing was stored: the card was not sent.")
    }

    // MARK: - The card, encrypted

    private func encrypt(_ modulus: String, _ exponent: String) throws(GatewayError) -> Sensitive<String> {
        let claims: JSONBody
        do throws(JSONError) {
            var writer = JSONWriter()
            writer.object { data.writeClaims(into: &$0) }
            claims = try writer.finish()
        } catch {
            throw unwritable(error.message)
        }
        do throws(CryptoError) {
            let key = try RSAPublicKey(jwkModulus: modulus, exponent: exponent)
            let text = try claims.bytes.withExposed { bytes throws(CryptoError) in
                try CompactJWE.encrypt(SecretBytes(bytes), for: key)
            }
            return Sensitive(text)
        } catch {
            throw GatewayError(
                .unreadableAnswer, message: "The card cannot be encrypted for this session: \(error).",
                advice: "Nothing was stored: the card was not sent. Open another session, or ask Hellgate.",
                reach: .answered, account: client.account.name, operation: call.operation)
        }
    }

    // MARK: - The card, to a vault

    private enum Stored {
        /// The vault's own token: good for completing the session, and for nothing else.
        case token(String)
        case unknown(GatewayError)
    }

    /// The vault, if card data may go there: decided before any of it is written.
    private func vault(
        _ kind: HellgateVaultAccess.Kind, _ address: String, _ key: Sensitive<String>
    ) throws(GatewayError) -> HellgateVaultAccess {
        let url: WireURL
        do throws(WireURL.Refusal) {
            url = try WireURL(base: address)
        } catch {
            throw refusedHost("The session names a vault whose address is unusable: \(error.reason).")
        }
        guard client.allows(url.origin) else {
            throw refusedHost(
                """
                The session sends card data to \(url.origin), which is not on the allow list of account \
                \(client.account.name).
                """)
        }
        return HellgateVaultAccess(kind: kind, url: url, key: key)
    }

    private func refusedHost(_ message: SafeText) -> GatewayError {
        GatewayError(
            .refusedHost, message: message,
            advice: """
                Nothing was stored: the card was not sent. If this is the account's own vault, name it in vaultHosts.
                """, account: client.account.name, operation: call.operation)
    }

    private func store(_ vault: HellgateVaultAccess) async throws(GatewayError) -> Stored {
        let request: WireRequest
        do throws(JSONError) {
            request = try client.storeCard(vault) { data.write(for: vault.kind, into: &$0) }
        } catch {
            throw unwritable(error.message)
        }
        let response: WireResponse
        switch await client.exchange(request, call) {
        case .success(let answer): response = answer
        case .failure(let error):
            let failure = GatewayError(error, in: call)
            guard error.reach != .notSent else { throw failure }
            // The session cannot settle this: it learns of the vault's token only when it is completed.
            return .unknown(vaultMayHold(failure))
        }
        let facts = client.facts(response, request, call, nothingHappened: "Nothing was stored.")
        if let refusal = facts.refusal(credentials: "the vault's key", check: "Open another session.") {
            throw refusal
        }
        guard facts.isSuccess, let id = facts.id(facts.json?["id"].nonEmptyText) else {
            return .unknown(
                vaultMayHold(facts.unclear("The vault's answer does not tell what became of the card.", "")))
        }
        return .token(id)
    }

    private func vaultMayHold(_ error: GatewayError) -> GatewayError {
        var error = error
        error.advice =
            "The card may have been stored in the vault, and no token was made. Sending it again charges nothing."
        if error.reach == .notSent { error.reach = .sent }
        return error
    }

    // MARK: - Completing the session

    private func complete(
        vaultHoldsCard: Bool, _ writeResult: (inout JSONObjectWriter) -> Void
    ) async throws(GatewayError) -> TokenizationResult {
        let request: WireRequest
        do throws(JSONError) {
            request = try client.completeAction(reference.id, writeResult)
        } catch {
            throw unwritable(error.message)
        }
        let settlement = HellgateSettlement(
            client: client, sessions: sessions, reference: reference, card: data.card, call: call)
        let response: WireResponse
        switch await client.exchange(request, settlement.leavingTime(call)) {
        case .success(let answer): response = answer
        case .failure(let error):
            let failure = GatewayError(error, in: call)
            guard error.reach == .notSent else { return await settlement.settle(failure) }
            guard vaultHoldsCard else { throw failure }
            return .unknown(reference, cause: vaultMayHold(failure))
        }
        let answer = HellgateTokenAnswer(
            facts: client.facts(response, request, call, nothingHappened: "Nothing was stored."), sessions: sessions,
            reference: reference, card: data.card)
        switch answer.read() {
        case .result(let result): return result
        case .refused(let error):
            guard vaultHoldsCard else { throw error }
            return .unknown(reference, cause: vaultMayHold(error))
        case .unclear(let cause, let mayBeOurs):
            return await settlement.settle(cause, mayBeOurs: mayBeOurs)
        }
    }
}
