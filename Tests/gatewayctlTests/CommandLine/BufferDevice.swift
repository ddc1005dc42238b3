import GatewayKitCore

@testable import gatewayctl

/// A terminal device made of buffers.
final class BufferDevice: TerminalDevice {
    private struct State {
        var written: [TerminalStream: [UInt8]] = [:]
        var input: ArraySlice<UInt8>
        var echoIsOff = false
        var readWithoutEcho = 0
    }

    private let state: Locked<State>
    private let terminals: Set<TerminalStream>
    let isInputTerminal: Bool
    let width: Int?
    let hasLostOutput: Bool

    init(
        input: String = "", terminals: Set<TerminalStream> = [], isInputTerminal: Bool = false, width: Int? = nil,
        hasLostOutput: Bool = false
    ) {
        state = Locked(State(input: Array(input.utf8)[...]))
        self.terminals = terminals
        self.isInputTerminal = isInputTerminal
        self.width = width
        self.hasLostOutput = hasLostOutput
    }

    var output: String { text(.output) }
    var talk: String { text(.talk) }
    var bytesReadWithoutEcho: Int { state.withLock { $0.readWithoutEcho } }
    var echoIsOff: Bool { state.withLock { $0.echoIsOff } }

    private func text(_ stream: TerminalStream) -> String {
        String(decoding: state.withLock { $0.written[stream] ?? [] }, as: UTF8.self)
    }

    func write(_ bytes: [UInt8], to stream: TerminalStream) {
        state.withLock { $0.written[stream, default: []] += bytes }
    }

    func isTerminal(_ stream: TerminalStream) -> Bool { terminals.contains(stream) }

    func read(atMost count: Int) throws -> [UInt8] {
        if Task.isCancelled { throw CancellationError() }
        return state.withLock { state in
            let part = Array(state.input.prefix(count))
            state.input = state.input.dropFirst(count)
            if state.echoIsOff { state.readWithoutEcho += part.count }
            return part
        }
    }

    func withoutEcho<Result>(_ body: () throws -> Result) throws -> Result {
        state.withLock { $0.echoIsOff = true }
        defer { state.withLock { $0.echoIsOff = false } }
        return try body()
    }
}

extension Terminal {
    static func test(
        _ device: BufferDevice, _ arguments: [String] = [], environment: [String: String] = [:],
        redactor: Redactor = .standard
    ) -> Terminal {
        Terminal(
            device: device,
            surroundings: Surroundings(
                arguments: arguments, environment: environment, wallClock: { .seconds(1_700_000_000) },
                randomBytes: { Array(repeating: 7, count: $0) }), redactor: redactor)
    }
}
