/// Finds values that are secret because of the name they stand under.
///
/// It knows no grammar as a whole, because what it reads is often cut off, nested in other formats or wrong: it looks
/// for the names and reads what follows as JSON, form, query, XML, multipart, header line, or `name: value` of a log.
struct FieldScanner {
    /// What to do with ranges of the text.
    struct Hits {
        /// Shown as `[FILTERED]`.
        var filtered: [Range<Int>] = []
        /// Blank values: shown as `[BLANK]`.
        var blank: [Range<Int>] = []
        /// Where a value begins that is not finished where the text ends.
        var open: Int?
        /// Where quoted and bracketed values begin, whose end is sure.
        var delimited: Set<Int> = []
    }

    private let text: [UInt8]
    private var hits = Hits()
    /// Elements whose end tag was sought in vain are not sought again, which keeps hostile input linear.
    private var endTagsMissing = 0

    static func hits(in text: [UInt8]) -> Hits {
        var scanner = FieldScanner(text)
        scanner.scan()
        return scanner.hits
    }

    private init(_ text: [UInt8]) { self.text = text }

    private mutating func scan() {
        let text = text
        var index = 0
        while index < text.count {
            let byte = text[index]
            if Self.isNameByte(byte) {
                let start = index
                while index < text.count, Self.isNameByte(text[index]) { index += 1 }
                if let field = SecretField.named(text, start..<index) {
                    index = max(index, value(of: field, name: start..<index))
                }
            } else if byte == 0x3A, at(index + 1) == 0x2F, at(index + 2) == 0x2F {
                userInfo(from: index + 3)
                index += 3
            } else {
                index += 1
            }
        }
    }

    /// `https://user:password@host`.
    private mutating func userInfo(from start: Int) {
        var index = start
        while index < text.count, index - start < 512 {
            switch text[index] {
            case 0x40:
                if index > start { hits.filtered.append(start..<index) }
                return
            case 0x00...0x20, 0x22, 0x27, 0x2F, 0x3C, 0x3E, 0x3F, 0x5C: return
            default: index += 1
            }
        }
    }

    /// Masks the value that follows `name`, if one does; answers where to go on.
    private mutating func value(of field: SecretField, name: Range<Int>) -> Int {
        if isElementName(name) { return elementValue(field, name) }
        var index = name.upperBound
        var isQuoted = false
        while let byte = at(index), byte == 0x22 || byte == 0x27 || byte == 0x5D, index < name.upperBound + 3 {
            if byte != 0x5D { isQuoted = true }
            index += 1
        }
        let afterQuote = index
        skipSpace(&index, lines: isQuoted)
        switch at(index) {
        case 0x3A:
            index += 1
            if at(index) == 0x3D { index += 1 }
            skipSpace(&index, lines: isQuoted)
            return assigned(field, from: index, style: isQuoted ? .member : lineStyle(field, name))
        case 0x3D:
            while let byte = at(index), byte == 0x3D || byte == 0x3E { index += 1 }
            skipSpace(&index, lines: false)
            return assigned(field, from: index, style: .form)
        default:
            guard isQuoted else { return name.upperBound }
            if let start = pairedValue(after: afterQuote) { return assigned(field, from: start, style: .member) }
            if let start = multipartValue(name, after: afterQuote) { return assigned(field, from: start, style: .part) }
            return name.upperBound
        }
    }

    private func lineStyle(_ field: SecretField, _ name: Range<Int>) -> FieldValueStyle {
        guard case .header = field else { return .prose }
        var index = name.lowerBound - 1
        while let byte = at(index), [0x20, 0x3C, 0x3E, 0x2A].contains(byte) { index -= 1 }
        return index < 0 || at(index) == 0x0A || at(index) == 0x0D ? .line : .inlineHeader
    }

    /// Judges the value that begins at `start`; answers where to go on.
    private mutating func assigned(_ field: SecretField, from start: Int, style: FieldValueStyle) -> Int {
        var start = start
        for wrapper in Self.wrappers where text[min(start, text.count)...].starts(with: wrapper) {
            start += wrapper.count
        }
        switch at(start) {
        case 0x22 where style != .line, 0x27 where style != .line:
            if at(start) == 0x22 { hits.delimited.insert(start + 1) }
            let end = endOfString(from: start)
            judge(start + 1..<end, field, isDelimited: true)
            return min(end + 1, text.count)
        case 0x7B where style == .member || style == .form, 0x5B where style == .member || style == .form:
            return structure(field, from: start)
        default:
            var end = start
            while let byte = at(end), !style.ends(at: byte, field) { end += 1 }
            if end == text.count { note(open: start) }
            if style == .prose, !hasDigit(start..<end) {
                switch field {
                case .accountNumber, .code, .shortCode: return start
                case .secret, .header: break
                }
            }
            judge(start..<end, field, isDelimited: style != .prose && style != .member)
            return end
        }
    }

    private static let wrappers = [Array("Optional(".utf8), Array("Some(".utf8)]

