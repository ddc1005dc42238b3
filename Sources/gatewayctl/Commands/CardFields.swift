import GatewayKitCore

extension Root {
    private static let names = AdditionalField.all.map(\.description)
    private static let additional = Option.list(
        "field", "NAME", reading: .oneOf(names), help: "The form has this field too.")
    private static let required = Option.list(
        "require", "NAME", reading: .oneOf(names), help: "The form has this field too, and it must be filled in.")
    private static let checks = Option.flag(
        "check", help: "A number is checked when it is complete; the line 'check passed' ends the check.")

    /// `card fields`.
    static let cardFields = Command(
        "fields",
        summary: "Drive the fields of a form for a card, edit by edit",
        discussion: """
            Reads edits from stdin, one a line, and shows the state of every field after each, as a user interface \
            that is bound to CardInput would: blank, incomplete, complete or invalid. Nothing is sent. No digit is \
            printed but the last four of a number that has been left. 'gatewayctl help card-edits' lists the edits.
            """,
        examples: [
            .init("gatewayctl card fields < edits.txt", "The edits of a file:"),
            .init("gatewayctl card fields --field name --require email -o json < edits.txt", "With further fields:"),
            .init("gatewayctl card fields", "Type edits at the terminal; they are not shown:"),
        ],
        options: [additional, required, checks]
    ) { invocation in
        let extra = (invocation[additional] + invocation[required]).compactMap(AdditionalField.init)
        let form = CardInputForm(
            additional: extra, required: Set(invocation[required].compactMap(AdditionalField.init)),
            checksNumber: invocation[checks])
        var session = CardFieldsSession(form, invocation.terminal)
        try session.run()
        return session.report()
    }
}

/// A form that lines of edits are applied to, and what is told of each.
private struct CardFieldsSession {
    private let terminal: Terminal
    private var input: CardInput
    private var pending: NumberCheck.ID?
    private var steps: [OutputValue] = []
    private var submission: CardSubmission?

    init(_ form: CardInputForm, _ terminal: Terminal) {
        self.terminal = terminal
        input = CardInput(form, now: terminal.now)
    }

    /// Reads every line. At a terminal, a line that cannot be read is told and passed over.
    mutating func run() throws {
        guard terminal.isInputTerminal else {
            let bytes = try terminal.readInput(awaiting: "edits, one a line")
            let lines = bytes.withExposed {
                $0.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
            }
            for (index, line) in lines.enumerated() {
                do throws(CardEdits.Fault) {
                    try take(Sensitive(String(decoding: line, as: UTF8.self)), number: index + 1)
                } catch {
                    throw Failure(
                        .badInput, "line \(count: index + 1) of the edits cannot be read: \(error.message)",
                        advice: ["'gatewayctl help card-edits' lists the edits."])
                }
            }
            return
        }
        terminal.say("Type edits, one a line. End with Ctrl-D on a line of its own.")
        var number = 0
        try terminal.readHiddenLines("Edit") { line in
            number += 1
            do throws(CardEdits.Fault) {
                if let shown = try take(line, number: number) { terminal.say(shown) }
            } catch {
                terminal.say("This cannot be read: \(error.message). 'gatewayctl help card-edits' lists the edits.")
            }
        }
    }

    /// Carries out one line and gives what is told of it at a terminal.
    @discardableResult
    private mutating func take(_ line: Sensitive<String>, number: Int) throws(CardEdits.Fault) -> String? {
        let withoutReturn = line.map { $0.hasSuffix("\r") ? String($0.dropLast()) : $0 }
        guard let step = try CardEdits.read(withoutReturn) else { return nil }
        var events: [CardInputEvent] = []
        var shown: String?
        switch step {
        case .edit(let field, let edit, let times):
            events = apply(edit, to: field, times: times)
            shown = Self.shown(input, field)
        case .check(let verdict):
            guard let pending else {
                throw CardEdits.Fault(message: "no number has been complete, or '--check' is absent")
            }
            events = input.finish(pending, with: verdict, at: terminal.now)
        case .submit:
            submission = input.submit(at: terminal.now)
            if case .ready(let entered) = submission { terminal.protect([entered.card.number.sensitive]) }
        }
        for case .willCheck(let check) in events { pending = check.id }
        return note(number, step, shown, events)
    }

