import GatewayKitCore

/// One imitated provider: its paths, its checks, its state. Everything it does is decided from the request, the time
/// and its own seed. Calls come from many threads at once.
protocol SandboxProvider: Sendable {
    /// As in the configuration of accounts, for example `spreedly`.
    var id: String { get }
    /// What follows `/id` in the base URL, for example `["v1"]`.
    var prefix: [String] { get }
    var credentials: SandboxCredentials { get }
    /// The names of the members of its answers that hold words for states and kinds.
    var wordMembers: Set<String> { get }

    /// The ways of behaving that can be chosen.
    var chosen: ChosenValues { get }

    /// Finds what a request asks for; `path` is what follows ``prefix``.
    func route(method: String, path: [String]) -> SandboxRoute
    /// What a request asks for where its path alone does not tell.
    func operation(_ call: SandboxCall) -> String
    /// Does what is asked for, and commits it.
    func handle(_ call: SandboxCall) -> SandboxOutcome
    /// An answer without content of this status, in the provider's own manner of refusing: for unknown paths and
    /// wrong methods, and for faults.
    func refusal(status: Int) -> SandboxReply
    /// Forgets everything but the credentials.
    func reset()
    /// What the provider's public test data do, for the contract suite.
    var testData: ProviderTestData { get }
}

extension SandboxProvider {
    /// All of it owed.
    var testData: ProviderTestData { ProviderTestData() }
}

extension SandboxProvider {
    /// What the path tells.
    func operation(_ call: SandboxCall) -> String { call.operation }
}

extension SandboxProvider {
    /// None.
    var chosen: ChosenValues { ChosenValues([]) }
}

enum SandboxRoute: Sendable, Equatable {
    /// The name of the operation, and what the path's variable parts are.
    case operation(String, parameters: [String] = [])
    case wrongMethod(allowed: [String])
    case unknown
}

struct SandboxCall: Sendable {
    var operation: String
    var parameters: [String]
    var request: ReceivedRequest
    var now: WallTime
    /// Scheme, host and port of this sandbox, for addresses that a provider hands out.
    var origin = ""
}

/// What a provider did and answers.
struct SandboxOutcome: Sendable {
    var reply: SandboxReply
    var outcome: LedgerEntry.Outcome
    var token: String?
    var card: CardSummary?
    /// Of payments.
    var ownReference: String?
    /// The money that really moved.
    var movement: LedgerMovement?
    /// For `echo-card` only.
    var submitted: SubmittedCard?
}
