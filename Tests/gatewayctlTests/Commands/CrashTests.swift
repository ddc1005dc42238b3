import Foundation
import Testing

@testable import gatewayctl

/// A short run of `Scripts/crash-test.sh`, and processes that race for a journal.
@Suite struct Crashes {
    @Test("R1, R6, F6: processes die at every point of an exchange, and the journal and the ledger agree")
    func short() throws {
        let run = try SpawnedProcess.run(try Self.tool(), ["7", "8"], environment: Self.environment)
        #expect(run.status == 0, "\(run.output)\n\(run.talk)")
    }

    @Test("of several processes on one journal, each attempt is claimed by one")
    func race() throws {
        // Not with '&' and 'wait': a shell that inherits a blocked SIGCHLD waits for ever.
        let script = """
            folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
            printf '%s\\n' a b c d | xargs -P 4 -I '{}' "$tool" race "$folder/journal.sqlite" '{}' 40
            """
        var environment = Self.environment
        environment["tool"] = try Self.tool()
        let run = try SpawnedProcess.run("/bin/sh", ["-c", script], environment: environment)
        #expect(run.status == 0 && run.talk.isEmpty, "\(run.output)\n\(run.talk)")
        let won = run.output.split(separator: "\n")
        #expect(won.count == 40 && Set(won).count == 40, "\(run.output)")
    }

    private static let environment = ["HOME": "/proc/nonexistent", "PATH": "/usr/bin:/bin"]

    private static func tool() throws -> String {
        let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("CrashTest").path
        try #require(FileManager.default.isExecutableFile(atPath: tool), "CrashTest is not built")
        return tool
    }
}
