import GatewayKitCore

/// A command line that cannot be understood or must not be used.
///
/// Its words never hold an argument as it was typed: ``Echo`` is the only way in.
struct UsageError: Error, Sendable, Equatable {
    /// What went wrong, in one sentence without the program's name.
    let message: String
    /// The names of the commands that were understood so far, without the program's.
    let path: [String]
    /// The right spelling, where one is close enough: a question such as "Did you mean '--provider'?".
    let suggestion: String?
    /// Whether the word that stands for a command is not one; then `--help` does not excuse it.
    let isUnknownCommand: Bool

    init(_ message: String, path: [String], suggestion: String? = nil, isUnknownCommand: Bool = false) {
        self.message = message
        self.path = path
        self.suggestion = suggestion
        self.isUnknownCommand = isUnknownCommand
    }

    /// The lines for stderr.
    func lines(tool: String) -> [String] {
        let command = (["help"] + path).joined(separator: " ")
        return ["\(tool): \(message)"] + (suggestion.map { [$0] } ?? [])
            + ["Run '\(tool) \(command)' to see what it takes."]
    }
}

/// An argument as a message may repeat it.
enum Echo {
    private static let limit = 60

    /// Redacted, without control characters (an argument must not steer the terminal), cut to a length that can be read.
    static func show(_ argument: String) -> String {
        let safe = PlainText.withoutControls(Redactor.standard.redact(argument), keepingLines: false)
        return safe.count <= limit ? "'\(safe)'" : "'\(safe.prefix(limit))…'"
    }
}
