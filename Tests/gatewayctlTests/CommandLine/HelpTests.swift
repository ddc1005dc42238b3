import Testing

@testable import gatewayctl

@Suite struct HelpTests {
    @Test func pageOfACommand() {
        #expect(
            HelpWriter(tree: Example.tree).page(of: ["tokenize"]) == """
                Usage: demo tokenize (--provider NAME | --account NAME)
                       [--test-card NAME | --card-stdin] [options]
                """)
    }

    @Test func pageOfTheRoot() {
        let page = HelpWriter(tree: Example.tree).page(of: []) ?? ""
        #expect(page == "")
    }

    @Test func everyPageFitsTheWidth() {
        for width in [60, 80, 100] {
            for tree in [Example.tree, Root.tree] {
                let writer = HelpWriter(tree: tree, width: width)
                let pages = tree.everyCommand.map(\.names) + tree.topics.map { [$0.name] }
                for names in pages {
                    let page = writer.page(of: names) ?? ""
                    #expect(!page.isEmpty)
                    for line in page.split(separator: "\n") where !line.hasPrefix("      ") || line.hasPrefix("       ")
                    {
                        #expect(line.count <= width, "\(names): \(line)")
                    }
                }
            }
        }
    }

    @Test func helpTellsWhatTheTableTells() {
        for entry in Example.tree.everyCommand {
            let page = HelpWriter(tree: Example.tree).page(of: entry.names) ?? ""
            for option in (entry.command.options + Example.tree.globals).map(\.spec) {
                #expect(page.contains(option.kind == .toggle ? "--[no-]\(option.name)" : option.usage))
                if let variable = option.environment { #expect(page.contains("[env: \(variable)]")) }
            }
        }
        #expect(HelpWriter(tree: Example.tree).page(of: ["nothing"]) == nil)
        #expect(HelpWriter(tree: Example.tree).page(of: ["tokenize", "nothing"]) == nil)
    }

    @Test(arguments: [
        (["--help"], "Usage: demo COMMAND"), (["help"], "Usage: demo COMMAND"),
        (["card", "--help"], "Usage: demo card COMMAND"), (["help", "card", "inspect"], "Usage: demo card inspect"),
        (["card", "inspect", "-h"], "Usage: demo card inspect"), (["help", "exit-codes"], "What each exit code"),
        (["--version"], "demo 1.2.3\n"),
    ]) func helpGoesToStdout(arguments: [String], start: String) async {
        let device = BufferDevice()
        #expect(await Program(tree: Example.tree).run(.test(device, arguments)) == .done)
        #expect(device.output.hasPrefix(start))
        #expect(device.talk.isEmpty)
    }

    @Test(arguments: [[], ["nope"], ["help", "nope"], ["tokenize", "--nope"], ["card"]])
    func errorsGoToStderr(arguments: [String]) async {
        let device = BufferDevice()
        #expect(await Program(tree: Example.tree).run(.test(device, arguments)) == .usage)
        #expect(device.output.isEmpty)
        #expect(device.talk.hasPrefix("demo: ") && device.talk.contains("\nRun 'demo help"))
    }

    @Test(arguments: [
        ["nope", "--output", "json"], ["-ojson", "nope"], ["--output=json", "nope"], ["-o=json", "nope"],
        ["help", "nope", "-o", "json"],
    ]) func jsonIsAnsweredInJSON(arguments: [String]) async {
        let device = BufferDevice()
        #expect(await Program(tree: Example.tree).run(.test(device, arguments)) == .usage)
        #expect(device.output.hasPrefix("{\n  \"schema\": \"demo.error/1\",\n  \"code\": \"usage\""))
    }

    @Test func exitCodesAreAllExplained() {
        let page = HelpWriter(tree: Root.tree, width: 400).page(of: ["exit-codes"]) ?? ""
        let expected: [(Int32, ExitCode)] = [
            (0, .done), (2, .providerSaidNo), (3, .actionNeeded), (4, .outcomeUnknown), (5, .credentialsRefused),
            (6, .noAnswer), (64, .usage), (65, .badInput), (70, .internalError), (78, .configuration),
            (130, .interrupted),
        ]
        #expect(expected.count == ExitCode.allCases.count)
        for (number, code) in expected {
            #expect(code.rawValue == number)
            #expect(page.contains("  \(TextLayout.pad(String(number), to: 3))  \(code.name): \(code.meaning)"))
        }
        #expect(Set(ExitCode.allCases.map(\.name)).count == ExitCode.allCases.count)
    }

    @Test func environmentPageListsEveryVariable() {
        let page = HelpWriter(tree: Example.tree).page(of: ["environment"]) ?? ""
        for name in ["DEMO_ACCOUNT", "DEMO_PORT", "DEMO_PROVIDER", "GATEWAYCTL_OUTPUT", "NO_COLOR"] {
            #expect(page.contains("  \(name) "))
        }
    }
}
