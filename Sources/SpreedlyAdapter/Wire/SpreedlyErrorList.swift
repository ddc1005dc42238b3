import GatewayKitCore

/// An entry of the `errors` list of a refused request.
struct SpreedlyErrorEntry {
    let attribute: String?
    let key: String?
    let message: String?

    /// Reads a list; members that are missing or of another kind are left out, entries that say nothing too. A bare text
    /// is a message.
    static func list(_ json: JSONValue) -> [SpreedlyErrorEntry] {
        json.items.compactMap { entry in
            let isText = entry.kind == .string
            let read = SpreedlyErrorEntry(
                attribute: entry["attribute"].nonEmptyText, key: entry["key"].nonEmptyText,
                message: isText ? entry.nonEmptyText : entry["message"].nonEmptyText)
            return read.attribute == nil && read.key == nil && read.message == nil ? nil : read
        }
    }

    /// The words of an answer that has them beside an `errors` list or instead of one, as proxies and rate limiters do.
    static func words(_ root: JSONValue) -> SpreedlyErrorEntry? {
        for name in ["message", "error"] where root[name].kind == .string {
            return SpreedlyErrorEntry(attribute: nil, key: nil, message: root[name].nonEmptyText)
        }
        return nil
    }
}
