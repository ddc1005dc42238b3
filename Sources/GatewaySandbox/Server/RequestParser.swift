/// Reads HTTP/1.1 requests from bytes, without a socket: give it bytes, ask for the next step.
///
/// It is stricter than servers must be, because what it lets pass is what an adapter may send: line ends are CR LF,
/// the target is in origin form, header names are tokens, and everything that two readers could understand in two
/// ways (RFC 9112, sections 5.1, 5.2, 6.1 and 6.3) is refused. After a refusal it stays refused.
package struct RequestParser: Sendable {
    package struct Limits: Sendable {
        var head = 64 << 10
        var body = 1 << 20
        var fields = 100
        var chunkLine = 1 << 10
    }

    package enum Step: Sendable, Equatable {
        case needMore
        case request(ReceivedRequest)
        case refused(RequestRefusal)
    }

    private enum Phase {
        case head
        case body(remaining: Int)
        case chunkSize
        case chunkData(remaining: Int)
        case chunkEnd
        case trailer
        case refused(RequestRefusal)
    }

    private let limits: Limits
    private var buffer: [UInt8] = []
    /// Everything before this index is used up.
    private var start = 0
    /// Where the search for the next line feed goes on.
    private var scanned = 0
    /// Where the present line of the head begins, and whether it is not the first.
    private var lineStart = 0
    private var phase = Phase.head
    private var pending: ReceivedRequest?
    private var body: [UInt8] = []
    private var trailerBytes = 0
    private var wantsContinue = false

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Whether bytes of an unfinished request have arrived.
    var isInsideRequest: Bool {
        if pending != nil { return true }
        return buffer.count > start
    }

    /// Takes more bytes.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            scanned -= start
            lineStart -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Whether the peer waits for `100 Continue` before it sends the body; true once per request.
    mutating func takeContinue() -> Bool {
        defer { wantsContinue = false }
        return wantsContinue
    }

    /// The next request, or why there is none yet.
    package mutating func next() -> Step {
        if case .refused(let refusal) = phase { return .refused(refusal) }
        do throws(RequestRefusal) {
            while let isComplete = try advance() {
                if isComplete, let request = finish() { return .request(request) }
            }
            return .needMore
        } catch {
            phase = .refused(error)
            buffer = []
            body = []
            pending = nil
            (start, scanned, lineStart) = (0, 0, 0)
            return .refused(error)
        }
    }

    /// Does one thing. `nil`: more bytes are needed; `true`: a request is whole.
    private mutating func advance() throws(RequestRefusal) -> Bool? {
        switch phase {
        case .head:
            guard let end = try headEnd() else { return nil }
            return try readHead(upTo: end)
        case .body(let remaining):
            let taken = take(remaining)
            if taken == remaining { return true }
            phase = .body(remaining: remaining - taken)
            return nil
        case .chunkSize:
            guard let line = try line(limit: limits.chunkLine) else { return nil }
            let size = try ChunkSize.read(buffer[line])
            guard body.count + size <= limits.body else { throw RequestRefusal(413, "The body is too large.") }
            phase = size == 0 ? .trailer : .chunkData(remaining: size)
            trailerBytes = 0
            return false
        case .chunkData(let remaining):
            let taken = take(remaining)
            phase = taken == remaining ? .chunkEnd : .chunkData(remaining: remaining - taken)
            return taken == remaining ? false : nil
        case .chunkEnd:
            guard buffer.count - start >= 2 else { return nil }
            guard buffer[start] == 0x0D, buffer[start + 1] == 0x0A else {
                throw .bad("A chunk is not followed by CR LF.")
            }
            start += 2
            (scanned, lineStart) = (start, start)
            phase = .chunkSize
            return false
        case .trailer:
            guard let line = try line(limit: limits.head) else { return nil }
            if line.isEmpty { return true }
            trailerBytes += line.count
            guard trailerBytes <= limits.head else { throw RequestRefusal(431, "The trailer is too large.") }
            _ = try HeadReader.field(buffer[line])
            return false
        case .refused(let refusal):
            throw refusal
        }
    }

    private mutating func take(_ wanted: Int) -> Int {
        let count = min(wanted, buffer.count - start)
        body.append(contentsOf: buffer[start..<start + count])
        start += count
        (scanned, lineStart) = (start, start)
        return count
    }

    /// The next line without its end; it is used up.
    private mutating func line(limit: Int) throws(RequestRefusal) -> Range<Int>? {
        while scanned < buffer.count {
            if buffer[scanned] == 0x0A {
                guard scanned > start, buffer[scanned - 1] == 0x0D else { throw .bad("A line ends without CR.") }
                let range = start..<scanned - 1
                scanned += 1
                start = scanned
                lineStart = start
                return range
            }
            scanned += 1
        }
        guard buffer.count - start <= limit else { throw .bad("A line is too long.") }
        return nil
    }

    /// The index just behind the empty line that ends the head.
    private mutating func headEnd() throws(RequestRefusal) -> Int? {
        while scanned < buffer.count {
            guard scanned - start < limits.head else { throw RequestRefusal(431, "The head is too large.") }
            if buffer[scanned] == 0x0A {
                guard scanned > lineStart, buffer[scanned - 1] == 0x0D else { throw .bad("A line ends without CR.") }
                let isEmpty = scanned - 1 == lineStart
                let isFirst = lineStart == start
                scanned += 1
                lineStart = scanned
                if isEmpty {
                    guard !isFirst else { throw .bad("The request begins with an empty line.") }
                    return scanned
                }
            } else {
                scanned += 1
            }
        }
        return nil
    }

    /// Reads the head and decides how the body is framed.
    private mutating func readHead(upTo end: Int) throws(RequestRefusal) -> Bool {
        let head = try HeadReader.read(buffer[start..<end], limits: limits)
        start = end
        (scanned, lineStart) = (start, start)
        body = []
        pending = head.request
        switch head.framing {
        case .none:
            return true
        case .length(let length):
            guard length <= limits.body else { throw RequestRefusal(413, "The body is too large.") }
            if length == 0 { return true }
            body.reserveCapacity(length)
            phase = .body(remaining: length)
        case .chunked:
            phase = .chunkSize
        }
        wantsContinue = head.expectsContinue && start == buffer.count
        return false
    }

    private mutating func finish() -> ReceivedRequest? {
        phase = .head
        wantsContinue = false
        (scanned, lineStart) = (start, start)
        defer {
            pending = nil
            body = []
        }
        pending?.body = body
        return pending
    }
}

/// The line before a chunk: a size in hexadecimal and perhaps extensions, which are skipped.
enum ChunkSize {
    static func read(_ line: ArraySlice<UInt8>) throws(RequestRefusal) -> Int {
        var size = 0
        var digits = 0
        for (offset, byte) in line.enumerated() {
            if let digit = hexValue(byte) {
                digits += 1
                guard digits <= 7 else { throw .bad("A chunk size is too long.") }
                size = size << 4 | digit
                continue
            }
            let rest = line.dropFirst(offset)
            guard byte == 0x3B, rest.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
                throw .bad("A chunk size is not a hexadecimal number.")
            }
            break
        }
        guard digits > 0 else { throw .bad("A chunk size is missing.") }
        return size
    }
}

func hexValue(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x37
    case 0x61...0x66: Int(byte) - 0x57
    default: nil
    }
}
