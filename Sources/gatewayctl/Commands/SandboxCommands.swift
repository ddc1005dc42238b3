import GatewayKit
import GatewayKitCore
import GatewaySandbox

extension Root {
    /// `sandbox serve`.
    static let sandbox = Command(
        "sandbox", summary: "Run the built-in imitation of the providers",
        subcommands: [serve])

    private static let port = Option.value(
        "port", "N", reading: .integer(in: 0...65_535), default: 0,
        help: "Listen on this port of 127.0.0.1; 0 means any free one.")
    private static let seed = Option.value(
        "seed", "N", reading: .integer(in: 0...Int.max),
        help: "Make ids, credentials and chance from this number, so that a run can be repeated.")
    private static let fault = Option.list(
        "fault", "RULE", reading: .text,
        help: "What goes wrong, such as spreedly.tokenize=status:503*2; 'gatewayctl help faults' lists the kinds.")

    private static let tls = Option.flag(
        "tls", help: "Speak TLS, with a certificate authority that is made at the start.")
    private static let caFile = Option.value(
        "ca-file", "PATH", reading: .text,
        help: "With --tls: write the authority's certificate to this file. Without it, to a temporary one.")

    private static let serve = Command(
        "serve",
        summary: "Run the sandbox until Ctrl-C",
        discussion: """
            Imitates every provider over HTTP on this machine, so that any client can be pointed at it. It knows the \
            public test cards and refuses every other number. State is kept in memory and gone at the end. The \
            credentials printed are made up and open nothing else.
            """,
        examples: [
            .init("gatewayctl sandbox serve --port 8080", "On a fixed port:"),
            .init(
                "gatewayctl sandbox serve --tls --ca-file sandbox-ca.pem",
                "Over TLS; clients trust sandbox-ca.pem (curl: --cacert, GatewayKit: network.caFile):"),
            .init("gatewayctl sandbox serve --fault 'spreedly=slow:200%10*always'", "With one slow answer in ten:"),
        ],
        options: [port, seed, fault, tls, caFile]
    ) { invocation in
        guard invocation[tls] || invocation[caFile] == nil else {
            throw invocation.usageError("'--ca-file' needs '--tls'")
        }
        let running = try RunningSandbox(
            faults: invocation[fault], port: UInt16(clamping: invocation[port]),
            tls: invocation[tls] ? .generated : .off, seed: invocation[seed].map { UInt64($0) })
        let sandbox = running.sandbox
        let authority = invocation[tls] ? try running.writeAuthority(toFile: invocation[caFile]) : nil
        let providers = ProviderRegistry.all.providers.compactMap { provider -> OutputValue? in
            let id = provider.id.description
            guard let address = sandbox.baseURL(for: id) else { return nil }
            let credentials = sandbox.credentials(for: id)?.items ?? []
            return .object(
                [
                    Field("Provider", "id", .identifier(id)),
                    Field("Base URL", "baseURL", .identifier(address)),
                ] + credentials.map { Field($0.name, $0.name, .identifier($0.value)) })
        }
        invocation.terminal.emit(
            Report(
                schema: "gatewayctl.sandbox/1",
                fields: [
                    Field("Port", "port", .number(Int(sandbox.port ?? 0)))
                ] + (authority.map { [Field("Authority", "caFile", .identifier($0))] } ?? []) + [
                    Field("Providers", "providers", .list(providers))
                ]))
        invocation.terminal.say("The sandbox is running. Ctrl-C ends it.")
        let (ended, end) = AsyncStream<Void>.makeStream()
        await withTaskCancellationHandler {
            for await _ in ended {}
        } onCancel: {
            end.finish()
        }
        sandbox.stop()
        return .done
    }
}
