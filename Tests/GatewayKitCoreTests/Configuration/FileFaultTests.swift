import Testing

@testable import GatewayKitCore

@Suite("Configuration: faulty files")
struct FileFaultTests {
    @Test(
        "what is refused, and what the message names",
        arguments: [
            ("", ["/p/gatewaykit.json", "line 1"]), ("{", ["/p/gatewaykit.json", "line 1"]),
            ("{\n\"network\": {\n\"timeoutSeconds\": 5,\n}\n}", ["/p/gatewaykit.json", "line 4"]),
            ("{\"accounts\": {}}\n\nx", ["line 3"]), ("[]", ["/p/gatewaykit.json"]), ("null", ["/p/gatewaykit.json"]),
            ("\"text\"", ["/p/gatewaykit.json"]), ("\u{FEFF}{}", ["/p/gatewaykit.json"]),
            (#"{"accounts": []}"#, ["/p/gatewaykit.json"]), (#"{"accounts": null}"#, ["/p/gatewaykit.json"]),
            (#"{"accounts": {"eu": "acme"}}"#, ["/p/gatewaykit.json"]), (#"{"network": 5}"#, ["/p/gatewaykit.json"]),
            (#"{"acounts": {}}"#, ["'acounts'", "Did you mean 'accounts'?", "/p/gatewaykit.json"]),
            (#"{"networks": {}}"#, ["'networks'", "Did you mean 'network'?"]),
            (#"{"zzzzzz": {}}"#, ["'zzzzzz'", "defaultAccount, accounts, network"]),
            (#"{"network": {"timeoutSecond": 5}}"#, ["network.timeoutSecond", "'timeoutSeconds'"]),
            (#"{"network": {"": 5}}"#, ["there is no setting"]), (#"{"network": {"a.b": 5}}"#, ["network.a.b"]),
            (#"{"accounts": {"eu": {"provider": "acme", "apikey": "k"}}}"#, ["accounts.eu.apikey", "'apiKey'"]),
            (#"{"accounts": {"eu": {"provider": "acme", "": "k"}}}"#, ["there is no setting"]),
            (#"{"accounts": {"eu": {"provider": "acme", "a.b": "k"}}}"#, ["accounts.eu.a.b"]),
            (#"{"accounts": {"eu": {"provider": "acme", "enviroment": "live"}}}"#, ["Did you mean 'environment'?"]),
            (#"{"accounts": {"eu": {"provider": "acne"}}}"#, ["acne", "acme, zeta"]),
            (#"{"accounts": {"eu": {"apiKey": "k"}}}"#, ["eu", "provider", "acme, zeta"]),
            (#"{"accounts": {"EU": {"provider": "acme"}}}"#, ["'EU'", "lower-case"]),
            (#"{"accounts": {"e.u": {"provider": "acme"}}}"#, ["'e.u'"]),
            (#"{"accounts": {"": {"provider": "acme"}}}"#, ["account name"]),
            (#"{"accounts": {"eu": {"provider": "acme", "provider": "zeta"}}}"#, ["/p/gatewaykit.json"]),
            (#"{"accounts": {"eu": {"provider": "acme"}, "eu": {"provider": "zeta"}}}"#, ["/p/gatewaykit.json"]),
            (#"{"accounts": {}, "accounts": {}}"#, ["/p/gatewaykit.json"]),
            (#"{"accounts": {"eu": {"provider": "acme", "apiKey": null}}}"#, ["accounts.eu.apiKey", "null"]),
            (#"{"accounts": {"eu": {"provider": null}}}"#, ["accounts.eu.provider"]),
            (#"{"accounts": {"eu": {"provider": 5}}}"#, ["'5'"]),
            (#"{"accounts": {"eu": {"provider": "acme", "apiKey": ["a", "b"]}}}"#, ["accounts.eu.apiKey"]),
            (#"{"accounts": {"eu": {"provider": "acme", "apiKey": true}}}"#, ["accounts.eu.apiKey"]),
            (#"{"accounts": {"eu": {"provider": "acme", "apiKey": {}}}}"#, ["accounts.eu.apiKey", "env"]),
            (
                #"{"accounts": {"eu": {"provider": "acme", "apiKey": {"env": "A", "file": "B"}}}}"#,
                ["accounts.eu.apiKey"]
            ),
            (#"{"accounts": {"eu": {"provider": "acme", "apiKey": {"vault": "A"}}}}"#, ["accounts.eu.apiKey"]),
            (#"{"accounts": {"eu": {"provider": "acme", "apiKey": {"env": 5}}}}"#, ["/p/gatewaykit.json"]),
            (#"{"accounts": {"eu": {"provider": "acme", "apiKey": ""}}}"#, ["accounts.eu.apiKey", "empty"]),
            (#"{"accounts": {"eu": {"provider": "acme", "mode": "slow"}}}"#, ["accounts.eu.mode", "fast, safe"]),
            (#"{"accounts": {"eu": {"provider": "acme", "environment": "prod"}}}"#, ["live, test, sandbox"]),
            (#"{"accounts": {"eu": {"provider": "acme", "acceptsRawCardData": "yes"}}}"#, ["true or false"]),
            (#"{"accounts": {"eu": {"provider": "acme", "timeoutSeconds": 0}}}"#, ["1 to 3600"]),
            (#"{"accounts": {"eu": {"provider": "acme", "timeoutSeconds": 3601}}}"#, ["1 to 3600"]),
            (#"{"accounts": {"eu": {"provider": "acme", "timeoutSeconds": 1.5}}}"#, ["1 to 3600"]),
            (#"{"accounts": {"eu": {"provider": "acme", "timeoutSeconds": 1e3}}}"#, ["1 to 3600"]),
            (#"{"accounts": {"eu": {"provider": "acme", "timeoutSeconds": true}}}"#, ["accounts.eu.timeoutSeconds"]),
            (#"{"accounts": {"eu": {"provider": "acme", "timeoutSeconds": [5]}}}"#, ["accounts.eu.timeoutSeconds"]),
            (
                #"{"accounts": {"eu": {"provider": "acme", "baseURL": "https://u:p@a.example"}}}"#,
                ["accounts.eu.baseURL", "user name"]
            ),
            (#"{"network": {"proxy": "proxy.example:3128"}}"#, ["network.proxy", "https://"]),
            (#"{"network": {"http2": "maybe"}}"#, ["network.http2"]), (#"{"network": {"noProxy": [5]}}"#, ["noProxy"]),
            (#"{"defaultAccount": {"env": "UNSET"}}"#, ["defaultAccount"]),
            (#"{"defaultAccount": "E U"}"#, ["defaultAccount"]),
            (#"{"defaultAccount": ["eu"]}"#, ["defaultAccount"]),
        ])
    func faults(text: String, named: [String]) {
        let bench = ConfigurationBench(project: text)
        do throws(GatewayError) {
            _ = try bench.load()
            Issue.record("accepted \(text)")
        } catch {
            #expect(error.code == .configuration && error.reach == .notSent)
            for part in named { #expect(error.description.contains(part), "\(error)") }
        }
    }

    @Test(
        "explicit values are checked as strictly",
        arguments: [
            "accounts", "accounts.eu", "accounts.EU.provider", "accounts.eu.provider.x", "accounts..provider",
            "network",
            "network.", "network.foo", "network.proxy.x", "defaultAccounts", "", ".", "accounts.eu.",
            "accounts.eu.nope",
        ])
    func explicit(key: String) {
        var bench = ConfigurationBench(project: #"{"accounts": {"eu": {"provider": "acme"}}}"#)
        bench.explicit[key] = "acme"
        #expect(bench.failure()?.code == .configuration)
    }

    @Test("numbers and booleans may stand for what they mean")
    func kinds() throws {
        let bench = ConfigurationBench(
            project: ConfigurationBench.file(
                "eu", #""apiKey": 123456, "merchantID": 42, "acceptsRawCardData": true, "timeoutSeconds": 5"#))
        let account = try bench.account()
        #expect(account.exposed("apiKey") == "123456" && account.plain("merchantID") == "42")
        #expect(account.acceptsRawCardData && account.timeout == .seconds(5))
    }

    @Test("no file at all is no error, a named one that is missing is")
    func missing() throws {
        #expect(try ConfigurationBench().load().entries.isEmpty)
        let sources = ConfigurationSources(
            projectFile: ConfigurationFileName("/x.json", mustExist: true), files: FileAccess { _ in .nothing })
        #expect(throws: GatewayError.self) { try Configuration.load(sources, for: ConfigurationBench.registry) }
        let broken = ConfigurationSources(
            userFile: ConfigurationFileName("/x.json"), files: FileAccess { _ in .unreadable("it is on fire") })
        #expect(throws: GatewayError.self) { try Configuration.load(broken, for: ConfigurationBench.registry) }
    }

    @Test(
        "the usual places",
        arguments: [
            ([:], "gatewaykit.json", nil), (["HOME": "/h"], "gatewaykit.json", "/h/.config/gatewaykit/config.json"),
            (["HOME": "/h", "XDG_CONFIG_HOME": "/x"], "gatewaykit.json", "/x/gatewaykit/config.json"),
            (["HOME": "/h", "XDG_CONFIG_HOME": ""], "gatewaykit.json", "/h/.config/gatewaykit/config.json"),
            (["GATEWAYKIT_CONFIG": "/c.json"], "/c.json", nil), (["GATEWAYKIT_CONFIG": ""], "gatewaykit.json", nil),
        ] as [([String: String], String, String?)])
    func places(environment: [String: String], project: String, user: String?) {
        let sources = ConfigurationSources.standard(environment: environment)
        #expect(sources.projectFile?.path == project && sources.userFile?.path == user)
        #expect(sources.projectFile?.mustExist == (project == "/c.json"))
    }

    /// A valid file with a secret in every place that takes one.
    static let valid = """
        {
          "defaultAccount": "eu",
          "accounts": {
            "eu": {"provider": "acme", "environment": "test", "apiKey": "zq7Kp-planted-1", "apiSecret": {"env": "S"}},
            "us": {"provider": "zeta", "apiKey": {"file": "key"}, "apiSecret": "zq7Kp-planted-2", "timeoutSeconds": 5}
          },
          "network": {"proxy": "http://proxy.example:3128", "proxyPassword": "zq7Kp-planted-3", "noProxy": ["a", "b"]}
        }
        """

    @Test("random changes to a valid file neither trap nor bring a planted secret to light")
    func mutations() throws {
        let base = ConfigurationBench(
            environment: ["S": "zq7Kp-planted-4"], project: Self.valid, files: ["/p/key": ("zq7Kp-planted-5\n", 0o600)])
        #expect(try base.load().secrets.count == 5)
        var numbers = SeededNumbers(seed: 17)
        let scraps = [
            "\"", "{", "}", "[", "]", ",", ":", "null", "true", "1e9", "\n", "\\", "\u{0}", "env", "file", "é",
        ]
        var loaded = 0
        for _ in 0..<1_500 {
            var text = Array(Self.valid)
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let index = Int.random(in: 0..<text.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: text.remove(at: index)
                case 1: text.insert(contentsOf: scraps.randomElement(using: &numbers) ?? "", at: index)
                case 2: text[index] = Character(UnicodeScalar(UInt8.random(in: 0x20...0x7E, using: &numbers)))
                default:
                    let other = Int.random(in: 0..<text.count, using: &numbers)
                    text.replaceSubrange(
                        index..<min(index + 12, text.count), with: text[other..<min(other + 12, text.count)])
                }
            }
            var bench = base
            bench.project = String(text)
            do throws(GatewayError) {
                let configuration = try bench.load()
                loaded += 1
                let shown = everythingShown(configuration) + everythingShown(bench.sources)
                // A change may move a secret under the key of a text; what stays under its own key never shows.
                let secrets = configuration.secrets.map { $0.withExposed { $0 } }
                for secret in secrets where secret.contains("planted") {
                    #expect(!shown.contains(secret), "\(bench.project ?? "")")
                }
                _ = try? configuration.account(nil, ConfigurationBench.registry)
            } catch {
                #expect(error.code == .configuration)
                if !bench.isSecretMisplaced { #expect(!everythingShown(error).contains("planted"), "\(String(text))") }
            }
        }
        #expect(loaded > 50)
    }
}

extension ConfigurationBench {
    /// Whether a planted secret stands where a name belongs, so that an error may have to name it.
    fileprivate var isSecretMisplaced: Bool {
        guard let project, let root = try? JSONValue(parsing: Array(project.utf8)) else { return false }
        func misplaced(_ value: JSONValue, under key: String) -> Bool {
            if let members = try? value.members() {
                return members.contains { $0.name.contains("planted") || misplaced($0.value, under: $0.name) }
            }
            if let elements = try? value.elements() { return elements.contains { misplaced($0, under: key) } }
            let isSecret = ["apiKey", "apiSecret", "proxyPassword"].contains(key)
            return !isSecret && ((try? value.string())?.contains("planted") ?? false)
        }
        return misplaced(root, under: "")
    }
}
