/// Breaks text into lines.
enum TextLayout {
    /// Wraps `text` at word boundaries to `width` characters. Paragraphs (separated by an empty line) stay apart, and a
    /// line that starts with a space is kept as it is. A word longer than a line gets a line of its own; a no-break
    /// space keeps two words together and comes out as a space.
    static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        func flush() {
            if !current.isEmpty { lines.append(current) }
            current = ""
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty || line.hasPrefix(" ") {
                flush()
                lines.append(String(line))
                continue
            }
            for word in line.split(separator: " ") {
                if current.isEmpty {
                    current = String(word)
                } else if current.count + 1 + word.count <= width {
                    current += " " + word
                } else {
                    flush()
                    current = String(word)
                }
            }
        }
        flush()
        return lines.map { line in String(line.map { $0 == "\u{A0}" ? " " : $0 }) }
    }

    /// Two columns, the right one wrapped; a left entry that is too long gets a line of its own.
    static func columns(
        _ rows: [(left: String, right: String)], width: Int, indent: Int = 2, widestLeft: Int = 28
    ) -> [String] {
        let margin = String(repeating: " ", count: indent)
        let left = rows.map(\.left.count).filter { $0 <= widestLeft }.max() ?? 0
        let gutter = indent + left + 2
        return rows.flatMap { row -> [String] in
            var right = wrap(row.right, width: max(width - gutter, 20))[...]
            let first: String
            if row.left.count <= left, let text = right.popFirst() {
                first = margin + pad(row.left, to: left) + "  " + text
            } else {
                first = margin + row.left
            }
            return [first] + right.map { String(repeating: " ", count: gutter) + $0 }
        }
    }

    /// `text` with spaces behind it up to `width` characters.
    static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }
}

/// Text that cannot steer a terminal.
enum PlainText {
    /// Control and format characters become U+FFFD; line feeds and tabs stay if `keepingLines`.
    static func withoutControls(_ text: String, keepingLines: Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isLayout = scalar == "\n" || scalar == "\t"
            switch scalar.properties.generalCategory {
            case .control where isLayout && keepingLines: result.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
