import Testing

@testable import gatewayctl

/// Random command lines made of likely and unlikely pieces.
@Suite struct ParserPropertyTests {
    struct SplitMix64: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    static let pieces = [
        "tokenize", "card", "inspect", "list", "serve", "help", "completions", "bash", "--provider", "--provider=",
        "--provider=spreedly", "spreedly", "-p", "-pspreedly", "-p=", "-", "--", "---", "--=", "-=", "--no-",
        "--no-retain",
        "-r", "-nv", "-nvx", "-é", "--é", "\u{1B}]0;x\u{7}", "", " ", "=", "--size", "small", "--port=99", "--timeout",
        "1s", "--account=\u{202E}x", "-m", "-o", "json", "--output=json", "🇩🇪", "-🇩🇪",
    ]

    static let starts = [
        [], ["tokenize"], ["tokenize", "-pspreedly"], ["card"], ["card", "list"], ["card", "inspect", "w"], ["serve"],
    ]

    @Test func everyLineIsUnderstoodOrExplained() {
        var generator = SplitMix64(state: 7)
        var ends: [String: Int] = [:]
        for _ in 0..<1000 {
            let start = Self.starts.randomElement(using: &generator) ?? []
            let count = Int.random(in: 0...4, using: &generator)
            let line = start + (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
            do throws(UsageError) {
                switch try Parser(tree: Example.tree).parse(line) {
                case .run(let parsed):
                    ends["run", default: 0] += 1
                    // What is accepted satisfies the table.
                    let command = parsed.path.last
                    #expect(command?.run != nil)
                    for spec in (command?.options ?? []).map(\.spec) where spec.isRequired {
                        #expect(parsed.options[spec.name] != nil, "\(line)")
                    }
                    for rule in command?.rules ?? [] {
                        let given = rule.names.filter { parsed.options[$0] != nil }.count
                        #expect(rule.count == .exactlyOne ? given == 1 : given <= 1, "\(line)")
                    }
                case .help(let names): #expect(Example.tree.path(names) != nil)
                case .version: break
                }
            } catch {
                ends["error", default: 0] += 1
                let text = error.lines(tool: "demo").joined()
                let steers = text.unicodeScalars.contains { scalar in
                    [.control, .format].contains(scalar.properties.generalCategory)
                }
                #expect(!error.message.isEmpty && !steers, "\(line)")
                #expect(Example.tree.path(error.path) != nil)
            }
        }
        #expect((ends["run"] ?? 0) > 20 && (ends["error"] ?? 0) > 200, "the pieces reach both ends: \(ends)")
    }
}
