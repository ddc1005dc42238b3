import GatewayContract
import GatewayKitCore
import GatewaySandbox
import Testing

@testable import gatewayctl

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `contract run` and `contract list`.
@Suite struct ContractCommands {
    /// An account whose address is the sandbox's, as a program has it that knows nothing of the suite.
    private static func environment(_ sandbox: Sandbox) throws -> [String: String] {
        let credentials = try #require(sandbox.credentials(for: "spreedly"))
        return [
            "XDG_CONFIG_HOME": "/proc/nonexistent", "GATEWAYKIT_SPREEDLY_ENVIRONMENT": "sandbox",
            "GATEWAYKIT_SPREEDLY_BASE_URL": try #require(sandbox.baseURL(for: "spreedly")),
            "SPREEDLY_ENVIRONMENT_KEY": try #require(credentials["environmentKey"]),
            "SPREEDLY_ACCESS_SECRET": try #require(credentials["accessSecret"]),
        ]
    }

    @Test func theSuiteRunsInTheSandboxAndWritesItsReports() async throws {
        let path = "/tmp/gatewayctl-contract-\(getpid()).xml"
        defer { unlink(path) }
        let device = BufferDevice()
        let code = await Commands.run("contract run -p spreedly --sandbox -o json --junit \(path)", device)
        #expect(code == .done, "\(device.talk)")
        let json = try JSONValue(parsing: Array(device.output.utf8))
        #expect(try json["schema"].string() == "gatewayctl.contract-run/1")
        #expect(try json["failed"].integer() == 0)
        #expect(json["cases"].items.count == ContractSuite.cases.count { !$0.isUnderFaults })
        #expect(device.talk.contains(" passed, 0 failed, "))
        #expect(Self.content(of: path).contains("<testsuite name=\"contract spreedly\""))
        #expect(LeakSearch([Sensitive("4111111111111111")]).leaks(in: device.output + device.talk).isEmpty)
    }

    private static func content(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    @Test func onAnAccountNothingIsChangedUnlessAskedFor() async throws {
        let sandbox = Sandbox(SandboxConfiguration())
        try sandbox.start()
        defer { sandbox.stop() }
        let device = BufferDevice()
        let code = await Commands.run(
            "contract run -a spreedly", device, environment: try Self.environment(sandbox))
        #expect(code == .done, "\(device.talk)\(device.output)")
        #expect(device.output.contains("only on request on a provider's own system"))
        let operations = Set(sandbox.ledger.entries.map(\.operation))
        #expect(operations.contains("tokenize"))
        #expect(operations.isDisjoint(with: ["retain", "redact", "update", "delete-metadata"]))
    }

    @Test func aCaseThatFailsShowsInTheExitCode() async throws {
        let sandbox = Sandbox(SandboxConfiguration())
        try sandbox.start()
        defer { sandbox.stop() }
        sandbox.faults.add(.status(503), provider: "spreedly", count: nil)
        let device = BufferDevice()
        let code = await Commands.run(
            "contract run -a spreedly --case tokens.approved-card", device, environment: try Self.environment(sandbox))
        #expect(code == .providerSaidNo)
        #expect(device.talk.contains("FAILED   tokens.approved-card"))
        #expect(device.output.contains("failed"))
    }

    @Test func aLiveAccountIsRefused() async {
        let device = BufferDevice()
        let environment = [
            "XDG_CONFIG_HOME": "/proc/nonexistent", "SPREEDLY_ENVIRONMENT_KEY": "made-up",
            "SPREEDLY_ACCESS_SECRET": "made-up",
        ]
        let code = await Commands.run("contract run -a spreedly", device, environment: environment)
        #expect(code == .configuration)
        #expect(device.talk.contains("is live"))
    }

    @Test(arguments: [
        ("contract run --faults -a eu", "'--faults' needs '--sandbox'"),
        ("contract run --sandbox", "'--sandbox' needs '--provider P'"),
        ("contract run -p spreedly --sandbox --case nothing", "tokens.approved-card"),
    ])
    func whatCannotBeRunIsTold(_ line: String, _ words: String) async {
        let device = BufferDevice()
        #expect(await Commands.run(line, device) == .usage)
        #expect(device.talk.contains(words), "\(device.talk)")
    }

    @Test func aReportThatCannotBeWrittenIsTold() async {
        let device = BufferDevice()
        let code = await Commands.run(
            "contract run -p spreedly --sandbox --case account.no-time --junit /proc/nonexistent/report.xml", device)
        #expect(code == .configuration)
        #expect(device.talk.contains("cannot be written"))
    }

    @Test func theListNamesEveryCase() async throws {
        let device = BufferDevice()
        #expect(await Commands.run("contract list -o json", device) == .done)
        let json = try JSONValue(parsing: Array(device.output.utf8))
        #expect(json["cases"].items.compactMap { try? $0["name"].string() } == ContractSuite.cases.map(\.name))
    }
}
