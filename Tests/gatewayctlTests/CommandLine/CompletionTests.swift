import Foundation
import Testing

@testable import gatewayctl

@Suite struct CompletionTests {
    static let table = CompletionTable(tree: Example.tree)

    struct Row: Sendable, CustomTestStringConvertible {
        /// The words as bash splits them, the last one under the cursor.
        let words: [String]
        let offers: [String]

        init(_ words: [String], _ offers: [String]) {
            self.words = words
            self.offers = offers
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    static let globals = ["--output", "--verbose", "--timeout", "--color", "--help", "--version"]

    @Test(arguments: [
        Row([""], ["tokenize", "card", "serve", "help", "completions"]),
        Row(["to"], ["tokenize"]),
        Row(["card", ""], ["inspect", "list"]),
        Row(["-v", "card", "i"], ["inspect"]),
        Row(["-o", "json", "card", ""], ["inspect", "list"]),
        Row(["--output", "=", "json", "card", ""], ["inspect", "list"]),
        Row(["--co"], ["--color"]),
        Row(["--output", ""], ["text", "json"]),
        Row(["--output", "="], ["text", "json"]),
        Row(["--output", "=", "j"], ["json"]),
        Row(["tokenize", "-p", ""], ["spreedly", "bluesnap"]),
        Row(["tokenize", "--provider", "s"], ["spreedly"]),
        Row(["tokenize", "--account", ""], []),
        Row(["tokenize", "--r"], ["--retain"]),
        Row(["tokenize", "--no"], ["--no-retain"]),
        Row(["tokenize", "-a", "card", "--card"], ["--card-stdin"]),
        Row(["serve", "--"], ["--port"] + globals),
        Row(["completions", ""], ["bash", "zsh", "fish"]),
        Row(["completions", "f"], ["fish"]),
        Row(["completions", "bash", ""], []),
        Row(["help", "e"], ["exit-codes", "environment"]),
        Row(["card", "inspect", "--size", ""], ["small", "large"]),
        Row(["card", "list", "--", "--"], []),
        Row(["tokenize", "--config", "marker"], ["marker file.json"]),
        Row(["tokenize", "--config", "=", "mar"], ["marker file.json"]),
        Row(["nonsense", "tokenize", "--conf"], ["--config"]),
    ]) func bash(_ row: Row) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appendingPathComponent("marker file.json"))
        try Data(Self.table.bashScript.utf8).write(to: folder.appendingPathComponent("script"))
        let words = (["demo"] + row.words).map(CompletionTable.quote).joined(separator: " ")
        let script = """
            set -u; source ./script; complete -p demo >/dev/null || exit 1
            COMP_WORDS=(\(words)); COMP_CWORD=\(row.words.count); _demo
            printf '%s\\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"}
            """
        let (status, output) = try Self.run(["bash", "--norc", "--noprofile", "-c", script], in: folder)
        #expect(status == 0)
        #expect(output.split(separator: "\n").map(String.init) == row.offers)
    }

    @Test(arguments: Shell.allCases) func scriptIsAccepted(_ shell: Shell) async throws {
        for tree in [Example.tree, Root.tree] {
            let device = BufferDevice()
            #expect(await Program(tree: tree).run(.test(device, ["completions", shell.rawValue])) == .done)
            for (_, command) in tree.everyCommand {
                for spec in command.options.map(\.spec) {
                    #expect(device.output.contains(shell == .fish ? "-l \(spec.name)" : spec.spelling))
                }
            }
            guard try Self.run(["sh", "-c", "command -v \(shell.rawValue)"]).status == 0 else { continue }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try Data(device.output.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try Self.run([shell.rawValue, "-n", file.path]).status == 0)
        }
    }

    @Test func quoting() {
        #expect(CompletionTable.quote("it's") == #"'it'\''s'"#)
        #expect(CompletionTable.fishQuote(#"it's \ "#) == #"'it\'s \\ '"#)
    }

    static func run(_ command: [String], in folder: URL? = nil) throws -> (status: Int32, output: String) {
        let ending = try SpawnedProcess.run(
            "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, folder?.path ?? "."] + command,
            environment: ProcessInfo.processInfo.environment, keepsTalk: false)
        return (ending.status, ending.output)
    }
}
