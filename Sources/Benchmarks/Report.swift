import GatewayKitCore

/// What was measured: tables for people, one JSON object for programs.
struct Report {
    /// One figure of a row. The key is for JSON, the heading for people.
    enum Cell {
        case count(_ key: String, _ heading: String, Int)
        case number(_ key: String, _ heading: String, Double, digits: Int)

        var key: String {
            switch self {
            case .count(let key, _, _), .number(let key, _, _, _): key
            }
        }
        var heading: String {
            switch self {
            case .count(_, let heading, _), .number(_, let heading, _, _): heading
            }
        }
        /// A number as JSON and people read it; `nil` for one that there is not.
        var text: String? {
            switch self {
            case .count(_, _, let value): String(value)
            case .number(_, _, let value, let digits): value.isFinite ? value.rounded(toDigits: digits) : nil
            }
        }
    }

    /// What was measured of one thing.
    struct Row {
        let name: String
        let cells: [Cell]
    }

    /// A table.
    struct Section {
        let key: String
        let title: String
        let notes: [String]
        let rows: [Row]
    }

    /// What a figure should be at most.
    struct Aim {
        let name: String
        let limit: Double
        let measured: Double
        let unit: String

        var isMet: Bool { measured <= limit }
    }

    var sections: [Section] = []
    var aims: [Aim] = []

    // MARK: Text

    var text: String {
        var lines: [String] = []
        for section in sections {
            lines += [section.title] + section.notes.map { "  " + $0 } + [""]
            lines += Self.table(section.rows) + [""]
        }
        if !aims.isEmpty {
            lines.append("Aims")
            let width = aims.map(\.name.count).max() ?? 0
            for aim in aims {
                let measured = aim.measured.isFinite ? aim.measured.rounded(toDigits: 4) : "not measured"
                lines.append(
                    "  \(aim.name.padded(to: width))  at most \(aim.limit.rounded(toDigits: 2)) \(aim.unit): "
                        + "\(measured) \(aim.isMet ? "(met)" : "(missed)")")
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }

    private static func table(_ rows: [Row]) -> [String] {
        guard let first = rows.first else { return [] }
        var columns = [[""] + rows.map(\.name)]
        for (place, cell) in first.cells.enumerated() {
            columns.append([cell.heading] + rows.map { $0.cells.dropFirst(place).first?.text ?? "-" })
        }
        let widths = columns.map { $0.map(\.count).max() ?? 0 }
        return (0...rows.count).map { line in
            let texts = zip(columns, widths).enumerated().map { place, column in
                let text = column.0[line]
                return place == 0 ? text.padded(to: column.1) : text.padded(to: -column.1)
            }
            return "  " + texts.joined(separator: "  ")
        }
    }

    // MARK: JSON

    /// `gatewaykit.benchmarks/1`.
    func json() throws(JSONError) -> String {
        var writer = JSONWriter()
        writer.object { root in
            root.set("schema", "gatewaykit.benchmarks/1")
            root.set("processors", Meter.processors)
            root.set("optimized", Build.isOptimized)
            for section in sections {
                root.array(section.key) { list in
                    for row in section.rows {
                        list.object { object in
                            object.set("name", row.name)
                            for cell in row.cells { object.set(cell.key, number: cell.text) }
                        }
                    }
                }
            }
            root.array("aims") { list in
                for aim in aims {
                    list.object { object in
                        object.set("name", aim.name)
                        object.set("atMost", number: aim.limit.rounded(toDigits: 2))
                        object.set("measured", number: aim.measured.isFinite ? aim.measured.rounded(toDigits: 4) : nil)
                        object.set("unit", aim.unit)
                        object.set("met", aim.isMet)
                    }
                }
            }
        }
        return try writer.finishText()
    }
}

/// How this program was built.
enum Build {
    /// Whether the optimizer ran: figures of a debug build say nothing.
    static var isOptimized: Bool {
        var isDebug = false
        assert(
            {
                isDebug = true
                return true
            }())
        return !isDebug
    }
}

extension Double {
    /// The number with so many digits behind the point.
    fileprivate func rounded(toDigits digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = (magnitude * scale).rounded()
        guard scaled < 9e15 else { return String(self) }
        let whole = Int(scaled)
        let (front, back) = whole.quotientAndRemainder(dividingBy: Int(scale))
        let sign = self < 0 && whole > 0 ? "-" : ""
        guard digits > 0 else { return sign + String(front) }
        let tail = String(back)
        return sign + String(front) + "." + String(repeating: "0", count: digits - tail.count) + tail
    }
}

extension String {
    /// Filled with spaces to a width: behind the text, or, for a negative width, before it.
    fileprivate func padded(to width: Int) -> String {
        let filling = String(repeating: " ", count: max(0, abs(width) - count))
        return width < 0 ? filling + self : self + filling
    }
}
