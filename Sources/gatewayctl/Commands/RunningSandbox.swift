import GatewayKitCore
import GatewaySandbox

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A sandbox inside this process, stopped when the last reference goes.
final class RunningSandbox: Sendable {
    let sandbox: Sandbox
    private let temporaryFile = Locked<String?>(nil)

    /// Starts one.
    ///
    /// - Parameters:
    ///   - faults: Rules in their text form.
    ///   - port: The port, or 0 for any free one.
    ///   - tls: Whether and how it speaks TLS.
    ///   - seed: What ids and credentials are made from; `nil` takes a random one.
    /// - Throws: ``Failure`` that names the rule or says why it cannot listen.
    init(faults: [String], port: UInt16, tls: SandboxTLS = .off, seed: UInt64?) throws(Failure) {
        var configuration = SandboxConfiguration()
        configuration.port = port
        configuration.tls = tls
        configuration.seed = seed ?? .random(in: .min ... .max)
        for text in faults {
            do {
                configuration.faults.append(try FaultRule(text))
            } catch {
                throw Failure(
                    .usage, "the fault '\(text)' cannot be used: \(error.description)",
                    advice: ["'gatewayctl help faults' lists them."])
            }
        }
        sandbox = Sandbox(configuration)
        do {
            try sandbox.start()
        } catch {
            throw Failure(
                .configuration, "the sandbox cannot start: \(error.description)",
                advice: ["Choose another port with --port, or 0 for any free one."])
        }
    }

    deinit {
        sandbox.stop()
        if let path = temporaryFile.withLock({ $0 }) { unlink(path) }
    }

    /// Writes the authority's certificate to `path`, or to a temporary file that goes with this value.
    ///
    /// - Returns: Where it is.
    func writeAuthority(toFile path: String?) throws(Failure) -> String {
        do {
            let written = try sandbox.writeCertificateAuthority(toFile: path)
            if path == nil { temporaryFile.withLock { $0 = written } }
            return written
        } catch {
            throw Failure(
                .configuration, "the certificate authority is not written: \(error.description)",
                advice: ["Choose another file with --ca-file."])
        }
    }

    /// The account that the sandbox has for a provider.
    func account(_ provider: any GatewayProvider) throws -> AccountSettings {
        let id = provider.id.description
        guard let environment = provider.environments.first(where: { $0.kind == .sandbox }),
            let address = sandbox.baseURL(for: id), let credentials = sandbox.credentials(for: id)
        else {
            throw Failure(.configuration, "the sandbox does not imitate \(provider.displayName)")
        }
        var values: [String: ConfigurationEntry.Value] = [:]
        for item in credentials.items {
            let isSecret = provider.settings.contains { $0.name == item.name && $0.isSecret }
            values[item.name] = isSecret ? .secret(Sensitive(item.value)) : .plain(item.value)
        }
        return AccountSettings(
            name: AccountName(provider.id), provider: provider.id, environment: environment,
            baseURL: try WireURL(base: address), values: values)
    }
}
