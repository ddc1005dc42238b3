// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "GatewayKit",
    products: [
        .library(name: "GatewayKit", targets: ["GatewayKit"]),
        .library(name: "GatewayKitCore", targets: ["GatewayKitCore"]),
        .library(name: "GatewayTransport", targets: ["GatewayTransport"]),
        .library(name: "GatewayCrypto", targets: ["GatewayCrypto"]),
        .library(name: "SpreedlyAdapter", targets: ["SpreedlyAdapter"]),
        .library(name: "GatewayPayments", targets: ["GatewayPayments"]),
        .library(name: "GatewayStoreSQLite", targets: ["GatewayStoreSQLite"]),
        .library(name: "HellgateAdapter", targets: ["HellgateAdapter"]),
        .library(name: "BlueSnapAdapter", targets: ["BlueSnapAdapter"]),
        .library(name: "SafepayAdapter", targets: ["SafepayAdapter"]),
        .library(name: "GatewaySandbox", targets: ["GatewaySandbox"]),
        .library(name: "GatewayTransportSuite", targets: ["GatewayTransportSuite"]),
        .library(name: "GatewayContract", targets: ["GatewayContract"]),
        .executable(name: "gatewayctl", targets: ["gatewayctl"]),
    ],
    targets: [
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CCurlShim", dependencies: ["CCurl"]),
        .target(name: "GatewayKitCore", swiftSettings: strict),
        .target(
            name: "GatewayTransport", dependencies: ["GatewayKitCore", "CCurl", "CCurlShim"], swiftSettings: strict),
        .target(name: "GatewayCrypto", dependencies: ["COpenSSL"], swiftSettings: strict),
        .target(name: "SpreedlyAdapter", dependencies: ["GatewayKitCore", "GatewayCrypto"], swiftSettings: strict),
        .target(
            name: "HellgateAdapter", dependencies: ["GatewayKitCore", "GatewayCrypto"], swiftSettings: strict),
        .target(
            name: "BlueSnapAdapter", dependencies: ["GatewayKitCore", "GatewayCrypto"], swiftSettings: strict),
        .target(name: "SafepayAdapter", dependencies: ["GatewayKitCore", "GatewayCrypto"], swiftSettings: strict),
        .target(name: "GatewayPayments", dependencies: ["GatewayKitCore", "GatewayCrypto"], swiftSettings: strict),
        .target(
            name: "GatewayStoreSQLite", dependencies: ["GatewayKitCore", "GatewayPayments", "CSQLite"],
            swiftSettings: strict),
        .target(
            name: "GatewaySandbox", dependencies: ["GatewayKitCore", "GatewayCrypto", "COpenSSL"], swiftSettings: strict
        ),
        .target(
            name: "GatewayTransportSuite", dependencies: ["GatewayKitCore", "GatewaySandbox"], swiftSettings: strict),
        .target(name: "GatewayContract", dependencies: ["GatewayKitCore", "GatewaySandbox"], swiftSettings: strict),
        .target(
            name: "GatewayKit",
            dependencies: [
                "GatewayKitCore", "GatewayTransport", "GatewayCrypto", "BlueSnapAdapter", "HellgateAdapter",
                "SafepayAdapter", "SpreedlyAdapter",
            ],
            swiftSettings: strict),
        .target(name: "CProcessShim"),
        .target(name: "CDroppingDisk", dependencies: ["CSQLite"]),
        .executableTarget(
            name: "gatewayctl",
            dependencies: [
                "GatewayKit", "GatewayKitCore", "GatewayTransport", "GatewaySandbox", "GatewayPayments",
                "GatewayStoreSQLite", "GatewayContract", "GatewayCrypto", "SpreedlyAdapter", "CProcessShim",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "CrashTest",
            dependencies: [
                "GatewayKit", "GatewayKitCore", "GatewaySandbox", "GatewayPayments", "GatewayStoreSQLite",
                "GatewayCrypto",
            ],
            swiftSettings: strict),
        .target(name: "CBareCurl", dependencies: ["CCurl"]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "GatewayPayments", "GatewayStoreSQLite", "GatewayKit", "GatewayKitCore", "GatewayCrypto",
                "GatewayTransport", "CBareCurl",
            ],
            swiftSettings: strict),
        .testTarget(name: "GatewayKitCoreTests", dependencies: ["GatewayKitCore"], swiftSettings: strict),
        .testTarget(name: "GatewayCryptoTests", dependencies: ["GatewayCrypto"], swiftSettings: strict),
        .testTarget(
            name: "GatewayTransportTests",
            dependencies: ["GatewayTransport", "GatewaySandbox", "GatewayTransportSuite"], swiftSettings: strict),
        .testTarget(
            name: "SpreedlyAdapterTests",
            dependencies: ["SpreedlyAdapter", "GatewayCrypto", "GatewayKit", "GatewayTransport", "GatewaySandbox"],
            swiftSettings: strict),
        .testTarget(
            name: "HellgateAdapterTests",
            dependencies: ["HellgateAdapter", "GatewayKit", "GatewayCrypto", "GatewayTransport", "GatewaySandbox"],
            swiftSettings: strict),
        .testTarget(
            name: "BlueSnapAdapterTests",
            dependencies: ["BlueSnapAdapter", "GatewayKit", "GatewayCrypto", "GatewayTransport", "GatewaySandbox"],
            swiftSettings: strict),
        .testTarget(
            name: "SafepayAdapterTests",
            dependencies: ["SafepayAdapter", "GatewayKit", "GatewayCrypto", "GatewayTransport", "GatewaySandbox"],
            swiftSettings: strict),
        .testTarget(
            name: "GatewayKitTests",
            dependencies: ["GatewayKit", "GatewayKitCore", "GatewayTransport", "GatewaySandbox"],
            swiftSettings: strict),
        .testTarget(
            name: "GatewayPaymentsTests",
            dependencies: [
                "GatewayPayments", "GatewayStoreSQLite", "GatewayKitCore", "GatewayKit", "GatewaySandbox",
                "GatewayCrypto",
                "CSQLite", "CDroppingDisk",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GatewayContractTests",
            dependencies: ["GatewayContract", "GatewayKit", "GatewayKitCore", "GatewayTransport", "GatewaySandbox"],
            swiftSettings: strict),
        .testTarget(
            name: "GatewaySandboxTests", dependencies: ["GatewaySandbox", "GatewayCrypto"], swiftSettings: strict),
        .testTarget(
            name: "gatewayctlTests",
            dependencies: [
                "gatewayctl", "CrashTest", "GatewayCrypto", "GatewayKit", "GatewayContract", "GatewaySandbox",
                "SpreedlyAdapter",
            ],
            swiftSettings: strict),
        .testTarget(name: "RepositoryTests", dependencies: ["GatewayKitCore"], swiftSettings: strict),
    ]
)

