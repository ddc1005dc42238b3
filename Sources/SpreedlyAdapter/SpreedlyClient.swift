import GatewayKitCore

/// The one place that authenticates to Spreedly, sends, and opens the envelope.
struct SpreedlyClient: Sendable {
    let account: AccountSettings
    let authentication: SpreedlyAuthentication
    let pipeline: HTTPPipeline
    let wallClock: WallClock
    private let random: RandomSource
    private let baseURL: WireURL
    /// Basic credentials for the calls that Spreedly takes with the access secret only; `nil` where none is configured.
    private let authorization: Sensitive<String>?

    init(_ account: AccountSettings, _ runtime: GatewayRuntime) throws(GatewayError) {
        self.account = account
        authentication = try SpreedlyAuthentication(account)
        baseURL = try account.baseURL(orStandard: SpreedlyEnvironments.standardBaseURL(account.environment))
        wallClock = runtime.wallClock
        random = runtime.random
        // Whether it is needed shows when a call wants it.
        authorization = (try? SpreedlyAuthentication.authorization(account)) ?? nil
        pipeline = HTTPPipeline(
            account: account.name, secrets: account.secrets + [authorization].compactMap { $0 },
            allowedOrigins: [baseURL.origin], runtime: runtime, timeout: account.timeout)
    }

    /// The create call, authenticated in the configured way. It is sent at most once: a second one would make a second
    /// token, since Spreedly knows no idempotency key.
    func createPaymentMethod(
        _ writePaymentMethod: (inout JSONObjectWriter) -> Void
    ) throws(SpreedlyWriteError) -> WireRequest {
        var url = baseURL
        var isRestricted = false
        switch authentication {
        case .query(let key):
            url = url.appending("payment_methods.json").appending(query: "environment_key", .sensitive(key))
        case .restricted, .signed:
            url = url.appending("payment_methods").appending("restricted.json")
            isRestricted = true
        case .secret:
            url = url.appending("payment_methods.json")
        }
        return try submission("spreedly.tokenize", url, keyInBody: isRestricted, writePaymentMethod)
    }

    /// The call that gives a stored card a fresh security code. Without the access secret the environment key goes in
    /// the body, also where it goes in the query of a create call: no client is known that sends it so here. A signed
    /// set goes beside it. Sent at most once.
    func recache(
        _ token: String, _ writePaymentMethod: (inout JSONObjectWriter) -> Void
    ) throws(SpreedlyWriteError) -> WireRequest {
        let url = baseURL.appending("payment_methods").appending(token).appending("recache.json")
        return try submission("spreedly.recache", url, keyInBody: true, writePaymentMethod)
    }

    /// A call that an app or page may make too.
    private func submission(
        _ operation: WireRequest.Operation, _ url: WireURL, keyInBody: Bool,
        _ writePaymentMethod: (inout JSONObjectWriter) -> Void
    ) throws(SpreedlyWriteError) -> WireRequest {
        var signature: SpreedlyNonceSignature?
        if case .signed(let signer) = authentication {
            // Signed once per call: what is repeated because it certainly was not sent has not used its nonce.
            do throws(GatewayError) {
                signature = try signer.sign(at: wallClock.now(), random)
            } catch {
                throw .signing(error)
            }
        }
        var writer = JSONWriter()
        writer.object { root in
            switch authentication {
            case .query(let key), .restricted(let key):
                if keyInBody { root.set("environment_key", key) }
            case .signed:
                root.set("environment_key", authentication.environmentKey)
                root.set("nonce", signature?.nonce)
                root.set("timestamp", signature?.timestamp)
                root.set("certificate_token", signature?.certificateToken)
                root.set("signature", signature?.signature)
            case .secret: break
            }
            root.object("payment_method", writePaymentMethod)
        }
        var request = WireRequest(operation, .post, url, repeatability: .once)
        request.fields["accept"] = "application/json"
        if case .secret(_, let authorization) = authentication {
            request.fields.set("authorization", .sensitive(authorization))
        }
        do throws(JSONError) {
            request.body = Self.body(try writer.finish())
        } catch {
            throw .json(error)
        }
        return request
    }

    /// A call that needs the access secret: everything but what an app or page may do too.
    /// - Throws: ``GatewayError/Code/configuration`` when none is configured.
    func vaultRequest(
        _ operation: WireRequest.Operation, _ method: HTTPMethod, _ segments: [String],
        query: [(name: String, value: String)] = [], body: JSONBody? = nil
    ) throws(GatewayError) -> WireRequest {
        guard let authorization else { throw account.missing(SpreedlyProvider.accessSecret) }
        var url = segments.reduce(baseURL) { $0.appending($1) }
        for item in query { url = url.appending(query: item.name, .plain(item.value)) }
        var request = WireRequest(operation, method, url, repeatability: method == .get ? .read : .once)
        request.fields["accept"] = "application/json"
        request.fields.set("authorization", .sensitive(authorization))
        request.body = body.map(Self.body)
        return request
    }

    /// Asks for a transaction: whole with the access secret, else the reduced view that wants none (API V1, "status").
    func transactionStatus(_ token: String) -> WireRequest {
        var url = baseURL.appending("transactions")
        var request: WireRequest
        if let authorization {
            request = WireRequest(
                "spreedly.show-transaction", .get, url.appending(token + ".json"), repeatability: .read)
            request.fields.set("authorization", .sensitive(authorization))
        } else {
            url = url.appending(token).appending("status.json")
            request = WireRequest("spreedly.transaction-status", .get, url, repeatability: .read)
        }
        request.fields["accept"] = "application/json"
        return request
    }

    private static func body(_ json: JSONBody) -> WireBody {
        WireBody(contentType: "application/json", bytes: json.bytes, secrets: json.secrets)
    }

    /// What the shopper's browser must send to choose an offsite method ("transparent redirect"): the environment key
    /// goes there too, as Spreedly wants it.
    func offsiteForm(_ method: OffsiteMethod) -> NextAction {
        let key = authentication.environmentKey.withExposed { $0 }
        return .redirect(
            method: .post, url: baseURL.appending("payment_methods").wireText.withExposed { $0 },
            fields: [
                .init(name: "environment_key", value: key), .init(name: "redirect_url", value: method.returnURL),
                .init(name: "payment_method_type", value: method.kind),
            ])
    }
}

/// Why a request cannot be written.
enum SpreedlyWriteError: Error {
    case json(JSONError)
    case signing(GatewayError)
}
