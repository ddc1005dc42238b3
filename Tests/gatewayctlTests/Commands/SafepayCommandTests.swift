import GatewayKitCore
import GatewaySandbox
import Testing

@testable import gatewayctl

/// `session open` with its wishes, and what follows it, at a provider whose sessions have amounts.
@Suite struct SafepayCommands {
    private let sandbox: Sandbox
    private let environment: [String: String]

    init() throws {
        sandbox = Sandbox(SandboxConfiguration())
        try sandbox.start()
        let credentials = try #require(sandbox.credentials(for: "safepay"))
        environment = [
            "GATEWAYKIT_SAFEPAY_ENVIRONMENT": "sandbox",
            "GATEWAYKIT_SAFEPAY_BASE_URL": try #require(sandbox.baseURL(for: "safepay")),
            "SAFEPAY_API_KEY": try #require(credentials["apiKey"]),
            "SAFEPAY_SECRET_KEY": try #require(credentials["secretKey"]), "XDG_CONFIG_HOME": "/proc/nonexistent",
        ]
    }

    private func run(_ line: String, _ input: String = "") async -> (code: ExitCode, output: String, talk: String) {
        let device = BufferDevice(input: input)
        let code = await Commands.run(line + " -v -o json", device, environment: environment)
        let leaks = LeakSearch(
            ["4111111111111111", environment["SAFEPAY_SECRET_KEY"] ?? ""].map { Sensitive($0) }
        ).leaks(in: device.output + "\n" + device.talk)
        #expect(leaks.isEmpty, "\(line): \(leaks)")
        return (code, device.output, device.talk)
    }

    @Test(
        "a session is opened as asked for",
        arguments: [
            ("", "v3:sandbox:instrument:raw:PKR:-:-:track_"),
            ("--purpose payment --amount 1500.00 --currency PKR", "v1:sandbox:payment:-:PKR:150000:-:track_"),
            (
                "--purpose payment --entry embeddedPage --amount 12.34 --currency usd --order A-1",
                "v3:sandbox:payment:flex:USD:1234:-:track_"
            ),
        ])
    func open(options: String, id: String) async throws {
        let opened = await run("session open -a safepay " + options)
        #expect(opened.code == .done, "\(opened)")
        let session = try JSONValue(parsing: Array(opened.output.utf8))["session"].string()
        #expect(session.hasPrefix(id), "\(session)")
        #expect(await run("session status -a safepay " + session).code == .actionNeeded)
        sandbox.stop()
    }

    @Test("a card is sent in it, and afterwards it is at work")
    func attach() async throws {
        let opened = await run("session open -a safepay --amount 1500.00 --currency PKR")
        let session = try JSONValue(parsing: Array(opened.output.utf8))["session"].string()
        let sent = await run("session attach -a safepay - --test-card visa", session)
        #expect(sent.code == .done, "\(sent)")
        #expect(await run("session status -a safepay -", session).code == .outcomeUnknown)
        sandbox.stop()
    }

    @Test("a shopper is stored, and a card is kept under the id")
    func shopper() async throws {
        let made = await run(
            "shopper create -a safepay --name AdaLovelace --phone +923001234567 --country PK --email a@shop.example")
        #expect(made.code == .badInput, "two names are wanted: \(made)")
        let device = BufferDevice(input: "")
        let arguments = [
            "shopper", "create", "-a", "safepay", "--name", "Ada Okoro", "--phone", "+923001234567", "--country", "PK",
            "--email", "ada@shop.example", "-o", "json",
        ]
        let code = await Program(tree: Root.tree).run(Terminal.test(device, arguments, environment: environment))
        #expect(code == .done, "\(device.talk)")
        let id = try JSONValue(parsing: Array(device.output.utf8))["shopper"].string()
        let opened = await run("session open -a safepay --purpose storeInstrument --entry cardData --shopper-id \(id)")
        #expect(opened.code == .done, "\(opened)")
        let listed = await run("vault list -a safepay --shopper-id \(id)")
        #expect(listed.code == .done, "\(listed)")
        sandbox.stop()
    }

    @Test(
        "wishes that cannot be kept",
        arguments: [
            ("session open -a safepay --amount 10.00", ExitCode.usage),
            ("session open -a safepay --amount 10.001 --currency PKR", .usage),
            ("session open -a safepay --purpose renting", .usage),
            ("session open -a safepay --purpose payment", .badInput),
            ("session open -a safepay --authentication required", .configuration),
            ("vault list -a safepay", .badInput), ("vault list -a safepay --shopper-id cus_1", .providerSaidNo),
        ])
    func wrong(line: String, code: ExitCode) async {
        let result = await run(line)
        #expect(result.code == code, "\(line): \(result)")
        sandbox.stop()
    }
}
