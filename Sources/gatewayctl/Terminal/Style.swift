/// Colours text, or leaves it alone.
struct Style: Sendable {
    let isOn: Bool

    /// No colour.
    static let plain = Style(isOn: false)

    init(isOn: Bool) {
        self.isOn = isOn
    }

    /// `--color` decides; `auto` means a terminal that is not dumb and no `NO_COLOR` (see no-color.org: any value but
    /// the empty one).
    init(choice: ColorChoice, environment: [String: String], isTerminal: Bool) {
        isOn =
            switch choice {
            case .always: true
            case .never: false
            case .auto: isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
            }
    }

    func bold(_ text: String) -> String { paint(text, "1") }
    func dim(_ text: String) -> String { paint(text, "2") }
    func red(_ text: String) -> String { paint(text, "31") }
    func green(_ text: String) -> String { paint(text, "32") }

    private func paint(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
