/// Reads the head of a request: request line and header.
enum HeadReader {
    enum Framing: Sendable, Equatable {
        case none
        case length(Int)
        case chunked
    }

    struct Head: Sendable {
        var request: ReceivedRequest
        var framing: Framing
        var expectsContinue: Bool
    }

    /// Takes the bytes up to and including the empty line. Every line ends with CR LF; the caller has seen to that.
    static func read(_ bytes: ArraySlice<UInt8>, limits: RequestParser.Limits) throws(RequestRefusal) -> Head {
        var lineStart = bytes.startIndex
        var request: ReceivedRequest?
        var header: [ReceivedRequest.Field] = []
        header.reserveCapacity(12)
        while let feed = bytes[lineStart...].firstIndex(of: 0x0A) {
            let line = bytes[lineStart..<max(lineStart, feed - 1)]
            lineStart = feed + 1
            if line.isEmpty { break }
            if request == nil {
                request = try requestLine(line)
            } else {
                guard header.count < limits.fields else { throw RequestRefusal(431, "There are too many fields.") }
                header.append(try field(line))
            }
        }
        guard var request else { throw .bad("The request line is missing.") }
        request.header = header
        return try decide(request)
    }

    private static func requestLine(_ line: ArraySlice<UInt8>) throws(RequestRefusal) -> ReceivedRequest {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .bad("The request line does not have three parts.") }
        let (method, target, version) = (parts[0], parts[1], parts[2])
        guard !method.isEmpty, method.count <= 32, method.allSatisfy(isTokenByte) else {
            throw .bad("The method is not a token.")
        }
        guard version.elementsEqual("HTTP/1.1".utf8) else {
            guard version.starts(with: "HTTP/".utf8) else { throw .bad("The version is malformed.") }
            throw RequestRefusal(505, "Only HTTP/1.1 is spoken here.")
        }
        guard target.first == 0x2F else { throw .bad("The target is not in origin form.") }
        guard target.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 && $0 != 0x5C }) else {
            throw .bad("The target has bytes that a URL cannot have.")
        }
        let mark = target.firstIndex(of: 0x3F)
        let path = target[..<(mark ?? target.endIndex)]
        var segments: [String] = []
        for segment in path.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
            segments.append(try decode(segment, plusIsSpace: false))
        }
        var query: [ReceivedRequest.QueryItem] = []
        if let mark {
            query = try items(target[(mark + 1)...])
        }
        return ReceivedRequest(
            method: text(method), rawPath: text(path), path: segments, query: query, header: [])
    }

    /// The items of a query or a form, decoded, in their order.
    static func items(_ bytes: ArraySlice<UInt8>) throws(RequestRefusal) -> [ReceivedRequest.QueryItem] {
        var items: [ReceivedRequest.QueryItem] = []
        for item in bytes.split(separator: 0x26) {
            let equals = item.firstIndex(of: 0x3D)
            let name = try decode(item[..<(equals ?? item.endIndex)], plusIsSpace: true)
            let value = try equals.map { (at) throws(RequestRefusal) in
                try decode(item[(at + 1)...], plusIsSpace: true)
            }
            items.append(.init(name: name, value: value ?? ""))
        }
        return items
    }

    /// One header line; a folded one begins with a space and so has no name.
    static func field(_ line: ArraySlice<UInt8>) throws(RequestRefusal) -> ReceivedRequest.Field {
        guard line.first != 0x20, line.first != 0x09 else { throw .bad("A header line is folded.") }
        guard let colon = line.firstIndex(of: 0x3A) else { throw .bad("A header line has no colon.") }
        let name = line[..<colon]
        guard !name.isEmpty, name.allSatisfy(isTokenByte) else { throw .bad("A header name is not a token.") }
        var value = line[(colon + 1)...]
        while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        guard value.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
            throw .bad("A header value has control characters.")
        }
        let lowered = name.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        return .init(name: String(decoding: lowered, as: UTF8.self), value: text(value))
    }

    /// Host, framing, expectation and persistence: what the server itself must understand.
    private static func decide(_ parsed: ReceivedRequest) throws(RequestRefusal) -> Head {
        var request = parsed
        var hosts = 0
        var length: Int?
        var isChunked = false
        var expectsContinue = false
        for field in request.header {
            switch field.name {
            case "host":
                hosts += 1
                guard !field.value.isEmpty, field.value.utf8.allSatisfy(isHostByte) else {
                    throw .bad("The Host field is malformed.")
                }
            case "content-length":
                guard length == nil else { throw .bad("Content-Length is repeated.") }
                length = try contentLength(field.value)
            case "transfer-encoding":
                guard !isChunked else { throw .bad("Transfer-Encoding is repeated.") }
                guard field.value.lowercased() == "chunked" else {
                    throw RequestRefusal(501, "The only transfer coding understood is chunked.")
                }
                isChunked = true
            case "expect":
                guard field.value.lowercased() == "100-continue" else {
                    throw RequestRefusal(417, "The only expectation understood is 100-continue.")
                }
                expectsContinue = true
            case "connection":
                for option in field.value.lowercased().split(separator: ",") where trimmed(option) == "close" {
                    request.keepsAlive = false
                }
            default:
                break
            }
        }
        guard hosts == 1 else { throw .bad(hosts == 0 ? "The Host field is missing." : "The Host field is repeated.") }
        guard !(isChunked && length != nil) else {
            throw .bad("Content-Length and Transfer-Encoding exclude each other.")
        }
        let framing: Framing = isChunked ? .chunked : length.map { .length($0) } ?? .none
        return Head(request: request, framing: framing, expectsContinue: expectsContinue)
    }

    private static func contentLength(_ text: String) throws(RequestRefusal) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            throw .bad("Content-Length is not a number.")
        }
        guard text.utf8.count <= 18, let value = Int(text) else { throw RequestRefusal(413, "The body is too large.") }
        return value
    }

    private static func trimmed(_ text: Substring) -> Substring {
        text.drop(while: { $0 == " " || $0 == "\t" }).prefix(while: { $0 != " " && $0 != "\t" })
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) throws(RequestRefusal) -> String {
        guard bytes.contains(where: { $0 == 0x25 || $0 == 0x2B && plusIsSpace }) else { return text(bytes) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case 0x25:
                guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                    throw .bad("A percent sign is not followed by two hexadecimal digits.")
                }
                decoded.append(UInt8(high << 4 | low))
            case 0x2B where plusIsSpace:
                decoded.append(0x20)
            default:
                decoded.append(byte)
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .bad("The target is not UTF-8.") }
        return text
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// RFC 9110, section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F, 0x7E: true
        default: false
        }
    }
}
