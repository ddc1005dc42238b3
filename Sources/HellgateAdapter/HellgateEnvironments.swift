import GatewayKitCore

/// Where Hellgate's API is, and where a session may send card data.
enum HellgateEnvironments {
    static let all = [
        EnvironmentDescription("live", .live, help: "api.hellgate.io."),
        EnvironmentDescription("test", .test, help: "sandbox.hellgate.io, which takes Hellgate's test cards only."),
        EnvironmentDescription("sandbox", .sandbox, help: "GatewayKit's own sandbox on this machine."),
    ]

    /// The address of the Commerce API, version 2; `nil` in the sandbox, whose address is the account's to tell.
    static func standardBaseURL(_ environment: EnvironmentDescription) -> WireURL? {
        switch environment.kind {
        case .live: try? WireURL(base: "https://api.hellgate.io")
        case .test: try? WireURL(base: "https://sandbox.hellgate.io")
        case .sandbox: nil
        }
    }

    /// The origins that the account names. No vault's host is known beforehand: each customer of Hellgate's vault has
    /// one of its own, and that of another customer is nobody to send cards to.
    static func vaultOrigins(_ account: AccountSettings) throws(GatewayError) -> Set<WireURL.Origin> {
        let entries = account.text(HellgateProvider.vaultHosts)?.split { $0 == "," || $0 == " " } ?? []
        var origins: Set<WireURL.Origin> = []
        for entry in entries {
            let url: WireURL
            do throws(WireURL.Refusal) {
                url = try WireURL(base: String(entry))
            } catch {
                throw unusable(account, error.reason)
            }
            guard url.path.isEmpty else { throw unusable(account, "a vault's host has no path") }
            let isSandbox = account.environment.kind == .sandbox
            guard url.origin.isLoopback == isSandbox, url.origin.isSecure || isSandbox else {
                throw unusable(
                    account,
                    isSandbox ? "in the sandbox it must be on this machine" : "it must be an https host elsewhere")
            }
            origins.insert(url.origin)
        }
        return origins
    }

    private static func unusable(_ account: AccountSettings, _ reason: SafeText) -> GatewayError {
        GatewayError(
            .configuration, message: "The vaultHosts of account \(account.name) are unusable: \(reason).",
            advice: "Write them like https://vault.example, with commas between.", account: account.name)
    }
}
