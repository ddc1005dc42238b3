import GatewayKitCore

/// How results and errors of the library are written, and which exit code they mean.
enum ResultReport {
    /// Writes the result of a tokenization to stdout, says what to do next on stderr, and gives the exit code.
    static func write(
        _ result: TokenizationResult, _ settings: AccountSettings, _ terminal: Terminal,
        schema: String = "gatewayctl.tokenize/1"
    ) -> ExitCode {
        var fields = [
            Field("Result", "result", .text(result.outcomeName)),
            Field("Account", "account", .identifier(settings.name.description)),
            Field("Provider", "provider", .identifier(settings.provider.description)),
        ]
        let code: ExitCode
        switch result {
        case .token(let token):
            fields += self.fields(of: token)
            code = .done
        case .invalid(let issues):
            fields.append(Field("Fields", "fields", .list(issues.map { .object(self.fields(of: $0)) })))
            code = issues.allSatisfy { $0.origin == .local } ? .badInput : .providerSaidNo
            terminal.say(
                code == .badInput
                    ? "Nothing was sent: correct the fields named. '--no-local-checks' lets the provider judge instead."
                    : "The provider refused the fields named; nothing was stored.")
        case .declined(let decline):
            fields += self.fields(of: decline)
            code = .providerSaidNo
        case .actionRequired(let action):
            fields.append(Field("Next action", "nextAction", .object(self.fields(of: action))))
            code = .actionNeeded
        case .sessionUnusable(let status):
            fields += [
                Field("Session phase", "phase", .text(status.phase.description)),
                Field("Provider's word", "providerWord", .text(orNull: status.providerWord)),
            ]
            terminal.say("Open another session.")
            code = .providerSaidNo
        case .unknown(let reference, let cause):
            fields += [
                Field("Session", "session", .identifier(reference.id)),
                Field("Cause", "cause", .object(self.fields(of: cause))),
            ]
            terminal.say("The outcome is unknown: \(cause.advice)", tone: .problem)
            code = .outcomeUnknown
        }
        terminal.emit(Report(schema: schema, fields: fields))
        return code
    }

    /// Writes an error of the library and gives the exit code.
    static func write(_ error: GatewayError, _ terminal: Terminal, isRead: Bool = false) -> ExitCode {
        let code = exitCode(of: error, isRead: isRead)
        terminal.say("gatewayctl: \(error.message)", tone: .problem)
        if let answer = error.answer { terminal.say("Answer: \(answer)") }
        terminal.say(error.advice.description)
        if terminal.output == .json, !terminal.hasEmitted {
            terminal.emit(
                Report(
                    schema: "gatewayctl.error/1",
                    fields: [
                        Field("Code", "code", .text(code.name)),
                        Field("Exit code", "exitCode", .number(Int(code.rawValue))),
                        Field("Message", "message", .text(error.message)),
                        Field("Error", "error", .object(fields(of: error))),
                    ]))
        }
        return code
    }

    /// The exit code of an error, by its kind. A question that was not answered leaves no outcome unknown, and neither
    /// does a call that throws only where nothing was done (`isRead`).
    static func exitCode(of error: GatewayError, isRead: Bool = false) -> ExitCode {
        switch error.code {
        case .configuration, .refusedHost, .notSupported: .configuration
        case .invalidInput: .badInput
        case .cancelled: .interrupted
        case .credentialsRefused, .notPermitted: .credentialsRefused
        case .requestRefused, .notFound: .providerSaidNo
        case .dryRun: .done
        default: error.reach == .sent && !isRead ? .outcomeUnknown : .noAnswer
        }
    }

    static func fields(of decline: Decline) -> [Field] {
        [
            Field("Reason", "reason", .text(decline.reason.description)),
            Field("Provider's code", "providerCode", .identifier(orNull: decline.providerCode)),
            Field("Message", "message", .text(decline.message)),
            Field("Request id", "requestID", .identifier(orNull: decline.requestID)),
        ]
    }

