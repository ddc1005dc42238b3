import Foundation
import Testing

/// The built tool as a process of its own: what only a process can show.
@Suite struct ProcessTests {
    /// Runs `script` in a shell in which `$tool` is the built tool, which lies beside the test program.
    static func shell(_ script: String) throws -> SpawnedProcess.Ending {
        let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("gatewayctl").path
        try #require(FileManager.default.isExecutableFile(atPath: tool), "gatewayctl is not built")
        return try SpawnedProcess.run(
            "/bin/sh", ["-c", script], environment: ["tool": tool, "PATH": "/usr/bin:/bin"])
    }

    @Test func versionOnStdout() throws {
        let ending = try Self.shell("\"$tool\" --version")
        #expect(ending.status == 0 && ending.output.hasPrefix("gatewayctl ") && ending.talk.isEmpty)
    }

    @Test func cardNumberIsRefused() throws {
        let ending = try Self.shell("\"$tool\" help 4111 1111 1111 1111")
        #expect(ending.status == 64 && ending.output.isEmpty && !ending.talk.contains("1111"))
    }

    @Test func aReaderThatHadEnoughIsNoFault() throws {
        let ending = try Self.shell("{ trap '' PIPE; \"$tool\" help; echo $? >&2; } | true")
        #expect(ending.talk == "0\n")
    }

    @Test func lostOutputIsAFault() throws {
        #expect(try Self.shell("\"$tool\" help >/dev/full").status == 70)
        #expect(try Self.shell("\"$tool\" help >&-").status == 70)
    }

    @Test func formatComesFromTheEnvironmentToo() throws {
        let ending = try Self.shell("GATEWAYCTL_OUTPUT=json \"$tool\" nope")
        #expect(ending.status == 64 && ending.output.hasPrefix("{\n  \"schema\": \"gatewayctl.error/1\""))
    }
}
