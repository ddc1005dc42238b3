import GatewayKitCore
import Testing

@testable import SafepayAdapter

/// The factor of 100 between the generations.
@Suite struct SafepayUnitTests {
    private struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
    }

    private static func body(_ build: (inout JSONObjectWriter) -> Void) throws -> JSONValue {
        var writer = JSONWriter()
        writer.object(build)
        return try JSONValue(parsing: writer.finish().bytes.withExposed { $0 })
    }

    @Test("M2, M13: in every currency v1 is sent major and v3 minor units of one amount, and both are read back as it")
    func bothUnits() throws {
        var random = Random(state: 20_261_130)
        for currency in Currency.all {
            for _ in 0..<20 {
                let units = Int64.random(in: 1...10_000_000_000_000, using: &random)
                let money = Money(minorUnits: units, currency: currency)
                let major = try Self.body { $0.set(major: money) }
                #expect(try major["amount"].decimalText() == money.decimalText)
                #expect(Money.safepay(major: try major["amount"].decimalText(), currency.code) == money)
                let minor = try Self.body { $0.set(minor: money) }
                #expect(try minor["amount"].decimalText() == String(units))
                #expect(Money.safepay(minor: minor) == money)
                // The text of one is never the amount of the other, unless the currency has no minor digits.
                let confused = Money.safepay(major: String(units), currency.code)
                #expect(confused != money || currency.minorUnitDigits == 0)
            }
        }
    }

    @Test(
        "A session's id keeps everything, reads as itself, and nothing else reads",
        arguments: [
            Shop.session(), Shop.order, Shop.instrument, Shop.session("unscheduled_cof", "mit", customer: "cus_1"),
        ])
    func sessionID(id: String) {
        #expect(SafepaySession(id: id)?.id == id)
        var random = Random(state: 7)
        for index in id.indices {
            var changed = id
            changed.replaceSubrange(
                index...index, with: ["", ":", "::", " ", "/", "٣"].randomElement(using: &random) ?? "")
            if let read = SafepaySession(id: changed) { #expect(read.id == changed) }
        }
    }

    @Test(
        "Ids that opening a session does not give",
        arguments: [
            "", "track_1", "v2:sandbox:payment:raw:PKR:1:-:track_1", "v3:sandbox:payment:raw:PKR:01:-:track_1",
            "v3:sandbox:payment:raw:PKR:1.0:-:track_1", "v3:sandbox:payment:raw:pkr:1:-:track_1",
            "v3:sandbox:payment:raw:PKR:-1:-:track_1", "v3:sandbox:payment:raw:PKR:0:-:track_1",
            "v3:sandbox:payment:raw:PKR:-:-:track_1", "v3:sandbox:instrument:raw:PKR:1:-:track_1",
            "v3:sandbox:payment:-:PKR:1:-:track_1", "v1:sandbox:payment:raw:PKR:1:-:track_1",
            "v1:sandbox:payment:-:PKR:1:cus_1:track_1", "v1:sandbox:instrument:-:PKR:-:-:track_1",
            "v3:sandbox:payment:raw:PKR:1:-:track/1", "v3:sandbox:payment:raw:PKR:1:-:-",
            "v3:sandbox:payment:raw:PKR:1:-:track_1:", "v3:sandbox:cof:raw:PKR:1:-:track_1",
            "v3:sandbox:payment:raw:PKR:9223372036854775808:-:track_1",
        ])
    func malformed(id: String) async throws {
        #expect(SafepaySession(id: id) == nil)
        let gateway = try Shop.gateway(ScriptedSafepay([:]))
        let error = await thrown { _ = try gateway.requireTokens().attach(try Shop.reference(id)) }
        #expect(error?.code == .invalidInput)
    }

    @Test("A session of another account or environment is refused")
    func foreign() async throws {
        let gateway = try Shop.gateway(ScriptedSafepay([:]))
        let other = SessionReference(account: try #require(AccountName("other")), id: Shop.order)
        #expect(await thrown { _ = try gateway.requireTokens().attach(other) }?.code == .invalidInput)
        let live = try Shop.reference(Shop.order.replacing(":sandbox:", with: ":production:"))
        #expect(await thrown { _ = try gateway.requireTokens().attach(live) }?.code == .invalidInput)
    }

    @Test(
        "Environments have their own hosts, and production has another one for pages",
        arguments: [
            ("live", "https://api.getsafepay.com", "https://getsafepay.com", "production"),
            ("test", "https://sandbox.api.getsafepay.com", "https://sandbox.api.getsafepay.com", "sandbox"),
            ("development", "https://dev.api.getsafepay.com", "https://dev.api.getsafepay.com", "development"),
        ])
    func environments(name: String, api: String, page: String, word: String) async throws {
        let settings = try Shop.settings(nil, environment: name)
        let client = try SafepayClient(settings, Shop.runtime(ScriptedSafepay([:])))
        #expect(client.pageURL == (try WireURL(base: page)))
        #expect(client.environment == word)
        let request = try client.request("safepay.show-order", .get, ["order"], .none, repeatability: .read)
        #expect(request.url == (try WireURL(base: api + "/order")))
        let inSandbox = try SafepayClient(Shop.settings(), Shop.runtime(ScriptedSafepay([:])))
        #expect(inSandbox.pageURL == (try WireURL(base: Shop.base)))
    }
}
