import Foundation
import Testing

@testable import GatewayKitCore

@Suite("Configuration: secrets")
struct SecretTests {
    @Test(
        "the ways to give a secret",
        arguments: [
            (#""plain-s3cret""#, "/p/gatewaykit.json"), (#"{"env": "MY_KEY"}"#, "environment variable MY_KEY"),
            (#"{"file": "/s/key"}"#, "/s/key, named in /p/gatewaykit.json"),
            (#"{"file": "key"}"#, "/p/key, named in /p/gatewaykit.json"),
            (#"{"file": "sub/key"}"#, "/p/sub/key, named in /p/gatewaykit.json"),
        ])
    func ways(value: String, origin: String) throws {
        let bench = ConfigurationBench(
            environment: ["MY_KEY": "plain-s3cret"], project: ConfigurationBench.file("eu", #""apiKey": \#(value)"#),
            files: [
                "/s/key": ("plain-s3cret\n", 0o600), "/p/key": ("plain-s3cret\r\n", 0o644),
                "/p/sub/key": ("plain-s3cret", 0o400),
            ])
        #expect(try bench.account().exposed("apiKey") == "plain-s3cret")
        let configuration = try bench.load()
        #expect(configuration.origin("accounts.eu.apiKey") == origin)
        #expect(configuration.secrets.count == 1)
        let shown =
            everythingShown(configuration) + everythingShown(try bench.account())
            + everythingShown(configuration.entries) + everythingShown(bench.sources)
        #expect(!shown.contains("plain-s3cret"))
    }

    @Test("what a program sets itself is not shown either")
    func explicit() throws {
        let bench = ConfigurationBench(
            explicit: ["accounts.eu.provider": "acme", "accounts.eu.apiKey": "plain-s3cret"],
            environment: ["ACME_API_SECRET": "plain-s3cret"])
        let shown = everythingShown(try bench.load()) + everythingShown(bench.sources)
        #expect(!shown.contains("plain-s3cret"))
    }

    @Test(
        "a reference that gives nothing matters only when its account is used",
        arguments: [
            #""apiKey": {"env": "UNSET"}"#, #""apiKey": {"env": "EMPTY"}"#, #""apiKey": {"file": "/none"}"#,
            #""apiKey": {"file": "/s/open"}"#, #""apiKey": {"file": "/s/empty"}"#, #""apiKey": {"file": "/s/binary"}"#,
            #""environment": {"env": "UNSET"}"#, #""baseURL": {"env": "UNSET"}"#,
            #""acceptsRawCardData": {"env": "UNSET"}"#, #""timeoutSeconds": {"file": "/none"}"#,
            #""mode": {"env": "UNSET"}"#,
        ])
    func unresolved(settings: String) throws {
        let bench = ConfigurationBench(
            environment: ["EMPTY": ""],
            project: #"{"accounts": {"eu": {"provider": "acme", \#(settings)}, "us": {"provider": "acme"}}}"#,
            files: ["/s/open": ("s3cret", 0o602), "/s/empty": ("\n", 0o600)])
        var sources = bench.sources
        let files = sources.files
        sources.files = FileAccess { path in
            path == "/s/binary" ? .file([0x73, 0xFF, 0xFE], permissions: 0o600) : files.read(path)
        }
        let configuration = try Configuration.load(sources, for: ConfigurationBench.registry)
        #expect(throws: Never.self) { try configuration.account(.known("us"), ConfigurationBench.registry) }
        do throws(GatewayError) {
            _ = try configuration.account(.known("eu"), ConfigurationBench.registry)
            Issue.record("the account is usable")
        } catch {
            #expect(error.code == .configuration && error.account?.description == "eu")
            #expect(error.message.description.contains("cannot be read"))
        }
    }

    @Test("a reference of a network setting that gives nothing is an error at once: it must not be left out silently")
    func unresolvedNetwork() {
        for setting in ["proxy", "caFile", "proxyPassword"] {
            let bench = ConfigurationBench(
                project: #"{"network": {"\#(setting)": {"env": "UNSET"}}, "accounts": {"eu": {"provider": "acme"}}}"#)
            #expect(bench.failure()?.message.description.contains("network.\(setting)") == true)
        }
    }

    @Test("an account's provider must be written out, so that its settings are known to be secret")
    func providerByReference() {
        let bench = ConfigurationBench(
            environment: ["WHO": "acme"],
            project: #"{"accounts": {"eu": {"provider": {"env": "WHO"}, "apiKey": "plain-s3cret"}}}"#)
        do throws(GatewayError) {
            let configuration = try bench.load()
            Issue.record("accepted")
            #expect(!everythingShown(configuration).contains("plain-s3cret"))
        } catch {
            #expect(error.message.description.contains("accounts.eu.provider"))
        }
    }

    @Test(
        "variables that name files",
        arguments: ["ACME_API_KEY_FILE", "GATEWAYKIT_ACME_API_KEY_FILE"])
    func fileVariables(name: String) throws {
        var bench = ConfigurationBench(
            environment: [name: "/s/key", "ACME_MODE": "fast"], files: ["/s/key": ("plain-s3cret\n", 0o400)])
        #expect(try bench.account().exposed("apiKey") == "plain-s3cret")
        #expect(try bench.load().origin("accounts.acme.apiKey") == "/s/key, named in environment variable \(name)")
        bench.environment[String(name.dropLast(5))] = "other"
        #expect(bench.failure()?.message.description.contains("_FILE") == true)
    }

    @Test(
        "secrets with line breaks or control characters are refused and not repeated",
        arguments: [
            "a-s3cret\nx: y", "a-s3cret\r", "a-s3cret\u{0}", "a-s3cret\tb", "a-s3cret\u{7F}", "a-s3cret\u{85}",
            "a-s3cret\u{2028}",
        ])
    func lineBreaks(secret: String) {
        for bench in [
            ConfigurationBench(environment: ["ACME_API_KEY": secret]),
            ConfigurationBench(explicit: ["accounts.eu.provider": "acme", "accounts.eu.apiKey": secret]),
        ] {
            let failure = bench.failure()
            #expect(failure?.code == .configuration)
            #expect(!everythingShown(failure as Any).contains("a-s3cret"))
        }
    }

    @Test(
        "a file that others may read must not hold a secret itself",
        arguments: [
            (0o600, true), (0o400, true), (0o644, false), (0o640, false), (0o604, false), (0o620, false),
            (0o666, false),
            (0o601, false),
        ])
    func modes(mode: Int, isAllowed: Bool) {
        var bench = ConfigurationBench(
            project: ConfigurationBench.file("eu", #""apiKey": "plain-s3cret""#), mode: mode)
        let failure = bench.failure()
        #expect((failure == nil) == isAllowed)
        if let failure {
            #expect(failure.message.description.contains("accounts.eu.apiKey"))
            #expect(failure.advice.description.contains("chmod 600"))
            #expect(!everythingShown(failure).contains("plain-s3cret"))
        }
        bench.environment["MY_KEY"] = "k"
        bench.project = ConfigurationBench.file("eu", #""apiKey": {"env": "MY_KEY"}"#)
        #expect(bench.failure() == nil)
        bench.project = #"{"network": {"proxyPassword": "plain-s3cret"}, "accounts": {"eu": {"provider": "acme"}}}"#
        #expect((bench.failure() == nil) == isAllowed)
    }

    @Test("real files, real permissions, links as container platforms mount them")
    func realFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gatewaykit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ name: String, _ text: String, _ mode: Int) throws -> String {
            let path = folder.appendingPathComponent(name).path
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return path
        }
        func load(_ path: String) throws -> AccountSettings {
            let sources = ConfigurationSources(projectFile: ConfigurationFileName(path, mustExist: true))
            return try Configuration.load(sources, for: ConfigurationBench.registry)
                .account(nil, ConfigurationBench.registry)
        }
        let inline = ConfigurationBench.file("eu", #""apiKey": "plain-s3cret""#)
        #expect(try load(write("good.json", inline, 0o600)).exposed("apiKey") == "plain-s3cret")
        #expect(throws: GatewayError.self) { try load(write("open.json", inline, 0o644)) }
        _ = try write("key", "plain-s3cret\n", 0o644)
        let reference = ConfigurationBench.file("eu", #""apiKey": {"file": "key"}"#)
        #expect(try load(write("reference.json", reference, 0o644)).exposed("apiKey") == "plain-s3cret")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/linked", withDestinationPath: folder.path + "/key")
        let linked = ConfigurationBench.file("eu", #""apiKey": {"file": "linked"}"#)
        #expect(try load(write("linked.json", linked, 0o644)).exposed("apiKey") == "plain-s3cret")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.json", withDestinationPath: folder.path + "/open.json")
        #expect(throws: GatewayError.self) { try load(folder.path + "/link.json") }
        #expect(throws: GatewayError.self) { try load(folder.path + "/none.json") }
        #expect(throws: GatewayError.self) { try load(folder.path) }
    }

    @Test("what is no file is told apart from nothing")
    func fileAccess() {
        guard case .nothing = FileAccess.system.read("/no/such/file"), case .nothing = FileAccess.system.read("") else {
            Issue.record("found")
            return
        }
        for path in ["/", "/dev/null"] {
            guard case .unreadable(let reason) = FileAccess.system.read(path) else {
                Issue.record("read \(path)")
                continue
            }
            #expect(!reason.isEmpty)
        }
    }
}
