import GatewayKitCore

/// Where Safepay's API is, and where its pages are: in production these are two hosts.
enum SafepayEnvironments {
    static let all = [
        EnvironmentDescription("live", .live, help: "api.getsafepay.com, with pages on getsafepay.com."),
        EnvironmentDescription("test", .test, help: "sandbox.api.getsafepay.com, Safepay's own sandbox."),
        EnvironmentDescription("development", .test, help: "dev.api.getsafepay.com."),
        EnvironmentDescription("sandbox", .sandbox, help: "GatewayKit's own sandbox on this machine."),
    ]

    /// What Safepay calls the environment in bodies and addresses. GatewayKit's sandbox calls itself `sandbox`.
    static func word(_ environment: EnvironmentDescription) -> String {
        switch environment.name {
        case "live": "production"
        case "development": "development"
        default: "sandbox"
        }
    }

    /// The address of the API (the Node SDK's constants); `nil` in GatewayKit's sandbox, whose address is the account's
    /// to tell.
    static func standardBaseURL(_ environment: EnvironmentDescription) -> WireURL? {
        switch environment.name {
        case "live": try? WireURL(base: "https://api.getsafepay.com")
        case "test": try? WireURL(base: "https://sandbox.api.getsafepay.com")
        case "development": try? WireURL(base: "https://dev.api.getsafepay.com")
        default: nil
        }
    }

    /// The address below which hosted and embedded pages are. An account's `baseURL` moves pages only in GatewayKit's
    /// sandbox: elsewhere it may be a relay for the API, while shoppers must see Safepay's own host.
    static func pageURL(_ environment: EnvironmentDescription, api: WireURL) -> WireURL {
        let page: WireURL? =
            switch environment.name {
            case "live": try? WireURL(base: "https://getsafepay.com")
            default: standardBaseURL(environment)
            }
        return page ?? api
    }
}

/// The processors that a tracker can prefer. Trackers also show `RAAST`, which is a product of its own.
enum SafepayIntent: String, CaseIterable {
    case cybersource = "CYBERSOURCE"
    case mpgs = "MPGS"
    case payfast = "PAYFAST"
}
