import Foundation
import Testing

@testable import gatewayctl

/// A short run of `Scripts/crash-test.sh`.
@Suite struct Crashes {
    @Test("R1, R6, F6: processes die at every point of an exchange, and the journal and the ledger agree")
    func short() throws {
        let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("CrashTest").path
        try #require(FileManager.default.isExecutableFile(atPath: tool), "CrashTest is not built")
        let environment = ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"]
        let run = try SpawnedProcess.run(tool, ["7", "8"], environment: environment)
        #expect(run.status == 0, "\(run.output)\n\(run.talk)")
    }
}
