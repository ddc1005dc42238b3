import GatewayKitCore

/// The little language in which `card fields` is told what happens in a form, one step a line.
///
/// A line may hold a card number, so nothing of it is ever repeated, not even in a fault.
enum CardEdits {
    /// The steps, as help shows them.
    static let form: [(name: String, meaning: String)] = [
        ("FIELD insert TEXT", "TEXT is typed at the caret, or in place of what is selected."),
        ("FIELD paste TEXT", "TEXT is pasted there. Too much is shown and is invalid, where typing refuses it."),
        ("FIELD replace FROM TO TEXT", "What stands between two places is replaced; without TEXT it is deleted."),
        ("FIELD text TEXT", "The field shows this whole text now."),
        ("FIELD backspace [TIMES]", "What is selected, or the character before the caret, is deleted."),
        ("FIELD delete [TIMES]", "What is selected, or the character behind the caret, is deleted."),
        ("FIELD caret PLACE", "The caret moves behind that many characters of what the field shows."),
        ("FIELD select FROM TO", "A part is selected."),
        ("FIELD clear", "The field is emptied."),
        ("FIELD focus", "The field gets the focus; so it does by every edit."),
        ("FIELD blur", "The field is left."),
        ("check passed|refused|failed", "The check of the number ends, with --check."),
        ("submit", "The form is submitted: it tells what is wrong, or that it is ready."),
    ]

    /// One line, read.
    enum Step: Sendable {
        case edit(CardInputField, CardInputEdit, times: Int)
        case check(NumberCheck.Verdict)
        case submit

        /// What the line does, without any text of it.
        var name: String {
            switch self {
            case .edit(let field, .deleteBackward, _): "\(field) backspace"
            case .edit(let field, .deleteForward, _): "\(field) delete"
            case .edit(let field, let edit, _): "\(field) \(edit)"
            case .check: "check"
            case .submit: "submit"
            }
        }
    }

    /// A line that cannot be read.
    struct Fault: Error, Sendable {
        let message: SafeText
    }

    /// The step of a line; `nil` for an empty line and for a comment, which begins with `#`.
    static func read(_ line: Sensitive<String>) throws(Fault) -> Step? {
        try line.withExposed { (line) throws(Fault) in
            var rest = line[...]
            let first = word(&rest)
            if first.isEmpty || first.hasPrefix("#") { return nil }
            let verb = word(&rest)
            switch first {
            case "submit" where verb.isEmpty: return .submit
            case "check": return .check(try verdict(verb))
            default: break
            }
            guard let field = CardInputField(first == "cvc" ? "securityCode" : first) else {
                throw Fault(message: "it does not begin with a field, 'check' or 'submit'")
            }
            return try edit(verb, in: field, rest)
        }
    }

    private static func edit(
        _ verb: String, in field: CardInputField, _ text: Substring
    ) throws(Fault) -> Step {
        var rest = text
        let edit: CardInputEdit
        var times = 1
        switch verb {
        // Behind one space, everything belongs to the text, further spaces too.
        case "insert": edit = .insert(Sensitive(String(text)))
        case "paste": edit = .paste(Sensitive(String(text)))
        case "text": edit = .text(Sensitive(String(text)))
        case "replace":
            let range = try range(&rest)
            edit = .replace(range, Sensitive(String(rest)))
        case "backspace", "delete":
            edit = verb == "delete" ? .deleteForward : .deleteBackward
            if !rest.allSatisfy(\.isWhitespace) { times = try place(&rest, atLeast: 1) }
        case "caret":
            let place = try place(&rest)
            edit = .select(place..<place)
        case "select": edit = .select(try range(&rest))
        case "clear": edit = .clear
        case "focus": edit = .focus
        case "blur": edit = .blur
        default: throw Fault(message: "the word behind the field is no edit")
        }
        return .edit(field, edit, times: times)
    }

    private static func range(_ rest: inout Substring) throws(Fault) -> Range<Int> {
        let (from, to) = (try place(&rest), try place(&rest))
        guard from <= to else { throw Fault(message: "the second place lies before the first") }
        return from..<to
    }

    private static func place(_ rest: inout Substring, atLeast least: Int = 0) throws(Fault) -> Int {
        // Three digits are enough for any place, and too few for a card number.
        let word = word(&rest)
        guard word.utf8.count <= 3, let place = Int(word), place >= least else {
            throw Fault(message: "a place or a count is no whole number from \(count: least) to 999")
        }
        return place
    }

    private static func verdict(_ word: String) throws(Fault) -> NumberCheck.Verdict {
        switch word {
        case "passed": .passed
        case "refused": .refused(FieldIssue(.number, .notAccepted, message: "The check refused the card number."))
        case "failed": .failed
        default: throw Fault(message: "behind 'check' stands passed, refused or failed")
        }
    }

    /// Takes the next word and one space behind it.
    private static func word(_ rest: inout Substring) -> String {
        rest = rest.drop { $0 == " " }
        let word = rest.prefix { $0 != " " }
        rest = rest.dropFirst(word.count + 1)
        return String(word)
    }
}
