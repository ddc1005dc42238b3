import GatewayKitCore
import GatewaySandbox
import Glibc
import Testing

@testable import gatewayctl

/// `sandbox serve --tls`, and an account that is pointed at it.
@Suite struct SandboxOverTLS {
    private func run(
        _ device: BufferDevice, _ arguments: [String], _ environment: [String: String] = [:]
    ) async -> ExitCode {
        await Program(tree: Root.tree).run(Terminal.test(device, arguments, environment: environment))
    }

    @Test("An account of the environment sandbox reaches it by https with network.caFile, and not without")
    func serve() async throws {
        var template = Array("/tmp/gatewayctl-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        close(descriptor)
        let file = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(file) }
        let server = BufferDevice()
        let serving = Task {
            await run(server, ["sandbox", "serve", "--tls", "--ca-file", file, "-o", "json", "--seed", "3"])
        }
        while !server.talk.contains("running") {
            try #require(!serving.isCancelled)
            await Task.yield()
        }
        let shown = try JSONValue(parsing: Array(server.output.utf8))
        #expect(try shown["caFile"].string() == file)
        let entry = shown["providers"][0]
        let address = try entry["baseURL"].string()
        #expect(address.hasPrefix("https://127.0.0.1:"))
        let account = [
            "SPREEDLY_ENVIRONMENT_KEY": try entry["environmentKey"].string(),
            "SPREEDLY_ACCESS_SECRET": try entry["accessSecret"].string(),
            "GATEWAYKIT_SPREEDLY_ENVIRONMENT": "sandbox", "GATEWAYKIT_SPREEDLY_BASE_URL": address,
        ]
        let arguments = ["tokenize", "--provider", "spreedly", "--test-card", "visa"]
        let trusting = BufferDevice()
        let trusted = await run(
            trusting, arguments, account.merging(["GATEWAYKIT_CA_FILE": file]) { $1 })
        #expect(trusted == .done, "\(trusting.talk)")
        let wary = BufferDevice()
        #expect(await run(wary, arguments, account) == .noAnswer)
        #expect(wary.talk.contains("nothing was sent"))
        serving.cancel()
        #expect(await serving.value == .done)
    }

    @Test("The file alone makes no sense")
    func fileWithoutTLS() async {
        #expect(await run(BufferDevice(), ["sandbox", "serve", "--ca-file", "ca.pem"]) == .usage)
    }
}
