import GatewayKitCore
import GatewaySandbox
import Testing

@testable import gatewayctl

/// `session open` and `session attach` over a sandbox that outlives the single commands.
@Suite struct SessionCommands {
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

    private static let card = #"{"number":"4111 1111 1111 1111","expiry":"09/2031","cvv":"737","name":"Ada Okoro"}"#
    /// A reference as providers make them; Spreedly's own is a word.
    private static let reference = "5f0c7a1e-32c4-4b7d-9a51-d6f2b8e4c093"

    private func run(_ line: String, _ input: String = "") async -> (code: ExitCode, output: String, talk: String) {
        let device = BufferDevice(input: input)
        let code = await Commands.run("session " + line + " -v -o json", device, environment: environment)
        let leaks = LeakSearch(
            ["4111111111111111", environment["SPREEDLY_ACCESS_SECRET"] ?? ""].map { Sensitive($0) }
        ).leaks(in: device.output + "\n" + device.talk)
        #expect(leaks.isEmpty, "\(line): \(leaks)")
        return (code, device.output, device.talk)
    }

    private func json(_ output: String) throws -> JSONValue { try JSONValue(parsing: Array(output.utf8)) }

    @Test("a session is opened, and a card is sent in it by whoever has the reference")
    func openAndAttach() async throws {
        let opened = await run("open")
        #expect(opened.code == .done, "\(opened)")
        #expect(try json(opened.output)["schema"].string() == "gatewayctl.session-open/1")
        let id = try json(opened.output)["session"].string()
        for (line, input) in [
            ("attach \(id) --card-stdin", Self.card), ("attach - --test-card visa", " \(id)\n"),
            ("attach --test-card visa -", id),
            ("attach \(id) --instrument-stdin", #"{"kind":"card",\#(Self.card.dropFirst())"#),
        ] {
            let result = await run(line, input)
            #expect(result.code == .done, "\(line): \(result)")
            #expect(try json(result.output)["schema"].string() == "gatewayctl.session-attach/1")
            #expect(try !json(result.output)["token"].string().isEmpty)
        }
        #expect(sandbox.ledger.count == 4)
        sandbox.stop()
    }

    @Test("a reference of another account is bad input; it and the card are shown nowhere")
    func foreign() async {
        for (line, input) in [
            ("attach \(Self.reference) --card-stdin", Self.card), ("attach - --test-card visa", Self.reference),
        ] {
            let result = await run(line, input)
            #expect(result.code == .badInput, "\(result)")
            #expect(!(result.output + result.talk).contains(Self.reference))
        }
        #expect(sandbox.ledger.count == 0)
        sandbox.stop()
    }

    @Test("a lost answer is unknown, and nothing is sent again")
    func lost() async {
        sandbox.faults.add(.answerLost, provider: "spreedly", operation: "tokenize")
        #expect(await run("attach environment --test-card visa").code == .outcomeUnknown)
        #expect(sandbox.ledger.count == 1)
        sandbox.stop()
    }

    @Test("a dry run of attach sends nothing")
    func dryRun() async throws {
        let result = await run("attach environment --test-card visa --dry-run")
        #expect(result.code == .done)
        #expect(try json(result.output)["schema"].string() == "gatewayctl.dry-run/1")
        #expect(sandbox.ledger.count == 0)
        sandbox.stop()
    }

    @Test(
        "wrong usage and unusable references",
        arguments: [
            ("session", "", ExitCode.usage), ("session attach", "", .usage), ("session status", "", .usage),
            ("session attach - --card-stdin", SessionCommands.card, .usage),
            ("session attach - --instrument-stdin", "{}", .usage), ("session attach s", "", .usage),
            ("session watch s --first-wait soon", "", .usage), ("session watch s --max-failures 0", "", .usage),
            ("session watch s --dry-run", "", .usage), ("session status -", "", .badInput),
            ("session status -", " \n", .badInput), ("session watch -", "two words", .badInput),
            ("session attach - --test-card visa", "a\nb", .badInput),
        ])
    func wrong(_ line: String, _ input: String, _ code: ExitCode) async {
        let device = BufferDevice(input: input)
        #expect(await Commands.run(line, device, environment: environment) == code, "\(device.talk)")
        #expect(device.output.isEmpty)
        sandbox.stop()
    }

    @Test("a reference that is typed on a terminal is not echoed")
    func typed() async {
        let device = BufferDevice(input: "environment\n", isInputTerminal: true)
        let code = await Commands.run("session attach - --test-card visa", device, environment: environment)
        #expect(code == .done, "\(device.talk)")
        #expect(device.bytesReadWithoutEcho == "environment\n".utf8.count)
        sandbox.stop()
    }
}

/// What `session status` and `session watch` write, over scripted answers.
@Suite struct SessionReports {
    private static let settings = AccountSettings(
        name: AccountName("spreedly"), provider: "spreedly",
        environment: EnvironmentDescription("sandbox", .sandbox, help: ""), values: [:])
    private static let reference = SessionReference(account: AccountName("spreedly"), id: "s-1")

    enum Step: Sendable {
        case says(SessionStatus.Phase, String)
        case fails(GatewayError.Code)
    }

    /// Plays one step per question, the last again and again.
    private final class Script: SessionStatusSource {
        private let steps: Locked<ArraySlice<Step>>

        init(_ steps: [Step]) { self.steps = Locked(steps[...]) }