// Fuzz targets have no `main`: libFuzzer brings it. So an ordinary build leaves them out, and Scripts/fuzz.sh, which
// sets this variable, builds each as a static library and links it.
if Context.environment["GATEWAYKIT_FUZZ"] != nil {
    package.targets.append(
        .target(
            name: "FuzzSupport", dependencies: ["GatewayKitCore"], path: "Sources/Fuzz/Support", swiftSettings: strict))
    func fuzzTarget(_ name: String, _ dependencies: [Target.Dependency] = ["GatewayKitCore"]) {
        let module = "Fuzz" + name
        package.targets.append(
            .target(
                name: module, dependencies: ["FuzzSupport"] + dependencies, path: "Sources/Fuzz/" + name,
                swiftSettings: strict))
        package.products.append(.library(name: module, type: .static, targets: [module]))
    }
    fuzzTarget("Answers", ["GatewayCrypto", "GatewayKit", "GatewayKitCore"])
    fuzzTarget("ArgumentGuard")
    fuzzTarget("Card")
    fuzzTarget("CardInput")
    fuzzTarget("Configuration", ["GatewayKit", "GatewayKitCore"])
    fuzzTarget("HTTPAnswer", ["GatewayKitCore", "GatewayTransport"])
    fuzzTarget("HTTPRequest", ["GatewaySandbox"])
    fuzzTarget("JSON")
    fuzzTarget("JWE", ["GatewayCrypto"])
    fuzzTarget("Money")
    fuzzTarget("RedactingStream")
    fuzzTarget("Redactor")
    fuzzTarget("RetryAfter")
    fuzzTarget("SandboxCard", ["GatewayKitCore", "GatewaySandbox"])
    fuzzTarget("Verdict", ["GatewayKitCore", "SafepayAdapter"])
    fuzzTarget("WireURL")
}
