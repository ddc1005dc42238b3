/// What a client needs to be let in by one imitated provider. The values are made up at the start of the sandbox from
/// its seed and open nothing anywhere else, so they are plain text and may be printed.
public struct SandboxCredentials: Sendable, Hashable {
    /// One value.
    public struct Item: Sendable, Hashable {
        /// The name of the adapter's setting, such as `environmentKey`.
        public let name: String
        /// The value.
        public let value: String
        /// Whether the real thing would be a secret.
        public let isSecret: Bool
    }

    /// The values in the order in which people know them.
    public let items: [Item]

    /// The value of this name.
    public subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }
}
