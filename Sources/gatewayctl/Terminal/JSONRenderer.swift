import GatewayKitCore

/// Writes a report as one JSON object, the schema first, keys in the order of the report.
struct JSONRenderer: Sendable {
    let redactor: Redactor
    /// Whether the object stands on one line, as one of several results.
    var isLine = false

    func render(_ report: Report) -> String {
        var out = ""
        write(.object([Field("Schema", "schema", .identifier(report.schema))] + report.fields), indent: 0, &out)
        return out
    }

    private func write(_ value: OutputValue, indent: Int, _ out: inout String) {
        switch value {
        case .text(let text): quote(redactor.redact(text), &out)
        case .identifier(let text): quote(redactor.redact(identifier: text), &out)
        case .number(let number): out += String(number)
        case .bool(let bool): out += bool ? "true" : "false"
        case .null: out += "null"
        case .list(let items):
            bracket("[", "]", items, indent, &out) { write($0, indent: indent + 1, &$1) }
        case .object(let fields):
            bracket("{", "}", fields, indent, &out) {
                quote($0.key, &$1)
                $1 += ": "
                write($0.value, indent: indent + 1, &$1)
            }
        }
    }

    private func bracket<Item>(
        _ open: String, _ close: String, _ items: [Item], _ indent: Int, _ out: inout String,
        _ body: (Item, inout String) -> Void
    ) {
        out += open
        for (place, item) in items.enumerated() {
            if place > 0 { out += isLine ? ", " : "," }
            if !isLine { out += "\n" + String(repeating: "  ", count: indent + 1) }
            body(item, &out)
        }
        if !items.isEmpty, !isLine { out += "\n" + String(repeating: "  ", count: indent) }
        out += close
    }

    /// RFC 8259, section 7; DEL, C1 controls and the line separators are escaped too, as they steer terminals and
    /// line-based readers.
    private func quote(_ text: String, _ out: inout String) {
        out += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value),
                "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}
