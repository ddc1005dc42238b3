import GatewayKitCore

/// A page of Safepay's that a shopper is sent to, with the parameters of its address (dossier 1.5).
struct SafepayPage: Sendable {
    enum Kind: String, Sendable {
        case hosted, embedded, subscribe

        var path: String {
            switch self {
            case .hosted: "/safepay/checkout/pay"
            case .embedded: "/safepay/embedded/"
            case .subscribe: "/safepay/checkout/subscribe"
            }
        }
        /// Where its ends are.
        var root: String { self == .embedded ? "/safepay/embedded/external/" : "/safepay/checkout/external/" }
        var sandboxName: String { self == .embedded ? "environment" : "env" }
    }

    var kind: Kind
    var items: [ReceivedRequest.QueryItem]

    /// The first of this name that is not empty.
    func value(_ name: String) -> String? { items.first { $0.name == name && !$0.value.isEmpty }?.value }

    /// The payment, by the name that this kind of page has for it.
    var tracker: String { value(kind == .hosted ? "beacon" : "tracker") ?? "" }

    /// A web address among the parameters; nothing else is gone to.
    func address(_ name: String) -> String? { value(name).flatMap { SafepayAddress.isWeb($0) ? $0 : nil } }

    /// The page's own address.
    var link: String { kind.path + "?" + SafepayAddress.query(items.map { ($0.name, $0.value) }) }

    /// One of the page's ends, with its own parameters first.
    func end(_ name: String, _ more: [(String, String)]) -> String {
        var all = items.filter { item in !more.contains { $0.0 == item.name } }.map { ($0.name, $0.value) }
        all.removeAll { $0.0.hasSuffix("_url") }
        return kind.root + name + "?" + SafepayAddress.query(all + more)
    }

    /// The end of a page that failed: the older one tells the text and nothing else (dossier 3.2).
    func failure(_ text: String) -> String {
        switch kind {
        case .embedded: end("error", [("tracker", tracker), ("finalizer_message", text), ("action", "complete")])
        case .hosted, .subscribe: kind.root + "error?" + SafepayAddress.query([("error", text)])
        }
    }

    /// The 3-D Secure leg's end; the money is not taken then.
    func leg(_ name: String) -> String {
        kind.root + name + "?"
            + SafepayAddress.query([
                (kind.sandboxName, "sandbox"), (kind == .hosted ? "beacon" : "tracker", tracker), ("xcomponent", "1"),
            ])
    }
}

/// Addresses that browsers are sent to.
enum SafepayAddress {
    static func isWeb(_ text: String) -> Bool {
        let lowered = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lowered.hasPrefix($0) }) else { return false }
        let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        return !host.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    static func query(_ items: [(String, String)]) -> String {
        items.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    }

    /// As a careless page does it: an address that has a query already gets a second question mark (dossier 1.5).
    static func adding(_ items: [(String, String)], to address: String) -> String { address + "?" + query(items) }

    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
