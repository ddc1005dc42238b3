import Testing

/// Every row of the list of field bugs is either tested here or explained away in `Docs/FieldBugs.md`.
@Suite struct FieldBugs {
    /// The rows that can occur so far. The next letters come with payments, webhooks and 3-D Secure.
    private static let rows =
        ["M1", "M2", "M4", "M5", "M6", "M7", "M9", "M11", "M12", "M13", "M14"]
        + ["L1", "L2", "L3", "L5", "L6", "L7", "L9", "L10", "L12", "L13", "L14"]
        + ["B1", "B2", "B3", "B5", "B6", "B7", "B10", "B11", "B12", "B13"]
        + ["K1", "K2", "K4", "K5"]
        + ["T1", "T2", "T4", "T6", "T7"]
        + ["C2", "C3", "C4", "C6", "C7", "C9", "C11", "C12", "C13"]
        + ["N1", "N2", "N3", "N4", "N5", "N6", "N9", "N11", "N12", "N13", "N14"]
        + ["R1", "R2", "R3", "R5", "R6", "R8", "R10", "R11"]
        + ["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F9", "F10", "F11"]
        + ["X1", "X4"]

    @Test func everyRowHasALineAndEveryTestNamedThereExists() {
        let document = Checkout.text("Docs/FieldBugs.md")
        let folders = ["Tests/", "Sources/GatewayTransportSuite/", "Sources/GatewayContract/"]
        let tests = Checkout.paths.filter { path in path.hasSuffix(".swift") && folders.contains { path.hasPrefix($0) }
        }
        .map { Checkout.text($0) }.joined(separator: "\n")
        var faults: [String] = []
        for row in Self.rows {
            guard let line = document.split(separator: "\n").first(where: { $0.hasPrefix("| \(row) |") }) else {
                faults.append("\(row): no line")
                continue
            }
            let cells = line.split(separator: "|")
            guard let cell = cells.dropFirst().first, cell.count > 10 else {
                faults.append("\(row): neither test nor reason")
                continue
            }
            for name in cell.split(separator: "`").enumerated().filter({ $0.offset % 2 == 1 }).map(\.element) {
                guard name.first?.isUppercase == true, name.dropFirst().first?.isNumber == true else { continue }
                if !tests.contains("\"\(name)") && !tests.contains("func \(name)") {
                    faults.append("\(row): there is no test '\(name)'")
                }
            }
        }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }
}
