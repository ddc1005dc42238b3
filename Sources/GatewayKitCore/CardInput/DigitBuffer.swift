/// Digits that are being edited, how they are shown, and where the caret is.
struct DigitBuffer: Sendable {
    private var digits = Sensitive("")
    /// How many digits there are.
    private(set) var count = 0
    private(set) var layout = DigitLayout.plain
    /// Places in the shown text: within it, whatever was asked for.
    private(set) var selection = 0..<0

    /// Hands the digits to `body`, which must not let them reach anything that is shown.
    func withDigits<Result>(_ body: (String) -> Result) -> Result {
        digits.withExposed(body)
    }

    var guarded: Sensitive<String> { digits }
    var text: Sensitive<String> { digits.map(layout.text) }
    /// The shown text with a dot for each digit.
    var masked: String { layout.text(String(repeating: "•", count: count)) }

    mutating func select(_ range: Range<Int>) {
        selection = range.clamped(to: 0..<layout.width(count))
    }

    /// The digits that the selection covers, as a range of digits; empty at a caret and for mere separators.
    var selectedDigits: Range<Int> {
        layout.digits(before: selection.lowerBound, of: count)..<layout.digits(before: selection.upperBound, of: count)
    }

    /// The digits that backspace or delete take away, which do not stop at separators.
    func deletion(backward: Bool) -> Range<Int> {
        let selected = selectedDigits
        if !selected.isEmpty { return selected }
        let caret = selected.lowerBound
        return backward ? max(0, caret - 1)..<caret : caret..<min(count, caret + 1)
    }

    /// The digits before and behind a range of digits.
    func around(_ range: Range<Int>) -> (head: String, tail: String) {
        withDigits { (String($0.prefix(range.lowerBound)), String($0.dropFirst(range.upperBound))) }
    }

    /// Takes new digits, the caret right behind the digits of `head`.
    mutating func set(head: String, tail: String, layout: DigitLayout) {
        digits = Sensitive(head + tail)
        count = head.utf8.count + tail.utf8.count
        self.layout = layout
        let caret = layout.width(head.utf8.count)
        selection = caret..<caret
    }
}

/// A field for digits: how an edit reaches it. What is taken of a text is each field's own.
protocol DigitEntry: Sendable {
    var buffer: DigitBuffer { get set }

    /// How digits of this field are shown.
    func layout(_ digits: String) -> DigitLayout

    /// Takes a text in place of the digits of `range`, or says why not; then nothing has changed.
    mutating func take(
        _ text: String, at range: Range<Int>, isPasted: Bool, _ surroundings: EntrySurroundings
    ) -> FieldIssue?

    /// The digits to delete instead of `range`.
    func deletion(_ range: Range<Int>, backward: Bool) -> Range<Int>
}

/// What a field's rules depend on besides its own content.
struct EntrySurroundings: Sendable {
    let now: WallTime
    let brand: CardBrand?
}

extension DigitEntry {
    func deletion(_ range: Range<Int>, backward: Bool) -> Range<Int> { range }

    /// Carries out an edit, or says why not.
    mutating func apply(_ edit: CardInputEdit, _ surroundings: EntrySurroundings) -> FieldIssue? {
        switch edit {
        case .insert(let text):
            return take(text, isPasted: false, surroundings)
        case .paste(let text):
            return take(text, isPasted: true, surroundings)
        case .replace(let range, let text):
            let before = buffer
            buffer.select(range)
            if text.withExposed(\.isEmpty) {
                delete(backward: true)
                return nil
            }
            let issue = take(text, isPasted: text.withExposed { $0.count > 1 }, surroundings)
            if issue != nil { buffer = before }
            return issue
        case .text(let text):
            let difference = buffer.text.withExposed { old in text.withExposed { TextDifference(from: old, to: $0) } }
            guard let difference else { return nil }
            return apply(.replace(difference.range, Sensitive(difference.replacement)), surroundings)
        case .deleteBackward: delete(backward: true)
        case .deleteForward: delete(backward: false)
        case .select(let range): buffer.select(range)
        case .clear: buffer = DigitBuffer()
        case .focus, .blur: break
        }
        return nil
    }

    private mutating func take(
        _ text: Sensitive<String>, isPasted: Bool, _ surroundings: EntrySurroundings
    ) -> FieldIssue? {
        text.withExposed { take($0, at: buffer.selectedDigits, isPasted: isPasted, surroundings) }
    }

    private mutating func delete(backward: Bool) {
        let range = deletion(buffer.deletion(backward: backward), backward: backward)
        guard !range.isEmpty else { return }
        let (head, tail) = buffer.around(range)
        set(head: head, tail: tail)
    }

    mutating func set(head: String, tail: String) {
        buffer.set(head: head, tail: tail, layout: layout(head + tail))
    }
}
