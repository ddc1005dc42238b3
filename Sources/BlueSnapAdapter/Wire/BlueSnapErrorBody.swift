import GatewayKitCore

/// One error that a body tells.
struct BlueSnapErrorItem: Equatable {
    /// BlueSnap's word, such as `EXPIRED_TOKEN`.
    var name: String?
    /// BlueSnap's number as text: it comes as text or as number.
    var code: String?
    var text: String?
    /// The field that it is about, where a validation names one.
    var property: String?
    /// The codes of the fraud rules that struck.
    var fraudEvents: [String] = []

    var isEmpty: Bool { name == nil && code == nil && text == nil && property == nil }
}

/// The error bodies that are met: `{"message": [items]}` with text or numeric codes, the same with a single item or a
/// bare text, `{"errorCode", "errorDescription", "errorName"}`, a JSON text, XML, bare text, and web pages, which tell
/// nothing.
enum BlueSnapErrorBody {
    /// Every item that says something, in the order of the body.
    static func items(_ body: [UInt8]) -> [BlueSnapErrorItem] {
        let body = body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
        if let json = try? JSONValue(parsing: body) { return items(json) }
        // Bodies of this size are never BlueSnap's own words.
        guard body.count <= 64 << 10 else { return [] }
        let text = trimmed(String(decoding: body, as: UTF8.self))
        if text.isEmpty { return [] }
        if text.hasPrefix("<") { return isPage(text) ? [] : xmlItems(text) }
        // Broken JSON is not taken for words.
        if text.hasPrefix("{") || text.hasPrefix("[") { return [] }
        return [bare(trimmed(text.replacing("\"", with: "")))]
    }

    static func items(_ json: JSONValue) -> [BlueSnapErrorItem] {
        switch json.kind {
        case .string:
            return json.nonEmptyText.map { [bare($0)] } ?? []
        case .object:
            let list = json["message"].items.compactMap(item)
            if !list.isEmpty { return list }
            return item(json).map { [$0] } ?? []
        case .array:
            return json.items.compactMap(item)
        case .absent, .null, .bool, .number:
            return []
        }
    }

    private static func item(_ json: JSONValue) -> BlueSnapErrorItem? {
        if json.kind == .string { return json.nonEmptyText.map { bare($0) } }
        guard json.kind == .object else { return nil }
        var item = BlueSnapErrorItem()
        item.name = json["errorName"].nonEmptyText
        item.code = json["code"].nonEmptyText ?? json["errorCode"].nonEmptyText
        item.text = json["description"].nonEmptyText ?? json["errorDescription"].nonEmptyText
        item.property = json["invalidProperty"]["name"].nonEmptyText
        for events in [json["fraudEvents"], json["fraudResultInfo"]["fraudEvents"], json["fraudResultInfo"]] {
            for event in events["fraudEvent"].items + events["fraudEvents"].items {
                if let code = event["fraudEventCode"].nonEmptyText, !item.fraudEvents.contains(code) {
                    item.fraudEvents.append(code)
                }
            }
        }
        return item.isEmpty ? nil : item
    }

    /// Bare text: a single word in capitals is a name, anything else a sentence.
    private static func bare(_ text: String) -> BlueSnapErrorItem {
        let isName =
            text.utf8.count <= 80 && text.contains("_")
            && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        return isName ? BlueSnapErrorItem(name: text) : BlueSnapErrorItem(text: text)
    }

    private static func isPage(_ text: String) -> Bool {
        let start = text.prefix(256).lowercased()
        return start.contains("<html") || start.contains("<!doctype html")
    }

    // MARK: - XML

    /// `<messages><message><error-name/><code/><description/></message></messages>`, by its element names: the XML
    /// flavour comes only where something on the way asks for it. Text in other elements is a sentence.
    private static func xmlItems(_ text: String) -> [BlueSnapErrorItem] {
        var items: [BlueSnapErrorItem] = []
        var rest = text[...]
        while items.count < 64, let element = element("message", in: rest) {
            var item = BlueSnapErrorItem()
            item.name = self.element("error-name", in: element.content).flatMap { value($0.content) }
            item.code = self.element("code", in: element.content).flatMap { value($0.content) }
            item.text = self.element("description", in: element.content).flatMap { value($0.content) }
            if item.isEmpty { item.text = value(element.content) }
            if !item.isEmpty { items.append(item) }
            rest = rest[element.end...]
        }
        if !items.isEmpty { return items }
        let words = value(text[...]).map { [BlueSnapErrorItem(text: $0)] }
        return words ?? []
    }

    private static func element(
        _ name: String, in text: Substring
    ) -> (content: Substring, end: Substring.Index)? {
        guard let open = text.firstRange(of: "<" + name + ">"),
            let close = text[open.upperBound...].firstRange(of: "</" + name + ">")
        else { return nil }
        return (text[open.upperBound..<close.lowerBound], close.upperBound)
    }

    /// The text of an element without tags, with the five named characters.
    private static func value(_ content: Substring) -> String? {
        var text = ""
        var isTag = false
        for character in content {
            switch character {
            case "<": isTag = true
            case ">" where isTag:
                isTag = false
                text.append(" ")
            default: if !isTag { text.append(character) }
            }
        }
        for (name, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
        ] { text = text.replacing(name, with: character) }
        text = trimmed(text)
        return text.isEmpty ? nil : text
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}

extension JSONValue {
    /// The text of a scalar, or `nil` when there is none or it is empty.
    var nonEmptyText: String? {
        guard let text = try? present?.scalarText(), !text.isEmpty else { return nil }
        return text
    }
}
