import GatewayKitCore

/// An entry of the `errors` list of a refused request.
struct SpreedlyErrorEntry {
    let attribute: String?
    let key: String?
    let message: String?

    /// Reads a list; members that are missing or of another kind are left out, entries that are no objects too.
    static func list(_ json: JSONValue) -> [SpreedlyErrorEntry] {
        json.items.map { entry in
            SpreedlyErrorEntry(
                attribute: text(entry["attribute"]), key: text(entry["key"]), message: text(entry["message"]))
        }
    }

    private static func text(_ json: JSONValue) -> String? {
        guard let text = try? json.present?.scalarText(), !text.isEmpty else { return nil }
        return text
    }
}
