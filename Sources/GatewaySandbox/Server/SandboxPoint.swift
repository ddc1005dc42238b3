/// A point in an exchange, as the sandbox sees it.
public enum SandboxPoint: String, Sendable, Hashable, CaseIterable {
    /// The connection was accepted; nothing was read from it.
    case accepted
    /// A part of the request is there.
    case requestBegan
    /// The whole request is there; the provider has not done its work.
    case requestRead
    /// The provider has done its work and the ledger has it; no byte of the answer was sent.
    case committed
    /// The first byte of the answer was sent.
    case firstByteSent
    /// All of the answer was sent.
    case lastByteSent
}
