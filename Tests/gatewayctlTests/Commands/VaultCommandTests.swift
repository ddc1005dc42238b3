import GatewayKitCore
import GatewaySandbox
import Testing

@testable import gatewayctl

/// `vault` and `tokenize --instrument-stdin` over a sandbox that outlives the single commands.
@Suite struct VaultCommands {
    private let sandbox: Sandbox
    private let environment: [String: String]

    init() throws {
        sandbox = Sandbox(SandboxConfiguration())
        try sandbox.start()
        let credentials = try #require(sandbox.credentials(for: "spreedly"))
        environment = [
            "GATEWAYKIT_SPREEDLY_ENVIRONMENT": "sandbox",
            "GATEWAYKIT_SPREEDLY_BASE_URL": try #require(sandbox.baseURL(for: "spreedly")),
            "SPREEDLY_ENVIRONMENT_KEY": try #require(credentials["environmentKey"]),
            "SPREEDLY_ACCESS_SECRET": try #require(credentials["accessSecret"]),
            "XDG_CONFIG_HOME": "/proc/nonexistent",
        ]
    }

    private static let secrets = [
        "4111111111111111", "021000021", "9876543210", "vault-reference-of-tests", "QXBwbGVEYXRhT2ZUZXN0c09ubHk=",
        "R29vZ2xlU2lnbmF0dXJlT2ZUZXN0cw==",
    ]

    /// Runs a command with its most talkative settings; nothing secret may be shown.
    private func run(_ line: String, _ input: String = "") async -> (code: ExitCode, output: String, talk: String) {
        let device = BufferDevice(input: input)
        let code = await Commands.run(line + " -v -o json", device, environment: environment)
        let search = LeakSearch(
            (Self.secrets + [environment["SPREEDLY_ACCESS_SECRET"] ?? ""]).map { Sensitive($0) })
        let leaks = search.leaks(in: device.output + "\n" + device.talk)
        #expect(leaks.isEmpty, "\(line): \(leaks)\n\(device.output)\n\(device.talk)")
        return (code, device.output, device.talk)
    }

    private func json(_ output: String) throws -> JSONValue { try JSONValue(parsing: Array(output.utf8)) }

    private func token(_ result: (code: ExitCode, output: String, talk: String)) throws -> String {
        try #require(result.code == .done, "\(result)")
        return try json(result.output)["token"].string()
    }

    static let instruments: [(json: String, kind: String)] = [
        (
            #"{"kind":"card","number":"4111 1111 1111 1111","expiry":"09/2031","cvv":"737","name":"Ada Okoro"}"#,
            "credit_card"
        ),
        (
            """
            {"kind":"bankAccount","routingNumber":"021000021","accountNumber":"9876543210","type":"checking",
             "holderType":"personal","name":"Ada Okoro","shopper":{"email":"ada@shop.example"}}
            """, "bank_account"
        ),
        (
            """
            {"kind":"applePay","testCard":"visa","payload":{"version":"EC_v1","data":"QXBwbGVEYXRhT2ZUZXN0c09ubHk=",
             "signature":"QXBwbGVEYXRhT2ZUZXN0c09ubHk=","header":{"ephemeralPublicKey":"RXBoZW1lcmFs",
             "publicKeyHash":"SGFzaA==","transactionId":"a1b2c3"}}}
            """, "apple_pay"
        ),
        (
            """
            {"kind":"googlePay","testCard":"visa","payload":{"signature":"R29vZ2xlU2lnbmF0dXJlT2ZUZXN0cw==",
             "protocolVersion":"ECv1","signedMessage":"{}"}}
            """, "google_pay"
        ),
        (#"{"kind":"foreignToken","vault":"test","reference":"vault-reference-of-tests"}"#, "third_party_token"),
    ]

    @Test("every instrument from stdin gets a token of its kind", arguments: instruments.indices)
    func instrument(_ index: Int) async throws {
        let (text, kind) = Self.instruments[index]
        let result = await run("tokenize --instrument-stdin", text)
        let id = try token(result)
        #expect(try json(result.output)["providerKind"].string() == kind)
        let shown = await run("vault show \(id)")
        #expect(shown.code == .done)
        #expect(try json(shown.output)["instrument"]["providerKind"].string() == kind)
        #expect(await run("tokenize --instrument-stdin --dry-run", text).code == .done)
        sandbox.stop()
    }

    @Test("a stored card's life: shown, changed, kept, given a code, listed, removed")
    func life() async throws {
        let id = try token(await run("tokenize --test-card visa --metadata cart=c-1"))
        let shown = await run("vault show \(id)")
        #expect(shown.code == .done)
        #expect(try json(shown.output)["schema"].string() == "gatewayctl.vault-show/1")
        #expect(try json(shown.output)["instrument"]["state"].string() == "cached")

        let updated = await run(
            "vault update \(id) --email new@shop.example --metadata visits=3 --delete-metadata cart")
        #expect(updated.code == .done, "\(updated)")
        let instrument = try json(updated.output)["instrument"]
        #expect(try instrument["shopper"]["email"].string() == "new@shop.example")
        #expect(try instrument["metadata"].elements().map { try $0["key"].string() } == ["visits"])

        let retained = await run("vault retain \(id)")
        #expect(retained.code == .done)
        #expect(try json(retained.output)["instrument"]["state"].string() == "retained")
        let recached = await run("vault recache \(id) --code-stdin", "415\n")
        #expect(recached.code == .done, "\(recached)")
        #expect(try json(recached.output)["schema"].string() == "gatewayctl.vault-recache/1")
        #expect(!recached.talk.contains("\"415\""))

        let second = try token(await run("tokenize --test-card amex"))
        let list = await run("vault list --page-size 1")
        #expect(try json(list.output)["instruments"].elements().map { try $0["token"].string() } == [id, second])
        let first = await run("vault list --limit 1 --newest-first")
        #expect(try json(first.output)["instruments"].elements().map { try $0["token"].string() } == [second])
        #expect(try json(first.output)["next"].string() == second)

        #expect(await run("vault redact \(id)").code == .done)
        let again = await run("vault retain \(id)")
        #expect(again.code == .providerSaidNo)
        #expect(
            try json(again.output)["providerCode"].string()
                == "messages.unable_to_retain_a_redacted_payment_method")
        sandbox.stop()
    }

