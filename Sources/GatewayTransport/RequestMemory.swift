import CCurl
import CCurlShim
import GatewayKitCore

/// The bytes of one request as libcurl reads them: address, field lines and body, in memory of our own that is
/// overwritten with zeros when the call ends.
///
/// What remains beyond our reach: libcurl's own copy of the address; its send buffer, into which head and body are
/// joined; the buffers of the TLS library and the kernel; and the caller's `WireRequest` as long as the caller holds
/// it.
///
/// The caller's thread fills it, then the loop's thread alone touches it.
final class RequestMemory: @unchecked Sendable {
    let url: UnsafeMutableRawBufferPointer
    let body: UnsafeMutableRawBufferPointer?
    private(set) var lines: UnsafeMutablePointer<curl_slist>?

    private init(url: UnsafeMutableRawBufferPointer, body: UnsafeMutableRawBufferPointer?) {
        self.url = url
        self.body = body
    }

    deinit {
        gk_wipe_and_free_list(lines)
        for buffer in [url, body] {
            guard let buffer else { continue }
            gk_wipe(buffer.baseAddress, buffer.count)
            buffer.deallocate()
        }
    }

    /// Checks and copies a request; refuses what cannot be sent as it is written.
    static func make(_ request: WireRequest) throws(TransportError) -> RequestMemory {
        let url = request.url.wireText.withExposed { copy($0.utf8, zeroTerminated: true) }
        let body = request.body.map { body in body.bytes.withExposed { copy($0, zeroTerminated: false) } }
        let memory = RequestMemory(url: url, body: body)
        var scratch = Scratch()
        for field in request.fields.list {
            try field.value.withExposed { (value) throws(TransportError) in
                try memory.addLine(field.name.description, value, &scratch)
            }
        }
        if let contentType = request.body?.contentType {
            try memory.addLine("content-type", contentType, &scratch, isOwn: true)
        }
        // A name without a value takes away what libcurl would add by itself.
        if request.body == nil { try memory.append("Content-Type:") }
        if !request.fields.contains("accept") { try memory.append("Accept:") }
        try memory.append("Expect:")
        try memory.append("Accept-Encoding: gzip, deflate")
        return memory
    }

    private static func copy(_ bytes: some Collection<UInt8>, zeroTerminated: Bool) -> UnsafeMutableRawBufferPointer {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(1, bytes.count + (zeroTerminated ? 1 : 0)), alignment: 1)
        buffer.copyBytes(from: bytes)
        if zeroTerminated { buffer[bytes.count] = 0 }
        return buffer
    }

    /// Fields that the transport writes, or that would change how the message is framed or where it goes.
    private static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-length", "content-type", "expect", "host", "keep-alive",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
    ]

    private func addLine(
        _ name: String, _ value: String, _ scratch: inout Scratch, isOwn: Bool = false
    ) throws(TransportError) {
        guard isOwn || !Self.reserved.contains(name) else {
            throw Self.refusal("the header field \(name) is written by the transport and cannot be set")
        }
        guard Self.isToken(name) else {
            throw Self.refusal("the name of a header field, \(Self.visible(name)), is not a token of RFC 9110")
        }
        guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
            throw Self.refusal(
                "the value of the header field \(name) has a line break, NUL or another control character")
        }
        // "Name;" is how libcurl is told to send a field with an empty value; "Name:" would take it away.
        let isBlank = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        let line = scratch.line(of: name.utf8.count + value.utf8.count + 3)
        var end = 0
        var startsWord = true
        for byte in name.utf8 {
            line[end] = startsWord && (0x61...0x7A).contains(byte) ? byte & 0xDF : byte
            startsWord = byte == 0x2D
            end += 1
        }
        line[end] = isBlank ? 0x3B : 0x3A
        end += 1
        if !isBlank {
            line[end] = 0x20
            end += 1
            for byte in value.utf8 {
                line[end] = byte
                end += 1
            }
        }
        line[end] = 0
        let grown = curl_slist_append(lines, UnsafeRawPointer(line).assumingMemoryBound(to: CChar.self))
        guard let grown else { throw Self.outOfMemory }
        lines = grown
    }

    private func append(_ line: String) throws(TransportError) {
        guard let grown = curl_slist_append(lines, line) else { throw Self.outOfMemory }
        lines = grown
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x61...0x7A: true
                case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
                default: false
                }
            }
    }

    private static func visible(_ name: String) -> String {
        let shown = name.unicodeScalars.prefix(40).map { (0x21...0x7E).contains($0.value) ? Character($0) : "?" }
        return "\"" + String(shown) + "\""
    }

    private static func refusal(_ detail: SafeText) -> TransportError {
        TransportError(.invalidRequest, reach: .notSent, detail: detail)
    }

    private static let outOfMemory = TransportError(.other, reach: .notSent, detail: "there is not enough memory")

    /// Where a field line is put together; wiped, because a line may carry a credential.
    private struct Scratch: ~Copyable {
        private var memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 512)
        private var capacity = 512
        /// How many of its bytes may have been written.
        private var used = 0

        /// Room for a line of so many bytes, the final zero included.
        mutating func line(of length: Int) -> UnsafeMutablePointer<UInt8> {
            if length > capacity {
                gk_wipe(memory, used)
                memory.deallocate()
                memory = .allocate(capacity: length)
                capacity = length
                used = 0
            }
            used = max(used, length)
            return memory
        }

        init() {}

        deinit {
            gk_wipe(memory, used)
            memory.deallocate()
        }
    }
}
