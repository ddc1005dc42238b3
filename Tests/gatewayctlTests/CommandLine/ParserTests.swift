import Testing

@testable import gatewayctl

@Suite struct ParserTests {
    /// What a row expects.
    enum Expected: Sendable, CustomTestStringConvertible {
        /// The command's names, the options as `name=value|value`, the positionals.
        case run(String, [String], [String])
        case help(String)
        case version
        /// A part of the message, and of the suggestion.
        case error(String, String?)

        var testDescription: String { "\(self)" }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let environment: [String: String]
        let expected: Expected

        init(_ line: String, _ environment: [String: String], _ expected: Expected) {
            arguments = line.isEmpty ? [] : line.split(separator: " ").map(String.init)
            self.environment = environment
            self.expected = expected
        }

        init(_ line: String, _ expected: Expected) {
            self.init(line, [:], expected)
        }

        init(_ arguments: [String], _ expected: Expected) {
            self.arguments = arguments
            environment = [:]
            self.expected = expected
        }

        var testDescription: String { arguments.joined(separator: " ") + " \(environment)" }
    }

    static let good: [Row] = [
        Row("tokenize --provider spreedly", .run("tokenize", ["provider=spreedly"], [])),
        Row("tokenize --provider=spreedly", .run("tokenize", ["provider=spreedly"], [])),
        Row("tokenize -p spreedly", .run("tokenize", ["provider=spreedly"], [])),
        Row("tokenize -pspreedly", .run("tokenize", ["provider=spreedly"], [])),
        Row("tokenize -p=spreedly", .run("tokenize", ["provider=spreedly"], [])),
        Row("tokenize -a x -nv", .run("tokenize", ["account=x", "dry-run=true", "verbose=true"], [])),
        Row("tokenize -nvax", .run("tokenize", ["account=x", "dry-run=true", "verbose=true"], [])),
        Row("tokenize -nva x", .run("tokenize", ["account=x", "dry-run=true", "verbose=true"], [])),
        Row("tokenize -a x -vv -v", .run("tokenize", ["account=x", "verbose=true"], [])),
        Row("tokenize -a x --retain", .run("tokenize", ["account=x", "retain=true"], [])),
        Row("tokenize -a x -r", .run("tokenize", ["account=x", "retain=true"], [])),
        Row("tokenize -a x --no-retain", .run("tokenize", ["account=x", "retain=false"], [])),
        Row("tokenize -a x --no-retain --no-retain", .run("tokenize", ["account=x", "retain=false"], [])),
        Row("tokenize -a x -m 1 --metadata 2 -m3", .run("tokenize", ["account=x", "metadata=1|2|3"], [])),
        Row("tokenize --account=-x", .run("tokenize", ["account=-x"], [])),
        Row("tokenize --account=a=b", .run("tokenize", ["account=a=b"], [])),
        Row("tokenize --account=--help", .run("tokenize", ["account=--help"], [])),
        Row("tokenize --account -", .run("tokenize", ["account=-"], [])),
        Row("tokenize -a x --test-card visa", .run("tokenize", ["account=x", "test-card=visa"], [])),
        Row("tokenize -a x --card-stdin", .run("tokenize", ["account=x", "card-stdin=true"], [])),
        Row("-v tokenize -a x", .run("tokenize", ["account=x", "verbose=true"], [])),
        Row("--output json card -v list", .run("card list", ["output=json", "verbose=true"], [])),
        Row("-ojson card list --color never", .run("card list", ["color=never", "output=json"], [])),
        Row("--timeout 500ms card list", .run("card list", ["timeout=500ms"], [])),
        Row("card list a b c", .run("card list", [], ["a", "b", "c"])),
        Row("card list a -v b", .run("card list", ["verbose=true"], ["a", "b"])),
        Row("card list -- -v --help", .run("card list", [], ["-v", "--help"])),
        Row("card list a -- --", .run("card list", [], ["a", "--"])),
        Row("card list -", .run("card list", [], ["-"])),
        Row("card inspect w --size small", .run("card inspect", ["size=small"], ["w"])),
        Row("card inspect w 5 --size large", .run("card inspect", ["size=large"], ["w", "5"])),
        Row("serve --port 0", .run("serve", ["port=0"], [])),
        Row("serve", .run("serve", [], [])),
        Row("serve", ["DEMO_PORT": "81"], .run("serve", ["port=81"], [])),
        Row("serve", ["DEMO_PORT": ""], .run("serve", [], [])),
        Row("serve --port 2", ["DEMO_PORT": "81"], .run("serve", ["port=2"], [])),
        Row("serve --port 2", ["DEMO_PORT": "nonsense"], .run("serve", ["port=2"], [])),
        Row("tokenize", ["DEMO_ACCOUNT": "eu"], .run("tokenize", ["account=eu"], [])),
        Row("tokenize -a x", ["DEMO_PROVIDER": "spreedly"], .run("tokenize", ["account=x"], [])),
        Row("help card list", .run("help", [], ["card", "list"])),
        Row("--version", .version),
        Row("tokenize --version", .version),
        Row("--help", .help("")),
        Row("-h", .help("")),
        Row("card --help", .help("card")),
        Row("card list --help", .help("card list")),
        Row("--help card inspect", .help("card inspect")),
        Row("tokenize -vh", .help("tokenize")),
        Row("tokenize --nonsense --help", .help("tokenize")),
        Row("card inspect --size wrong -h", .help("card inspect")),
    ]

