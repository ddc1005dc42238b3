import GatewayKitCore

/// Where BlueSnap's API is. Calls with the API user go to one host; calls with a token go to the host that the token's
/// last character names.
enum BlueSnapEnvironments {
    static let all = [
        EnvironmentDescription("live", .live, help: "ws.bluesnap.com, and ws1 or ws2.bluesnap.com for tokens."),
        EnvironmentDescription("test", .test, help: "sandbox.bluesnap.com, which takes BlueSnap's test cards only."),
        EnvironmentDescription("sandbox", .sandbox, help: "GatewayKit's own sandbox on this machine."),
    ]

    /// Where calls with the API user go; `nil` in the sandbox, whose address is the account's to tell.
    static func standardBaseURL(_ environment: EnvironmentDescription) -> WireURL? {
        switch environment.kind {
        case .live: try? WireURL(base: "https://ws.bluesnap.com")
        case .test: try? WireURL(base: "https://sandbox.bluesnap.com")
        case .sandbox: nil
        }
    }

    /// Where calls with a token go, by its last character (BlueSnap's iOS SDK).
    static let tokenBaseURLs: [BlueSnapToken.Server: WireURL] = {
        var urls: [BlueSnapToken.Server: WireURL] = [:]
        for (server, address) in [
            (BlueSnapToken.Server.sandbox, "https://sandbox.bluesnap.com"), (.ws1, "https://ws1.bluesnap.com"),
            (.ws2, "https://ws2.bluesnap.com"),
        ] { urls[server] = try? WireURL(base: address) }
        return urls
    }()

    /// The servers whose tokens belong to an environment: test tokens are refused on a live account and the other way
    /// round. GatewayKit's sandbox takes every legal token.
    static func servers(_ environment: EnvironmentDescription) -> Set<BlueSnapToken.Server> {
        switch environment.kind {
        case .live: [.ws1, .ws2]
        case .test: [.sandbox]
        case .sandbox: Set(BlueSnapToken.Server.allCases)
        }
    }
}
