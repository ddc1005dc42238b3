import GatewayKitCore

/// How the state of a session is written, and which exit code it means.
enum SessionReport {
    static func fields(of settings: AccountSettings) -> [Field] {
        [
            Field("Account", "account", .identifier(settings.name.description)),
            Field("Provider", "provider", .identifier(settings.provider.description)),
        ]
    }

    static func fields(of status: SessionStatus) -> [Field] {
        [
            Field("Phase", "phase", .text(status.phase.description)),
            Field("Provider's word", "providerWord", .text(orNull: status.providerWord)),
            Field("Token", "token", status.token.map { .object(ResultReport.fields(of: $0)) } ?? .null),
            Field("Decline", "decline", status.decline.map { .object(ResultReport.fields(of: $0)) } ?? .null),
            Field("Payment", "payment", status.payment.map { .object(fields(of: $0)) } ?? .null),
            Field("Request id", "requestID", .identifier(orNull: status.requestID)),
        ]
    }

    private static func fields(of payment: PaymentRecord) -> [Field] {
        [
            Field("Payment", "id", .identifier(payment.id)),
            Field("Kind", "kind", .text(payment.kind.description)),
            Field("State", "state", .text(payment.state.description)),
            Field("Provider's word", "providerState", .text(orNull: payment.providerState)),
            Field("Amount", "amount", .text(orNull: payment.amount?.description)),
            Field("Decline", "decline", payment.decline.map { .object(ResultReport.fields(of: $0)) } ?? .null),
        ]
    }

    /// What is still open is neither success nor failure.
    static func exitCode(of phase: SessionStatus.Phase) -> ExitCode {
        switch phase {
        case .succeeded: .done
        case .failed, .expired: .providerSaidNo
        case .open: .actionNeeded
        default: .outcomeUnknown
        }
    }

    /// What an end means: the state that is known, or else why there is none.
    static func exitCode(of end: SessionEnd) -> ExitCode {
        let failure = end.failure.map { ResultReport.exitCode(of: $0, isRead: true) }
        switch end.reason {
        case .cancelled: return .interrupted
        case .permanentFailure: return failure ?? .noAnswer
        case .finished, .deadline, .tooManyFailures:
            return end.status.map { exitCode(of: $0.phase) } ?? failure ?? .noAnswer
        }
    }
}

/// Watches a session for a person or a program: a line for each change, and the end.
struct SessionWatch {
    let settings: AccountSettings
    let terminal: Terminal
    var schema = "gatewayctl.session-watch/1"

    /// Writes the updates as they come, and gives the exit code of the end.
    func run(_ updates: SessionUpdates) async -> ExitCode {
        for await update in updates {
            switch update {
            case .status(let status, isChange: true):
                let word = status.providerWord.map { "  (the provider says: \($0))" } ?? ""
                terminal.emitLine(
                    report("status", SessionReport.fields(of: status)),
                    text: "\(terminal.now.rfc3339)  \(status.phase)\(word)")
            case .status: terminal.detail("No change.")
            case .pollFailed(let error): tell(error)
            case .ended(let end): return tell(end)
            }
        }
        return .interrupted
    }

    private func tell(_ error: GatewayError) {
        terminal.say("A question failed: \(error.message)", tone: .problem)
        guard terminal.output == .json else { return }
        terminal.emitLine(
            report("failed", [Field("Error", "error", .object(ResultReport.fields(of: error)))]), text: "")
    }

    private func tell(_ end: SessionEnd) -> ExitCode {
        let code = SessionReport.exitCode(of: end)
        let fields =
            [
                Field("Ended", "reason", .text(end.reason.rawValue)), Field("Questions", "polls", .number(end.polls)),
                Field("Exit code", "exitCode", .number(Int(code.rawValue))),
            ] + (end.status.map(SessionReport.fields(of:)) ?? [])
        if terminal.output == .json {
            terminal.emitLine(report("end", fields), text: "")
        } else {
            terminal.emit(Report(schema: schema, fields: SessionReport.fields(of: settings) + fields))
        }
        if let advice = advice(end) { terminal.say(advice, tone: code == .done ? .plain : .problem) }
        return code
    }

    private func advice(_ end: SessionEnd) -> String? {
        switch end.reason {
        case .finished: end.status?.phase == .succeeded ? nil : "Nothing more will come of it: open another session."
        case .deadline: "The session has not ended yet, and may still succeed: watch it again, or ask it later."
        case .cancelled: "Interrupted: the session goes on without being watched."
        case .permanentFailure, .tooManyFailures: end.failure?.advice.description
        }
    }

    private func report(_ event: String, _ fields: [Field]) -> Report {
        Report(
            schema: schema,
            fields: [
                Field("Event", "event", .text(event)), Field("At", "at", .identifier(terminal.now.rfc3339)),
            ] + SessionReport.fields(of: settings) + fields)
    }
}