    static let bad: [Row] = [
        Row("", .error("'demo' needs one of its commands: tokenize, card, serve", nil)),
        Row("card", .error("'demo card' needs one of its commands: inspect, list", nil)),
        Row("tokenise", .error("unknown command 'tokenise' for 'demo'", "'tokenize'")),
        Row("tokenise --help", .error("unknown command 'tokenise'", "'tokenize'")),
        Row("inspect", .error("unknown command 'inspect'", "'card inspect'")),
        Row("card lsit", .error("unknown command 'lsit' for 'demo card'", "'list'")),
        Row("xyzzy", .error("unknown command 'xyzzy'", nil)),
        Row("-- --output", .error("unknown command '--output'", nil)),
        Row("tokenize --provdier spreedly", .error("unknown option '--provdier' for 'demo tokenize'", "'--provider'")),
        Row("tokenize --no-retian", .error("unknown option '--no-retian'", "'--no-retain'")),
        Row("tokenize --no-dry-run", .error("unknown option '--no-dry-run'", nil)),
        Row("tokenize -x", .error("unknown option '-x'", nil)),
        Row("tokenize -nx", .error("unknown option '-x'", nil)),
        Row("--provider spreedly tokenize", .error("stands behind its command: 'demo tokenize --provider'", nil)),
        Row("tokenize --port 1", .error("unknown option '--port'", nil)),
        Row("tokenize --provider", .error("'--provider' takes one of spreedly, bluesnap, and there is none", nil)),
        Row("tokenize --account -n", .error("write a value that starts with a dash as '--account=VALUE'", nil)),
        Row("tokenize -a", .error("'-a' takes a text", nil)),
        Row("tokenize --account=", .error("'--account' takes a text that is not empty, not ''", nil)),
        Row("tokenize -a x -a y", .error("'--account' was given twice", nil)),
        Row("tokenize -a x --account x", .error("'--account' was given twice", nil)),
        Row("tokenize -a x --retain --no-retain", .error("'--retain' and '--no-retain' contradict", nil)),
        Row("tokenize --provider spredly", .error("not 'spredly'", "'spreedly'")),
        Row("tokenize --dry-run=yes", .error("'--dry-run' takes no value", nil)),
        Row("tokenize -n=yes", .error("'-n' takes no value", nil)),
        Row("tokenize --no-retain=yes", .error("take no value", nil)),
        Row("tokenize", .error("one of '--provider NAME', '--account NAME' is required", nil)),
        Row("tokenize -a x -p spreedly", .error("'--provider' and '--account' exclude each other", nil)),
        Row("tokenize -a x --test-card v --card-stdin", .error("'--test-card' and '--card-stdin' exclude", nil)),
        Row(
            "tokenize", ["DEMO_ACCOUNT": "eu", "DEMO_PROVIDER": "spreedly"],
            .error("DEMO_PROVIDER (in the environment) and DEMO_ACCOUNT (in the environment) exclude", nil)),
        Row("tokenize", ["DEMO_PROVIDER": "nobody"], .error("DEMO_PROVIDER in the environment takes one of", nil)),
        Row("tokenize -a x extra", .error("unexpected argument 'extra' for 'demo tokenize'", nil)),
        Row("serve --port 65536", .error("'--port' takes a whole number from 0 to 65535, not '65536'", nil)),
        Row("serve --port 8o8o", .error("not '8o8o'", nil)),
        Row("serve --port +1", .error("not '+1'", nil)),
        Row("serve --port=-1", .error("not '-1'", nil)),
        Row("serve --timeout 0", .error("'--timeout' takes a time such as", nil)),
        Row("serve --color purple", .error("'--color' takes one of auto, always, never, not 'purple'", nil)),
        Row("card inspect --size small", .error("WORD is missing", nil)),
        Row("card inspect w", .error("'--size SIZE' is required", nil)),
        Row("card inspect w 10 --size small", .error("LEVEL takes a whole number from 1 to 9, not '10'", nil)),
        Row("card inspect w 1 2 --size small", .error("unexpected argument '2'", nil)),
        Row("card inspect w --size smal", .error("not 'smal'", "'small'")),
        Row(["card", "inspect", ""], .error("WORD takes a text that is not empty", nil)),
        Row(["\u{1B}[31mred"], .error("unknown command '\u{FFFD}[31mred'", nil)),
        Row([String(repeating: "x", count: 500)], .error("xxx…'", nil)),
    ]

