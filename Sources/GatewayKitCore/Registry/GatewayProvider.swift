/// What an adapter module offers to the registry: one value per provider.
public protocol GatewayProvider: Sendable {
    /// The id that configuration uses.
    var id: ProviderID { get }
    /// The provider's name, for people.
    var displayName: String { get }
    /// The settings that an account has, in the order in which they are explained.
    var settings: [SettingDescription] { get }
    /// The environments that an account can be in, the default first.
    var environments: [EnvironmentDescription] { get }
    /// The options of this provider's tokenization that core has no word for.
    var tokenizationOptions: [OptionDescription] { get }
    /// The options of this provider's payments that core has no word for: the names of ``PaymentRequest/options``.
    var paymentOptions: [OptionDescription] { get }
    /// What public test cards do in this provider's test environment, as far as its documents tell.
    var testCardEffects: [TestCardEffect] { get }
    /// Builds a gateway. Makes no call.
    /// - Throws: ``GatewayError/Code/configuration``, naming the setting.
    func makeGateway(_ account: AccountSettings, _ runtime: GatewayRuntime) throws(GatewayError) -> Gateway
}

extension GatewayProvider {
    /// None.
    public var tokenizationOptions: [OptionDescription] { [] }
    /// None.
    public var paymentOptions: [OptionDescription] { [] }

    /// None.
    public var testCardEffects: [TestCardEffect] { [] }
}

/// A setting of an account.
public struct SettingDescription: Sendable, Hashable {
    /// The name in configuration files, in camel case.
    public var name: String
    /// The environment variable that sets it for the provider's implicit account.
    public var environmentVariable: String
    /// Whether the value must never be shown.
    public var isSecret: Bool
    /// The only values that it may have, if they are few.
    public var choices: [String]
    /// What it is and where it is found, in one sentence.
    public var help: SafeText

    /// Describes a setting.
    public init(
        _ name: String, environmentVariable: String, isSecret: Bool, choices: [String] = [], help: SafeText
    ) {
        self.name = name
        self.environmentVariable = environmentVariable
        self.isSecret = isSecret
        self.choices = choices
        self.help = help
    }
}

/// An environment of a provider.
public struct EnvironmentDescription: Sendable, Hashable {
    /// The name in configuration files.
    public var name: String
    /// What kind of environment it is, which decides what may be sent there.
    public var kind: Kind
    /// What it is, in one sentence.
    public var help: SafeText

    /// Describes an environment.
    public init(_ name: String, _ kind: Kind, help: SafeText) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// The kind of an environment.
    public enum Kind: String, Sendable, Hashable {
        /// Real cards, real money. Raw card numbers are accepted only where the account says so.
        case live
        /// The provider's own test system.
        case test
        /// GatewayKit's sandbox, on this machine. The only kind in which plain HTTP and loopback are allowed.
        case sandbox
    }
}
