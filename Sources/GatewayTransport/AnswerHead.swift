import GatewayKitCore

/// Reads the head of an answer line by line: interim answers (1xx) are dropped, the final head is kept in order, and
/// trailers are counted but not kept.
package struct AnswerHead {
    private enum State {
        case awaitingStatusLine, inHead, complete
    }

    private var state = State.awaitingStatusLine
    private var lines: [UInt8] = []
    private var total = 0
    private var statusOnWire: Int?

    package init() {}

    /// The status of the final answer, from its status line on.
    package var status: Int? {
        guard let statusOnWire, statusOnWire >= 200 else { return nil }
        return statusOnWire
    }

    /// Whether the final head is complete.
    package var isComplete: Bool { state == .complete }

    /// Takes a line with its line end; `false` when the head is longer than `limit`.
    package mutating func take(_ line: UnsafeBufferPointer<UInt8>, limit: Int) -> Bool {
        total += line.count
        guard total <= limit else { return false }
        switch state {
        case .awaitingStatusLine:
            if Self.isStatusLine(line) {
                statusOnWire = Self.status(of: line)
                state = .inHead
            }
        case .inHead:
            if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
                state = status == nil ? .awaitingStatusLine : .complete
            } else if status != nil {
                if lines.isEmpty { lines.reserveCapacity(1024) }
                lines.append(contentsOf: line)
            }
        case .complete:
            break
        }
        return true
    }

    private static func isStatusLine(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        line.starts(with: "HTTP/".utf8)
    }

    /// Three digits behind the first space: `HTTP/1.1 200 OK`, `HTTP/2 200`.
    private static func status(of line: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let space = line.firstIndex(of: 0x20) else { return nil }
        let digits = line[(space + 1)...].prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The fields of the final head. Lines that continue the one before (obsolete folding, RFC 9112, section 5.2) are
    /// joined with one space; a line without a colon is dropped.
    package func fields() -> HTTPFields {
        var fields = HTTPFields()
        var name: String?
        var value: [UInt8] = []
        func flush() {
            guard let finished = name else { return }
            fields.append(HTTPFieldName(finished), .plain(String(decoding: value, as: UTF8.self)))
            name = nil
        }
        lines.withUnsafeBufferPointer { all in
            var rest = all[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                let line = rest[..<end]
                rest = rest[min(end + 1, rest.endIndex)...]
                if let first = line.first, first == 0x20 || first == 0x09 {
                    if name != nil {
                        let more = Self.trimmed(line)
                        if !more.isEmpty {
                            if !value.isEmpty { value.append(0x20) }
                            value.append(contentsOf: more)
                        }
                    }
                    continue
                }
                flush()
                guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex else { continue }
                name = Self.lowered(Self.trimmed(line[..<colon]))
                value.removeAll(keepingCapacity: true)
                value.append(contentsOf: Self.trimmed(line[(colon + 1)...]))
            }
        }
        flush()
        return fields
    }

    private static func lowered(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { room in
            for (index, byte) in bytes.enumerated() { room[index] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
            return bytes.count
        }
    }

    private static func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }
}
