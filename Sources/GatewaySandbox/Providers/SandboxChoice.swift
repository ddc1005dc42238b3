/// A way in which an imitated provider can behave, where the real one has several: which generation of a protocol it
/// speaks, for example. Set it in ``SandboxConfiguration/choices``, by ``Sandbox/choose(_:for:)``, or over the control
/// address with `POST /_sandbox/choices`.
public struct SandboxChoice: Sendable, Hashable {
    /// `provider.what`, such as `hellgate.session`.
    public let name: String
    /// What can be chosen, the default first.
    public let values: [String]
    /// What it means, in one sentence.
    public let help: String

    init(_ name: String, _ values: [String], help: String) {
        self.name = name
        self.values = values
        self.help = help
    }
}

/// The choices of one provider and what is chosen.
final class ChosenValues: Sendable {
    let choices: [SandboxChoice]
    private let chosen = Locked<[String: String]>([:])

    init(_ choices: [SandboxChoice]) {
        self.choices = choices
    }

    /// What is chosen, or the default; empty for a name that is not known.
    subscript(name: String) -> String {
        chosen.withLock { $0[name] } ?? choices.first { $0.name == name }?.values.first ?? ""
    }

    /// `false` when there is no such choice or value.
    func choose(_ value: String, for name: String) -> Bool {
        guard choices.contains(where: { $0.name == name && $0.values.contains(value) }) else { return false }
        chosen.withLock { $0[name] = value }
        return true
    }
}
