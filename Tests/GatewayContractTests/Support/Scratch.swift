import GatewayContract
import GatewayKit
import GatewayKitCore
import GatewayTransport
import Testing

@Test func scratch() async throws {
    let transport = CurlTransport(.loopback)
    let subject = try SandboxSubject.make(ProviderRegistry.all.providers[0], transport: transport)
    var selection = ContractSuite.Selection(includesFaults: true)
    selection.timeLimit = .seconds(30)
    let report = await ContractSuite.run(subject, selection)
    print(report)
    for outcome in report.outcomes { print(outcome.duration, outcome.name, outcome.observed) }
}
