import GatewayKitCore

/// Writes a report for a person: aligned labels, nested objects indented, lists of like objects as tables.
struct TextRenderer: Sendable {
    let redactor: Redactor
    let style: Style

    func render(_ report: Report) -> String {
        lines(report.fields).joined(separator: "\n")
    }

    private func lines(_ fields: [Field]) -> [String] {
        let shown = fields.filter { !$0.value.isAbsent }
        let width = shown.filter { scalar($0.value) != nil }.map(\.label.count).max() ?? 0
        return shown.flatMap { field -> [String] in
            if let text = scalar(field.value) {
                // The label is padded before it is painted: colour codes have no width.
                return [style.bold(TextLayout.pad(field.label + ":", to: width + 1)) + "  " + text]
            }
            return [style.bold(field.label + ":")] + nested(field.value).map { "  " + $0 }
        }
    }

    private func nested(_ value: OutputValue) -> [String] {
        switch value {
        case .object(let fields): lines(fields)
        case .list(let items): table(items) ?? items.flatMap(bullet)
        case .text(let text) where text.contains("\n"): wrapped(text)
        default: scalar(value).map { [$0] } ?? []
        }
    }

    private func bullet(_ item: OutputValue) -> [String] {
        let lines = nested(item)
        return lines.prefix(1).map { "- " + $0 } + lines.dropFirst().map { "  " + $0 }
    }

    /// Objects with the same keys and simple values.
    private func table(_ items: [OutputValue]) -> [String]? {
        let rows = items.map { item -> [Field] in if case .object(let fields) = item { fields } else { [] } }
        guard rows.count > 1, let first = rows.first, !first.isEmpty else { return nil }
        var cells: [[String]] = [first.map(\.label)]
        for row in rows {
            guard row.map(\.key) == first.map(\.key) else { return nil }
            let texts = row.map { $0.value.isAbsent ? "" : scalar($0.value) }
            guard !texts.contains(nil) else { return nil }
            cells.append(texts.compactMap { $0 })
        }
        let widths = first.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.enumerated().map { number, row in
            let padded = zip(row, widths).map { TextLayout.pad($0, to: $1) }.joined(separator: "  ")
            let line = String(padded.reversed().drop { $0 == " " }.reversed())
            return number == 0 ? style.bold(line) : line
        }
    }

    /// A value that fits behind its label.
    private func scalar(_ value: OutputValue) -> String? {
        switch value {
        case .text(let text): text.contains("\n") ? nil : clean(redactor.redact(text))
        case .identifier(let text): clean(redactor.redact(identifier: text))
        case .number(let number): String(number)
        case .bool(let bool): bool ? "yes" : "no"
        case .null: ""
        case .list(let items):
            items.contains { $0.isNested } ? nil : items.compactMap(scalar).joined(separator: ", ")
        case .object: nil
        }
    }

    /// A text of several lines: redacted as a whole, since a secret may stand across them.
    private func wrapped(_ text: String) -> [String] {
        redactor.redact(text).split(separator: "\n", omittingEmptySubsequences: false).map { clean(String($0)) }
    }

    private func clean(_ text: String) -> String {
        PlainText.withoutControls(text, keepingLines: false)
    }
}

extension OutputValue {
    fileprivate var isAbsent: Bool {
        switch self {
        case .null: true
        case .list(let items): items.isEmpty
        case .object(let fields): fields.isEmpty
        default: false
        }
    }

    fileprivate var isNested: Bool {
        switch self {
        case .list, .object: true
        default: false
        }
    }
}
