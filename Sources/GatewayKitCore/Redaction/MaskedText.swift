/// The source of a search with what it found masked.
struct MaskedText {
    private enum Mark: UInt8 {
        case plain, digit, digitRest, filtered
    }

    private let source: [UInt8]
    private var marks: [Mark]
    /// Blank values, ascending.
    private var blanks: [Range<Int>]

    init(_ source: [UInt8], _ scan: RedactionScan) {
        self.source = source
        marks = Array(repeating: .plain, count: source.count)
        blanks = []
        for range in scan.digits {
            for index in range.clamped(to: source.indices) where marks[index] == .plain {
                marks[index] = index == range.lowerBound ? .digit : .digitRest
            }
        }
        // Ranges overlap where many layers find the same value; each byte is marked once all the same.
        var marked = 0
        for range in scan.filtered.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let range = range.clamped(to: source.indices)
            for index in max(marked, range.lowerBound)..<max(marked, range.upperBound) { marks[index] = .filtered }
            marked = max(marked, range.upperBound)
        }
        for range in scan.blank.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let nearby = max(range.lowerBound - 1, 0)..<min(range.upperBound + 1, source.count)
            let isFree = nearby.allSatisfy { marks[$0] != .filtered }
            if isFree,
                blanks.last.map({ $0.lowerBound < range.lowerBound && $0.upperBound <= range.lowerBound }) ?? true
            {
                blanks.append(range)
            }
        }
    }

    /// Whether the byte is part of a value of which nothing shows.
    func isFiltered(_ index: Int) -> Bool {
        index >= 0 && index < marks.count && marks[index] == .filtered
    }

    /// The text of a range of source bytes.
    func text(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var blank = blanks.startIndex
        while blank < blanks.endIndex, blanks[blank].lowerBound < range.lowerBound { blank += 1 }
        var index = range.lowerBound
        while index < range.upperBound {
            if blank < blanks.endIndex, blanks[blank].lowerBound == index {
                bytes += Array("[BLANK]".utf8)
                index = max(index, min(blanks[blank].upperBound, range.upperBound))
                blank += 1
                continue
            }
            switch marks[index] {
            case .plain: bytes.append(source[index])
            case .digit: bytes.append(0x2A)
            case .digitRest: break
            case .filtered:
                if index == range.lowerBound || marks[index - 1] != .filtered { bytes += Array("[FILTERED]".utf8) }
            }
            index += 1
        }
        if range.upperBound == source.count, blank < blanks.endIndex, blanks[blank].lowerBound == source.count {
            bytes += Array("[BLANK]".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
