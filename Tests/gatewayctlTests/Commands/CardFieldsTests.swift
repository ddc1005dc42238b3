import GatewayKitCore
import Testing

@testable import gatewayctl

@Suite struct CardFields {
    static let number = "4111111111111111"
    static let code = "737"
    static let script = """
        # a shopper fills in the form
        number insert 4111 1111 1111 111
        number insert 1
        expiry insert 6
        expiry insert 31
        cvc insert 73
        cvc insert 7
        name insert Ada Okoro
        submit
        """

    /// Runs the command in this process; the date is 2023-11-14.
    static func run(
        _ script: String, _ options: String = "", isInputTerminal: Bool = false
    ) async -> (code: ExitCode, device: BufferDevice) {
        let device = BufferDevice(input: script, isInputTerminal: isInputTerminal)
        let code = await Commands.run("card fields " + options, device)
        return (code, device)
    }

    /// The steps of the JSON report.
    private static func steps(_ device: BufferDevice) throws -> [JSONValue] {
        try JSONValue(parsing: Array(device.output.utf8))["steps"].elements()
    }

    @Test func everyEditShowsTheStates() async throws {
        let (code, device) = await Self.run(Self.script, "--field name --check -o json")
        #expect(code == .done, "\(device.talk)")
        let report = try JSONValue(parsing: Array(device.output.utf8))
        #expect(try report["schema"].string() == "gatewayctl.card-fields/1")
        #expect(try report["result"].string() == "ready")
        #expect(try report["card"]["lastFour"].string() == "1111")
        let steps = try Self.steps(device)
        let told = try steps.map { step in
            try ["edit", "number", "expiry", "securityCode", "name", "shows"].map {
                try step[$0].present?.string() ?? "-"
            }.joined(separator: "; ")
        }
        #expect(
            told == [
                "number insert; incomplete; blank; blank; blank; •••• •••• •••• •••|",
                "number insert; complete; blank; blank; blank; •••• •••• •••• ••••|",
                "expiry insert; complete; incomplete; blank; blank; ••|",
                "expiry insert; complete; complete; blank; blank; •• / ••|",
                "securityCode insert; complete; complete; incomplete; blank; ••|",
                "securityCode insert; complete; complete; complete; blank; •••|",
                "name insert; complete; complete; complete; complete; ••• •••••|",
                "submit; complete; complete; complete; complete; -",
            ])
        #expect(try steps.map { try $0["line"].integer() } == [2, 3, 4, 5, 6, 7, 8, 9])
        #expect(
            try steps.map { try $0["lastFour"].present?.string() } == [nil, nil] + Array(repeating: "1111", count: 6))
        #expect(try steps[1]["events"].elements().map { try $0.string() } == ["number complete", "will check"])
    }

    @Test func editsOfEveryKind() async throws {
        let rows: [(script: String, shows: String, events: [String])] = [
            (
                "number paste 378282246310005\nnumber caret 5\nnumber backspace 2", "••|•• •••••• •••",
                ["number incomplete"]
            ),
            ("number insert 4242\nnumber replace 1 3 99", "•••|•", []),
            ("number insert 4242\nnumber replace 1 3", "•|•", []),
            ("number insert 42424\nnumber select 2 6", "••[•• •]", []),
            ("number insert 42424\nnumber select 2 6\nnumber delete", "••|", []),
            ("number text 4242 4", "•••• •|", ["brand visa", "number incomplete"]),
            ("number insert 4x", "|", ["refused number: malformed"]),
            ("expiry paste 13/30", "•• / ••|", ["expiry invalid (expiryMonth malformed)"]),
            ("number insert 4111111111111111\nnumber blur", "•••• 1111|", []),
            ("number insert 42\nnumber clear", "|", ["brand unknown", "number blank"]),
            ("number focus\r", "|", []),
        ]
        for (script, shows, events) in rows {
            let (code, device) = await Self.run(script, "-o json")
            #expect(code == .done, "\(device.talk)")
            let last = try #require(try Self.steps(device).last)
            #expect(try last["shows"].string() == shows, "\(script)")
            #expect(try last["events"].elements().map { try $0.string() } == events, "\(script)")
        }
    }

    @Test func aNumberIsChecked() async throws {
        let script = "number insert 4111111111111111\ncheck failed\ncheck refused\nsubmit\ncheck passed"
        let (code, device) = await Self.run(script, "--check -o json")
        #expect(code == .badInput)
        let steps = try Self.steps(device)
        #expect(
            try steps.map { try $0["number"].string() } == ["complete", "complete", "invalid", "invalid", "complete"])
        let events = try steps.flatMap { try $0["events"].elements().map { try $0.string() } }
        #expect(events.contains("check failed") && events.contains("did check: refused"))
        #expect(events.contains("did check: passed"))
        #expect(events.contains("invalid: number notAccepted, expiryMonth missing, securityCode missing"))
    }

    @Test func textForAPerson() async {
        let (code, device) = await Self.run("number insert 3782\nsubmit", "--require email")
        #expect(code == .badInput)
        #expect(device.output.contains("american_express") && device.output.contains("number incomplete"))
        #expect(device.output.contains("Result:") && device.output.contains("tooShort"))
        #expect(device.output.contains("email"))
    }

    @Test func linesTypedAtATerminalAreNotShownAndAWrongOneIsPassedOver() async {
        let (code, device) = await Self.run(
            "number insert \(Self.number)\nnumbr 4111\nsubmit\n", isInputTerminal: true)
        #expect(code == .badInput)
        #expect(device.bytesReadWithoutEcho > 30 && !device.echoIsOff)
        #expect(device.talk.contains("number complete") && device.talk.contains("help card-edits"))
        #expect(LeakSearch([Sensitive(Self.number)]).leaks(in: device.output + device.talk).isEmpty)
    }

    @Test(arguments: [
        "4111111111111111", "number 4111111111111111", "number insertx 4111111111111111",
        "number caret 4111111111111111", "number backspace 0", "number select 5 4", "number select 5",
        "check 4111111111111111", "check passed", "submit 4111111111111111", "pin insert 4111111111111111",
        "number replace 4111111111111111",
    ])
    func aLineThatCannotBeReadIsNotRepeated(_ line: String) async {
        let (code, device) = await Self.run("number focus\n" + line, "-v")
        #expect(code == .badInput)
        #expect(device.talk.contains("line 2 ") && device.talk.contains("card-edits"), "\(device.talk)")
        #expect(!(device.output + device.talk).contains("4111"))
    }

    @Test("L1, L2: card fields shows no digits but the last four", arguments: ["-v", "-v -o json"])
    func leaks(_ options: String) async {
        // Typed digit by digit, so that what is told after each edit would add up.
        let typed = Self.number.map { "number insert \($0)" }.joined(separator: "\n")
        let script = """
            \(typed)
            number caret 3
            number blur
            cvc paste \(Self.code)
            name insert Ada Okoro
            email insert ada@shop.example
            name text 4111 1111 1111 1111
            number paste \(Self.number)\(Self.number)
            submit
            """
        let (_, device) = await Self.run(script, options + " --field name --field email --check")
        let text = device.output + device.talk
        let search = LeakSearch([Self.number, Self.code, "Ada Okoro", "ada@shop.example"].map { Sensitive($0) })
        #expect(search.leaks(in: text).isEmpty, "\(text)")
        #expect(text.contains("1111") && !text.contains("11111") && !text.contains("4111"))
    }

    @Test func theHelpListsEveryEditThatIsRead() async throws {
        let device = BufferDevice()
        #expect(await Commands.run("help card-edits", device) == .done)
        for (name, _) in CardEdits.form {
            #expect(device.output.contains(name.split(separator: " ").prefix(2).joined(separator: " ")))
            let words = name.filter { !"[]".contains($0) }.replacingPlaceholders
            #expect(try CardEdits.read(Sensitive(words)) != nil, "\(name)")
        }
        for line in ["", "   ", "# number insert 4", "\t".trimmed] {
            #expect(try CardEdits.read(Sensitive(line)) == nil)
        }
    }

    @Test func aCardNumberAsAnArgumentIsRefused() async {
        let (code, device) = await Self.run("", Self.number)
        #expect(code == .usage && !device.talk.contains("4111"))
    }
}

extension String {
    /// An edit of the help as a line that can be read.
    fileprivate var replacingPlaceholders: String {
        split(separator: " ").map { word in
            switch word {
            case "FIELD": "number"
            case "TEXT": "42"
            case "TIMES", "PLACE", "FROM": "1"
            case "TO": "2"
            default: String(word.split(separator: "|").first ?? word)
            }
        }.joined(separator: " ")
    }

    fileprivate var trimmed: String { String(drop(while: \.isWhitespace)) }
}
