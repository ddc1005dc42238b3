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

    /// Makes a transport for each call, so that no connection is ever kept.
    struct OneShot: HTTPTransport {
        let options: TransportOptions

        func send(
            _ request: WireRequest, deadline: ContinuousClock.Instant
        ) async throws(TransportError) -> WireResponse {
            let transport: CurlTransport
            do {
                transport = CurlTransport(try TransportConfiguration(options))
            } catch {
                throw TransportError(.other, reach: .notSent, detail: "the options cannot be used")
            }
            return try await transport.send(request, deadline: deadline)
        }
    }

    @Test("What is left to the transport is left to it: one that keeps no connections passes")
    func oneShot() async {
        let subject = TransportSubject("one shot", lacks: [.connectionLimit]) { OneShot(options: $0) }
        let kept = TransportSuite.cases.filter { test in
            ["R11", "N2", "It was", "A read", "204"].contains { test.name.hasPrefix($0) }
        }
        #expect(kept.count > 8)
        for outcome in await TransportSuite.run(subject, kept) { #expect(!outcome.isFailure, "\(outcome)") }
    }
}
