import GatewayKitCore
import GatewayTransport
import GatewayTransportSuite
import Testing

@Suite("The fault suite on CurlTransport")
struct SuiteTests {
    @Test("Every case passes", arguments: TransportSuite.cases)
    func passes(_ test: TransportCase) async throws {
        let outcome = await test.run(.curl)
        #expect(!outcome.isFailure, "\(outcome)")
        if case .skipped(let reason) = outcome.verdict {
            // Only what this machine does not let us set up may be left out.
            #expect(test.name.contains("a name server that never answers"), "skipped: \(reason)")
        }
    }

    @Test("Names are unique, and tell what they stand for")
    func names() {
        let names = TransportSuite.cases.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count > 80)
    }

    @Test("A case that needs what a transport lacks is skipped, and says so")
    func skipping() async throws {
        var subject = TransportSubject.curl
        subject.lacks = [.proxy]
        let needing = TransportSuite.cases.filter { $0.needs.contains(.proxy) }
        #expect(!needing.isEmpty)
        for outcome in await TransportSuite.run(subject, needing) {
            #expect(outcome.verdict == .skipped("the transport has no proxy"))
        }
    }
}
