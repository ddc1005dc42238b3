extension ContractReport {
    /// The report as JUnit XML, the form that CI servers read: one suite, one test case each, findings as failures,
    /// what is owed as skipped.
    public var junit: String {
        let seconds = outcomes.reduce(Duration.zero) { $0 + $1.duration }
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        lines.append(
            "<testsuite name=\"\(XMLText.escaped("contract " + subject))\" tests=\"\(outcomes.count)\" "
                + "failures=\"\(count("failed"))\" errors=\"0\" skipped=\"\(count("skipped") + count("owed"))\" "
                + "time=\"\(XMLText.seconds(seconds))\">")
        for outcome in outcomes { lines += outcome.junit(subject) }
        lines.append("</testsuite>")
        return lines.joined(separator: "\n") + "\n"
    }
}

extension ContractOutcome {
    fileprivate func junit(_ subject: String) -> [String] {
        let head =
            "  <testcase classname=\"\(XMLText.escaped(subject))\" name=\"\(XMLText.escaped(name))\" "
            + "time=\"\(XMLText.seconds(duration))\""
        switch verdict {
        case .passed:
            return [head + "/>"]
        case .failed(let findings):
            let message = XMLText.escaped(findings.first ?? "failed")
            let text = XMLText.escaped(findings.joined(separator: "\n"))
            return [head + ">", "    <failure message=\"\(message)\">\(text)</failure>", "  </testcase>"]
        case .skipped(let reason):
            return [head + ">", "    <skipped message=\"\(XMLText.escaped(reason))\"/>", "  </testcase>"]
        case .owed(let what):
            return [head + ">", "    <skipped message=\"\(XMLText.escaped("owed: " + what))\"/>", "  </testcase>"]
        }
    }
}

/// Text for XML 1.0.
enum XMLText {
    /// Escapes what has a meaning, and leaves out what no XML document may hold (section 2.2 of XML 1.0).
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "\n", "\t", "\r": out += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: out += "\u{FFFD}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// Seconds with three decimals.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: max(0, 3 - rest.utf8.count)) + rest
    }
}
