import GatewayKitCore

/// An end other than success that a command can explain: thrown by its `run`.
struct Failure: Error, Sendable, Equatable {
    /// What the calling script gets.
    let code: ExitCode
    /// What happened, and whether it is safe to try again.
    let message: SafeText
    /// What to do next, a line each.
    let advice: [SafeText]

    init(_ code: ExitCode, _ message: SafeText, advice: [SafeText] = []) {
        self.code = code
        self.message = message
        self.advice = advice
    }
}
