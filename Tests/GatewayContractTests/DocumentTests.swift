import GatewayContract
import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Documents that the contract suite answers for")
struct DocumentTests {
    @Test("Docs/Capabilities.md is what the suite observed", .timeLimit(.minutes(60)))
    func capabilities() async throws {
        var reports: [ContractReport] = []
        for subject in Subjects.registered { reports.append(await Outcomes.report(subject)) }
        let page = CapabilityTable.markdown(reports)
        let isUpToDate = try Pages.text("Docs/Capabilities.md") == page
        #expect(isUpToDate, "run: gatewayctl contract capabilities > Docs/Capabilities.md")
    }

    @Test("Every piece of code in Docs/AddingAProvider.md is a piece of the invented provider that is built here")
    func walkthrough() throws {
        let page = try Pages.text("Docs/AddingAProvider.md")
        let folder = "Tests/GatewayContractTests/"
        let files = try Pages.files(in: folder + "Invented") + [folder + "Support/Subjects.swift"]
        let sources = try files.map(Pages.text)
        let pieces = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
        #expect(pieces.count > 6)
        for piece in pieces {
            #expect(sources.contains { $0.contains(piece) }, "not in the sources:\n\(piece)")
        }
        for file in files where file.contains("Invented/") {
            let name = file.split(separator: "/").last.map(String.init) ?? file
            #expect(page.contains("`\(name)`"), "the page does not tell what \(name) is for")
        }
    }

    @Test("What is owed is told: no test data, and a capability without a case")
    func owed() async throws {
        var subject = try Subjects.acornSubject()
        subject.testData = ProviderTestData()
        let report = await ContractSuite.run(subject)
        #expect(report.isPassed, "\(report)")
        #expect(report.owed.contains("acorn's test data do not tell a card that becomes a token"))
        #expect(report.owed.contains("tokens: the gateway offers it, and no case has shown it"))
    }

    @Test("A provider without its part of the sandbox is told so")
    func noSandboxPart() {
        #expect(throws: GatewayError.self) {
            try SandboxSubject.make(AcornProvider(), transport: Subjects.transport)
        }
    }
}
