import Testing

@testable import GatewayKitCore

@Suite("Configuration: accounts")
struct AccountTests {
    @Test("a provider's own variables make an account of its name, and reach no other")
    func implicit() throws {
        var bench = ConfigurationBench(
            environment: ["ACME_API_KEY": "k-1", "ACME_MODE": "fast"],
            project: #"{"accounts": {"eu": {"provider": "acme"}}}"#)
        #expect(try bench.load().accountNames.map(\.description) == ["acme", "eu"])
        #expect(try bench.account("acme").exposed("apiKey") == "k-1")
        #expect(try bench.account("acme").plain("mode") == "fast")
        #expect(try bench.account("eu").exposed("apiKey") == nil)
        bench.environment["GATEWAYKIT_ACME_API_KEY"] = "k-2"
        #expect(try bench.account("acme").exposed("apiKey") == "k-2")
    }

    @Test("the _FILE form of a provider's variable makes the account as well")
    func implicitByFile() throws {
        let bench = ConfigurationBench(
            environment: ["ACME_API_KEY_FILE": "/s/key"], files: ["/s/key": ("k-1\n", 0o400)])
        #expect(try bench.account().exposed("apiKey") == "k-1")
    }

    @Test("an account that has a provider's name but another provider does not get its variables")
    func foreignName() throws {
        let bench = ConfigurationBench(
            environment: ["ACME_API_KEY": "k-1"], project: #"{"accounts": {"acme": {"provider": "zeta"}}}"#)
        #expect(try bench.account("acme").exposed("apiKey") == nil)
    }

    @Test("two accounts of one provider keep their secrets apart")
    func twoAccounts() throws {
        let bench = ConfigurationBench(
            environment: ["GATEWAYKIT_US_API_KEY": "k-us"],
            project: #"{"accounts": {"eu": {"provider": "acme", "apiKey": "k-eu"}, "us": {"provider": "acme"}}}"#)
        #expect(try bench.account("eu").exposed("apiKey") == "k-eu")
        #expect(try bench.account("us").exposed("apiKey") == "k-us")
    }

    @Test(
        "accounts whose variables would be the same are refused",
        arguments: [
            #"{"accounts": {"a-b": {"provider": "acme"}, "a_b": {"provider": "acme"}}}"#,
            #"{"accounts": {"proxy": {"provider": "hash"}}}"#,
            #"{"accounts": {"a": {"provider": "hash"}, "a-user": {"provider": "hash"}}}"#,
        ])
    func collisions(project: String) {
        struct Clashing: GatewayProvider {
            let id: ProviderID = "hash"
            let displayName = "Hash"
            let settings = ["user", "password", "userPassword"].map {
                SettingDescription($0, environmentVariable: "HASH_" + $0.uppercased(), isSecret: true, help: "")
            }
            let environments = TestProvider().environments
            func makeGateway(
                _ account: AccountSettings, _ runtime: GatewayRuntime
            ) throws(GatewayError) -> Gateway {
                Gateway(account: account.name, provider: id)
            }
        }
        let sources = ConfigurationBench(project: project).sources
        do throws(GatewayError) {
            _ = try Configuration.load(sources, for: ProviderRegistry([TestProvider(), Clashing()]))
            Issue.record("accepted")
        } catch {
            #expect(error.code == .configuration)
            #expect(error.message.description.contains("same environment variable"))
        }
    }

    @Test("two files must not give one account two providers")
    func mixedProviders() {
        let failure = ConfigurationBench(
            project: #"{"accounts": {"eu": {"provider": "acme"}}}"#,
            user: #"{"accounts": {"eu": {"provider": "zeta"}}}"#
        ).failure()
        #expect(failure?.message.description.contains("accounts.eu.provider") == true)
    }

    struct AddressRow: CustomTestStringConvertible {
        let testDescription: String
        var environment = "live"
        var file: String?
        var variable: String?
        var explicit: String?
        let isAllowed: Bool
    }

    @Test(
        "where an account's address may come from, and what it may be",
        arguments: [
            AddressRow(testDescription: "live, file, https", file: #""https://proxy.example/v1""#, isAllowed: true),
            AddressRow(testDescription: "live, file, http", file: #""http://proxy.example""#, isAllowed: false),
            AddressRow(testDescription: "live, file, this machine", file: #""https://localhost""#, isAllowed: false),
            AddressRow(
                testDescription: "live, file, this machine below", file: #""https://a.localhost""#, isAllowed: false),
            AddressRow(testDescription: "live, file, odd number", file: #""https://127.1""#, isAllowed: false),
            AddressRow(testDescription: "live, variable", variable: "https://proxy.example", isAllowed: false),
            AddressRow(
                testDescription: "live, variable over file", file: #""https://a.example""#,
                variable: "https://b.example", isAllowed: false),
            AddressRow(testDescription: "live, program", explicit: "https://proxy.example", isAllowed: false),
            AddressRow(
                testDescription: "live, variable named in the file", file: #"{"env": "WHERE"}"#, isAllowed: false),
            AddressRow(
                testDescription: "live, file named in the file", file: #"{"file": "/s/where"}"#, isAllowed: false),
            AddressRow(
                testDescription: "live, named variable is not set", file: #"{"env": "NOWHERE"}"#, isAllowed: false),
            AddressRow(
                testDescription: "test, variable, https", environment: "test", variable: "https://proxy.example",
                isAllowed: true),
            AddressRow(
                testDescription: "test, variable, http", environment: "test", variable: "http://proxy.example",
                isAllowed: false),
            AddressRow(
                testDescription: "test, this machine", environment: "test", variable: "http://127.0.0.1:8080",
                isAllowed: false),
            AddressRow(
                testDescription: "sandbox, this machine", environment: "sandbox", variable: "http://127.0.0.1:8080",
                isAllowed: true),
            AddressRow(
                testDescription: "sandbox, IPv6", environment: "sandbox", explicit: "http://[::1]:8080", isAllowed: true
            ),
            AddressRow(
                testDescription: "sandbox, TLS", environment: "sandbox", variable: "https://localhost:8443",
                isAllowed: true),
            AddressRow(
                testDescription: "sandbox, elsewhere", environment: "sandbox", variable: "https://evil.example",
                isAllowed: false),
            AddressRow(
                testDescription: "sandbox, looks like this machine", environment: "sandbox",
                variable: "http://127.0.0.1.evil.example", isAllowed: false),
            AddressRow(
                testDescription: "sandbox, localhost elsewhere", environment: "sandbox",
                variable: "http://localhost.evil.example", isAllowed: false),
            AddressRow(
                testDescription: "sandbox, file, elsewhere", environment: "sandbox", file: #""https://evil.example""#,
                isAllowed: false),
        ])
    func addresses(_ row: AddressRow) {
        var bench = ConfigurationBench(
            environment: ["WHERE": "https://proxy.example"], files: ["/s/where": ("https://proxy.example", 0o600)])
        let address = row.file.map { #", "baseURL": \#($0)"# } ?? ""
        bench.project = ConfigurationBench.file("eu", #""environment": "\#(row.environment)"\#(address)"#)
        bench.environment["GATEWAYKIT_EU_BASE_URL"] = row.variable
        bench.explicit["accounts.eu.baseURL"] = row.explicit
        do throws(GatewayError) {
            let url = try bench.account().baseURL(orStandard: .known("https://api.provider.example"))
            #expect(row.isAllowed, "goes to \(url)")
            #expect(url.origin.host != "api.provider.example")
        } catch {
            #expect(!row.isAllowed, "\(error)")
            #expect(error.code == .configuration)
        }
    }

    @Test("without an address the provider's own is used, except in the sandbox")
    func standardAddress() throws {
        let standard = WireURL.known("https://api.provider.example")
        let live = try ConfigurationBench(project: ConfigurationBench.file("eu", #""mode": "fast""#)).account()
        #expect(try live.baseURL(orStandard: standard) == standard)
        let sandbox = try ConfigurationBench(project: ConfigurationBench.file("eu", #""environment": "sandbox""#))
            .account()
        #expect(throws: GatewayError.self) { try sandbox.baseURL(orStandard: nil) }
        #expect(throws: GatewayError.self) { try sandbox.baseURL(orStandard: standard) }
    }

    @Test("a project's file cannot lead the credentials of the user's file elsewhere", arguments: ["live", "test"])
    func foreignAddress(environment: String) throws {
        let settings = #""environment": "\#(environment)""#
        var bench = ConfigurationBench(
            project: ConfigurationBench.file("eu", settings + #", "baseURL": "https://evil.example""#),
            user: ConfigurationBench.file("eu", settings + #", "apiKey": "k-live""#))
        #expect(bench.failure()?.message.description.contains("/u/config.json") == true)
        bench.user = ConfigurationBench.file("eu", settings + #", "apiKey": {"file": "key"}"#)
        bench.files["/u/key"] = ("k-live", 0o600)
        #expect(bench.failure() != nil)
        bench.user = ConfigurationBench.file("eu", settings + #", "apiKey": "k", "baseURL": "https://proxy.example""#)
        bench.project = ConfigurationBench.file("eu", #""mode": "fast""#)
        #expect(try bench.account().baseURL == WireURL.known("https://proxy.example"))
    }
}