    @Test(arguments: good + bad) func row(_ row: Row) throws {
        let result: Expected
        do throws(UsageError) {
            switch try Parser(tree: Example.tree).parse(row.arguments, environment: row.environment) {
            case .run(let parsed):
                let options = parsed.options.map { "\($0)=\($1.texts.joined(separator: "|"))" }.sorted()
                result = .run(parsed.names.joined(separator: " "), options, parsed.positionals)
            case .help(let names): result = .help(names.joined(separator: " "))
            case .version: result = .version
            }
        } catch {
            guard case .error(let message, let suggestion) = row.expected else {
                Issue.record("unexpected error: \(error.message)")
                return
            }
            #expect(error.message.contains(message))
            if let suggestion {
                #expect(error.suggestion == "Did you mean \(suggestion)?")
            } else {
                #expect(error.suggestion == nil)
            }
            return
        }
        switch (result, row.expected) {
        case (.run(let name, let options, let words), .run(let wantedName, let wantedOptions, let wantedWords)):
            #expect(name == wantedName)
            #expect(options == wantedOptions.sorted())
            #expect(words == wantedWords)
        case (.help(let names), .help(let wanted)): #expect(names == wanted)
        case (.version, .version): break
        default: Issue.record("got \(result)")
        }
    }

    @Test func valuesArriveTyped() throws {
        let line = "tokenize -p spreedly --no-retain -m a -m b --timeout 1.5s"
        let invocation = try #require(try Self.invocation(line))
        #expect(invocation[Example.provider] == "spreedly")
        #expect(invocation[Example.account] == nil)
        #expect(invocation[Example.retain] == false)
        #expect(invocation[Example.dryRun] == false)
        #expect(invocation[Example.metadata] == ["a", "b"])
        #expect(invocation[GlobalOptions.timeout] == .milliseconds(1500))
        #expect(invocation[GlobalOptions.output] == .text)
        #expect(invocation.origin(of: Example.provider) == .commandLine)
        #expect(invocation.origin(of: GlobalOptions.output) == nil)
        #expect(throws: UsageError.self) { try invocation.require(Example.testCard) }

        let inspect = try #require(try Self.invocation("card inspect w 7 --size large"))
        #expect(inspect[Example.size] == .large)
        #expect(try inspect.require(Example.word) == "w")
        #expect(inspect[Example.level] == 7)
        #expect(try #require(try Self.invocation("card list x y"))[Example.rest] == ["x", "y"])

        let served = try #require(try Self.invocation("serve", environment: ["DEMO_PORT": "99"]))
        #expect(served[Example.port] == 99)
        #expect(served.origin(of: Example.port) == .environment("DEMO_PORT"))
    }

    static func invocation(_ line: String, environment: [String: String] = [:]) throws -> Invocation? {
        let words = line.split(separator: " ").map(String.init)
        guard case .run(let parsed) = try Parser(tree: Example.tree).parse(words, environment: environment) else {
            return nil
        }
        return Invocation(tree: Example.tree, parsed: parsed, terminal: .test(BufferDevice()))
    }

    @Test(arguments: [
        ("1", 1000), ("30s", 30_000), ("500ms", 500), ("2m", 120_000), ("0.5", 500), ("1.25s", 1250), ("0.001", 1),
        ("86400", 86_400_000), ("24m", 1_440_000), ("1440m", 86_400_000), ("0", nil), ("86401", nil), ("", nil),
        ("s", nil), (".5", nil), ("1.", nil), ("1.2345", nil), ("1h", nil), ("-1", nil), ("1e3", nil), ("0.5ms", nil),
        ("999999999999", nil), ("١s", nil),
    ]) func duration(text: String, milliseconds: Int?) {
        #expect(ValueReader.duration.read(text) == milliseconds.map { .milliseconds($0) })
    }

    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1), ("ca", "abc", 3),
        ("kitten", "sitting", 3), ("tokenise", "tokenize", 1), ("--provdier", "--provider", 1),
    ]) func editDistance(left: String, right: String, distance: Int) {
        #expect(Suggestions.editDistance(left, right) == distance)
        #expect(Suggestions.editDistance(right, left) == distance)
    }

    @Test func shortWordsAreNotGuessedWildly() {
        #expect(Suggestions.near("x", among: ["ls", "cp"]).isEmpty)
        #expect(Suggestions.near("car", among: ["card", "list"]) == ["card"])
        #expect(Suggestions.near("bat", among: ["cat", "hat", "rat", "mat"]) == ["cat", "hat", "rat"])
        #expect(Suggestions.near(String(repeating: "y", count: 100_000), among: ["card"]).isEmpty)
    }

    @Test func errorNamesTheHelpThatHelps() {
        #expect(throws: UsageError.self) { try Parser(tree: Example.tree).parse(["card", "inspect", "--siez", "x"]) }
        let error = #expect(throws: UsageError.self) {
            try Parser(tree: Example.tree).parse(["card", "inspect", "--siez", "small"])
        }
        #expect(
            error?.lines(tool: "demo") == [
                "demo: unknown option '--siez' for 'demo card inspect'", "Did you mean '--size'?",
                "Run 'demo help card inspect' to see what it takes.",
            ])
    }
}
