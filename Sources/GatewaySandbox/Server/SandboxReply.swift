/// An answer before it becomes bytes, so that a fault can still change it.
struct SandboxReply: Sendable, Equatable {
    struct Field: Sendable, Equatable {
        var name: String
        var value: String
    }

    var status: Int
    /// Without `Content-Length`, `Connection` and `Date`, which the rendering adds.
    var header: [Field]
    var body: [UInt8]

    init(status: Int, header: [Field] = [], body: [UInt8] = []) {
        self.status = status
        self.header = header
        self.body = body
    }

    static func text(_ status: Int, _ words: String) -> SandboxReply {
        SandboxReply(
            status: status, header: [Field(name: "content-type", value: "text/plain; charset=utf-8")],
            body: Array((words + "\n").utf8))
    }

    static func json(_ status: Int, _ body: [UInt8]) -> SandboxReply {
        SandboxReply(
            status: status, header: [Field(name: "content-type", value: "application/json; charset=utf-8")], body: body)
    }

    /// Replaces or adds a field.
    mutating func set(_ name: String, _ value: String) {
        header.removeAll { $0.name == name }
        header.append(Field(name: name, value: value))
    }

    /// How a body's end is told.
    enum Framing: Sendable, Equatable {
        case length
        /// A `Content-Length` that is not the body's.
        case claimedLength(Int)
        case chunked
    }

    /// Status line and header.
    func head(framing: Framing = .length, closes: Bool, date: String, extra: String = "") -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(ReasonPhrase.of(status))\r\n"
        for field in header { text += "\(field.name): \(field.value)\r\n" }
        text += "date: \(date)\r\n"
        if hasBody {
            switch framing {
            case .length: text += "content-length: \(body.count)\r\n"
            case .claimedLength(let length): text += "content-length: \(length)\r\n"
            case .chunked: text += "transfer-encoding: chunked\r\n"
            }
        }
        if closes { text += "connection: close\r\n" }
        text += extra
        text += "\r\n"
        return Array(text.utf8)
    }

    /// Head and body together.
    func bytes(closes: Bool, date: String) -> [UInt8] {
        var bytes = head(closes: closes, date: date)
        if hasBody { bytes += body }
        return bytes
    }

    /// 1xx, 204 and 304 have no body whatever is set (RFC 9112, section 6.3).
    var hasBody: Bool { status >= 200 && status != 204 && status != 304 }
}

enum ReasonPhrase {
    static func of(_ status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 102: "Processing"
        case 103: "Early Hints"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 402: "Payment Required"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }
}
