import GatewayKitCore

/// What a client sent of a card, kept for as long as its answer takes, for `echo-card`.
struct SubmittedCard: Sendable {
    var number: Sensitive<String>
    var securityCode: Sensitive<String>?
}

/// Changes to a JSON answer that leave all the rest of its bytes as they are.
enum AnswerEditor {
    /// Replaces the text of these members.
    static func replaceWords(in body: [UInt8], members: Set<String>) -> [UInt8] {
        edit(body) { token in
            guard case .memberText(let name, _) = token, members.contains(name) else { return nil }
            return Array("\"sandbox_unheard_of\"".utf8)
        }
    }

    /// Adds members to every object.
    static func addUnknownMembers(to body: [UInt8]) -> [UInt8] {
        var count = 0
        return edit(body) { token in
            guard case .objectStart(let isEmpty) = token else { return nil }
            count += 1
            let members = "{\"sandbox_extra_\(count)\":{\"deep\":[1,2.50,null,{\"x\":\"\\u00e9\"}]}"
            return Array((members + (isEmpty ? "" : ",")).utf8)
        }
    }

    /// Repeats what was sent: in the message, under new names, and spaced.
    static func echo(_ card: SubmittedCard?, in body: [UInt8]) -> [UInt8] {
        guard let card else { return body }
        return card.number.withExposed { number in
            let code = card.securityCode?.withExposed { $0 } ?? ""
            let spaced = number.enumerated()
                .map { $0.offset > 0 && $0.offset.isMultiple(of: 4) ? " \($0.element)" : "\($0.element)" }.joined()
            var isFirst = true
            return edit(body) { token in
                switch token {
                case .objectStart(let isEmpty) where isFirst:
                    isFirst = false
                    let members =
                        "{\"sandbox_echo\":{\"account_ref\":\(quoted(number)),\"check\":\(quoted(code)),"
                        + "\"line\":\(quoted("pan=\(number)&cvv=\(code) (\(spaced))"))}"
                    return Array((members + (isEmpty ? "" : ",")).utf8)
                // A message that is the word for success stays, or the fault would change what the answer says.
                case .memberText("message", let text) where !text.elementsEqual(Array("\"success\"".utf8)):
                    return Array(quoted("Refused text for card \(number), code \(code)").utf8)
                default:
                    return nil
                }
            }
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\u{0}"..<" ": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private enum Token {
        case objectStart(isEmpty: Bool)
        /// The text value of the member of this name, with its quotes.
        case memberText(String, ArraySlice<UInt8>)
    }

    /// Walks over JSON that this sandbox wrote itself; `change` may give other bytes for a token.
    private static func edit(_ body: [UInt8], change: (Token) -> [UInt8]?) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(body.count + 512)
        var rest = body[...]
        var name: ArraySlice<UInt8>?
        var lastText: ArraySlice<UInt8>?
        while let byte = rest.first {
            switch byte {
            case 0x22:
                let text = string(at: rest)
                rest = rest.dropFirst(text.count)
                if let member = name.map({ String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) }),
                    let other = change(.memberText(member, text))
                {
                    result += other
                } else {
                    result += text
                }
                lastText = name == nil ? text : nil
                name = nil
                continue
            case 0x3A:
                name = lastText
            case 0x7B:
                name = nil
                if let other = change(.objectStart(isEmpty: rest.dropFirst().first == 0x7D)) {
                    result += other
                    rest = rest.dropFirst()
                    continue
                }
            case 0x20, 0x09, 0x0A, 0x0D:
                break
            default:
                name = nil
                lastText = nil
            }
            result.append(byte)
            rest = rest.dropFirst()
        }
        return result
    }

    /// The string that begins here, with its quotes.
    private static func string(at bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var isEscaped = false
        for index in bytes.indices.dropFirst() {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else if byte == 0x22 {
                return bytes[...index]
            }
        }
        return bytes
    }
}
