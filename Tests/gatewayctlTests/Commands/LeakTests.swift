import GatewayKitCore
import GatewaySandbox
import Testing

@testable import gatewayctl

/// Drives the whole tool with its most talkative settings and searches everything that it wrote. The referee,
/// `LeakSearch`, shares no code with the redactor.
@Suite struct Leaks {
    private static let number = "4111111111111111"
    private static let code = "737"

    private static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) async -> (code: ExitCode, text: String) {
        let device = BufferDevice(input: input)
        let code = await Program(tree: Root.tree).run(
            Terminal.test(device, arguments, environment: environment))
        return (code, device.output + "\n" + device.talk)
    }

    private static func card(_ number: String) -> String {
        """
        {"number": "\(number)", "expiry": "09/2031", "cvv": "\(code)", "name": "Ada Okoro",
         "shopper": {"email": "ada@shop.example", "billing": {"line1": "9 Mill Row"}}}
        """
    }

    struct Scenario: Sendable, CustomTestStringConvertible {
        let fault: String
        let output: String
        let authentication: String

        var testDescription: String { "\(fault), \(output), \(authentication)" }
    }

    static let scenarios: [Scenario] = FaultKind.examples.enumerated().flatMap { index, kind in
        // One time limit for all would make the stalled ones slow: they get the short one in `talkative`.
        ["text", "json"].map { output in
            Scenario(
                fault: kind.description, output: output,
                authentication: ["secret", "restricted", "query"][(index + output.count) % 3])
        }
    }

    @Test("L1, L3, L5, L6, L9: no fault makes the tool show a card", arguments: scenarios)
    func everyFault(_ scenario: Scenario) async {
        let result = await Self.run(
            [
                "tokenize", "-p", "spreedly", "--sandbox", "--card-stdin", "-v", "-o", scenario.output,
                "--timeout", "700ms", "--set", "authentication=\(scenario.authentication)", "--metadata", "cart=c-771",
                "--sandbox-fault", "spreedly.tokenize=\(scenario.fault)*always",
            ], input: Self.card("4111 1111 1111 1111"))
        let leaks = LeakSearch([Sensitive(Self.number), Sensitive(Self.code)]).leaks(in: result.text)
        #expect(leaks.isEmpty, "\(leaks)\n\(result.text)")
        #expect([.done, .providerSaidNo, .outcomeUnknown, .credentialsRefused, .noAnswer].contains(result.code))
    }

    struct Line: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let code: ExitCode

        init(_ line: String, _ code: ExitCode) {
            arguments = line.split(separator: " ").map(String.init)
            self.code = code
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let lines: [Line] = [
        Line("tokenize -p spreedly --sandbox --card-stdin -v --dry-run", .done),
        Line("tokenize -p spreedly --sandbox --card-stdin -v --dry-run --set authentication=query -o json", .done),
        Line("tokenize -p spreedly --sandbox --card-stdin -v --retain --option allowBlankName=true", .done),
        Line("tokenize -p spreedly --sandbox --card-stdin -v --retain --set authentication=query", .configuration),
        Line("tokenize -p spreedly --card-stdin -v", .configuration),
        Line("tokenize -p spreedly --sandbox --card-stdin -v --option nonsense=1", .usage),
        Line("tokenize -p spreedly --sandbox -v", .usage),
        Line("tokenize -p spreedly --sandbox --instrument-stdin -v", .badInput),
        Line("vault recache -p spreedly --sandbox --code-stdin -v 01KZZ4M2Q8S6T1V0X9Y3B5D7FH", .badInput),
        Line("vault show -p spreedly --sandbox -v -o json 4111111111111111", .usage),
        Line("vault retain -p spreedly --sandbox -v 01KZZ4M2Q8S6T1V0X9Y3B5D7FH", .providerSaidNo),
        Line("vault list -p spreedly --sandbox -v -o json", .done),
        Line("vault show -p spreedly --sandbox -v --dry-run 01KZZ4M2Q8S6T1V0X9Y3B5D7FH", .done),
        Line("tokenize -p hellgate --sandbox --card-stdin -v", .done),
        Line("tokenize -p hellgate --sandbox --card-stdin -v --dry-run -o json", .done),
        Line("vault list -p hellgate --sandbox -v -o json", .done),
        Line("vault show -p hellgate --sandbox -v 6f0a3c5e-1b1d-4222-8333-94d455e56d66", .providerSaidNo),
        Line("vault retain -p hellgate --sandbox -v 6f0a3c5e-1b1d-4222-8333-94d455e56d66", .configuration),
        Line("help instrument-json", .done),
        Line("card inspect --card-stdin -v", .done),
        Line("card inspect --card-stdin -v -o json", .done),
        Line("card test-cards -v", .done),
        Line("card fields -v", .badInput),
        Line("providers -v", .done),
        Line("config show -v", .done),
        Line("config check -v", .configuration),
        Line("help tokenize", .done),
        Line("--version", .done),
    ]

    @Test("L1, L2: no command shows the card that it was given", arguments: lines)
    func everyCommand(_ line: Line) async {
        let result = await Self.run(line.arguments, input: Self.card(Self.number))
        let leaks = LeakSearch([Sensitive(Self.number), Sensitive(Self.code)]).leaks(in: result.text)
        // The list of test cards shows names and last four digits, no numbers.
        #expect(leaks.isEmpty, "\(leaks)\n\(result.text)")
        #expect(result.code == line.code, "\(result.text)")
    }

    @Test("L7: a card that cannot be read is not shown either", arguments: ["737a", "12", "7 3 7 9 9"])
    func unreadableCard(_ code: String) async {
        let input = #"{"number": "\#(Self.number)x", "expiry": "13/99", "cvv": "\#(code)", "name": "Ada"}"#
        for command in ["card inspect", "tokenize -p spreedly --sandbox"] {
            let result = await Self.run(
                command.split(separator: " ").map(String.init) + ["--card-stdin", "-v"], input: input)
            #expect(result.code == .badInput)
            #expect(LeakSearch([Sensitive(Self.number)]).leaks(in: result.text).isEmpty, "\(result.text)")
            #expect(!result.text.contains("\"\(code)\""))
        }
    }

    @Test("L10, L12: credentials are shown raw nowhere, in no encoding, with all ways to authenticate")
    func credentials() async {
        let key = "EnvKeyForTheLeakTest0042"
        let secret = "AccessSecretForTheLeakTest0042abcdef"
        let environment = [
            "SPREEDLY_ENVIRONMENT_KEY": key, "SPREEDLY_ACCESS_SECRET": secret,
            "GATEWAYKIT_SPREEDLY_ENVIRONMENT": "test",
            "XDG_CONFIG_HOME": "/proc/nonexistent", "GATEWAYKIT_PROXY": "http://127.0.0.1:9",
        ]
        for mode in ["secret", "restricted", "query", "signed"] {
            for command in [
                "tokenize --card-stdin -v --timeout 500ms --set authentication=\(mode)",
                "tokenize --card-stdin -v --dry-run --set authentication=\(mode)", "config show", "config check",
            ] {
                let result = await Self.run(
                    command.split(separator: " ").map(String.init), input: Self.card(Self.number),
                    environment: environment)
                let leaks = LeakSearch([Sensitive(key), Sensitive(secret), Sensitive(Self.number)]).leaks(
                    in: result.text)
                #expect(leaks.isEmpty, "\(command): \(leaks)\n\(result.text)")
            }
        }
    }
}
