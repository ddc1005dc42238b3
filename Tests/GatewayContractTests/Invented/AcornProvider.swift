import GatewayKitCore

/// An invented provider, small and complete: Docs/AddingAProvider.md walks through these files, and the contract suite
/// runs on them.
struct AcornProvider: GatewayProvider {
    let id: ProviderID = "acorn"
    let displayName = "Acorn"

    static let apiKey = SettingDescription(
        "apiKey", environmentVariable: "ACORN_API_KEY", isSecret: true,
        help: "The key of the shop; Acorn's console shows it under Keys.")

    let settings = [apiKey]
    let environments = AcornEnvironments.all

    func makeGateway(_ account: AccountSettings, _ runtime: GatewayRuntime) throws(GatewayError) -> Gateway {
        let client = try AcornClient(account, runtime)
        return Gateway(account: account.name, provider: id, tokens: AcornTokens(client: client))
    }
}
