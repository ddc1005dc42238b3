import GatewayKitCore
import GatewaySandbox
import Testing

@testable import gatewayctl

/// The real commands, in this process, over the real sandbox.
@Suite struct Commands {
    static func run(
        _ line: String, _ device: BufferDevice = BufferDevice(), environment: [String: String] = [:]
    ) async -> ExitCode {
        await Program(tree: Root.tree).run(
            Terminal.test(device, line.split(separator: " ").map(String.init), environment: environment))
    }

    @Test func aCardTypedAtThePromptIsTokenizedAndNotEchoed() async {
        let device = BufferDevice(input: "4111 1111 1111 1111\n12/31\n737\nAda Okoro\n", isInputTerminal: true)
        let code = await Self.run("tokenize -p spreedly --sandbox -o json", device)
        #expect(code == .done, "\(device.talk)")
        #expect(device.output.contains(#""expiry": "12/2031""#))
        #expect(device.bytesReadWithoutEcho == "4111 1111 1111 1111\n737\n".utf8.count)
    }

    @Test func theSandboxReadsNoRealCredentials() async {
        // Both would be configuration errors if they were looked at.
        let environment = [
            "GATEWAYKIT_CONFIG": "/proc/nonexistent/gatewaykit.json", "SPREEDLY_ENVIRONMENT_KEY": "a\nb",
        ]
        let device = BufferDevice()
        let code = await Self.run("tokenize -p spreedly --sandbox --test-card visa", device, environment: environment)
        #expect(code == .done, "\(device.talk)")
        #expect(await Self.run("tokenize -p spreedly --test-card visa", environment: environment) == .configuration)
    }

    @Test func withoutCredentialsBothWaysOnAreTold() async {
        let device = BufferDevice()
        let environment = ["XDG_CONFIG_HOME": "/proc/nonexistent"]
        let code = await Self.run("tokenize -p spreedly --test-card visa", device, environment: environment)
        #expect(code == .configuration)
        #expect(device.talk.contains("--sandbox"))
        #expect(device.talk.contains("SPREEDLY_ENVIRONMENT_KEY"))
        #expect(device.output.isEmpty)
    }

    @Test(arguments: [
        "tokenize --sandbox --test-card visa", "tokenize -p spreedly --sandbox --test-card viza",
        "tokenize -p spredly --sandbox", "tokenize -p spreedly --account eu --sandbox --test-card visa",
        "tokenize -p spreedly --sandbox --test-card visa --set accessSecret=x",
        "tokenize -p spreedly --sandbox --test-card visa --set authentication=none",
        "tokenize -p spreedly --sandbox --test-card visa --sandbox-fault nonsense",
        "tokenize -p spreedly --test-card visa --sandbox-fault spreedly=stall",
        "tokenize -p spreedly --sandbox --test-card visa --metadata nonsense", "sandbox serve --port 65536",
    ])
    func wrongUsage(_ line: String) async {
        let device = BufferDevice()
        #expect(await Self.run(line, device) == .usage, "\(device.talk)")
        #expect(!device.talk.isEmpty && device.output.isEmpty)
    }

    @Test func everythingGivenReachesTheProvider() async {
        let device = BufferDevice()
        let code = await Self.run(
            "tokenize -p spreedly --sandbox --test-card amex --dry-run -o json --email a@shop.example --line1 Hill "
                + "--postal-code 1A --country gb --retain --metadata cart=7 --option allowBlankName=true", device)
        #expect(code == .done)
        for part in [
            #"\"email\":\"a@shop.example\""#, #"\"address1\":\"Hill\""#, #"\"country\":\"GB\""#, #"\"retained\":true"#,
            #"\"metadata\":{\"cart\":7}"#, #"\"allow_blank_name\":true"#, #"\"zip\":\"1A\""#,
        ] {
            #expect(device.output.contains(part), "\(part)\n\(device.output)")
        }
    }