    @Test("an unknown token and a lost answer are told apart")
    func ends() async throws {
        let missing = await run("vault show 01KZZ4M2Q8S6T1V0X9Y3B5D7FH")
        #expect(missing.code == .providerSaidNo)
        #expect(try json(missing.output)["result"].string() == "notFound")
        let id = try token(await run("tokenize --test-card visa"))
        sandbox.faults.add(.answerLost, provider: "spreedly", operation: "retain")
        let lost = await run("vault retain \(id)")
        #expect(lost.code == .outcomeUnknown, "\(lost)")
        #expect(try json(await run("vault show \(id)").output)["instrument"]["state"].string() == "retained")
        sandbox.stop()
    }

    @Test(
        "what is wrong with an instrument on stdin is told without showing it",
        arguments: [
            #"{"kind":"bankAccount","routingNumber":"021000022","accountNumber":"9876543210","type":"checking","#
                + #""holderType":"personal","name":"Ada"}"#,
            #"{"kind":"bankAccount","routingNumber":"021000021","accountNumber":"9876543210","type":"x"}"#,
            #"{"kind":"nonsense","number":"4111111111111111"}"#, #"{"number":"4111111111111111"}"#, "[]", "",
            #"{"kind":"applePay","testCard":"4111111111111111","payload":{}}"#,
            #"{"kind":"applePay","payload":{"data":"QXBwbGVEYXRhT2ZUZXN0c09ubHk="}}"#,
            #"{"kind":"storedCard","token":"t","cvv":"73x"}"#, #"{"kind":"storedCard","cvv":"737"}"#,
            #"{"kind":"foreignToken","reference":"vault-reference-of-tests"}"#,
            #"{"kind":"foreignToken","vault":"test","reference":"vault-reference-of-tests","more":1}"#,
            #"{"kind":"offsite","method":"sprel","returnURL":"http://shop.example"}"#,
        ])
    func wrong(_ text: String) async {
        let result = await run("tokenize --instrument-stdin", text)
        #expect(result.code == .badInput, "\(text): \(result)")
        #expect(sandbox.ledger.count == 0)
        sandbox.stop()
    }

    @Test("an offsite method ends with what the browser must do")
    func offsite() async throws {
        let text = #"{"kind":"offsite","method":"sprel","returnURL":"https://shop.example/back"}"#
        let result = await run("tokenize --instrument-stdin", text)
        #expect(result.code == .actionNeeded)
        #expect(try json(result.output)["nextAction"]["url"].string().hasSuffix("/payment_methods"))
        sandbox.stop()
    }

    @Test(
        "wrong usage",
        arguments: [
            "vault", "vault show", "vault update t", "vault recache t", "vault list --page-size 101",
            "vault update t --metadata nonsense", "tokenize --instrument-stdin --test-card visa",
            "tokenize --instrument-stdin --card-stdin",
        ])
    func usage(_ line: String) async {
        #expect(await Commands.run(line, environment: environment) == .usage)
        sandbox.stop()
    }
}
