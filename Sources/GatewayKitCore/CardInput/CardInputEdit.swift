/// Something that a person, or the program for them, does in a field of a form for a card.
///
/// Places are offsets into what the field shows (``CardInput/displayText(of:)``), separators included, counted in
/// characters. In the fields for digits every character is ASCII, so offsets in UTF-16 or bytes are the same. An offset
/// outside the text counts as its nearest end.
public enum CardInputEdit: Sendable {
    /// Text is typed in place of the selection, or at the caret. Digits beyond the longest that the field takes are
    /// refused.
    case insert(Sensitive<String>)
    /// Text is pasted, or filled in by the system. It is taken as it is: too many digits are shown and make the field
    /// invalid, because a person must see what is wrong with what they pasted. Only what can be no such text at all is
    /// refused.
    case paste(Sensitive<String>)
    /// The text between two places is replaced, as toolkits report it that tell a range; empty text deletes. More than
    /// one character counts as pasted.
    case replace(Range<Int>, Sensitive<String>)
    /// The field shows this whole text now, as toolkits report it that tell nothing else. What changed is found by
    /// comparing.
    case text(Sensitive<String>)
    /// Backspace: deletes the selection, or the character before the caret, passing over separators.
    case deleteBackward
    /// Deletes the selection, or the character behind the caret, passing over separators.
    case deleteForward
    /// The caret moves (an empty range), or a part is selected.
    case select(Range<Int>)
    /// Everything in the field is deleted.
    case clear
    /// The field gets the focus; the field that had it loses it. A collapsed number is shown whole again.
    case focus
    /// The field loses the focus. A complete number collapses to its last four digits.
    case blur
}

extension CardInputEdit: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of edit: no text and no place.
    public var description: String {
        switch self {
        case .insert: "insert"
        case .paste: "paste"
        case .replace: "replace"
        case .text: "text"
        case .deleteBackward: "deleteBackward"
        case .deleteForward: "deleteForward"
        case .select: "select"
        case .clear: "clear"
        case .focus: "focus"
        case .blur: "blur"
        }
    }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the kind only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// What changes when a field that shows `old` shows `new` instead: the text that two equal ends leave over.
struct TextDifference {
    /// Offsets in characters of the old text.
    let range: Range<Int>
    let replacement: String

    /// `nil` when nothing changes.
    init?(from old: String, to new: String) {
        let (old, new) = (Array(old), Array(new))
        guard old != new else { return nil }
        let shorter = min(old.count, new.count)
        let head = zip(old, new).prefix { $0 == $1 }.count
        let tail = zip(old.reversed(), new.reversed()).prefix(shorter - head).prefix { $0 == $1 }.count
        range = head..<old.count - tail
        replacement = String(new[head..<new.count - tail])
    }
}
