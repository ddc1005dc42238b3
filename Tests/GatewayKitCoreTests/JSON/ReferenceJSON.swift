/// A second, slow and obvious reader of JSON, written against the grammar only: it shares nothing with the parser under
/// test. It works on scalars that the standard library has validated, recurses, and refuses what ours must refuse.
indirect enum ReferenceJSON: Equatable {
    case null
    case bool(Bool)
    case number(String)
    case text([Unicode.Scalar])
    case array([ReferenceJSON])
    case object([Member])

    struct Member: Equatable {
        var name: [Unicode.Scalar]
        var value: ReferenceJSON
    }

    static func parse(_ bytes: [UInt8]) -> ReferenceJSON? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var reader = Reader(rest: Array(text.unicodeScalars)[...])
        guard let value = reader.value(depth: 0) else { return nil }
        reader.skipSpace()
        return reader.rest.isEmpty ? value : nil
    }

    private struct Reader {
        var rest: ArraySlice<Unicode.Scalar>

        mutating func skipSpace() {
            while let first = rest.first, first == " " || first == "\n" || first == "\r" || first == "\t" {
                rest.removeFirst()
            }
        }

        mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            guard rest.first == scalar else { return false }
            rest.removeFirst()
            return true
        }

        mutating func takeSpaced(_ scalar: Unicode.Scalar) -> Bool {
            skipSpace()
            return take(scalar)
        }

        mutating func word(_ word: String, _ value: ReferenceJSON) -> ReferenceJSON? {
            for scalar in word.unicodeScalars where !take(scalar) { return nil }
            return value
        }

        mutating func value(depth: Int) -> ReferenceJSON? {
            skipSpace()
            switch rest.first {
            case "n": return word("null", .null)
            case "t": return word("true", .bool(true))
            case "f": return word("false", .bool(false))
            case "\"": return text().map { .text($0) }
            case "[": return depth < 64 ? array(depth: depth) : nil
            case "{": return depth < 64 ? object(depth: depth) : nil
            default: return number()
            }
        }

        mutating func array(depth: Int) -> ReferenceJSON? {
            guard take("[") else { return nil }
            if takeSpaced("]") { return .array([]) }
            var elements: [ReferenceJSON] = []
            repeat {
                guard let element = value(depth: depth + 1) else { return nil }
                elements.append(element)
            } while takeSpaced(",")
            return takeSpaced("]") ? .array(elements) : nil
        }

        mutating func object(depth: Int) -> ReferenceJSON? {
            guard take("{") else { return nil }
            if takeSpaced("}") { return .object([]) }
            var members: [Member] = []
            repeat {
                skipSpace()
                guard let name = text(), takeSpaced(":"), let value = value(depth: depth + 1) else { return nil }
                guard !members.contains(where: { $0.name == name }) else { return nil }
                members.append(Member(name: name, value: value))
            } while takeSpaced(",")
            return takeSpaced("}") ? .object(members) : nil
        }

        mutating func digits() -> String {
            var result = ""
            while let first = rest.first, ("0"..."9").contains(first) {
                result.unicodeScalars.append(first)
                rest.removeFirst()
            }
            return result
        }

        mutating func number() -> ReferenceJSON? {
            var text = take("-") ? "-" : ""
            let whole = digits()
            guard !whole.isEmpty, whole == "0" || whole.first != "0" else { return nil }
            text += whole
            if take(".") {
                let fraction = digits()
                guard !fraction.isEmpty else { return nil }
                text += "." + fraction
            }
            for letter: Unicode.Scalar in ["e", "E"] where take(letter) {
                text.unicodeScalars.append(letter)
                for sign: Unicode.Scalar in ["+", "-"] where rest.first == sign && !"+-".contains(text.last ?? " ") {
                    text.unicodeScalars.append(sign)
                    rest.removeFirst()
                }
                let exponent = digits()
                guard !exponent.isEmpty else { return nil }
                text += exponent
                break
            }
            return .number(text)
        }

        mutating func unit() -> UInt32? {
            guard rest.count >= 4 else { return nil }
            let digits = rest.prefix(4)
            guard digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else { return nil }
            rest.removeFirst(4)
            var text = ""
            text.unicodeScalars.append(contentsOf: digits)
            return UInt32(text, radix: 16)
        }

        mutating func text() -> [Unicode.Scalar]? {
            guard take("\"") else { return nil }
            var result: [Unicode.Scalar] = []
            while let scalar = rest.popFirst() {
                if scalar == "\"" { return result }
                if scalar.value < 0x20 { return nil }
                guard scalar == "\\" else {
                    result.append(scalar)
                    continue
                }
                switch rest.popFirst() {
                case "\"": result.append("\"")
                case "\\": result.append("\\")
                case "/": result.append("/")
                case "b": result.append("\u{8}")
                case "f": result.append("\u{C}")
                case "n": result.append("\n")
                case "r": result.append("\r")
                case "t": result.append("\t")
                case "u":
                    guard let high = unit() else { return nil }
                    if let scalar = Unicode.Scalar(high) {
                        result.append(scalar)
                    } else {
                        guard high < 0xDC00, take("\\"), take("u"), let low = unit(), (0xDC00...0xDFFF).contains(low),
                            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00))
                        else { return nil }
                        result.append(scalar)
                    }
                default: return nil
                }
            }
            return nil
        }
    }
}
