import Testing

@testable import GatewayKitCore

@Suite("Configuration: precedence")
struct PrecedenceTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let levels: Set<Character>
        let value: String
        let origin: String
    }

    /// e: explicit, v: environment variable, p: project file, u: user file.
    static let rows: [Row] = [
        Row(testDescription: "nothing", levels: [], value: "30.0 seconds", origin: "nil"),
        Row(testDescription: "user", levels: ["u"], value: "11.0 seconds", origin: "/u/config.json"),
        Row(testDescription: "project", levels: ["p"], value: "12.0 seconds", origin: "/p/gatewaykit.json"),
        Row(
            testDescription: "project over user", levels: ["p", "u"], value: "12.0 seconds",
            origin: "/p/gatewaykit.json"),
        Row(
            testDescription: "variable", levels: ["v"], value: "13.0 seconds",
            origin: "environment variable GATEWAYKIT_TIMEOUT"),
        Row(
            testDescription: "variable over user", levels: ["v", "u"], value: "13.0 seconds",
            origin: "environment variable GATEWAYKIT_TIMEOUT"),
        Row(
            testDescription: "variable over files", levels: ["v", "p", "u"], value: "13.0 seconds",
            origin: "environment variable GATEWAYKIT_TIMEOUT"),
        Row(testDescription: "explicit", levels: ["e"], value: "14.0 seconds", origin: "set by the program"),
        Row(
            testDescription: "explicit over variable", levels: ["e", "v"], value: "14.0 seconds",
            origin: "set by the program"),
        Row(
            testDescription: "explicit over all", levels: ["e", "v", "p", "u"], value: "14.0 seconds",
            origin: "set by the program"),
    ]

    @Test("network settings", arguments: rows)
    func network(_ row: Row) throws {
        var bench = ConfigurationBench()
        if row.levels.contains("u") { bench.user = #"{"network": {"timeoutSeconds": 11}}"# }
        if row.levels.contains("p") { bench.project = #"{"network": {"timeoutSeconds": 12}}"# }
        if row.levels.contains("v") { bench.environment["GATEWAYKIT_TIMEOUT"] = "13" }
        if row.levels.contains("e") { bench.explicit["network.timeoutSeconds"] = "14" }
        let configuration = try bench.load()
        #expect("\(configuration.network.timeout)" == row.value)
        #expect("\(configuration.origin("network.timeoutSeconds") ?? "nil")" == row.origin)
    }

    @Test("secrets of an account", arguments: rows)
    func secrets(_ row: Row) throws {
        var bench = ConfigurationBench(user: #"{"accounts": {"eu": {"provider": "acme"}}}"#)
        if row.levels.contains("u") { bench.user = ConfigurationBench.file("eu", #""apiKey": "from-u""#) }
        if row.levels.contains("p") { bench.project = ConfigurationBench.file("eu", #""apiKey": "from-p""#) }
        if row.levels.contains("v") { bench.environment["GATEWAYKIT_EU_API_KEY"] = "from-v" }
        if row.levels.contains("e") { bench.explicit["accounts.eu.apiKey"] = "from-e" }
        let winner = "evpu".first { row.levels.contains($0) }
        #expect(try bench.account().exposed("apiKey") == winner.map { "from-\($0)" })
        #expect(try bench.load().shown("accounts.eu.apiKey") == winner.map { _ in "[FILTERED]" })
    }

    @Test("keys of one account come together from several sources")
    func mixed() throws {
        let bench = ConfigurationBench(
            explicit: ["accounts.eu.mode": "safe"],
            environment: ["GATEWAYKIT_EU_API_SECRET": "s-v", "GATEWAYKIT_EU_MERCHANT_ID": "m-v"],
            project: ConfigurationBench.file("eu", #""environment": "test", "timeoutSeconds": "7""#),
            user: ConfigurationBench.file("eu", #""apiKey": "k-u", "mode": "fast""#))
        let account = try bench.account("eu")
        #expect(account.exposed("apiKey") == "k-u" && account.exposed("apiSecret") == "s-v")
        #expect(account.plain("mode") == "safe" && account.plain("merchantID") == "m-v")
        #expect(account.environment.kind == .test && account.timeout == .seconds(7))
        #expect(account.secrets.count == 2)
    }

    @Test("defaults: first environment, the network's time limit, no raw cards, no address")
    func defaults() throws {
        let account = try ConfigurationBench(
            project: #"{"accounts": {"eu": {"provider": "acme"}}, "network": {"timeoutSeconds": 9}}"#
        ).account()
        #expect(account.environment.name == "live" && account.timeout == .seconds(9))
        #expect(!account.acceptsRawCardData && account.baseURL == nil && account.secrets.isEmpty)
    }

    @Test("which account is meant when none is named")
    func defaultAccount() throws {
        let two = #"{"accounts": {"eu": {"provider": "acme"}, "us": {"provider": "acme"}}}"#
        #expect(try ConfigurationBench(project: two).load().defaultAccount == nil)
        let failure = ConfigurationBench(project: two).failure()
        #expect(failure?.advice.description.contains("eu, us") == true)
        var bench = ConfigurationBench(
            project: String(two.dropLast()) + #", "defaultAccount": "eu"}"#)
        #expect(try bench.account().name.description == "eu")
        bench.environment["GATEWAYKIT_ACCOUNT"] = "us"
        #expect(try bench.account().name.description == "us")
        bench.explicit["defaultAccount"] = "eu"
        #expect(try bench.account().name.description == "eu")
        bench.explicit["defaultAccount"] = "fr"
        #expect(bench.failure()?.message.description.contains("fr") == true)
        bench.explicit["defaultAccount"] = "Not A Name"
        #expect(bench.failure()?.message.description.contains("defaultAccount") == true)
    }

    @Test("a variable that is set to nothing is not set")
    func emptyVariables() throws {
        let bench = ConfigurationBench(
            environment: [
                "GATEWAYKIT_EU_API_KEY": "", "ACME_API_KEY": "", "GATEWAYKIT_TIMEOUT": "", "GATEWAYKIT_ACCOUNT": "",
                "GATEWAYKIT_EU_API_KEY_FILE": "",
            ], project: ConfigurationBench.file("eu", #""apiKey": "k""#))
        let configuration = try bench.load()
        #expect(configuration.accountNames.map(\.description) == ["eu"])
        #expect(configuration.network.timeout == .seconds(30))
        #expect(try bench.account().exposed("apiKey") == "k")
    }

    @Test("every network setting has its variable and its key")
    func networkSettings() throws {
        let bench = ConfigurationBench(
            environment: [
                "GATEWAYKIT_PROXY": "http://proxy.example:3128", "GATEWAYKIT_PROXY_USER": "ada",
                "GATEWAYKIT_PROXY_PASSWORD": "proxy-pass", "GATEWAYKIT_CONNECT_TIMEOUT": "4",
                "GATEWAYKIT_HTTP2": "true",
            ], project: #"{"network": {"noProxy": ["a.example", ".b.example"], "caFile": "/ca.pem"}}"#)
        let network = try bench.load().network
        #expect(network.proxy == "http://proxy.example:3128" && network.proxyUser == "ada")
        #expect(network.proxyPassword?.withExposed { $0 } == "proxy-pass")
        #expect(network.noProxy == ["a.example", ".b.example"] && network.caFile == "/ca.pem")
        #expect(network.connectTimeout == .seconds(4) && network.http2)
        #expect(!everythingShown(network).contains("proxy-pass"))
    }
}
