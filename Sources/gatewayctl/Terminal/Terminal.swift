import GatewayKitCore

/// What surrounds a process: injected, so that no test depends on the machine it runs on.
struct Surroundings: Sendable {
    /// The argument vector without the program's name.
    var arguments: [String]
    var environment: [String: String]
    /// The wall clock: the time since 1970-01-01T00:00:00Z.
    var wallClock: @Sendable () -> Duration
    /// That many bytes fit for identifiers and keys.
    var randomBytes: @Sendable (Int) -> [UInt8]
}

/// The only way in and out of the tool: streams, environment, clock, randomness.
///
/// Everything that is written passes one redactor, on both streams and in text as in JSON. Add what must not be shown
/// with ``protect(_:)`` as soon as it is known.
final class Terminal: Sendable {
    /// How a line on stderr is coloured.
    enum Tone: Sendable {
        case plain
        case problem
        case success
        case detail
    }

    private struct Shared {
        var redactor: Redactor
        var hasEmitted = false
    }

    /// How results are written.
    let output: OutputFormat
    /// Whether details are wanted (`-v`).
    let isVerbose: Bool
    let surroundings: Surroundings
    private let color: ColorChoice
    private let device: any TerminalDevice
    private let shared: Locked<Shared>

    init(device: any TerminalDevice, surroundings: Surroundings, redactor: Redactor = .standard) {
        self.device = device
        self.surroundings = surroundings
        output = .text
        isVerbose = false
        color = .auto
        shared = Locked(Shared(redactor: redactor))
    }

    private init(_ other: Terminal, output: OutputFormat, isVerbose: Bool, color: ColorChoice) {
        device = other.device
        surroundings = other.surroundings
        shared = other.shared
        self.output = output
        self.isVerbose = isVerbose
        self.color = color
    }

    /// The same terminal with what the global options ask for.
    func configured(output: OutputFormat, isVerbose: Bool, color: ColorChoice) -> Terminal {
        Terminal(self, output: output, isVerbose: isVerbose, color: color)
    }

    var arguments: [String] { surroundings.arguments }
    var environment: [String: String] { surroundings.environment }
    /// Whether a person types the input, so that what is awaited must be said.
    var isInputTerminal: Bool { device.isInputTerminal }
    /// Characters per line for help: the terminal's, at most 100; 80 when it is not known.
    var helpWidth: Int { device.isTerminal(.output) ? min(device.width ?? 80, 100) : 80 }

    // MARK: Redaction

    /// From now on these values are shown nowhere.
    func protect(_ secrets: [Sensitive<String>]) {
        shared.withLock { $0.redactor = $0.redactor.adding(secrets) }
    }

    /// The redactor with all that is protected so far, for observers and transcripts.
    var redactor: Redactor {
        shared.withLock { $0.redactor }
    }

    // MARK: Writing

    /// A line (or several) to stderr, for a person.
    func say(_ text: String, tone: Tone = .plain) {
        let clean = PlainText.withoutControls(redactor.redact(text), keepingLines: true)
        let style = style(on: .talk)
        let painted =
            switch tone {
            case .plain: clean
            case .problem: style.red(clean)
            case .success: style.green(clean)
            case .detail: style.dim(clean)
            }
        device.write(Array((painted + "\n").utf8), to: .talk)
    }

    /// A line to stderr that is wanted with `-v` only.
    func detail(_ text: @autoclosure () -> String) {
        if isVerbose { say(text(), tone: .detail) }
    }

    /// A page of the manual to stdout, with a line feed behind it. It is made of the source code's own text and names
    /// secret fields without holding any, so only known secrets are masked in it.
    func printPage(_ page: String) {
        let clean = PlainText.withoutControls(redactor.redact(identifier: page), keepingLines: true)
        device.write(Array((clean + "\n").utf8), to: .output)
    }

    /// Text to stdout with a line feed behind it: completions, the version. Results use ``emit(_:)``.
    func print(_ text: String) {
        let clean = PlainText.withoutControls(redactor.redact(text), keepingLines: true)
        device.write(Array((clean + "\n").utf8), to: .output)
    }

    /// The result of a command to stdout, in the format that was asked for. Emit exactly one report per run.
    func emit(_ report: Report) {
        let redactor = shared.withLock {
            $0.hasEmitted = true
            return $0.redactor
        }
        let text =
            switch output {
            case .text: TextRenderer(redactor: redactor, style: style(on: .output)).render(report)
            case .json: JSONRenderer(redactor: redactor).render(report)
            }
        device.write(Array((text + "\n").utf8), to: .output)
    }

