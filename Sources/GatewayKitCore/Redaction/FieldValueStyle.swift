/// How a value without quotes ends, and whether prose may stand in its place.
enum FieldValueStyle {
    /// A JSON member.
    case member
    /// `name=value`.
    case form
    /// `name: value` among other words.
    case prose
    /// A header on its own line.
    case line
    /// A header inside a string or a list.
    case inlineHeader
    /// The body of a multipart part.
    case part

    func ends(at byte: UInt8, _ field: SecretField) -> Bool {
        switch byte {
        case 0x0A, 0x0D: return true
        case _ where self == .line || self == .part: return false
        case 0x22: return true
        case 0x27, 0x5C: return self == .inlineHeader || byte == 0x27 && !isOpenEnded(field)
        case 0x7D: return !(self == .form && isOpenEnded(field))
        case _ where self == .inlineHeader: return false
        case 0x26, 0x3C: return self != .member
        case 0x2C: return !(self == .form && isOpenEnded(field))
        case 0x29, 0x3B: return self != .member && !isOpenEnded(field)
        case 0x5D: return !isOpenEnded(field) || self == .member
        case 0x00...0x20:
            if case .header = field { return false }
            return true
        default: return false
        }
    }

    /// Passwords and keys may hold any punctuation.
    private func isOpenEnded(_ field: SecretField) -> Bool {
        switch field {
        case .secret, .header: true
        case .accountNumber, .code, .shortCode: false
        }
    }
}
