import GatewayContract
import GatewayKitCore
import Testing

@Suite("Reports of the contract suite")
struct ReportTests {
    /// A report with a failure whose finding has everything that XML minds.
    private func report() async throws -> ContractReport {
        var subject = try Subjects.acornSubject()
        subject.name = "acorn <&\">"
        subject.provider = Mistaken(AcornProvider()) { gateway, _ in
            var mistaken = MistakenTokens(gateway)
            mistaken.tokenize = { _, _, _, _ throws(GatewayError) in
                throw GatewayError(.requestRefused, message: "A <tag> & a \"quote\".", advice: "None.")
            }
            return mistaken.gateway
        }
        return await ContractSuite.run(subject)
    }

    @Test("Text: a line for each case, its findings, what is owed, and the counts")
    func text() async throws {
        let text = try await report().description
        #expect(text.contains("FAILED   tokens.approved-card\n"))
        #expect(text.contains("skipped  vault.show: the gateway does not offer vault"))
        #expect(text.contains("OWED     tokens: the gateway offers it, and no case has shown it"))
        #expect(text.split(separator: "\n").last?.contains(" failed, ") == true)
    }

    @Test("JSON: one object that reads back")
    func json() async throws {
        let report = try await report()
        let json = try JSONValue(parsing: Array(try report.json().utf8))
        #expect(try json["schema"].string() == "gatewaykit.contract/1")
        #expect(json["cases"].items.count == report.outcomes.count)
        let failed = try #require(
            json["cases"].items.first { (try? $0["name"].string()) == "tokens.approved-card" })
        #expect(try failed["verdict"].string() == "failed")
        #expect(failed["reasons"].items.isEmpty == false)
    }

    @Test("JUnit: counts agree, and texts are escaped")
    func junit() async throws {
        let report = try await report()
        let xml = report.junit
        #expect(xml.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite "))
        #expect(xml.contains("tests=\"\(report.outcomes.count)\""))
        #expect(xml.contains("failures=\"\(report.count("failed"))\""))
        #expect(xml.components(of: "<testcase ") == report.outcomes.count)
        #expect(xml.components(of: "<failure ") == report.count("failed"))
        #expect(xml.components(of: "<skipped ") == report.count("skipped") + report.count("owed"))
        #expect(xml.contains("acorn &lt;&amp;&quot;&gt;"))
        #expect(!xml.contains("<tag>"))
        #expect(xml.contains("&lt;tag&gt; &amp; a &quot;quote&quot;"))
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
