/// How results are written to stdout.
enum OutputFormat: String, Sendable, CaseIterable {
    case text
    case json
}

/// When colour is used.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto
    case always
    case never
}

/// The options that every command takes, declared once.
enum GlobalOptions {
    static let output = Option.value(
        "output", short: "o", "FORMAT", reading: .choice, default: OutputFormat.text, environment: "GATEWAYCTL_OUTPUT",
        help: "Write the result as text or as one JSON object with a versioned schema.")
    static let verbose = Option.flag(
        "verbose", short: "v", help: "Show on stderr what is sent and received, redacted, and how long it took.")
    static let timeout = Option.value(
        "timeout", "TIME", reading: .duration, environment: "GATEWAYCTL_TIMEOUT",
        help: "Give up after this time in all, such as 500ms, 30s or 2m.")
    static let color = Option.value(
        "color", "WHEN", reading: .choice, default: ColorChoice.auto,
        help: "Use colour; auto means on a terminal, unless NO_COLOR is set or TERM is dumb.")
    static let help = Option.flag("help", short: "h", help: "Show the help of the command and end.")
    static let version = Option.flag("version", help: "Show the version and end.")

    /// In the order of the help.
    static let all: [any OptionDeclaration] = [output, verbose, timeout, color, help, version]
}
