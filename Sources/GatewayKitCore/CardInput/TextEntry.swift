/// An additional field: one line of text, personal data.
struct TextEntry: Sendable {
    /// As much as any provider takes; it keeps what is held small.
    static let mostCharacters = 255
    static let mostBytes = 1_024

    let field: AdditionalField
    private var content = Sensitive("")
    /// Places in characters, within the text.
    private(set) var selection = 0..<0
    private(set) var state = CardInputState.blank

    init(_ field: AdditionalField) {
        self.field = field
    }

    var text: Sensitive<String> { content }

    /// A dot for each character that is no white space.
    var masked: String {
        content.withExposed { String($0.map { $0.isWhitespace ? " " : "•" }) }
    }

    /// Carries out an edit, or says why not.
    mutating func apply(_ edit: CardInputEdit) -> FieldIssue? {
        switch edit {
        case .insert(let text), .paste(let text):
            return text.withExposed { $0.isEmpty ? nil : replace(selection, with: $0) }
        case .replace(let range, let text):
            return text.withExposed { replace(clamped(range), with: $0) }
        case .text(let text):
            let difference = content.withExposed { old in text.withExposed { TextDifference(from: old, to: $0) } }
            return difference.flatMap { replace($0.range, with: $0.replacement) }
        case .deleteBackward:
            let before = max(0, selection.lowerBound - 1)..<selection.lowerBound
            return replace(selection.isEmpty ? before : selection, with: "")
        case .deleteForward:
            let behind = clamped(selection.lowerBound..<selection.lowerBound + 1)
            return replace(selection.isEmpty ? behind : selection, with: "")
        case .select(let range):
            selection = clamped(range)
        case .clear:
            self = TextEntry(field)
        case .focus, .blur:
            break
        }
        return nil
    }

    private func clamped(_ range: Range<Int>) -> Range<Int> {
        range.clamped(to: 0..<content.withExposed(\.count))
    }

    private mutating func replace(_ range: Range<Int>, with text: String) -> FieldIssue? {
        let characters = content.withExposed { Array($0) }
        let head = String(characters.prefix(range.lowerBound)) + Self.oneLine(text)
        let all = head + String(characters.dropFirst(range.upperBound))
        let isLonger = all.utf8.count > content.withExposed(\.utf8.count)
        if isLonger, all.utf8.count > Self.mostBytes || all.count > Self.mostCharacters {
            return FieldIssue(
                field.issueField, .tooLong,
                message: "The text is too long: at most \(count: Self.mostCharacters) characters are taken.")
        }
        content = Sensitive(all)
        state = judged
        // A combining character may have joined the one before it, so places are counted anew.
        var bytes = 0
        let caret = all.prefix { character in
            defer { bytes += character.utf8.count }
            return bytes < head.utf8.count
        }.count
        selection = caret..<caret
        return nil
    }

    /// Line breaks and tabs become spaces; other control characters are left out.
    private static func oneLine(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": line.unicodeScalars.append(" ")
            case _ where scalar.properties.generalCategory == .control: break
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    /// The text without white space around it; `nil` when nothing else is there.
    func value() -> String? {
        content.withExposed { text in
            let trimmed = text.drop(while: \.isWhitespace)
            guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return nil }
            return String(trimmed[...last])
        }
    }

    /// White space alone is blank. What is wrong for certain is told: a card number in a field that providers store and
    /// show, a country that does not exist, an e-mail address without its at sign.
    private var judged: CardInputState {
        guard let text = value() else { return .blank }
        if field != .phone, Self.mayHoldCardNumber(text) {
            return .invalid(
                FieldIssue(
                    field.issueField, .notAccepted,
                    message: "This looks like a card number: it belongs into the field for the number only."))
        }
        switch field {
        case .country:
            if text.count < 2 { return .incomplete }
            return Address(country: text).issues.first.map(CardInputState.invalid) ?? .complete
        case .email:
            return emailState(text)
        default:
            return .complete
        }
    }

    /// What is missing at the end, of a field that is neither blank nor complete.
    var issue: FieldIssue? {
        switch state {
        case .invalid(let issue): issue
        case .incomplete:
            field == .country
                ? Address(country: value()).issues.first
                : FieldIssue(field.issueField, .malformed, message: "The e-mail address is not complete.")
        case .blank, .complete: nil
        }
    }

    private func emailState(_ text: String) -> CardInputState {
        if text.contains(where: \.isWhitespace) {
            return .invalid(FieldIssue(.email, .malformed, message: "The e-mail address has a space in it."))
        }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count >= 2 && !parts.contains("") ? .complete : .incomplete
    }

    private static func mayHoldCardNumber(_ text: String) -> Bool {
        let plain = text.unicodeScalars.map { scalar in
            let digit =
                DigitText.decimalDigit(scalar) ?? (DigitText.isDash(scalar) || DigitText.isSpace(scalar) ? " " : scalar)
            return digit.isASCII ? UInt8(truncatingIfNeeded: digit.value) : UInt8(ascii: "?")
        }
        return !DigitWindows.hits(in: plain, cards: true, secrets: []).digits.isEmpty
    }
}
