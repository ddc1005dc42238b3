/// The two streams that the tool writes.
enum TerminalStream: Sendable, Hashable, CaseIterable {
    /// Results: text or one JSON object.
    case output
    /// Everything said to a person.
    case talk
}

/// The raw input and output below ``Terminal``, which alone may use it: nothing here is redacted.
protocol TerminalDevice: Sendable {
    /// Writes all bytes. A stream whose reader has gone swallows them.
    func write(_ bytes: [UInt8], to stream: TerminalStream)

    /// Whether results were lost for another reason than a reader that had enough: a full disk, a closed descriptor.
    var hasLostOutput: Bool { get }

    /// Whether a person sees the stream.
    func isTerminal(_ stream: TerminalStream) -> Bool

    /// Whether a person types the input.
    var isInputTerminal: Bool { get }

    /// Characters per line of the terminal, where known.
    var width: Int? { get }

    /// At most `count` bytes of the input, waiting for the first; none at its end.
    /// Ends with an error when reading fails, or when the task is cancelled while it waits.
    func read(atMost count: Int) throws -> [UInt8]

    /// Runs `body` while typed characters are not shown; puts the terminal back on every way out, also when the
    /// process is ended by a signal.
    func withoutEcho<Result>(_ body: () throws -> Result) throws -> Result
}
