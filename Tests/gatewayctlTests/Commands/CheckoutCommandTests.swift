import GatewayKit
import GatewayKitCore
import GatewaySandbox
import Testing

@testable import gatewayctl

/// `checkout` over a sandbox that outlives the single commands.
@Suite struct CheckoutCommands {
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
            "SAFEPAY_SECRET_KEY": try #require(credentials["secretKey"]),
            "XDG_CONFIG_HOME": "/proc/nonexistent",
        ]
    }

    private static let shop = "--return-url https://shop.example/back --cancel-url https://shop.example/away"
    private static let tracker = "track_00000000-0000-4000-8000-000000000001"
    private static let session = "v3:sandbox:payment:flex:PKR:150000:-:" + tracker

    private func run(
        _ line: String, _ input: String = "", format: String = "-o json"
    ) async -> (code: ExitCode, output: String, talk: String) {
        let device = BufferDevice(input: input)
        let code = await Commands.run("checkout \(line) -p safepay -v \(format)", device, environment: environment)
        let leaks = LeakSearch([Sensitive(environment["SAFEPAY_SECRET_KEY"] ?? "")])
            .leaks(in: device.output + "\n" + device.talk)
        #expect(leaks.isEmpty, "\(line): \(leaks)")
        return (code, device.output, device.talk)
    }

    private func json(_ output: String) throws -> JSONValue { try JSONValue(parsing: Array(output.utf8)) }

    private func lines(_ output: String) throws -> [JSONValue] {
        try output.split(separator: "\n").map { try json(String($0)) }
    }

    @Test("a page's address goes to stdout, and its token nowhere else")
    func url() async throws {
        let order = await run("url --amount 1500.00 --currency PKR --order 1001 \(Self.shop)")
        #expect(order.code == .done, "\(order)")
        let page = try json(order.output)
        #expect(try page["schema"].string() == "gatewayctl.checkout-url/1")
        let address = try page["url"].string()
        #expect(address.contains("/safepay/checkout/pay?beacon=track_") && address.hasSuffix("&webhooks=false"))
        #expect(try page["session"].string().hasPrefix("v1:sandbox:payment:-:PKR:150000:-:track_"))

        let frame = await run("url --amount 1500.00 --currency PKR --surface embedded")
        #expect(frame.code == .done, "\(frame)")
        let framed = try json(frame.output)["url"].string()
        let token = try #require(framed.split(separator: "&").first { $0.hasPrefix("tbt=") }?.dropFirst(4))
        #expect(!token.isEmpty && !frame.talk.contains(token), "the token is in a log")

        let again = await run("url --session \(try json(frame.output)["session"].string()) --surface embedded")
        #expect(again.code == .done, "\(again)")

        // An account with nothing but a token of its own: the tool never prints that.
        let keyless = BufferDevice()
        var own = environment
        own["SAFEPAY_SECRET_KEY"] = nil
        own["SAFEPAY_PASSPORT_TOKEN"] = "own-passport-token-of-tests"
        let code = await Commands.run(
            "checkout url -p safepay --session \(Self.session) --surface embedded", keyless, environment: own)
        #expect(code == .configuration, "\(keyless.talk)")
        #expect(!(keyless.output + keyless.talk).contains("own-passport-token-of-tests"))
        sandbox.stop()
    }

    @Test(
        "what a page cannot be made of is told",
        arguments: [
            ("url --amount 1500.00 \(shop)", ExitCode.usage), ("url --amount x --currency PKR \(shop)", .usage),
            ("url --amount 1500.00 --currency PKR", .badInput), ("url --purpose storeInstrument \(shop)", .badInput),
            (
                "url --amount 1500.00 --currency PKR --return-url https://shop.example/?a=b --cancel-url https://shop.example",
                .badInput
            ),
            ("url --session x \(shop)", .badInput), ("url --surface elsewhere", .usage),
        ])
    func refused(_ line: String, _ code: ExitCode) async {
        let result = await run(line)
        #expect(result.code == code, "\(result)")
        sandbox.stop()
    }

    @Test("classify tells a verdict for each line, and repeats no address")
    func classify() async throws {
        let root = (environment["GATEWAYKIT_SAFEPAY_BASE_URL"] ?? "") + "/embedded"
        let input = """
            \(root)/?tracker=\(Self.tracker)&tbt=page-token-of-tests
            \(root)/external/complete?tracker=\(Self.tracker)&tbt=page-token-of-tests&action=complete

            https://evil.example/embedded/external/complete?tracker=\(Self.tracker)
            https://shop.example/away
            \(root)/external/error?tracker=track_2\r
            """
        let kinds = ["ignore", "successCandidate", "ignore", "cancelled", "untrusted"]
        let strict = await run("classify \(Self.session) \(Self.shop)", input)
        #expect(strict.code == .done, "\(strict)")
        let verdicts = try lines(strict.output)
        #expect(try verdicts.map { try $0["verdict"].string() } == kinds)
        #expect(try verdicts.map { try $0["schema"].string() }.allSatisfy { $0 == "gatewayctl.checkout-classify/1" })
        let text = await run("classify \(Self.session) \(Self.shop)", input, format: "")
        #expect(text.output.split(separator: "\n").map { $0.split(separator: " ")[1] } == kinds.map { Substring($0) })
        for shown in [strict.output + strict.talk, text.output + text.talk] {
            #expect(!shown.contains("page-token-of-tests") && !shown.contains("evil.example"))
        }
        #expect(await run("classify \(Self.session)").code == .badInput, "stdin is empty")
        #expect(await run("classify -", input).code == .usage, "stdin is for the addresses")
        sandbox.stop()
    }

    @Test(
        "classify by keywords shows what a sample app would report",
        arguments: [
            ("https://a.example/success\nhttps://a.example/x", "1s", ["successCandidate", "ignore", "ignore"]),
            (
                "https://a.example/success\nhttps://a.example/x", "3s",
                ["successCandidate", "ignore", "successCandidate"]
            ),
            (
                "https://a.example/success\nhttps://a.example/failed", "1s",
                ["successCandidate", "failureHint", "failureHint"]
            ),
            ("https://a.example/x", "1s", ["ignore", "ignore"]),
        ])
    func keywords(_ input: String, _ interval: String, _ kinds: [String]) async throws {
        let result = await run("classify \(Self.session) --rule keywords --interval \(interval)", input)
        #expect(result.code == .done, "\(result)")
        let verdicts = try lines(result.output)
        #expect(try verdicts.map { try $0["verdict"].string() } == kinds)
        #expect(try verdicts.last?["event"].string() == "reported")
        sandbox.stop()
    }

    @Test("confirm and watch go by the proof: open, then paid on the page, whatever an address said")
    func confirm() async throws {
        let opened = try json(await run("url --amount 1500.00 --currency PKR \(Self.shop)").output)
        let session = try opened["session"].string()
        let typed = "https://shop.example/back?tracker=\(session.split(separator: ":").last ?? "")"
        let open = await run("confirm \(session) \(Self.shop) --urls-stdin --timeout 300ms", typed)
        #expect(open.code == .actionNeeded, "\(open)")
        #expect(try json(open.output)["outcome"].string() == "undecided")
        let away = await run("confirm \(session) \(Self.shop) --urls-stdin --timeout 5s", "https://shop.example/away")
        #expect(away.code == .actionNeeded, "\(away)")
        #expect(try json(away.output)["outcome"].string() == "abandoned")
        #expect(await run("watch \(session) --timeout 300ms").code == .actionNeeded)

        try await pay(opened["url"].string())
        let failed = "https://shop.example/away\nhttps://shop.example/back"
        let paid = await run("confirm \(session) \(Self.shop) --urls-stdin --timeout 5s", failed)
        #expect(paid.code == .done, "\(paid)")
        #expect(try json(paid.output)["outcome"].string() == "succeeded")
        #expect(try json(paid.output)["schema"].string() == "gatewayctl.checkout-confirm/1")
        let watched = await run("watch - --timeout 5s", session + "\n")
        #expect(watched.code == .done, "\(watched)")
        #expect(try lines(watched.output).last?["schema"].string() == "gatewayctl.checkout-watch/1")
        sandbox.stop()
    }

    @Test("a session that the provider does not know, and one of another account, have no outcome")
    func unknown() async {
        let none = await run("confirm \(Self.session) --timeout 5s")
        #expect(none.code != .done && none.code != .actionNeeded, "\(none)")
        #expect(await run("confirm nonsense --timeout 5s").code == .badInput)
        sandbox.stop()
    }

    /// Sends the page's form.
    private func pay(_ address: String) async throws {
        let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
        var url = try WireURL(base: parts[0])
        for item in try ReportedURL(address).query { url = url.appending(query: item.name, .plain(item.value)) }
        var request = WireRequest("test.pay", .post, url, repeatability: .once)
        let number = try #require(TestCard.named("visa")).number
        request.body = WireBody(
            contentType: "application/x-www-form-urlencoded",
            bytes: Sensitive(Array("card=\(number)&outcome=pay".utf8)), secrets: [])
        let runtime = try GatewayRuntime.standard(NetworkSettings(), reachesSandbox: true)
        let answer = try await runtime.transport.send(request, deadline: .now.advanced(by: .seconds(30)))
        #expect(answer.status == 303)
    }
}