    /// One of several results of a command that goes on: `text`, or the report as one line of JSON.
    func emitLine(_ report: Report, text: String) {
        guard output == .json else { return print(text) }
        let redactor = shared.withLock {
            $0.hasEmitted = true
            return $0.redactor
        }
        device.write(Array((JSONRenderer(redactor: redactor, isLine: true).render(report) + "\n").utf8), to: .output)
    }

    /// Whether a report has been emitted.
    var hasEmitted: Bool {
        shared.withLock { $0.hasEmitted }
    }

    /// Whether results could not be written, for another reason than a reader that had enough.
    var hasLostOutput: Bool { device.hasLostOutput }

    /// Colour as `--color`, `NO_COLOR`, `TERM` and the stream want it.
    func style(on stream: TerminalStream) -> Style {
        Style(choice: color, environment: environment, isTerminal: device.isTerminal(stream))
    }

    // MARK: Reading

    /// All of stdin. On a terminal it says first what is awaited, for example "the card as one JSON object".
    ///
    /// - Throws: ``Failure`` with `badInput` when there is more than `limit` bytes or nothing; `CancellationError`.
    func readInput(awaiting what: SafeText, limit: Int = 1 << 20) throws -> Sensitive<[UInt8]> {
        if isInputTerminal { say("Reading \(what) from the terminal; end with Ctrl-D on a line of its own.") }
        var bytes: [UInt8] = []
        while true {
            let part = try device.read(atMost: 65_536)
            if part.isEmpty { break }
            bytes += part
            if bytes.count > limit {
                throw Failure(.badInput, "stdin holds more than \(count: limit) bytes; \(what) was expected")
            }
        }
        if bytes.isEmpty { throw Failure(.badInput, "stdin is empty; \(what) was expected") }
        return Sensitive(bytes)
    }

    /// Copies stdin to stdout through the redactor, as it comes.
    ///
    /// - Throws: `CancellationError`, or the device's own error when stdin cannot be read.
    func copyInputRedacted() throws {
        var stream = RedactingStream(redactor)
        while true {
            let part = try device.read(atMost: 65_536)
            let text = part.isEmpty ? stream.finish() : stream.push(part)
            device.write(Array(text.utf8), to: .output)
            if part.isEmpty { return }
        }
    }

    /// One line typed by a person without being shown, and protected from now on (three characters or more: the
    /// redactor cannot tell shorter ones from ordinary text).
    ///
    /// - Throws: ``Failure`` with `badInput` when stdin is not a terminal or has ended; `CancellationError`.
    func readSecret(awaiting what: SafeText) throws -> Sensitive<String> {
        try requireTerminal(what)
        prompt("\(what) (not shown): ")
        let line = try device.withoutEcho { () throws -> Sensitive<String> in
            // The line feed that was typed is not shown either.
            defer { device.write(Array("\n".utf8), to: .talk) }
            return try readLine(what)
        }
        if line.withExposed({ $0.count >= 3 }) { protect([line]) }
        return line
    }

    /// Lines typed by a person without being shown, to the end of the input. Their words may be any, so they are not
    /// protected: nothing of them may be written.
    ///
    /// - Throws: ``Failure`` with `badInput` when stdin is not a terminal; `CancellationError`; what `body` throws.
    func readHiddenLines(_ what: SafeText, _ body: (Sensitive<String>) throws -> Void) throws {
        try requireTerminal(what)
        try device.withoutEcho {
            prompt("\(what) (not shown): ")
            while let line = try nextLine() {
                device.write(Array("\n".utf8), to: .talk)
                try body(line)
                prompt("\(what) (not shown): ")
            }
            device.write(Array("\n".utf8), to: .talk)
        }
    }

    /// One line typed by a person, shown while it is typed.
    ///
    /// - Throws: as ``readSecret(awaiting:)``.
    func ask(_ what: SafeText) throws -> String {
        try requireTerminal(what)
        prompt("\(what): ")
        return try readLine(what).withExposed { $0 }
    }

    private func requireTerminal(_ what: SafeText) throws(Failure) {
        if !isInputTerminal { throw Failure(.badInput, "\(what) is asked for on a terminal only, and stdin is none") }
    }

    private func prompt(_ text: SafeText) {
        device.write(
            Array(PlainText.withoutControls(redactor.redact(text.description), keepingLines: false).utf8), to: .talk)
    }

    private func readLine(_ what: SafeText) throws -> Sensitive<String> {
        guard let line = try nextLine() else { throw Failure(.badInput, "the input ended before \(what)") }
        return line
    }

    private func nextLine() throws -> Sensitive<String>? {
        var bytes: [UInt8] = []
        // A terminal's line has at most 4,095 bytes; byte by byte leaves the next line for the next question.
        while bytes.count < 4096 {
            guard let byte = try device.read(atMost: 1).first else {
                if bytes.isEmpty { return nil }
                break
            }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return Sensitive(String(decoding: bytes, as: UTF8.self))
    }
}
