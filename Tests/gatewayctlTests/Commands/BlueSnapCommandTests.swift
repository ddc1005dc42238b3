import GatewayKitCore
import GatewaySandbox
import Testing

@testable import gatewayctl

/// `session` and `tokenize` with BlueSnap's tokens, over a sandbox that outlives the single commands.
@Suite struct BlueSnapCommands {
    private let sandbox: Sandbox
    private let environment: [String: String]
    private let password: String

    init() throws {
        sandbox = Sandbox(SandboxConfiguration())
        try sandbox.start()
        let credentials = try #require(sandbox.credentials(for: "bluesnap"))
        password = try #require(credentials["password"])
        environment = [
            "GATEWAYKIT_BLUESNAP_ENVIRONMENT": "sandbox",
            "GATEWAYKIT_BLUESNAP_BASE_URL": try #require(sandbox.baseURL(for: "bluesnap")),
            "BLUESNAP_USERNAME": try #require(credentials["username"]), "BLUESNAP_PASSWORD": password,
            "XDG_CONFIG_HOME": "/proc/nonexistent",
        ]
    }

    /// Runs a command with its most talkative settings; nothing secret may be shown.
    private func run(_ line: String, _ input: String = "") async throws -> (code: ExitCode, output: JSONValue) {
        let device = BufferDevice(input: input)
        let code = await Commands.run(line + " -v -o json", device, environment: environment)
        let search = LeakSearch(["4111111111111111", "4099999992", password].map { Sensitive($0) })
        let leaks = search.leaks(in: device.output + "\n" + device.talk)
        #expect(leaks.isEmpty, "\(line): \(leaks)\n\(device.output)\n\(device.talk)")
        return (code, try JSONValue(parsing: Array(device.output.utf8)))
    }

    @Test("A session is opened, probed and filled; its text shows where it is given and nowhere else")
    func session() async throws {
        let opened = try await run("session open")
        #expect(opened.code == .done)
        let id = try opened.output["session"].string()
        let status = try await run("session status -", id)
        #expect(status.code == .actionNeeded)
        #expect(try status.output["phase"].string() == "open")
        let device = BufferDevice(input: "")
        let code = await Commands.run(
            "session attach \(id) --test-card visa --fraud-session f00d -v -o json", device, environment: environment)
        #expect(code == .done)
        #expect(!device.talk.contains(id), "\(device.talk)")
        let token = try JSONValue(parsing: Array(device.output.utf8))
        // The token is the session that was given, which the tool shows nowhere again.
        #expect(try token["token"].string() == "[FILTERED]")
        #expect(try token["origin"].string() == "newCard")
        #expect(try token["card"]["issuingCountry"].string() == "US")
        sandbox.stop()
    }

    @Test(
        "Every kind of instrument that BlueSnap takes comes from stdin too",
        arguments: [
            (#"{"kind":"cardNumber","number":"4111 1111 1111 1111"}"#, "cardNumber"),
            (
                #"{"kind":"bankAccount","routingNumber":"011075150","accountNumber":"4099999992","type":"savings","#
                    + #""holderType":"business"}"#, "bankAccount"
            ),
            (#"{"kind":"card","number":"4111111111111111","expiry":"11/2031","cvv":"737"}"#, "newCard"),
        ])
    func instruments(json: String, origin: String) async throws {
        let result = try await run("tokenize --instrument-stdin", json)
        #expect(result.code == .done)
        #expect(try result.output["origin"].string() == origin)
        sandbox.stop()
    }

    @Test("A card of the shopper's is for a session of the shopper's: in another one BlueSnap does not find it")
    func shopperCard() async throws {
        let json = #"{"kind":"shopperCard","brand":"VISA","lastFour":"1111","expiry":"11/2031"}"#
        let result = try await run("tokenize --instrument-stdin", json)
        #expect(result.code != .done)
        #expect(sandbox.ledger.entries.map(\.operation) == ["open-session", "tokenize"])
        sandbox.stop()
    }

    @Test(
        "What is wrong is told before anything is sent",
        arguments: [
            #"{"kind":"shopperCard","brand":"VISA","lastFour":"1111"}"#,
            #"{"kind":"shopperCard","brand":"VISA","lastFour":"1111","expiry":"13/2031"}"#,
            #"{"kind":"shopperCard","brand":"VISA","lastFour":"1111","expiry":"11/2031","cvv":"737"}"#,
            #"{"kind":"cardNumber"}"#, #"{"kind":"cardNumber","number":"12"}"#,
        ])
    func wrong(_ json: String) async {
        let code = await Commands.run(
            "tokenize --instrument-stdin", BufferDevice(input: json), environment: environment)
        #expect(code == .badInput)
        #expect(sandbox.ledger.count == 0)
        sandbox.stop()
    }
}
