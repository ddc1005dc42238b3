/// A complete answer.
public struct WireResponse: Sendable {
    /// The status code, 100 to 999 as it came.
    public let status: Int
    /// The header fields of the final answer, in order.
    public let fields: HTTPFields
    /// The body, decoded when it came compressed. A provider may echo card data in it.
    public let body: [UInt8]
    /// Facts about the exchange.
    public let exchange: Exchange
    /// How many times the request was tried. Transports leave it at 1.
    public var tries = 1
    /// The furthest that an earlier try of the same request got; ``Reach/notSent`` when there was none.
    ///
    /// Unless it is ``Reach/notSent``, an earlier try may have taken effect, whatever this answer says: a refusal of the
    /// last try then proves nothing about the first. Transports leave it alone.
    public var earlierReach = Reach.notSent

    /// Makes an answer.
    public init(status: Int, fields: HTTPFields, body: [UInt8], exchange: Exchange = Exchange()) {
        self.status = status
        self.fields = fields
        self.body = body
        self.exchange = exchange
    }

    /// Facts about an exchange, for people who look for the cause of a slow or failed call.
    public struct Exchange: Sendable, Equatable {
        /// From start to the last byte.
        public var total: Duration
        /// From start until the connection stood, TLS included; zero on a reused connection.
        public var connect: Duration
        /// From start to the first byte of the answer.
        public var firstByte: Duration
        /// Whether an open connection was reused.
        public var reusedConnection: Bool
        /// The protocol version, such as `HTTP/1.1`.
        public var httpVersion: String?

        /// Describes an exchange.
        public init(
            total: Duration = .zero, connect: Duration = .zero, firstByte: Duration = .zero,
            reusedConnection: Bool = false, httpVersion: String? = nil
        ) {
            self.total = total
            self.connect = connect
            self.firstByte = firstByte
            self.reusedConnection = reusedConnection
            self.httpVersion = httpVersion
        }
    }

    /// The media type without parameters, in lower case.
    public var mediaType: String? {
        fields["content-type"]?.split(separator: ";").first.map {
            $0.lowercased().filter { !$0.isWhitespace }
        }
    }
}

extension WireResponse: CustomStringConvertible, CustomReflectable {
    /// Status, media type and size; never the body.
    public var description: String { "\(status) \(mediaType ?? "no content type"), \(body.count) bytes" }
    /// An empty mirror: the body may echo card data.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
