import GatewayKitCore

/// Where Spreedly's API is. It has one host for live and test work.
enum SpreedlyEnvironments {
    static let all = [
        EnvironmentDescription("live", .live, help: "core.spreedly.com with an environment that is activated."),
        EnvironmentDescription(
            "test", .test, help: "core.spreedly.com with an environment that takes Spreedly's test cards only."),
        EnvironmentDescription("sandbox", .sandbox, help: "GatewayKit's own sandbox on this machine."),
    ]

    /// The address of the API, version 1; `nil` in the sandbox, whose address is the account's to tell.
    static func standardBaseURL(_ environment: EnvironmentDescription) -> WireURL? {
        environment.kind == .sandbox ? nil : try? WireURL(base: "https://core.spreedly.com/v1")
    }
}
