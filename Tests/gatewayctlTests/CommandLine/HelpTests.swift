import Testing

@testable import gatewayctl

@Suite struct HelpTests {
    @Test func pageOfACommand() {
        #expect(
            HelpWriter(tree: Example.tree).page(of: ["tokenize"]) == """
                Usage: demo tokenize (--provider NAME | --account NAME)
                                     [--test-card NAME | --card-stdin] [options]

                Turn a card into a token.

                Examples:
                  A token for a test card:
                      demo tokenize --provider spreedly --test-card visa

                The card comes from stdin or is a public test card; it never stands on the
                command line.

                Options:
                  -p, --provider NAME   The provider. Values: spreedly, bluesnap.
                                        [env: DEMO_PROVIDER]
                  -a, --account NAME    A configured account. [env: DEMO_ACCOUNT]
                      --test-card NAME  A public test card.
                      --card-stdin      Read the card as JSON from stdin.
                  -n, --dry-run         Send nothing.
                  -r, --[no-]retain     Keep the card. [default: on]
                  -m, --metadata TEXT   Metadata of the card. May be repeated.
                      --config FILE     The configuration.

                Exactly one of --provider, --account is needed.

                At most one of --test-card, --card-stdin may be given.

                Options of every command:
                  -o, --output FORMAT  Write the result as text or as one JSON object with a
                                       versioned schema. Values: text, json. [default: text]
                                       [env: GATEWAYCTL_OUTPUT]
                  -v, --verbose        Show on stderr what is sent and received, redacted, and
                                       how long it took.
                      --timeout TIME   Give up after this time in all, such as 500ms, 30s or 2m.
                                       [env: GATEWAYCTL_TIMEOUT]
                      --color WHEN     Use colour; auto means on a terminal, unless NO_COLOR is
                                       set or TERM is dumb. Values: auto, always, never.
                                       [default: auto]
                  -h, --help           Show the help of the command and end.
                      --version        Show the version and end.
                """)
    }

    @Test func pageOfTheRoot() {
        #expect(
            HelpWriter(tree: Example.tree).page(of: []) == """
                Usage: demo COMMAND [options]

                Shows the command line.

                Commands:
                  tokenize     Turn a card into a token.
                  card         Work on cards.
                  serve        Serve.
                  help         Show the help of a command or one of the further pages.
                  completions  Print a completion script for a shell.

                Options of every command:
                  -o, --output FORMAT  Write the result as text or as one JSON object with a
                                       versioned schema. Values: text, json. [default: text]
                                       [env: GATEWAYCTL_OUTPUT]
                  -v, --verbose        Show on stderr what is sent and received, redacted, and
                                       how long it took.
                      --timeout TIME   Give up after this time in all, such as 500ms, 30s or 2m.
                                       [env: GATEWAYCTL_TIMEOUT]
                      --color WHEN     Use colour; auto means on a terminal, unless NO_COLOR is
                                       set or TERM is dumb. Values: auto, always, never.
                                       [default: auto]
                  -h, --help           Show the help of the command and end.
                      --version        Show the version and end.

                Further pages:
                  help exit-codes   What each exit code means to a script.
                  help environment  Which environment variables are read.

                Run 'demo help COMMAND' for the help of a command.
                """)
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