        func status(
            of session: SessionReference, _ call: CallContext
        ) async throws(GatewayError) -> SessionStatus {
            let step = steps.withLock { $0.count > 1 ? $0.popFirst() : $0.first }
            switch step {
            case .says(let phase, let word)?:
                var status = SessionStatus(reference: session, phase: phase, providerWord: word)
                if phase == .succeeded {
                    status.token = PaymentToken(id: "tok-1", account: AccountName("spreedly"), usage: .single)
                }
                return status
            case .fails(let code)?:
                throw GatewayError(code, message: "What happened.", advice: "What to do.", reach: .sent)
            case nil: throw GatewayError(.notFound, message: "No session.", advice: "None.")
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        let code: ExitCode
        let reason: SessionEnd.Reason
        /// The events of the JSON lines.
        let events: [String]

        init(_ name: String, _ steps: [Step], _ code: ExitCode, _ reason: SessionEnd.Reason, _ events: [String]) {
            testDescription = name
            self.steps = steps
            self.code = code
            self.reason = reason
            self.events = events
        }
    }

    static let rows: [Row] = [
        Row(
            "success after a failed question",
            [.says(.open, "created"), .says(.open, "created"), .fails(.timedOut), .says(.succeeded, "done")], .done,
            .finished, ["status", "failed", "status", "end"]),
        Row("failure", [.says(.failed, "refused")], .providerSaidNo, .finished, ["status", "end"]),
        Row("expiry", [.says(.expired, "old")], .providerSaidNo, .finished, ["status", "end"]),
        Row(
            "T1, T6: still open at the end of the time is neither success nor failure", [.says(.open, "created")],
            .actionNeeded, .deadline, ["status", "end"]),
        Row(
            "T2: still processing at the end of the time is unknown", [.says(.processing, "3ds")], .outcomeUnknown,
            .deadline, ["status", "end"]),
        Row(
            "a word that nobody knows is unknown", [.says(.unknown, "odd")], .outcomeUnknown, .deadline,
            ["status", "end"]),
        Row("no such session", [.fails(.notFound)], .providerSaidNo, .permanentFailure, ["failed", "end"]),
        Row(
            "refused credentials", [.fails(.credentialsRefused)], .credentialsRefused, .permanentFailure,
            ["failed", "end"]),
        Row(
            "T2: no answer at all is no answer, not an unknown outcome", [.fails(.timedOut)], .noAnswer,
            .tooManyFailures, ["failed", "failed", "failed", "end"]),
        Row(
            "the last answer counts when the questions fail", [.says(.processing, "3ds"), .fails(.connectionLost)],
            .outcomeUnknown, .tooManyFailures, ["status", "failed", "failed", "failed", "end"]),
    ]

    private func watch(_ steps: [Step], _ output: OutputFormat) async -> (code: ExitCode, device: BufferDevice) {
        let clock = ManualClock()
        let device = BufferDevice()
        let terminal = Terminal.test(device).configured(output: output, isVerbose: false, color: .never)
        let updates = SessionWatcher(Script(steps), clock: clock, random: RandomSource { 0 }).updates(
            of: Self.reference, policy: PollingPolicy(deadline: .seconds(20), maximumFailures: 3))
        let waking = Task { while !Task.isCancelled { await clock.wakeNext() } }
        let code = await SessionWatch(settings: Self.settings, terminal: terminal).run(updates)
        waking.cancel()
        await waking.value
        return (code, device)
    }

    @Test("watch writes changes, failures and the end, and ends with the code that fits", arguments: rows)
    func watch(_ row: Row) async throws {
        let json = await watch(row.steps, .json)
        #expect(json.code == row.code, "\(json.device.output)")
        let lines = try json.device.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        #expect(try lines.map { try $0["event"].string() } == row.events)
        #expect(try lines.allSatisfy { try $0["schema"].string() == "gatewayctl.session-watch/1" })
        #expect(try lines.last?["reason"].string() == row.reason.rawValue)
        let text = await watch(row.steps, .text)
        #expect(text.code == row.code)
        #expect(text.device.output.contains(row.reason.rawValue))
        #expect((text.device.talk.isEmpty) == (row.steps.count == 1 && row.code == .done))
    }

    @Test("a line of text has the time, the phase and the provider's word; the token comes with the end")
    func text() async {
        let result = await watch([.says(.open, "created"), .says(.succeeded, "done")], .text)
        #expect(result.device.output.hasPrefix("2023-11-14T22:13:20Z  open  (the provider says: created)\n"))
        #expect(result.device.output.contains("tok-1"))
        #expect(result.device.talk.isEmpty)
    }

    @Test("an interrupted watch says so and ends as interrupted")
    func interrupted() async {
        let device = BufferDevice()
        let terminal = Terminal.test(device).configured(output: .json, isVerbose: false, color: .never)
        let clock = ManualClock()
        let updates = SessionWatcher(Script([.says(.open, "created")]), clock: clock).updates(of: Self.reference)
        let task = Task { await SessionWatch(settings: Self.settings, terminal: terminal).run(updates) }
        await clock.waitForSleepers(1)
        task.cancel()
        #expect(await task.value == .interrupted)
        #expect(device.output.contains(#""reason": "cancelled""#))
    }

    @Test("a question that got no answer has done nothing")
    func reads() {
        let lost = GatewayError(.connectionLost, message: "Lost.", advice: "Ask again.", reach: .sent)
        #expect(ResultReport.exitCode(of: lost, isRead: true) == .noAnswer)
        #expect(ResultReport.exitCode(of: lost) == .outcomeUnknown)
    }
}
