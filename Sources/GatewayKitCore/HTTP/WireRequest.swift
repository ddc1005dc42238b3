/// A request as an adapter builds it and a transport sends it.
public struct WireRequest: Sendable {
    /// What the call is for, with few different values, such as `spreedly.tokenize`: a name for logs and metrics.
    public var operation: Operation
    /// The method.
    public var method: HTTPMethod
    /// Where it goes.
    public var url: WireURL
    /// Header fields. The transport adds `Host`, `Content-Length`, `Content-Type`, `Accept-Encoding` and `User-Agent`.
    public var fields = HTTPFields()
    /// The body, if there is one.
    public var body: WireBody?
    /// Whether the same bytes may reach the provider twice.
    public var repeatability: Repeatability
    /// Whether the body of the answer is a credential as a whole: transcripts then leave it out.
    public var answerIsSecret = false

    /// Makes a request without header fields and body.
    public init(_ operation: Operation, _ method: HTTPMethod, _ url: WireURL, repeatability: Repeatability) {
        self.operation = operation
        self.method = method
        self.url = url
        self.repeatability = repeatability
    }

    /// The name of an operation: `provider.verb`, of low cardinality.
    public struct Operation: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
        /// The name.
        public let description: String

        /// Takes a name from the source code.
        public init(stringLiteral value: StaticString) {
            description = value.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Whether a request may be sent a second time.
    public enum Repeatability: Sendable, Hashable {
        /// A read: any number of times.
        case read
        /// Idempotent by a key that the provider honours and that is in the request already.
        case keyed
        /// At most once: a second sending could create or charge twice. It is repeated only when it was certainly
        /// not sent.
        case once
    }
}

/// A request body together with the secrets that were written into it.
public struct WireBody: Sendable {
    /// The media type, with parameters.
    public let contentType: String
    /// The exact bytes to send.
    public let bytes: Sensitive<[UInt8]>
    /// Every ``Sensitive`` value in the body: what must be masked wherever it turns up again, in an echo too.
    public let secrets: [Sensitive<String>]

    /// Makes a body.
    public init(contentType: String, bytes: Sensitive<[UInt8]>, secrets: [Sensitive<String>]) {
        self.contentType = contentType
        self.bytes = bytes
        self.secrets = secrets
    }
}

extension WireRequest: CustomStringConvertible, CustomReflectable {
    /// Method and masked address.
    public var description: String { method.rawValue + " " + url.shown().description }
    /// An empty mirror, because address, fields and body may hold card data.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

    /// Every secret in address, header fields and body.
    public var secrets: [Sensitive<String>] {
        var found = body?.secrets ?? []
        for text in fields.list.map(\.value) + url.query.map(\.value) {
            if case .sensitive(let guarded) = text { found.append(guarded) }
        }
        return found
    }
}
