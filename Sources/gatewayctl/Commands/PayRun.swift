import GatewayCrypto
import GatewayKit
import GatewayKitCore
import GatewayPayments

/// What the commands that move money share: the account, the journal, the service over both.
enum PayRun {
    static let options: [any OptionDeclaration] = AccountChoice.all + [Journal.file]
    static let requestedBy = Option.value(
        "by", "NAME", reading: .text, environment: "GATEWAYCTL_OPERATOR",
        help: "Who does this, for the journal.")
    static let reason = Option.value(
        "reason", "TEXT", reading: .text, help: "Why, for the journal and the provider.")
    static let key = Option.value(
        "key", "KEY", reading: .text,
        help: "The key of this operation: the same key gets the same operation back. A new one is made if absent.")

    /// An account, open for payments.
    struct Opened: Sendable {
        let account: AccountChoice.Opened
        let service: PaymentService
        let store: any PaymentStore
    }

    /// Opens account and journal. With `--sandbox`, which ends with the command, the journal ends with it too.
    static func open(_ invocation: Invocation, orElse fallback: AccountName? = nil) throws -> Opened {
        let terminal = invocation.terminal
        let isSandbox = invocation[AccountChoice.sandbox]
        if isSandbox, invocation.origin(of: Journal.file) == .commandLine {
            throw invocation.usageError("'--journal' has no use with '--sandbox', which ends with the command")
        }
        let account = try AccountChoice.open(
            invocation, observer: terminal.isVerbose ? TerminalObserver(terminal: terminal) : nil, orElse: fallback)
        let store: any PaymentStore = isSandbox ? InMemoryPaymentStore() : try Journal.open(invocation)
        let key =
            isSandbox ? SecretBytes(terminal.surroundings.randomBytes(32)) : try Journal.key(invocation)
        let service = PaymentService(
            gateway: account.gateway, store: store, authenticator: KeyedAuthenticator(key: key),
            sealer: try Journal.sealer(key), clock: account.runtime.clock, random: account.runtime.random,
            timeout: account.settings.timeout)
        return Opened(account: account, service: service, store: store)
    }

    static func call(_ invocation: Invocation) -> CallContext {
        CallContext(timeout: invocation[GlobalOptions.timeout])
    }

    /// A time that an option gives.
    static func time(_ invocation: Invocation, _ option: Option<String?>) throws -> WallTime? {
        guard let text = invocation[option] else { return nil }
        guard let time = WallTime(rfc3339: text) else {
            throw invocation.usageError("'\(option.spec.spelling)' takes a time such as 2026-05-01T00:00:00Z")
        }
        return time
    }

    /// The schema's name of the command that runs: `gatewayctl.pay-refund/1`.
    static func schema(_ invocation: Invocation) -> String {
        "gatewayctl." + invocation.parsed.names.joined(separator: "-") + "/1"
    }

    /// A new id for what the caller gave none for. Few digits in a row, so that no redactor takes it for a card number.
    static func newID(_ invocation: Invocation, _ prefix: String) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        return prefix + String(invocation.terminal.surroundings.randomBytes(20).map { alphabet[Int($0 & 31)] })
    }

    /// Runs a call that moves money and reports its end. Ctrl-C while bytes are under way waits for the answer, so that
    /// the journal has it; a second one ends at once.
    static func move(
        _ invocation: Invocation, _ opened: Opened, intent: String, key: String,
        _ work: () async throws(NothingMoved) -> PaymentOutcome
    ) async throws -> ExitCode {
        let report = PayReport(invocation: invocation, opened: opened, intent: intent, key: key)
        do throws(NothingMoved) {
            var outcome = try await work()
            if case .unknown(_, let cause) = outcome.result, cause.code == .cancelled {
                invocation.terminal.say(
                    "Interrupted while the request is under way: waiting for its answer. Ctrl-C again ends at once.")
                await opened.service.finish()
                outcome = try await opened.service.recorded(outcome.attempt.id)
            }
            return report.write(outcome)
        } catch {
            return report.write(error)
        }
    }

    /// Turns the library's errors into reports, for commands that move nothing.
    static func reading(
        _ invocation: Invocation, _ work: () async throws -> ExitCode
    ) async throws -> ExitCode {
        do {
            return try await work()
        } catch let error as GatewayError {
            return ResultReport.write(error, invocation.terminal, isRead: true)
        } catch let error as PaymentStoreError {
            throw Journal.failure(error)
        } catch let error as PaymentInputProblem {
            throw Failure(.badInput, "the request cannot be used: \(error.reason)", advice: ["Nothing was sent."])
        }
    }
}
