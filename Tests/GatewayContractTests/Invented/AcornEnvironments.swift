import GatewayKitCore

/// Where Acorn's API is.
enum AcornEnvironments {
    static let all = [
        EnvironmentDescription("live", .live, help: "pay.acorn.example"),
        EnvironmentDescription("sandbox", .sandbox, help: "GatewayKit's own sandbox, on this machine."),
    ]

    /// `nil` in the sandbox, whose address is different in every run.
    static func standardBaseURL(_ environment: EnvironmentDescription) -> WireURL? {
        environment.kind == .sandbox ? nil : try? WireURL(base: "https://pay.acorn.example/v1")
    }
}
