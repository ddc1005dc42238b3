import GatewayKitCore
import Testing

@Suite struct CardNumbersInTheRepository {
    /// Brand tables list prefixes side by side, which no reader takes for one number.
    private static let exempt: Set<String> = ["Sources/GatewayKitCore/Values/BrandTable.swift", "LICENSE"]

    @Test func everyCardNumberIsOnThePublicTestList() {
        let known = Set(TestCard.all.map(\.number))
        var strangers: [String] = []
        for path in Checkout.paths where !Self.exempt.contains(path) {
            for number in CardNumberFinder.numbers(in: Checkout.text(path)) where !known.contains(number) {
                strangers.append("\(path): a number of \(number.count) digits ending in \(number.suffix(4))")
            }
        }
        #expect(strangers.isEmpty, "\(strangers.joined(separator: "\n"))")
    }

    @Test(arguments: [
        ("4111 1111 1111 1111", 1), ("x4111-1111-1111-1111.", 1), ("3782 822463 10005", 1), ("12345678901234", 0),
    ])
    func theFinderFinds(_ text: String, _ count: Int) {
        #expect(CardNumberFinder.numbers(in: text).count == count)
    }
}

/// Finds whole digit runs, plain or in groups as they are printed on cards, that a brand accepts.
enum CardNumberFinder {
    static func numbers(in text: String) -> [String] {
        var found: [String] = []
        var groups: [String] = []
        var current = ""
        var previous: UInt8 = 0
        func close() {
            if !current.isEmpty { groups.append(current) }
            current = ""
            found += judge(groups)
            groups = []
        }
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39:
                current.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x20, 0x2D:
                if previous >= 0x30, previous <= 0x39 {
                    groups.append(current)
                    current = ""
                } else {
                    close()
                }
            default:
                close()
            }
            previous = byte
        }
        close()
        return found
    }

    private static func judge(_ groups: [String]) -> [String] {
        let isPrinted =
            groups.count >= 3
            && (groups.dropLast().allSatisfy { $0.count == 4 } && (1...4).contains(groups.last?.count ?? 0)
                || groups.map(\.count) == [4, 6, 5] || groups.map(\.count) == [4, 6, 4])
        return (isPrinted ? [groups.joined()] : groups).filter {
            (12...19).contains($0.count) && CardBrand.mayBeCardNumber(Array($0.utf8))
        }
    }
}
