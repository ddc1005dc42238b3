import GatewayKit
import GatewayKitCore

extension Root {
    /// `providers`.
    static let providers = Command(
        "providers",
        summary: "List the providers, their settings and what they can do",
        examples: [.init("gatewayctl providers --output json", "For scripts:")]
    ) { invocation in
        let list = ProviderRegistry.all.providers.map { provider in
            OutputValue.object([
                Field("Provider", "id", .identifier(provider.id.description)),
                Field("Name", "name", .text(provider.displayName)),
                Field("Environments", "environments", .list(provider.environments.map(describe))),
                Field("Settings", "settings", .list(provider.settings.map(describe))),
                Field("Tokenization options", "options", .list(provider.tokenizationOptions.map(describe))),
            ])
        }
        invocation.terminal.emit(
            Report(schema: "gatewayctl.providers/1", fields: [Field("Providers", "providers", .list(list))]))
        return .done
    }

    private static func describe(_ environment: EnvironmentDescription) -> OutputValue {
        .object([
            Field("Name", "name", .identifier(environment.name)),
            Field("Kind", "kind", .identifier(environment.kind.rawValue)),
            Field("Help", "help", .text(environment.help)),
        ])
    }

    private static func describe(_ setting: SettingDescription) -> OutputValue {
        .object([
            Field("Name", "name", .identifier(setting.name)),
            Field("Variable", "variable", .identifier(setting.environmentVariable)),
            Field("Secret", "secret", .bool(setting.isSecret)),
            Field("Help", "help", .text(setting.help)),
        ])
    }

    private static func describe(_ option: OptionDescription) -> OutputValue {
        .object([
            Field("Name", "name", .identifier(option.name)),
            Field("Kind", "kind", .identifier(option.kind.rawValue)),
            Field("Help", "help", .text(option.help)),
        ])
    }
}
