import Testing

@testable import GatewayKitCore

/// A form under test: edits in short words, and what it shows with the caret as a bar.
struct FormBench {
    var input: CardInput
    var now: WallTime
    var events: [CardInputEvent] = []

    init(_ form: CardInputForm = CardInputForm(), year: Int = 2030, month: Int = 6, day: Int = 15) throws {
        now = try #require(WallTime(year: year, month: month, day: day, hour: 12))
        input = CardInput(form, now: now)
    }

    mutating func edit(_ field: CardInputField, _ edits: CardInputEdit...) {
        for edit in edits { events += input.apply(edit, to: field, at: now) }
    }

    /// The text as it is drawn, `|` at the caret or `[` and `]` around what is selected.
    func shown(_ field: CardInputField) -> String {
        let text = Array(input.displayText(of: field).withExposed { $0 })
        let selection = input.selection(of: field)
        guard selection.upperBound <= text.count else { return "the caret is outside" }
        let parts = [
            text[..<selection.lowerBound], text[selection.lowerBound..<selection.upperBound],
            text[selection.upperBound...],
        ].map { String($0) }
        return selection.isEmpty ? parts[0] + "|" + parts[2] : "\(parts[0])[\(parts[1])]\(parts[2])"
    }

    /// The state, with the problem of an invalid field.
    func state(_ field: CardInputField) -> String {
        let state = input.state(of: field)
        return state.description + (state.issue.map { " \($0.problem)" } ?? "")
    }

    /// The problems that submitting tells of; `nil` when there are none.
    func problems() -> [String]? {
        guard case .invalid(let issues) = input.submit(at: now) else { return nil }
        return issues.map { "\($0.field) \($0.problem)" }
    }
}

extension CardInputEdit {
    static func type(_ text: String) -> CardInputEdit { .insert(Sensitive(text)) }
    static func paste(_ text: String) -> CardInputEdit { .paste(Sensitive(text)) }
    static func caret(_ place: Int) -> CardInputEdit { .select(place..<place) }
    static func put(_ range: Range<Int>, _ text: String) -> CardInputEdit { .replace(range, Sensitive(text)) }
    static func whole(_ text: String) -> CardInputEdit { .text(Sensitive(text)) }
}