    @Test func redactMasksAndCopies() async {
        let number = TestCard.all[0].number
        let device = BufferDevice(
            input: "2026-03-02 order 42 card \(number) ok\n{\"cvv\":\"737\",\"token\":\"01KZZ4M2Q8S6T1V0X9Y3B5D7FH\"}\n"
        )
        #expect(await Self.run("redact --no-configured-secrets", device) == .done)
        #expect(!device.output.contains(number) && !device.output.contains("737"))
        #expect(device.output.contains("order 42") && device.output.contains("01KZZ4M2Q8S6T1V0X9Y3B5D7FH"))
    }
}

/// Every result and every error of the library has its exit code and says something useful.
@Suite struct ResultReports {
    private static let settings = AccountSettings(
        name: AccountName("spreedly"), provider: "spreedly",
        environment: EnvironmentDescription("sandbox", .sandbox, help: ""), values: [:])
    private static let reference = SessionReference(account: AccountName("spreedly"), id: "s-1")
    private static let cause = GatewayError(.timedOut, message: "Nobody answered.", advice: "Look.", reach: .sent)

    static let results: [(TokenizationResult, ExitCode)] = [
        (.token(PaymentToken(id: "tok-1", account: AccountName("spreedly"), usage: .single)), .done),
        (.invalid([FieldIssue(.number, .checkDigit, message: "mistyped")]), .badInput),
        (.invalid([FieldIssue(.number, .malformed, origin: .provider, message: "no")]), .providerSaidNo),
        (.declined(Decline(.cardDeclined, providerCode: "05", message: "no")), .providerSaidNo),
        (.actionRequired(.html("<p>")), .actionNeeded),
        (
            .actionRequired(
                .redirect(method: .post, url: "https://bank.example", fields: [.init(name: "a", value: "b")])),
            .actionNeeded
        ),
        (.sessionUnusable(SessionStatus(reference: reference, phase: .expired, providerWord: "old")), .providerSaidNo),
        (.unknown(reference, cause: cause), .outcomeUnknown),
    ]

    @Test(arguments: results.indices)
    func result(_ index: Int) {
        let (result, code) = Self.results[index]
        for output in [OutputFormat.text, .json] {
            let device = BufferDevice()
            let terminal = Terminal.test(device).configured(output: output, isVerbose: false, color: .never)
            #expect(ResultReport.write(result, Self.settings, terminal) == code)
            #expect(device.output.contains(result.outcomeName))
        }
    }

    static let errors: [(GatewayError.Code, Reach, ExitCode)] = [
        (.configuration, .notSent, .configuration), (.refusedHost, .notSent, .configuration),
        (.notSupported, .notSent, .configuration), (.invalidInput, .notSent, .badInput),
        (.cancelled, .notSent, .interrupted), (.credentialsRefused, .answered, .credentialsRefused),
        (.notPermitted, .answered, .credentialsRefused), (.requestRefused, .answered, .providerSaidNo),
        (.notFound, .answered, .providerSaidNo), (.rateLimited, .answered, .noAnswer),
        (.unreachable, .notSent, .noAnswer), (.timedOut, .notSent, .noAnswer), (.timedOut, .sent, .outcomeUnknown),
        (.tls, .notSent, .noAnswer), (.proxy, .notSent, .noAnswer), (.connectionLost, .sent, .outcomeUnknown),
    ]

    @Test(arguments: errors.indices)
    func error(_ index: Int) {
        let (kind, reach, code) = Self.errors[index]
        let device = BufferDevice()
        let terminal = Terminal.test(device).configured(output: .json, isVerbose: false, color: .never)
        let error = GatewayError(kind, message: "What happened.", advice: "What to do.", reach: reach)
        #expect(ResultReport.write(error, terminal) == code)
        #expect(device.talk.contains("What happened.") && device.talk.contains("What to do."))
        #expect(device.output.contains(#""schema": "gatewayctl.error/1""#))
        #expect(device.output.contains(#""reach": "\#(reach.rawValue)""#))
    }
}