    /// An object or array under a secret name.
    private mutating func structure(_ field: SecretField, from start: Int) -> Int {
        var depth = 0
        var index = start
        var isWholeSecret = false
        if case .secret = field { isWholeSecret = true }
        // Below a card number's name stand lists of numbers at most; objects have names of their own.
        if !isWholeSecret, at(start) == 0x7B { return start + 1 }
        while let byte = at(index), isWholeSecret || index - start < 4096 {
            switch byte {
            case 0x22:
                let end = endOfString(from: index)
                if !isWholeSecret, hasDigit(index..<end) { judge(index + 1..<end, field, isDelimited: true) }
                index = min(end, text.count - 1)
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D: depth -= 1
            case 0x30...0x39 where !isWholeSecret:
                let first = index
                while let digit = at(index + 1), !FieldValueStyle.member.ends(at: digit, field) { index += 1 }
                judge(first..<index + 1, field, isDelimited: false)
            default: break
            }
            index += 1
            if depth == 0 { break }
        }
        if index >= text.count, depth > 0 { note(open: start) }
        if isWholeSecret {
            hits.delimited.insert(start)
            hits.filtered.append(start..<min(index, text.count))
        }
        return index
    }

    /// `<name …>value</name>`.
    private mutating func elementValue(_ field: SecretField, _ name: Range<Int>) -> Int {
        var index = name.upperBound
        while let byte = at(index), byte != 0x3E {
            if byte == 0x3C || index - name.upperBound > 1024 { return name.upperBound }
            index += 1
        }
        guard index < text.count, text[index - 1] != 0x2F else { return name.upperBound }
        let start = index + 1
        if text[min(start, text.count)...].starts(with: Self.cdata) {
            let content = start + Self.cdata.count
            let end = text[content...].firstIndex(of: 0x5D) ?? text.count
            if end == text.count { note(open: start) }
            judge(content..<end, field, isDelimited: true)
            return end
        }
        var end = start
        while let byte = at(end), byte != 0x3C { end += 1 }
        if end == text.count { note(open: start) }
        if case .secret = field, at(end) == 0x3C, at(end + 1) != 0x2F, let close = endTag(of: name, from: end) {
            end = close
        }
        judge(start..<end, field, isDelimited: end < text.count)
        return end
    }

    private static let cdata = Array("<![CDATA[".utf8)

    /// Where `</name` begins; the end of the text when the element is not closed.
    private mutating func endTag(of name: Range<Int>, from start: Int) -> Int? {
        guard endTagsMissing < 4 else { return nil }
        var index = start
        while index + 1 < text.count {
            if text[index] == 0x3C, text[index + 1] == 0x2F {
                var after = index + 2
                while let byte = at(after), Self.isNameByte(byte) || byte == 0x3A { after += 1 }
                let length = name.count
                if after - length >= index + 2, text[after - length..<after].elementsEqual(text[name]) { return index }
                index = after
            } else {
                index += 1
            }
        }
        endTagsMissing += 1
        note(open: start)
        return text.count
    }

    private func isElementName(_ name: Range<Int>) -> Bool {
        var index = name.lowerBound - 1
        if at(index) == 0x3A {
            index -= 1
            while let byte = at(index), Self.isNameByte(byte), name.lowerBound - index < 32 { index -= 1 }
        }
        guard at(index) == 0x3C, let next = at(name.upperBound) else { return false }
        return next == 0x3E || next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D
    }

    /// `"name":"cvv","value":"…"` and `name="cvv" value="…"`.
    private func pairedValue(after quote: Int) -> Int? {
        var index = quote
        skipSpace(&index, lines: true)
        if at(index) == 0x2C { index += 1 }
        skipSpace(&index, lines: true)
        if at(index) == 0x22 || at(index) == 0x27 { index += 1 }
        guard text[min(index, text.count)...].starts(with: Self.valueName) else { return nil }
        index += Self.valueName.count
        if at(index) == 0x22 || at(index) == 0x27 { index += 1 }
        skipSpace(&index, lines: true)
        guard at(index) == 0x3A || at(index) == 0x3D else { return nil }
        index += 1
        skipSpace(&index, lines: true)
        return index
    }

    private static let valueName = Array("value".utf8)
    private static let nameParameter = Array("name=".utf8)

    /// `Content-Disposition: form-data; name="cvv"`, an empty line, the value.
    private func multipartValue(_ name: Range<Int>, after quote: Int) -> Int? {
        let opening = name.lowerBound - 1
        guard opening >= 5, text[opening - 5..<opening].elementsEqual(Self.nameParameter) else { return nil }
        var index = quote
        var breaks = 0
        while let byte = at(index), index - quote < 512 {
            index += 1
            if byte == 0x0A { breaks += 1 } else if byte != 0x0D { breaks = 0 }
            if breaks == 2 { return index }
        }
        return nil
    }

    private mutating func judge(_ range: Range<Int>, _ field: SecretField, isDelimited: Bool) {
        switch SecretValue.verdict(on: text[range], field) {
        case .readable: break
        case .blank: if isDelimited { hits.blank.append(range) }
        case .secret(let visiblePrefix): hits.filtered.append(range.lowerBound + visiblePrefix..<range.upperBound)
        }
    }

    /// The closing quote of the string that opens at `start`, or the end of the text.
    private mutating func endOfString(from start: Int) -> Int {
        let quote = at(start)
        var index = start + 1
        while let byte = at(index), byte != quote {
            index += byte == 0x5C ? 2 : 1
        }
        if index >= text.count { note(open: min(start + 1, text.count)) }
        return min(index, text.count)
    }

    private mutating func note(open start: Int) {
        hits.open = min(hits.open ?? start, start)
    }

    private func hasDigit(_ range: Range<Int>) -> Bool {
        text[range].contains { (0x30...0x39).contains($0) }
    }

    private func skipSpace(_ index: inout Int, lines: Bool) {
        while let byte = at(index), byte == 0x20 || byte == 0x09 || lines && (byte == 0x0A || byte == 0x0D) {
            index += 1
        }
    }

    private func at(_ index: Int) -> UInt8? {
        index >= 0 && index < text.count ? text[index] : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
