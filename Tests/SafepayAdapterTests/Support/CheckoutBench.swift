import GatewayCrypto
import GatewayKitCore

@testable import SafepayAdapter

/// Accounts, sessions and pages for tests of addresses.
struct CheckoutBench {
    static let tracker = "track_00000000-0000-4000-8000-000000000001"
    static let otherTracker = "track_00000000-0000-4000-8000-000000000002"
    static let secret = "gatewaykit-demo-secret"
    static let returnURL = "https://shop.example/pay/return"
    static let cancelURL = "https://shop.example/pay/cancel"
    static let order = "v1:sandbox:payment:-:PKR:150000:-:" + tracker
    static let payment = "v3:sandbox:payment:flex:PKR:150000:-:" + tracker
    static let cardSaving = "v3:sandbox:instrument:flex:PKR:-:cus_1:" + tracker
    static let subscription = "v3:sandbox:subscription:flex:PKR:150000:cus_1:" + tracker

    let settings: AccountSettings
    let transport = PassportTransport()
    let checkout: SafepayCheckout

    init(environment: String = "test", key: String? = CheckoutBench.secret, baseURL: String? = nil) throws {
        let provider = SafepayProvider()
        var values: [String: ConfigurationEntry.Value] = ["apiKey": .plain("sec_demo")]
        if let key {
            values["secretKey"] = .secret(Sensitive(key))
        } else {
            values["passportToken"] = .secret(Sensitive("own-passport-token=="))
        }
        settings = AccountSettings(
            name: AccountName(provider.id), provider: provider.id,
            environment: provider.environments.first { $0.name == environment } ?? provider.environments[0],
            baseURL: try baseURL.map { try WireURL(base: $0) }, values: values)
        let client = try SafepayClient(settings, GatewayRuntime(transport: transport))
        checkout = SafepayCheckout(
            client: client, sessions: SafepaySessions(client: client, wallet: SafepayWallet(client: client)))
    }

    func session(_ id: String) -> PaymentSession {
        PaymentSession(reference: SessionReference(account: settings.name, id: id))
    }

    /// A page as ``SafepayCheckout`` makes it; judging needs no address.
    func page(
        _ id: String = order, _ surface: CheckoutPageRequest.Surface = .browser, returnURL: String? = returnURL,
        cancelURL: String? = cancelURL
    ) -> CheckoutPage {
        CheckoutPage(
            session: session(id).reference, url: "https://pages.invalid/", surface: surface,
            amount: SafepaySession(id: id)?.amount, returnURL: returnURL, cancelURL: cancelURL)
    }

    /// The signature of a tracker, by the definition of Safepay's SDKs.
    static func signature(_ tracker: String, key: String = secret) throws -> String {
        let code = try MessageAuthentication(.sha256, key: SecretBytes(Array(key.utf8)))
            .code(for: Array(tracker.utf8))
        return code.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

/// Answers every call with a passport token, and counts them.
final class PassportTransport: HTTPTransport {
    static let token = "6Qw_demo-passport=="
    private let sent = Locked<[String]>([])

    var lines: [String] { sent.withLock { $0 } }

    func send(_ request: WireRequest, deadline: ContinuousClock.Instant) async throws(TransportError) -> WireResponse {
        sent.withLock { $0.append(request.method.rawValue + " " + request.url.wireText.withExposed { $0 }) }
        var fields = HTTPFields()
        fields.append("content-type", "application/json")
        let body = #"{"data":"\#(Self.token)","status":{"errors":[],"message":"success"}}"#
        return WireResponse(status: 200, fields: fields, body: Array(body.utf8))
    }
}
