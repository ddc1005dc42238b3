import GatewayCrypto
import GatewayKitCore

/// What GatewayKit itself costs per tokenization in a session of Hellgate's that was opened before: two requests, or
/// three where the session names a vault. Encryption is OpenSSL's work, so it is measured apart.
enum HellgateOverhead {
    static func measure(seconds: Int, into report: inout Report) async throws(BenchmarkFailure) {
        let share = Double(seconds) * 0.5 / 3
        let numbers: (n: String, e: String)
        let key: RSAPublicKey
        do throws(CryptoError) {
            key = try RSAPrivateKey.generate().publicKey
            numbers = try key.jwkNumbers()
        } catch {
            throw BenchmarkFailure("there is no key to encrypt for")
        }
        let encrypted = try await run(
            share, #"{"jwk":{"kty":"RSA","n":"\#(numbers.n)","e":"\#(numbers.e)"}}"#)
        let stored = try await run(
            share, #"{"provider":"guardian","base_url":"http://127.0.0.1:9/vault","api_key":"pk_sample_1"}"#)
        let claims = SecretBytes(Array(repeating: 0x61, count: 300))
        let encryption = await Overhead.sample(seconds: share) {
            (try? CompactJWE.encrypt(claims, for: RSAPublicKey(jwkModulus: numbers.n, exponent: numbers.e))) != nil
        }
        report.sections.append(
            Report.Section(
                key: "overheadHellgate",
                title: "Overhead per tokenization in a session of Hellgate's, without a network",
                notes: [
                    "A transport that answers at once. The session was opened before; it is asked, then completed."
                ],
                rows: [
                    Overhead.row("card encrypted (2 requests)", encrypted),
                    Overhead.row("of which encryption (300 bytes)", encryption),
                    Overhead.row("card to a vault (3 requests)", stored),
                ]))
        for (name, share, limit) in [("p50", 0.5, 0.05), ("p99", 0.99, 0.2)] {
            report.aims.append(
                Report.Aim(
                    name: "overhead at Hellgate \(name), encryption apart", limit: limit,
                    measured: encrypted.samples.milliseconds(atShare: share)
                        - encryption.samples.milliseconds(atShare: share), unit: "ms"))
        }
    }

    private static func run(_ seconds: Double, _ session: String) async throws(BenchmarkFailure) -> Overhead.Run {
        let tokens = try Subject.tokens(
            baseURL: "http://127.0.0.1:9/hellgate", credentials: [:], transport: RecordedSession(session),
            provider: "hellgate")
        let request = try Subject.request()
        let open: PaymentSession
        do throws(GatewayError) {
            open = try tokens.attach(
                SessionReference(
                    account: AccountName("hellgate" as ProviderID), id: "2c7f31b0-9f0e-4a53-8d4e-6a1f0b8a7c55"))
        } catch {
            throw BenchmarkFailure("the session is not taken up")
        }
        let run = await Overhead.sample(seconds: seconds) {
            if case .token? = try? await tokens.tokenize(request, in: open) { true } else { false }
        }
        guard run.failures == 0 else { throw BenchmarkFailure("\(run.failures) recorded sessions gave no token") }
        return run
    }
}

/// A session that takes a card, again and again.
private struct RecordedSession: HTTPTransport {
    private let open: WireResponse
    private let stored = answer(#"{"id":"0d9f8f1e-7a0c-4f6a-9a53-f2b1c7a4e8d1"}"#)
    private let done = answer(#"{"status":"success","data":{"token_id":"6f0a3c5e-1b1d-4222-8333-94d455e56d66"}}"#)

    init(_ data: String) {
        open = Self.answer(#"{"next_action":"tokenize_card","data":\#(data)}"#)
    }

    func send(_ request: WireRequest, deadline: ContinuousClock.Instant) async throws(TransportError) -> WireResponse {
        switch request.operation {
        case "hellgate.status": open
        case "hellgate.store-card": stored
        default: done
        }
    }

    private static func answer(_ body: String) -> WireResponse {
        var fields = HTTPFields()
        fields.append("content-type", "application/json; charset=utf-8")
        return WireResponse(status: 200, fields: fields, body: Array(body.utf8), exchange: .init())
    }
}
