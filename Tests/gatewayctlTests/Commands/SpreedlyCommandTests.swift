import GatewayCrypto
import GatewayKitCore
import GatewaySandbox
import SpreedlyAdapter
import Testing

@testable import gatewayctl

/// Commands that are about one provider, and the pages that a command's help carries.
@Suite struct SpreedlyCommands {
    @Test("sign-nonce prints a set that can be handed on, and no key")
    func signNonce() async throws {
        let key = try RSAPrivateKey.generate()
        let pem = try key.pem().withExposed { String(decoding: $0, as: UTF8.self) }
        let environment = [
            "SPREEDLY_ENVIRONMENT_KEY": "EnvKeyForTheSigningTest0042", "SPREEDLY_CERTIFICATE_TOKEN": "CertToken0042",
            "SPREEDLY_SIGNING_KEY": pem.split(separator: "\n").joined(separator: "\\n"),
            "XDG_CONFIG_HOME": "/proc/nonexistent",
        ]
        for line in ["sign-nonce -p spreedly -o json", "sign-nonce -p spreedly -o json --set authentication=signed"] {
            let device = BufferDevice()
            #expect(await Commands.run(line, device, environment: environment) == .done, "\(device.talk)")
            let json = try JSONValue(parsing: Array(device.output.utf8))
            #expect(try json["schema"].string() == "gatewayctl.sign-nonce/1")
            #expect(try json["certificateToken"].string() == "CertToken0042")
            let message =
                try json["nonce"].string() + json["timestamp"].string() + json["certificateToken"].string()
            let signature = try Base64.standard.decode(json["signature"].string())
            #expect(try key.publicKey.isValid(signature, for: Array(message.utf8)))
            #expect(!device.output.contains("PRIVATE") && !device.output.contains("EnvKeyFor"))
        }
    }

    @Test("sign-nonce says what is missing")
    func signNonceUnconfigured() async {
        let device = BufferDevice()
        let environment = ["SPREEDLY_ENVIRONMENT_KEY": "EnvKey", "XDG_CONFIG_HOME": "/proc/nonexistent"]
        #expect(await Commands.run("sign-nonce -p spreedly", device, environment: environment) == .configuration)
        #expect(device.talk.contains("SPREEDLY_CERTIFICATE_TOKEN"))
    }

    @Test("The sandbox lets all ways to authenticate in", arguments: ["secret", "restricted", "query", "signed"])
    func authentication(mode: String) async {
        let device = BufferDevice()
        let code = await Commands.run(
            "tokenize -p spreedly --sandbox --test-card visa --set authentication=\(mode)", device)
        #expect(code == .done, "\(device.talk)")
        #expect(await Commands.run("sign-nonce -p spreedly --sandbox", device) == .done, "\(device.talk)")
    }

    @Test("help tokenize shows the forms of every instrument itself")
    func helpTokenize() async {
        let device = BufferDevice()
        #expect(await Commands.run("help tokenize", device) == .done)
        for part in InstrumentJSON.form.map(\.name) + CardJSON.form.map(\.name) + ["routingNumber, accountNumber"] {
            #expect(device.output.contains(part), "\(part)")
        }
        #expect(device.output.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains("gatewayctl ") })
    }

    @Test("The list of test cards tells what each does where a provider's documents tell")
    func testCards() async throws {
        let device = BufferDevice()
        #expect(await Commands.run("card test-cards -o json", device) == .done)
        let json = try JSONValue(parsing: Array(device.output.utf8))
        var told: [String: String] = [:]
        for card in try json["cards"].elements() {
            told[try card["name"].string()] = try card["spreedly"].present?.string()
        }
        #expect(told["visa"] == "approved" && told["visa-declined"] == "declined")
        #expect(told["visa-3ds"]?.hasPrefix("authenticates: The amount decides") == true)
        #expect(told["3ds-global-challenge"]?.hasPrefix("challenge") == true)
    }

    @Test("redact can remove more")
    func redact() async throws {
        let sandbox = Sandbox(SandboxConfiguration())
        try sandbox.start()
        defer { sandbox.stop() }
        let credentials = try #require(sandbox.credentials(for: "spreedly"))
        let environment = [
            "GATEWAYKIT_SPREEDLY_ENVIRONMENT": "sandbox",
            "GATEWAYKIT_SPREEDLY_BASE_URL": try #require(sandbox.baseURL(for: "spreedly")),
            "SPREEDLY_ENVIRONMENT_KEY": try #require(credentials["environmentKey"]),
            "SPREEDLY_ACCESS_SECRET": try #require(credentials["accessSecret"]), "XDG_CONFIG_HOME": "/proc/nonexistent",
        ]
        let device = BufferDevice()
        let line = "tokenize -p spreedly --test-card visa --email ada@shop.example -o json"
        #expect(await Commands.run(line, device, environment: environment) == .done)
        let id = try JSONValue(parsing: Array(device.output.utf8))["token"].string()
        let second = BufferDevice()
        let redact = "vault redact -p spreedly \(id) --at-gateway GwTok001 --personal-data -o json"
        #expect(await Commands.run(redact, second, environment: environment) == .done, "\(second.talk)")
        #expect(second.output.contains("redacted") && !second.output.contains("ada@shop.example"))
        let dry = BufferDevice()
        #expect(await Commands.run(redact + " --dry-run", dry, environment: environment) == .done)
        #expect(dry.output.contains("remove_from_gateway") && dry.output.contains("GwTok001"))
    }
}
