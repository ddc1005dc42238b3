/// A reference to an instrument that another vault or gateway has stored, to be used through this provider.
public struct ForeignToken: Sendable, Equatable {
    /// The provider's word for the vault or gateway that knows the reference, such as `test`.
    public var vault: String
    /// The reference there. Guarded: some vaults take it as permission to charge, and a test vault may put the card
    /// number into it.
    public var reference: Sensitive<String>

    /// A reference of a vault.
    public init(vault: String, reference: Sensitive<String>) {
        self.vault = vault
        self.reference = reference
    }

    /// What is wrong: a part that is missing or blank, or a vault's word that is none.
    public var issues: [FieldIssue] {
        var issues: [FieldIssue] = []
        if vault.isEmpty {
            issues.append(FieldIssue(.vault, .missing, message: "The vault that knows the reference is missing."))
        } else if !OffsiteMethod.isWord(vault) {
            issues.append(
                FieldIssue(.vault, .malformed, message: "The vault is a word of lower-case letters, digits and _."))
        }
        if reference.withExposed({ $0.allSatisfy(\.isWhitespace) }) {
            issues.append(FieldIssue(.reference, .missing, message: "The reference is missing."))
        }
        return issues
    }
}

extension ForeignToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `token of another vault`.
    public var description: String { "token of another vault" }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
