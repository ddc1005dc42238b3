import GatewayKitCore

/// `PAYER_AUTH_SETUP`: how a card is sent in a tracker, and what comes back. It makes a token of the card and begins 3-D
/// Secure.
enum SafepaySetup {
    static let action = "PAYER_AUTH_SETUP"

    /// What is set up.
    enum Method {
        case card(Card)
        /// A form's result.
        case transientToken(Sensitive<String>)
        /// A card of the customer's wallet.
        case savedCard(String)

        /// The entry mode of the trackers that take it.
        var entry: SafepaySession.Entry {
            switch self {
            case .card: .raw
            case .transientToken: .flex
            case .savedCard: .tms
            }
        }
    }

    /// All of a card's values are texts (the iOS and Android SDKs).
    static func write(_ method: Method, isMobile: Bool, into json: inout JSONObjectWriter) {
        json.set("action", action)
        json.set("entry_mode", method.entry.rawValue)
        json.object("payload") { payload in
            payload.set("is_mobile", isMobile)
            payload.object("payment_method") { json in
                switch method {
                case .card(let card):
                    json.object("card") { json in
                        json.set("card_number", card.number.sensitive)
                        json.set("expiration_month", card.expiry?.twoDigitMonth)
                        json.set("expiration_year", card.expiry.map { String($0.year) })
                        json.set("cvv", card.securityCode?.sensitive)
                    }
                case .transientToken(let token):
                    json.object("flex") { $0.set("transient_token_jwt", token) }
                case .savedCard(let token):
                    json.object("tokenized_card") { $0.set("token", token) }
                }
            }
        }
    }

    /// What 3-D Secure goes on with, as bytes to seal.
    static func authenticationData(of action: JSONValue, tracker: String) -> Sensitive<[UInt8]>? {
        let setup = action["payer_authentication_setup"]
        guard setup.kind == .object else { return nil }
        var writer = JSONWriter()
        writer.object { json in
            json.set("tracker", tracker)
            for name in ["access_token", "device_data_collection_url", "cardinal_jwt"] {
                json.set(name, (try? setup[name].present?.sensitive()) ?? nil)
            }
        }
        return (try? writer.finish())?.bytes
    }
}
