import GatewayKitCore

/// Just enough of HTTP/2 (RFC 9113) to answer requests with 200 and no body, or to refuse their streams.
final class HTTP2Script: Sendable {
    private struct State {
        var refusals: Int
        var streams = 0
    }
    private let state: Locked<State>

    /// - Parameter refuses: How many streams are refused before the first one is answered.
    init(refuses: Int) {
        state = Locked(State(refusals: refuses))
    }

    /// How many requests have come.
    var streams: Int { state.withLock { $0.streams } }

    /// Serves one connection until the client goes.
    func serve(_ connection: PeerConnection) {
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        guard connection.read(preface.count) == preface else { return }
        connection.write(frame(.settings, 0, 0))
        while let head = connection.read(9) {
            let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
            guard connection.read(length) != nil else { return }
            switch head[3] {
            case Kind.settings.rawValue where head[4] & 1 == 0:
                connection.write(frame(.settings, 1, 0))
            case Kind.headers.rawValue:
                let stream = head[5...].reduce(0) { $0 << 8 | UInt32($1) }
                let isRefused = state.withLock { state in
                    state.streams += 1
                    state.refusals -= 1
                    return state.refusals >= 0
                }
                if isRefused {
                    connection.write(frame(.reset, 0, stream, [0, 0, 0, 7]))
                } else {
                    // ":status: 200" is entry 8 of the static table (RFC 7541, appendix A); end of stream and head.
                    connection.write(frame(.headers, 5, stream, [0x88]))
                }
            default:
                break
            }
        }
    }

    private enum Kind: UInt8 {
        case headers = 1, reset = 3, settings = 4
    }

    private func frame(_ kind: Kind, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8] = []) -> [UInt8] {
        let length = payload.count
        return [
            UInt8(truncatingIfNeeded: length >> 16), UInt8(truncatingIfNeeded: length >> 8),
            UInt8(truncatingIfNeeded: length),
        ]
            + [kind.rawValue, flags] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: stream >> (8 * $0)) }
            + payload
    }
}
