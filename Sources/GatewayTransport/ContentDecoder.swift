import CCurlShim

/// Decodes one compressed body as it comes in.
final class ContentDecoder {
    /// The coding, by its name in `Content-Encoding` (RFC 9110, section 8.4.1).
    enum Coding {
        case gzip
        /// Named after the wrong layer: a zlib stream by the standard, a raw one by some servers.
        case deflate
    }

    private let coding: Coding
    private var inflater: OpaquePointer?
    private var pending: [UInt8] = []
    private var isAtStreamEnd = false

    init(_ coding: Coding) {
        self.coding = coding
    }

    deinit { gk_inflater_free(inflater) }

    /// Whether the compressed stream has come to its own end.
    var isComplete: Bool { isAtStreamEnd }

    /// Decodes `chunk` and appends to `output`, which never grows beyond `limit`.
    func decode(_ chunk: UnsafeBufferPointer<UInt8>, into output: inout [UInt8], limit: Int) -> AnswerBody.Fault? {
        guard !chunk.isEmpty else { return nil }
        guard inflater == nil else { return inflate(chunk, into: &output, limit: limit) }
        // Two bytes tell a zlib stream from a raw one.
        pending.append(contentsOf: chunk)
        guard pending.count >= 2 else { return nil }
        let head = pending
        pending = []
        inflater = gk_inflater_new(format(head))
        return head.withUnsafeBufferPointer { inflate($0, into: &output, limit: limit) }
    }

    private func format(_ head: [UInt8]) -> gk_inflate_format {
        switch coding {
        case .gzip: return GK_FORMAT_GZIP
        case .deflate:
            let value = head.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
            return value & 0x0F00 == 0x0800 && value % 31 == 0 ? GK_FORMAT_ZLIB : GK_FORMAT_RAW
        }
    }

    private func inflate(
        _ chunk: UnsafeBufferPointer<UInt8>, into output: inout [UInt8], limit: Int
    ) -> AnswerBody.Fault? {
        guard let inflater else { return .broken }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16 << 10) { room in
            var rest = chunk
            while true {
                if isAtStreamEnd {
                    guard !rest.isEmpty else { return nil }
                    // Members of gzip may follow one another; anything else behind the end is not ours to guess at.
                    guard coding == .gzip, gk_inflater_restart(inflater) == 1 else { return .broken }
                    isAtStreamEnd = false
                }
                var used = 0
                var made = 0
                let result = gk_inflate(
                    inflater, rest.baseAddress, rest.count, &used, room.baseAddress, room.count, &made)
                guard made <= limit - output.count else { return .tooLarge }
                output.append(contentsOf: room.prefix(made))
                rest = UnsafeBufferPointer(rebasing: rest[used...])
                switch result {
                case GK_INFLATE_END: isAtStreamEnd = true
                case GK_INFLATE_FULL: break
                case GK_INFLATE_MORE:
                    guard !rest.isEmpty else { return nil }
                    guard used > 0 || made > 0 else { return .broken }
                default: return .broken
                }
            }
        }
    }
}
