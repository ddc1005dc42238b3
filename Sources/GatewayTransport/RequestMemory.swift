import CCurl
import CCurlShim
import GatewayKitCore

/// The bytes of one request as libcurl reads them: address, field lines and body, in one block of memory of our own
/// that is overwritten with zeros when the call ends.
///
/// What remains beyond our reach: libcurl's own copy of the address; its send buffer, into which head and body are
/// joined; the buffers of the TLS library and the kernel; and the caller's `WireRequest` as long as the caller holds
/// it.
///
/// The caller's thread fills it, then the loop's thread alone touches it.
final class RequestMemory: @unchecked Sendable {
    private let block: UnsafeMutableRawBufferPointer
    private var used = 0
    private var nodeCount = 0

    /// The address, ended by a zero.
    private(set) var url: UnsafeMutableRawPointer?
    /// The first of the field lines, chained as libcurl wants them.
    private(set) var lines: UnsafeMutablePointer<curl_slist>?
    /// The body.
    private(set) var body: UnsafeMutableRawBufferPointer?

    private init(byteCount: Int) {
        block = .allocate(byteCount: byteCount, alignment: MemoryLayout<curl_slist>.alignment)
    }

    deinit {
        gk_wipe(block.baseAddress, used)
        block.deallocate()
    }

    // A name without a value takes away what libcurl would add by itself.
    private static let noExpect: StaticString = "Expect:"
    private static let noAccept: StaticString = "Accept:"
    private static let noContentType: StaticString = "Content-Type:"
    private static let acceptEncoding: StaticString = "Accept-Encoding: gzip, deflate"

    /// Checks and copies a request; refuses what cannot be sent as it is written.
    static func make(_ request: WireRequest) throws(TransportError) -> RequestMemory {
        for field in request.fields.list {
            try field.value.withExposed { (value) throws(TransportError) in
                try FieldCheck.name(field.name.description)
                try FieldCheck.value(value, of: field.name.description)
            }
        }
        if let contentType = request.body?.contentType { try FieldCheck.value(contentType, of: "content-type") }
        return request.url.wireText.withExposed { url in
            if let body = request.body {
                body.bytes.withExposed { bytes in
                    RequestMemory(request, url, contentType: body.contentType, body: bytes)
                }
            } else {
                RequestMemory(request, url, contentType: nil, body: [])
            }
        }
    }

    private convenience init(_ request: WireRequest, _ url: String, contentType: String?, body: [UInt8]) {
        let fields = request.fields.list
        let lineOverhead = 4
        var size = url.utf8.count + 1 + body.count + (contentType?.utf8.count ?? 0) + lineOverhead + 12
        for field in fields {
            size += field.name.description.utf8.count + lineOverhead + field.value.withExposed { $0.utf8.count }
        }
        // The chain comes first because it must be aligned.
        let nodes = (fields.count + 4) * MemoryLayout<curl_slist>.stride
        self.init(byteCount: nodes + size + 96)
        used = nodes
        self.url = append(url, endedByZero: true)
        for field in fields { field.value.withExposed { appendLine(field.name.description, $0) } }
        if let contentType {
            appendLine("content-type", contentType)
            self.body = body.isEmpty ? UnsafeMutableRawBufferPointer(start: block.baseAddress, count: 0) : append(body)
        } else {
            appendLine(Self.noContentType)
        }
        if !request.fields.contains("accept") { appendLine(Self.noAccept) }
        appendLine(Self.noExpect)
        appendLine(Self.acceptEncoding)
    }

    // MARK: Filling the block

    private func append(_ bytes: some Collection<UInt8>) -> UnsafeMutableRawBufferPointer {
        let count = bytes.count
        let place = UnsafeMutableRawBufferPointer(rebasing: block[used..<(used + count)])
        place.copyBytes(from: bytes)
        used += count
        return place
    }

    @discardableResult
    private func append(_ text: String, endedByZero: Bool) -> UnsafeMutableRawPointer? {
        let place = append(text.utf8).baseAddress ?? block.baseAddress.map { $0 + used }
        if endedByZero { appendByte(0) }
        return place
    }

    private func appendByte(_ byte: UInt8) {
        block[used] = byte
        used += 1
    }

    private func appendLine(_ name: String, _ value: String) {
        let start = used
        var startsWord = true
        for byte in name.utf8 {
            appendByte(startsWord && (0x61...0x7A).contains(byte) ? byte & 0xDF : byte)
            startsWord = byte == 0x2D
        }
        // "Name;" is how libcurl is told to send a field with an empty value; "Name:" would take it away.
        if value.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
            appendByte(0x3B)
        } else {
            appendByte(0x3A)
            appendByte(0x20)
            _ = append(value.utf8)
        }
        appendByte(0)
        chain(start)
    }

    private func appendLine(_ line: StaticString) {
        let start = used
        line.withUTF8Buffer { _ = append($0) }
        appendByte(0)
        chain(start)
    }

    /// Makes the line at `start` the first of the chain's next node.
    private func chain(_ start: Int) {
        guard let base = block.baseAddress else { return }
        let node = (base + nodeCount * MemoryLayout<curl_slist>.stride).assumingMemoryBound(to: curl_slist.self)
        node.initialize(to: curl_slist(data: (base + start).assumingMemoryBound(to: CChar.self), next: nil))
        if nodeCount > 0 { (node - 1).pointee.next = node }
        nodeCount += 1
        lines = base.assumingMemoryBound(to: curl_slist.self)
    }
}
