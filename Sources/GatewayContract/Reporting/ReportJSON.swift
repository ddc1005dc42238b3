import GatewayKitCore

extension ContractReport {
    /// The report as one JSON object: `schema` (`gatewaykit.contract/1`), `subject`, `provider`, `evidence`, `offered`,
    /// `owed` and `cases`, each with `name`, `expectation`, `capability`, `verdict`, `observed` and `reasons`.
    ///
    /// - Throws: ``GatewayKitCore/JSONError`` where a text cannot be written, which no text of the suite's own causes.
    public func json() throws(JSONError) -> String {
        var writer = JSONWriter()
        writer.object { root in
            root.set("schema", "gatewaykit.contract/1")
            root.set("subject", subject)
            root.set("provider", provider.description)
            root.set("evidence", evidence.rawValue)
            Self.list("offered", offered.map(\.description), in: &root)
            Self.list("owed", owed, in: &root)
            root.array("cases") { cases in
                for outcome in outcomes {
                    cases.object { object in
                        object.set("name", outcome.name)
                        object.set("expectation", outcome.expectation)
                        object.set("capability", outcome.capability.description)
                        object.set("verdict", outcome.verdict.word)
                        Self.list("observed", outcome.observed, in: &object)
                        Self.list("reasons", outcome.reasons, in: &object)
                    }
                }
            }
        }
        return try writer.finishText()
    }

    private static func list(_ name: String, _ texts: [String], in object: inout JSONObjectWriter) {
        object.array(name) { array in
            for text in texts { array.append(text) }
        }
    }
}