    /// A person goes to a field before they type into it.
    private mutating func apply(_ edit: CardInputEdit, to field: CardInputField, times: Int) -> [CardInputEvent] {
        var events: [CardInputEvent] = []
        if case .blur = edit {
        } else if input.focus != field {
            events += input.apply(.focus, to: field, at: terminal.now)
        }
        for _ in 0..<times { events += input.apply(edit, to: field, at: terminal.now) }
        return events
    }

    private mutating func note(
        _ number: Int, _ step: CardEdits.Step, _ shown: String?, _ events: [CardInputEvent]
    ) -> String {
        let states = input.form.fields.map { (name: $0.description, state: input.state(of: $0).description) }
        let told = events.map(Self.words) + (step.isSubmit ? [outcome] : [])
        steps.append(
            .object(
                [Field("Line", "line", .number(number)), Field("Edit", "edit", .identifier(step.name))]
                    + states.map { Field($0.name, $0.name, .identifier($0.state)) } + [
                        Field("Brand", "brand", .identifier(orNull: input.brand?.id)),
                        Field("Last four", "lastFour", .identifier(orNull: input.lastFour)),
                        Field("Shows", "shows", .identifier(orNull: shown)),
                        Field("Events", "events", .list(told.map { .identifier($0) })),
                    ]))
        return ([shown].compactMap { $0 } + states.map { "\($0.name) \($0.state)" } + told).joined(separator: "; ")
    }

    private var outcome: String {
        switch submission {
        case .ready: "ready"
        case .invalid(let issues): "invalid: " + issues.map { "\($0.field) \($0.problem)" }.joined(separator: ", ")
        case nil: "not submitted"
        }
    }

    /// Emits everything, and gives the exit code: bad input if the form was submitted and something is wrong.
    func report() -> ExitCode {
        var fields = [Field("Steps", "steps", .list(steps))]
        var code = ExitCode.done
        switch submission {
        case .ready(let entered):
            fields += [
                Field("Result", "result", .text("ready")),
                Field(
                    "Card", "card",
                    .object([
                        Field("Brand", "brand", .identifier(orNull: entered.card.number.brand?.id)),
                        Field("Last four", "lastFour", .identifier(entered.card.number.lastFour)),
                    ])),
            ]
        case .invalid(let issues):
            fields += [
                Field("Result", "result", .text("invalid")),
                Field("Issues", "issues", .list(issues.map { .object(ResultReport.fields(of: $0)) })),
            ]
            code = .badInput
        case nil:
            fields.append(Field("Result", "result", .text("not submitted")))
        }
        terminal.emit(Report(schema: "gatewayctl.card-fields/1", fields: fields))
        return code
    }

    /// What the field shows, with dots for what must not be printed and the caret as a bar.
    private static func shown(_ input: CardInput, _ field: CardInputField) -> String {
        let (text, selection) = (Array(input.maskedText(of: field)), input.selection(of: field))
        let (head, tail) = (text.prefix(selection.lowerBound), text.dropFirst(selection.upperBound))
        let selected = text.prefix(selection.upperBound).dropFirst(selection.lowerBound)
        return String(head) + (selected.isEmpty ? "|" : "[" + String(selected) + "]") + String(tail)
    }

    private static func words(_ event: CardInputEvent) -> String {
        switch event {
        case .refused(let field, let issue): "refused \(field): \(issue.problem)"
        case .brandChanged(let brand): "brand \(brand?.id ?? "unknown")"
        case .stateChanged(let field, let state):
            "\(field) \(state)" + (state.issue.map { " (\($0.field) \($0.problem))" } ?? "")
        case .willCheck: "will check"
        case .didCheck(_, let passed): passed ? "did check: passed" : "did check: refused"
        case .checkFailed: "check failed"
        }
    }
}

extension CardEdits.Step {
    fileprivate var isSubmit: Bool {
        if case .submit = self { true } else { false }
    }
}
