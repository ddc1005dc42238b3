import Foundation
import GatewayKitCore
import Testing

@testable import gatewayctl

@Suite struct OutputTests {
    static let report = Report(
        schema: "demo.all/1",
        fields: [
            Field("Token", "token", .identifier("tok-1")),
            Field("Message", "message", .text("say \"hi\"\n\u{1B}[31m\\ \u{2028}é")),
            Field("Took (ms)", "milliseconds", .number(-12)),
            Field("Live", "live", .bool(false)),
            Field("Absent", "absent", .null),
            Field("Tags", "tags", .list([.text("a"), .number(2)])),
            Field("None", "none", .list([])),
            Field(
                "Card", "card",
                .object([Field("Brand", "brand", .text("visa")), Field("Last four", "lastFour", .text("1111"))])),
            Field(
                "Providers", "providers",
                .list([
                    .object([Field("Name", "name", .text("spreedly")), Field("3DS", "threeDS", .bool(true))]),
                    .object([Field("Name", "name", .text("x")), Field("3DS", "threeDS", .bool(false))]),
                ])),
            Field("Mixed", "mixed", .list([.object([Field("A", "a", .number(1)), Field("B", "b", .number(2))])])),
        ])

    @Test func text() {
        let device = BufferDevice()
        Terminal.test(device).emit(Self.report)
        #expect(
            device.output == """
                Token:      tok-1
                Message:
                  say "hi"
                  \u{FFFD}[31m\\ \u{FFFD}é
                Took (ms):  -12
                Live:       no
                Tags:       a, 2
                Card:
                  Brand:      visa
                  Last four:  1111
                Providers:
                  Name      3DS
                  spreedly  yes
                  x         no
                Mixed:
                  - A:  1
                    B:  2

                """)
        #expect(device.talk.isEmpty)
    }

    @Test func json() throws {
        let device = BufferDevice()
        Terminal.test(device).configured(output: .json, isVerbose: false, color: .always).emit(Self.report)
        #expect(
            device.output == #"""
                {
                  "schema": "demo.all/1",
                  "token": "tok-1",
                  "message": "say \"hi\"\n\u001b[31m\\ \u2028é",
                  "milliseconds": -12,
                  "live": false,
                  "absent": null,
                  "tags": [
                    "a",
                    2
                  ],
                  "none": [],
                  "card": {
                    "brand": "visa",
                    "lastFour": "1111"
                  },
                  "providers": [
                    {
                      "name": "spreedly",
                      "threeDS": true
                    },
                    {
                      "name": "x",
                      "threeDS": false
                    }
                  ],
                  "mixed": [
                    {
                      "a": 1,
                      "b": 2
                    }
                  ]
                }

                """#)
        let parsed = try JSONSerialization.jsonObject(with: Data(device.output.utf8)) as? [String: Any]
        #expect(parsed?["message"] as? String == "say \"hi\"\n\u{1B}[31m\\ \u{2028}é")
    }

    @Test(arguments: [
        (ColorChoice.auto, [:], true, true), (.auto, ["NO_COLOR": "1"], true, false),
        (.auto, ["NO_COLOR": ""], true, true), (.auto, ["TERM": "dumb"], true, false), (.auto, [:], false, false),
        (.always, ["NO_COLOR": "1", "TERM": "dumb"], false, true), (.never, [:], true, false),
    ]) func color(choice: ColorChoice, environment: [String: String], isTerminal: Bool, isOn: Bool) {
        let device = BufferDevice(terminals: isTerminal ? [.output, .talk] : [])
        let terminal = Terminal.test(device, environment: environment)
            .configured(output: .text, isVerbose: true, color: choice)
        terminal.emit(Report(schema: "s/1", fields: [Field("A", "a", .number(1))]))
        terminal.say("bad", tone: .problem)
        #expect(device.output.contains("\u{1B}[1m") == isOn)
        #expect(device.talk == (isOn ? "\u{1B}[31mbad\u{1B}[0m\n" : "bad\n"))
    }

    @Test func talkGoesToStderrAndDetailOnlyWhenVerbose() async {
        for (flags, talk) in [([], "talk about spreedly\n"), (["-v"], "talk about spreedly\ndetail\n")] {
            let device = BufferDevice()
            let arguments = flags + ["tokenize", "-p", "spreedly", "--output", "json"]
            #expect(await Program(tree: Example.tree).run(.test(device, arguments)) == .done)
            #expect(device.talk == talk)
            #expect(device.output == "{\n  \"schema\": \"demo.tokenize/1\",\n  \"dryRun\": false\n}\n")
        }
    }

    @Test func secretTypedByAPersonIsNeitherEchoedNorShownLater() throws {
        let device = BufferDevice(input: "hunter2-hunter2\r\nnext\n", isInputTerminal: true)
        let terminal = Terminal.test(device)
        let secret = try terminal.readSecret(awaiting: "The access secret")
        #expect(secret.withExposed { $0 } == "hunter2-hunter2")
        #expect(device.bytesReadWithoutEcho == 17)
        #expect(!device.echoIsOff)
        #expect(device.talk == "The access secret (not shown): \n")
        #expect(try terminal.ask("Name") == "next")
        #expect(throws: Failure.self) { try terminal.ask("More") }
    }

    @Test func secretIsAskedForOnATerminalOnly() {
        let error = #expect(throws: Failure.self) {
            try Terminal.test(BufferDevice(input: "x\n")).readSecret(awaiting: "The card number")
        }
        #expect(error?.code == .badInput)
    }

    @Test func inputIsBoundedAndAnnounced() throws {
        let piped = BufferDevice(input: "{}")
        #expect(try Terminal.test(piped).readInput(awaiting: "a card").withExposed { $0 } == Array("{}".utf8))
        #expect(piped.talk.isEmpty)
        let typed = BufferDevice(input: "{}", isInputTerminal: true)
        _ = try Terminal.test(typed).readInput(awaiting: "the card as one JSON object")
        #expect(
            typed.talk
                == "Reading the card as one JSON object from the terminal; end with Ctrl-D on a line of its own.\n")
        for input in ["", "12345"] {
            let error = #expect(throws: Failure.self) {
                try Terminal.test(BufferDevice(input: input)).readInput(awaiting: "a card", limit: 4)
            }
            #expect(error?.code == .badInput)
        }
    }

    @Test(arguments: [(["help"], ExitCode.internalError), (["nope"], .usage), (["serve"], .interrupted)])
    func lostOutputIsNotSuccess(arguments: [String], code: ExitCode) async {
        let device = BufferDevice(hasLostOutput: true)
        #expect(await Program(tree: Example.tree).run(.test(device, arguments)) == code)
        #expect(device.talk.contains("could not be written") == (code == .internalError))
    }

    @Test func cancelledReadingEndsAsInterrupted() async {
        let command = Command("read", summary: "Read") { invocation in
            _ = try invocation.terminal.readInput(awaiting: "anything")
            return .done
        }
        let tree = CommandTree(
            root: Command("demo", summary: "Demo", subcommands: [command]), version: "1", topics: [])
        let device = BufferDevice(input: "x")
        let work = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Program(tree: tree).run(.test(device, ["read"]))
        }
        #expect(await work.value == .interrupted)
        #expect(device.talk == "demo: interrupted\n")
    }
}