    static func fields(of token: PaymentToken) -> [Field] {
        [
            Field("Token", "token", .identifier(token.id)),
            Field("Usage", "usage", .text(token.usage.rawValue)),
            Field("Made of", "origin", .identifier(orNull: token.origin?.description)),
            Field("State at the provider", "providerState", .identifier(orNull: token.providerState)),
            Field("Expires", "expiresAt", .identifier(orNull: token.expiresAt?.rfc3339)),
            Field("Kind at the provider", "providerKind", .identifier(orNull: token.providerKind)),
            Field("Card", "card", token.card.map { .object(fields(of: $0)) } ?? .null),
            Field("Bank account", "bankAccount", token.bankAccount.map { .object(fields(of: $0)) } ?? .null),
            Field("Test data", "test", token.isTest.map { .bool($0) } ?? .null),
            Field("Fingerprint", "fingerprint", .identifier(orNull: token.fingerprint)),
            Field("Transaction", "transaction", .identifier(orNull: token.transactionID)),
            Field("Request id", "requestID", .identifier(orNull: token.requestID)),
        ]
    }

    static func fields(of card: CardSummary) -> [Field] {
        [
            Field("Brand", "brand", .identifier(orNull: card.brand?.id)),
            Field("First six", "firstSix", .identifier(orNull: card.firstSix)),
            Field("Last four", "lastFour", .identifier(orNull: card.lastFour)),
            Field("Expiry", "expiry", .identifier(orNull: card.expiry?.description)),
            Field("Issued in", "issuingCountry", .identifier(orNull: card.issuingCountry)),
        ]
    }

    static func fields(of issue: FieldIssue) -> [Field] {
        [
            Field("Field", "field", .identifier(issue.field.description)),
            Field("Problem", "problem", .identifier(issue.problem.description)),
            Field("Found by", "origin", .identifier(issue.origin.rawValue)),
            Field("Provider's field", "providerField", .identifier(orNull: issue.providerField)),
            Field("Provider's code", "providerCode", .identifier(orNull: issue.providerCode)),
            Field("Message", "message", .text(issue.message)),
        ]
    }

    static func fields(of action: NextAction) -> [Field] {
        switch action {
        case .redirect(let method, let url, let form):
            [
                Field("Kind", "kind", .text("redirect")),
                Field("Method", "method", .text(method.rawValue)),
                // The product of the command that shows it: masked it would lead nowhere.
                Field("Address", "url", .identifier(url)),
                Field(
                    "Form", "fields",
                    .list(
                        form.map {
                            .object([Field("Name", "name", .text($0.name)), Field("Value", "value", .text($0.value))])
                        })),
            ]
        case .html(let page):
            [Field("Kind", "kind", .text("html")), Field("Page", "html", .text(page))]
        }
    }

    static func fields(of error: GatewayError) -> [Field] {
        [
            Field("Kind", "kind", .identifier(error.code.description)),
            Field("What happened", "message", .text(error.message)),
            Field("What to do", "advice", .text(error.advice)),
            Field("Reach", "reach", .identifier(error.reach.rawValue)),
            Field("Operation", "operation", .identifier(orNull: error.operation?.description)),
            Field("Tries", "tries", .number(error.tries)),
            Field("HTTP status", "status", error.answer.map { .number($0.status) } ?? .null),
            Field("Content type", "contentType", .text(orNull: error.answer?.mediaType)),
            Field("Request id", "requestID", .identifier(orNull: error.answer?.requestID)),
            Field("Provider's code", "providerCode", .identifier(orNull: error.answer?.providerCode)),
            Field("Provider's message", "providerMessage", .text(orNull: error.answer?.providerMessage?.description)),
            Field(
                "Retry after", "retryAfterSeconds",
                error.answer?.retryAfter.map { .number(Int($0.components.seconds)) } ?? .null),
        ]
    }
}
