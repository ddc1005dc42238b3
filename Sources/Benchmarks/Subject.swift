import GatewayKit
import GatewayKitCore

/// What every part of the benchmarks does: one card of a made-up shopper, at Spreedly unless a part says otherwise.
enum Subject {
    static let now = WallTime(secondsSince1970: 1_750_000_000)

    /// A public test card and what a checkout form usually has besides.
    static func request() throws(BenchmarkFailure) -> TokenizationRequest {
        guard let testCard = TestCard.named("visa") else { throw BenchmarkFailure("there is no test card 'visa'") }
        let shopper = Shopper(
            name: "Mara Example", email: "mara@shop.example",
            billingAddress: Address(
                line1: "1 Sample Street", city: "Springfield", region: "IL", postalCode: "62701", country: "US"))
        do {
            let card = try Card.read(
                number: Sensitive(testCard.number), month: "12", year: "2039", securityCode: Sensitive("123"),
                name: "Mara Example", now: now)
            return TokenizationRequest(.card(card), shopper: shopper)
        } catch {
            throw BenchmarkFailure("the test card cannot be read")
        }
    }

    /// Tokenization at an address of this machine.
    static func tokens(
        baseURL: String, credentials: [String: String], transport: any HTTPTransport,
        provider id: ProviderID = "spreedly"
    ) throws(BenchmarkFailure) -> any TokenProvider {
        let gateway = try gateway(id, baseURL: baseURL, credentials: credentials, transport: transport)
        guard let tokens = gateway.tokens else { throw BenchmarkFailure("\(id) has no tokens") }
        return tokens
    }

    /// An account at an address of this machine.
    static func gateway(
        _ id: ProviderID, baseURL: String, credentials: [String: String], transport: any HTTPTransport
    ) throws(BenchmarkFailure) -> Gateway {
        let registry = ProviderRegistry.all
        do {
            let provider = try registry.provider(id)
            guard let environment = provider.environments.first(where: { $0.kind == .sandbox }),
                let url = try? WireURL(base: baseURL)
            else { throw BenchmarkFailure("the sandbox's address is unusable") }
            let account = AccountSettings(
                name: AccountName(provider.id), provider: provider.id, environment: environment, baseURL: url,
                values: credentials.mapValues { .secret(Sensitive($0)) })
            return try registry.gateway(account, GatewayRuntime(transport: transport))
        } catch let failure as BenchmarkFailure {
            throw failure
        } catch {
            throw BenchmarkFailure("the account is unusable")
        }
    }

    /// The request that the adapter makes, so that others can send the very same one.
    static func wireRequest(
        baseURL: String, credentials: [String: String]
    ) async throws(BenchmarkFailure) -> WireRequest {
        let transport = RecordedTransport()
        let tokens = try tokens(baseURL: baseURL, credentials: credentials, transport: transport)
        _ = try? await tokens.tokenize(request())
        guard let request = transport.lastRequest else { throw BenchmarkFailure("the adapter sent nothing") }
        return request
    }
}
