import GatewayKitCore

/// A card as Acorn takes it.
enum AcornCard {
    static func write(_ card: Card, orElse failure: GatewayError) throws(GatewayError) -> JSONBody {
        var writer = JSONWriter()
        writer.object { json in
            json.set("number", card.number.sensitive)
            json.set("month", card.expiry?.month)
            json.set("year", card.expiry?.year)
            json.set("code", card.securityCode?.sensitive)
            json.set("name", card.holderName)
        }
        do throws(JSONError) {
            return try writer.finish()
        } catch _ {
            throw failure
        }
    }
}

/// What Acorn's answers hold under `error`.
struct AcornError {
    let code: String
    let field: String?
    let message: String

    init?(_ json: JSONValue) {
        guard let code = try? json["code"].string() else { return nil }
        self.code = code
        field = try? json["field"].string()
        message = (try? json["message"].string()) ?? ""
    }
}
