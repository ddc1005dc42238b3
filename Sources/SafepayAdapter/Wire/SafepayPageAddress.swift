import GatewayKitCore

/// The addresses of Safepay's pages, with parameters in the order and spelling of Safepay's own SDKs. The two generations
/// have other names for the same things: `env` and `beacon` in v1, `environment` and `tracker` in v3.
enum SafepayPageAddress {
    /// v1: the page of an order, which leads back to the shop (Node SDK, `Checkout.create`).
    static func hosted(
        _ pages: WireURL, tracker: String, environment: String, order: String?, returnURL: String, cancelURL: String
    ) -> String {
        var items = [("beacon", tracker), ("cancel_url", cancelURL), ("env", environment)]
        if let order { items.append(("order_id", order)) }
        items += [("redirect_url", returnURL), ("source", "custom"), ("webhooks", "false")]
        return text(pages.appending("checkout").appending("pay"), items)
    }

    /// v1 in a web view: it ends on a page of Safepay's (React Native SDK).
    static func mobile(_ pages: WireURL, tracker: String, environment: String, order: String?) -> String {
        var items = [("beacon", tracker), ("env", environment)]
        if let order { items.append(("order_id", order)) }
        items.append(("source", "mobile"))
        return text(pages.appending("checkout").appending("pay"), items)
    }

    /// v3, with the slash at the end of its path (Node core SDK, `createCheckoutUrl`). What is `nil` is left out.
    static func embedded(
        _ pages: WireURL, tracker: String, environment: String, token: String, source: String, customer: String?,
        order: String?, returnURL: String?, cancelURL: String?
    ) -> String {
        let items: [(String, String?)] = [
            ("environment", environment), ("tracker", tracker), ("tbt", token), ("source", source),
            ("user_id", customer), ("order_id", order), ("cancel_url", cancelURL), ("redirect_url", returnURL),
        ]
        return text(
            pages.appending("embedded").appending(""), items.compactMap { name, value in value.map { (name, $0) } })
    }

    /// The page on which a shopper subscribes to a plan (Node SDK, `createSubscription`). It names no tracker.
    static func subscription(
        _ pages: WireURL, plan: String, token: String, environment: String, order: String?, returnURL: String,
        cancelURL: String
    ) -> String {
        var items = [
            ("plan_id", plan), ("auth_token", token), ("env", environment), ("cancel_url", cancelURL),
            ("redirect_url", returnURL),
        ]
        if let order { items.append(("reference", order)) }
        return text(pages.appending("checkout").appending("subscribe"), items)
    }

    private static func text(_ page: WireURL, _ items: [(String, String)]) -> String {
        page.wireText.withExposed { $0 } + "?"
            + items.map { $0.0 + "=" + formEncoded($0.1) }.joined(separator: "&")
    }

    /// As HTML forms are sent (URL Standard, "application/x-www-form-urlencoded serializing").
    static func formEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F: bytes.append(byte)
            case 0x20: bytes.append(0x2B)
            default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
