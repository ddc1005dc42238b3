import GatewayKitCore

/// Collects the body of an answer, decodes it on the way and holds it to its limit.
///
/// libcurl could decode by itself, but takes a compressed body that breaks off for complete (seen with 7.88.1), which
/// would turn half an answer into a whole one.
package struct AnswerBody {
    /// Why the body cannot be used.
    package enum Fault: Equatable {
        /// It is longer than the limit, counted after decompression.
        case tooLarge
        /// Its compression is broken.
        case broken
        /// It is compressed in a way that was not asked for.
        case unknownEncoding
        /// Its compression ends too early.
        case truncated
    }

    private enum Mode {
        case undecided, plain
        case compressed(ContentDecoder)
    }

    package private(set) var bytes: [UInt8] = []
    private var mode = Mode.undecided

    package init() {}

    /// Takes what came off the wire; `fields` are those of the complete head.
    package mutating func take(_ chunk: UnsafeBufferPointer<UInt8>, fields: HTTPFields, limit: Int) -> Fault? {
        if case .undecided = mode {
            if let fault = decide(fields, limit: limit) { return fault }
        }
        if case .compressed(let decoder) = mode {
            return decoder.decode(chunk, into: &bytes, limit: limit)
        }
        guard chunk.count <= limit - bytes.count else { return .tooLarge }
        bytes.append(contentsOf: chunk)
        return nil
    }

    private mutating func decide(_ fields: HTTPFields, limit: Int) -> Fault? {
        let codings = fields.values(of: "content-encoding")
            .flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
        guard let coding = codings.first else {
            mode = .plain
            if let length = fields["content-length"].flatMap({ Int($0) }), length > 0 {
                bytes.reserveCapacity(min(length, limit))
            }
            return nil
        }
        guard codings.count == 1 else { return .unknownEncoding }
        switch coding {
        case "gzip", "x-gzip": mode = .compressed(ContentDecoder(.gzip))
        case "deflate": mode = .compressed(ContentDecoder(.deflate))
        default: return .unknownEncoding
        }
        return nil
    }

    /// Whether what came is a whole body.
    package func faultAtEnd() -> Fault? {
        guard case .compressed(let decoder) = mode else { return nil }
        return decoder.isComplete ? nil : .truncated
    }
}
