import GatewayKitCore
import GatewayPayments

/// How the ends of calls that move money are written: always with intent, key and attempt, and with what to run next.
struct PayReport {
    let invocation: Invocation
    let opened: PayRun.Opened
    let intent: String
    let key: String

    private var terminal: Terminal { invocation.terminal }

    /// Writes an outcome and gives the exit code.
    func write(_ outcome: PaymentOutcome) -> ExitCode {
        var fields = head(outcome.result.outcomeName) + Self.fields(of: outcome.attempt)
        fields += [
            Field("Was there already", "joined", .bool(outcome.isJoined)),
            Field("In the journal", "recorded", .bool(outcome.isRecorded)),
        ]
        let code: ExitCode
        switch outcome.result {
        case .approved(let record):
            fields += Self.fields(of: record)
            fields += [
                Field("Partial", "partial", .bool(outcome.isPartial)),
                Field("Needs review", "needsReview", .bool(outcome.needsReview)),
            ]
            if outcome.isPartial { terminal.say("Less was approved than was asked for.", tone: .problem) }
            if outcome.needsReview { terminal.say("Somebody must review it before it counts.", tone: .problem) }
            code = .done
        case .pending(let action, let record):
            fields += Self.fields(of: record)
            fields.append(
                Field("Next action", "nextAction", action.map { .object(ResultReport.fields(of: $0)) } ?? .null))
            code = .actionNeeded
        case .declined(let decline, let record):
            fields += record.map { Self.fields(of: $0) } ?? []
            fields.append(Field("Decline", "decline", .object(ResultReport.fields(of: decline))))
            code = .providerSaidNo
        case .invalid(let issues):
            fields.append(Field("Fields", "fields", .list(issues.map { .object(ResultReport.fields(of: $0)) })))
            code = issues.allSatisfy { $0.origin == .local } ? .badInput : .providerSaidNo
        case .unknown(_, let cause):
            fields.append(Field("Cause", "cause", .object(ResultReport.fields(of: cause))))
            terminal.say(
                "The outcome is unknown: money may have moved. Do not pay again by other means.", tone: .problem)
            terminal.say(
                opened.account.sandbox == nil
                    ? "'gatewayctl pay reconcile' looks it up; what it cannot settle, a person can with 'pay resolve'."
                    : "With a lasting account 'gatewayctl pay reconcile' would look it up; this sandbox ends now.")
            code = .outcomeUnknown
        }
        if !outcome.isRecorded {
            terminal.say("The journal could not be written: the reconciler will find this again.", tone: .problem)
        }
        return emit(fields, next(outcome), code)
    }

    /// Writes that nothing moved and gives the exit code.
    func write(_ nothing: NothingMoved) -> ExitCode {
        terminal.say("gatewayctl: \(nothing.error.message)", tone: .problem)
        terminal.say("No money moved by this call. \(nothing.error.advice)")
        let fields =
            head("nothing-moved") + [
                Field("Why", "proof", .text(orNull: nothing.proof?.reason.description)),
                Field("Error", "error", .object(ResultReport.fields(of: nothing.error))),
            ]
        let code = ResultReport.exitCode(of: nothing.error)
        return emit(fields, ["gatewayctl pay show \(intent)"], code)
    }

    private func emit(_ fields: [Field], _ next: [String], _ code: ExitCode) -> ExitCode {
        terminal.emit(
            Report(
                schema: PayRun.schema(invocation),
                fields: fields + [Field("What to run next", "next", .list(next.map { .identifier($0) }))]))
        return code
    }

    private func head(_ result: String) -> [Field] {
        [
            Field("Result", "result", .text(result)),
            Field("Account", "account", .identifier(opened.account.settings.name.description)),
            Field("Provider", "provider", .identifier(opened.account.settings.provider.description)),
            Field("Intent", "intent", .identifier(intent)),
            Field("Key", "key", .identifier(key)),
        ]
    }

    /// Commands that make sense now. With the sandbox that ends with the command there is none.
    private func next(_ outcome: PaymentOutcome) -> [String] {
        guard opened.account.sandbox == nil else { return [] }
        return Self.next(outcome.attempt, isUnknown: outcome.result.outcomeName == "unknown")
    }

    static func next(_ attempt: PaymentAttempt, isUnknown: Bool) -> [String] {
        let id = attempt.parentID ?? attempt.id
        if isUnknown {
            return [
                "gatewayctl pay reconcile --account \(attempt.account)",
                "gatewayctl pay resolve \(attempt.id) --happened --by NAME --evidence TEXT",
                "gatewayctl pay resolve \(attempt.id) --did-not-happen --by NAME --evidence TEXT",
            ]
        }
        switch (attempt.state, attempt.kind) {
        case (.pending, .purchase), (.pending, .authorize), (.pending, .verify):
            return ["gatewayctl pay resume \(attempt.id)"]
        case (.pending, _): return ["gatewayctl pay reconcile --account \(attempt.account)"]
        case (.approved, .authorize): return ["gatewayctl pay capture \(id)", "gatewayctl pay void \(id)"]
        case (.approved, .purchase), (.approved, .capture): return ["gatewayctl pay refund \(id)"]
        default: return ["gatewayctl pay show \(attempt.intentID)"]
        }
    }

    static func fields(of attempt: PaymentAttempt) -> [Field] {
        [
            Field("Attempt", "attempt", .identifier(attempt.id.description)),
            Field("Payment", "payment", .identifier(orNull: attempt.parentID?.description)),
            Field("Kind", "kind", .text(attempt.kind.rawValue)),
            Field("State", "state", .text(attempt.state.rawValue)),
            Field("Amount", "amount", .text(attempt.amount.description)),
            Field("Approved amount", "approvedAmount", .text(orNull: attempt.confirmedAmount?.description)),
            Field("Transaction", "transaction", .identifier(orNull: attempt.providerID)),
            Field("Asked for by", "requestedBy", .text(orNull: attempt.requestedBy)),
            Field("Reason", "reason", .text(orNull: attempt.reason)),
            Field("Late approval", "lateApproval", attempt.isLateApproval ? .bool(true) : .null),
        ]
    }

    static func fields(of record: PaymentRecord) -> [Field] {
        [
            Field("State at the provider", "providerState", .identifier(orNull: record.providerState)),
            Field("Kind at the provider", "providerKind", .identifier(orNull: record.providerKind)),
            Field("Network transaction", "networkTransactionID", .identifier(orNull: record.networkTransactionID)),
            Field("Gateway's transaction", "gatewayTransactionID", .identifier(orNull: record.gatewayTransactionID)),
            Field("Address check", "avsCode", .identifier(orNull: record.avsCode)),
            Field("Security code check", "cvvCode", .identifier(orNull: record.cvvCode)),
            Field("Test data", "test", record.isTest.map { .bool($0) } ?? .null),
            Field("Request id", "requestID", .identifier(orNull: record.requestID)),
        ]
    }
}
