/// A request as it came over the socket: whole, well-formed and undecided.
package struct ReceivedRequest: Sendable, Equatable {
    struct Field: Sendable, Equatable {
        /// In lower case.
        var name: String
        var value: String
    }
    struct QueryItem: Sendable, Equatable {
        var name: String
        var value: String
    }

    /// As sent; may be a method that nothing here answers to.
    var method: String
    /// The path before decoding.
    var rawPath: String
    /// The path's segments, each percent-decoded by itself, so that `%2F` does not make a new one.
    var path: [String]
    /// The query's items, decoded, in their order.
    var query: [QueryItem]
    /// The header in its order.
    var header: [Field]
    var body: [UInt8] = []
    /// Whether the peer wants to go on using the connection.
    var keepsAlive: Bool = true

    /// The values of every field of this name (lower case).
    func values(of name: String) -> [String] {
        header.lazy.filter { $0.name == name }.map(\.value)
    }

    /// The value of a field that may occur once: `nil` when it is absent or repeated.
    func value(of name: String) -> String? {
        let all = values(of: name)
        return all.count == 1 ? all.first : nil
    }
}

/// Why the bytes on a connection are not a request that this server reads. The words never repeat the input.
package struct RequestRefusal: Error, Sendable, Equatable {
    var status: Int
    var reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    static func bad(_ reason: String) -> RequestRefusal { RequestRefusal(400, reason) }
}
