/// What may show of a value that stands under a secret name.
enum SecretValue {
    enum Verdict {
        /// Says nothing: absent, already masked, or words.
        case readable
        /// Empty or white space: shown as `[BLANK]`, so that "sent empty" can be told from "sent".
        case blank
        /// Masked, after a part that may show (the scheme of an `Authorization` header).
        case secret(visiblePrefix: Int)
    }

    static func verdict(on value: ArraySlice<UInt8>, _ field: SecretField) -> Verdict {
        guard value.contains(where: { $0 > 0x20 }) else { return .blank }
        if readable.contains(where: { value.elementsEqual($0) }) { return .readable }
        let digits = value.reduce(0) { (0x30...0x39).contains($1) ? $0 + 1 : $0 }
        switch field {
        case .accountNumber:
            if digits == 0 || digits == value.count && digits <= 4 || isMasked(value) { return .readable }
        case .code:
            if isMask(value) || digits == 0 && value.count > 8 && value.contains(0x20) { return .readable }
        case .shortCode:
            if value.count > 6 || isMask(value) { return .readable }
        case .header:
            if let space = value.firstIndex(of: 0x20), schemes.contains(value[..<space].map { $0 | 0x20 }) {
                return .secret(visiblePrefix: space + 1 - value.startIndex)
            }
        case .secret: break
        }
        return .secret(visiblePrefix: 0)
    }

    private static let readable = ["null", "nil", "true", "false", "None", "[FILTERED]", "[BLANK]"].map {
        Array($0.utf8)
    }
    private static let schemes: Set<[UInt8]> = Set(["basic", "bearer", "digest"].map { Array($0.utf8) })

    /// `XXX`, `***`.
    private static func isMask(_ value: ArraySlice<UInt8>) -> Bool {
        value.allSatisfy(isMaskByte)
    }

    /// `XXXX-XXXX-XXXX-1111`, `411111******1111`, `*3210`: at most six digits, a mask, at most four digits.
    private static func isMasked(_ value: ArraySlice<UInt8>) -> Bool {
        var leading = 0
        var masks = 0
        var trailing = 0
        for byte in value {
            switch byte {
            case 0x30...0x39: if masks == 0 { leading += 1 } else { trailing += 1 }
            case _ where isMaskByte(byte):
                if trailing > 0 { return false }
                masks += 1
            case 0x20, 0x2D: break
            default: return false
            }
        }
        return trailing <= 4 && (leading == 0 ? masks >= 1 : leading <= 6 && masks >= 4)
    }

    private static func isMaskByte(_ byte: UInt8) -> Bool {
        byte == 0x58 || byte == 0x78 || byte == 0x2A || byte == 0x23
    }
}
