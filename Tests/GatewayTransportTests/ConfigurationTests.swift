import GatewayKitCore
import Testing

@testable import GatewayTransport

@Suite("Configuration of the transport", .onOwnThread)
struct ConfigurationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let option: String
        let make: @Sendable () throws -> Void
        init(_ option: String, _ description: String, _ make: @escaping @Sendable () throws -> Void) {
            self.option = option
            testDescription = "\(option): \(description)"
            self.make = make
        }
    }

    static let refused: [Case] = [
        Case("connectTimeout", "zero") { _ = try TransportConfiguration(connectTimeout: .zero) },
        Case("connectTimeout", "too long") { _ = try TransportConfiguration(connectTimeout: .seconds(301)) },
        Case("maxConnectionsPerHost", "none") { _ = try TransportConfiguration(maxConnectionsPerHost: 0) },
        Case("maxIdleConnections", "negative") { _ = try TransportConfiguration(maxIdleConnections: -1) },
        Case("maxBodyBytes", "too small") { _ = try TransportConfiguration(maxBodyBytes: 1) },
        Case("maxHeadBytes", "more than libcurl takes") { _ = try TransportConfiguration(maxHeadBytes: 1 << 20) },
        Case("extraCAFile", "empty") { _ = try TransportConfiguration(extraCAFile: "") },
        Case("extraCAFile", "NUL") { _ = try TransportConfiguration(extraCAFile: "/a\u{0}b") },
        Case("userAgentSuffix", "line break") { _ = try TransportConfiguration(userAgentSuffix: "a\r\nb") },
        Case("proxy", "no scheme") { _ = try Proxy(address: "proxy.example:3128") },
        Case("proxy", "another scheme") { _ = try Proxy(address: "socks5://proxy.example:3128") },
        Case("proxy", "bad port") { _ = try Proxy(address: "http://proxy.example:99999") },
        Case("proxy", "password in the address") { _ = try Proxy(address: "http://u:hunter2@proxy.example:3128") },
        Case("proxy", "a path") { _ = try Proxy(address: "http://proxy.example:3128/x") },
        Case("proxy", "colon in the user name") {
            _ = try Proxy(address: "http://proxy.example", user: Sensitive("a:b"), password: Sensitive("hunter2"))
        },
        Case("proxy", "line break in the password") {
            _ = try Proxy(address: "http://proxy.example", user: Sensitive("a"), password: Sensitive("hunter2\n"))
        },
        Case("proxy", "password alone") {
            _ = try Proxy(address: "http://proxy.example", password: Sensitive("hunter2"))
        },
        Case("noProxy", "bad range") { _ = try NoProxyList("10.0.0.0/33") },
        Case("noProxy", "bad name") { _ = try NoProxyList("a.example,http://b.example") },
    ]

    @Test(
        "N14: a value that cannot be used is refused by the option's name, without repeating secrets",
        arguments: refused)
    func refusal(_ test: Case) throws {
        let problem = try #require(throws: TransportConfigurationProblem.self) { try test.make() }
        #expect(problem.option == test.option)
        #expect(!problem.reason.isEmpty)
        #expect(!problem.description.contains("hunter2"))
    }

    @Test("Shown or dumped, a configuration tells no password")
    func dumping() throws {
        let proxy = try Proxy(
            address: "http://proxy.example:3128", user: Sensitive("till"), password: Sensitive("hunter2"))
        let configuration = try TransportConfiguration(proxy: proxy)
        var text = ""
        dump(configuration, to: &text)
        text += String(describing: configuration) + String(reflecting: configuration)
        #expect(!text.contains("hunter2"))
        #expect(!text.contains("till"))
    }

    @Test(
        "The list of hosts without proxy",
        arguments: [
            ("", "a.example", false), ("*", "a.example", true), ("a.example", "a.example", true),
            ("A.Example", "a.example", true), ("a.example", "b.a.example", true), (".a.example", "b.a.example", true),
            ("*.a.example", "b.a.example", true), ("a.example", "ba.example", false),
            ("b.a.example", "a.example", false),
            ("x.example, a.example", "a.example", true), ("x.example a.example", "a.example", true),
            ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "110.0.0.1", false), ("0.0.1", "10.0.0.1", false),
            ("10.0.0.0/8", "10.9.8.7", true), ("10.0.0.0/8", "11.0.0.1", false), ("0.0.0.0/0", "8.8.8.8", true),
            ("10.0.0.1/32", "10.0.0.1", true), ("10.0.0.0/8", "10.example", false), ("::1", "[::1]", true),
            ("[::1]", "[::1]", true), (",,", "a.example", false),
        ])
    func noProxy(list: String, host: String, expected: Bool) throws {
        #expect(try NoProxyList(list).matches(host: host) == expected)
    }

    @Test("The user agent names the library, then the application")
    func userAgent() throws {
        #expect(TransportConfiguration.standard.userAgent == "GatewayKit/\(CurlTransport.version)")
        #expect(
            try TransportConfiguration(userAgentSuffix: "shop/1").userAgent
                == "GatewayKit/\(CurlTransport.version) shop/1")
    }

    @Test(
        "Waits are rounded up to milliseconds, never down",
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
            (.seconds(3), 3000),
            (.seconds(-1), -1000), (.seconds(Int64.max), Int64.max),
        ] as [(Duration, Int64)])
    func rounding(duration: Duration, milliseconds: Int64) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }
}
