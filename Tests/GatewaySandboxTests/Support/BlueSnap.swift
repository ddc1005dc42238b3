import GatewayCrypto
import GatewayKitCore

@testable import GatewaySandbox

/// A sandbox as clients of BlueSnap use it, with requests written by hand.
struct BlueSnapDesk: Sendable {
    static let visa = "4111111111111111"
    static let shopper = "31009922"

    var sandbox: Sandbox

    var user: String { sandbox.credentials(for: "bluesnap")?["username"] ?? "" }
    var merchant: String { sandbox.credentials(for: "bluesnap")?["merchantID"] ?? "" }
    var basic: String {
        let pair = user + ":" + (sandbox.credentials(for: "bluesnap")?["password"] ?? "")
        return "Basic " + GatewayCrypto.Base64.standard.encode(Array(pair.utf8))
    }

    func call(
        _ method: String, _ path: String, _ body: String? = nil, header: String = "", type: String = "application/json"
    ) -> BlueSnapAnswer {
        let content = body.map { "content-type: \(type)\r\ncontent-length: \($0.utf8.count)\r\n\r\n\($0)" } ?? "\r\n"
        return BlueSnapAnswer(
            raw: sandbox.exchange(
                "\(method) /bluesnap\(path) HTTP/1.1\r\nhost: 127.0.0.1\r\n\(header)\(content)"))
    }

    /// A call of the merchant's server, on a path below `/services/2`.
    func server(_ method: String, _ path: String, _ body: String? = nil, header: String = "") -> BlueSnapAnswer {
        call(method, "/services/2" + path, body, header: "Authorization: \(basic)\r\n" + header)
    }

    /// A new token.
    func open(_ query: String = "") throws -> String {
        let answer = server("POST", "/payment-fields-tokens" + query)
        return String((answer.header["location"] ?? "").split(separator: "/").last ?? "")
    }

    /// Sends details to a token.
    func submit(_ token: String, _ body: String = card()) -> BlueSnapAnswer {
        call("PUT", "/services/2/payment-fields-tokens/\(token)", body, header: "Token-Authentication: \(token)\r\n")
    }

    /// A call on the services for tokens.
    func service(_ method: String, _ name: String, _ token: String, _ body: String? = nil) -> BlueSnapAnswer {
        call(method, "/services/2/tokenized-services/" + name, body, header: "Token-Authentication: \(token)\r\n")
    }

    /// A new token to which a card was sent.
    func filled(_ body: String = card(), _ query: String = "") throws -> String {
        let token = try open(query)
        _ = submit(token, body)
        return token
    }

    static func card(
        _ number: String = visa, _ expiry: String = "11/2031", code: String? = "737", more: String = ""
    ) -> String {
        let code = code.map { #","cvv":"\#($0)""# } ?? ""
        return #"{"ccNumber":"\#(number)","expDate":"\#(expiry)"\#(code)\#(more)}"#
    }

    static func base64(_ text: String) -> String { GatewayCrypto.Base64.standard.encode(Array(text.utf8)) }
}

struct BlueSnapAnswer: Sendable {
    var status = 0
    var header: [String: String] = [:]
    var text = ""
    var body: [UInt8] = []

    init(raw: RawAnswer?) {
        guard let raw else { return }
        status = raw.status
        header = Dictionary(raw.header.map { ($0.name, $0.value) }) { first, _ in first }
        body = raw.body
        text = raw.text
    }

    var root: JSONValue { get throws { try JSONValue(parsing: body) } }

    /// `status name code` of a refusal in the usual form.
    var refusal: String {
        let item = (try? root)?["message"][0]
        let name = (try? item?["errorName"].string()) ?? "-"
        return "\(status) \(name) \((try? item?["code"].scalarText()) ?? "-")"
    }
}

/// Runs blocking calls against a sandbox whose clock a test moves.
func withBlueSnap<Value: Sendable>(
    _ choices: [String: String] = [:],
    _ body: @escaping @Sendable (BlueSnapDesk, GatewayKitCore.Locked<WallTime>) throws -> Value
) async throws -> Value {
    let time = GatewayKitCore.Locked(WallTime(secondsSince1970: 1_785_000_000, nanoseconds: 345_000_000))
    var configuration = SandboxConfiguration()
    configuration.choices = choices
    configuration.now = { time.withLock { $0 } }
    return try await withSandbox(configuration) { try body(BlueSnapDesk(sandbox: $0), time) }
}

extension BlueSnapDesk {
    /// The members of a charge.
    static func charge(
        _ source: String, _ amount: String = "25.50", _ currency: String = "USD", type: String = "AUTH_CAPTURE",
        more: String = #","cardHolderInfo":{"firstName":"Rita","lastName":"Quill"}"#
    ) -> String {
        #"{"cardTransactionType":"\#(type)","amount":\#(amount),"currency":"\#(currency)",\#(source)\#(more)}"#
    }

    static func named(_ token: String) -> String { #""pfToken":"\#(token)""# }

    static func plainCard(_ number: String = visa, month: String = "11", year: String = "2031") -> String {
        #""creditCard":{"cardNumber":"\#(number)","expirationMonth":"\#(month)","expirationYear":"\#(year)","#
            + #""securityCode":"737"}"#
    }

    /// Charges a token.
    func pay(_ token: String, _ amount: String = "25.50", type: String = "AUTH_CAPTURE") -> BlueSnapAnswer {
        server("POST", "/transactions", Self.charge(Self.named(token), amount, type: type))
    }

    /// Charges a card, and gives the payment's id.
    func paid(_ amount: String = "25.50", type: String = "AUTH_CAPTURE", reference: String? = nil) throws -> String {
        let holder = #","cardHolderInfo":{"firstName":"Rita","lastName":"Quill"}"#
        let more = holder + (reference.map { #","merchantTransactionId":"\#($0)""# } ?? "")
        let body = Self.charge(Self.plainCard(), amount, type: type, more: more)
        return try server("POST", "/transactions", body).root["transactionId"].string()
    }

    /// `kind amount` of every movement.
    var movements: [String] {
        sandbox.ledger.entries.compactMap { entry in
            entry.movement.map { $0.kind + ($0.amount.map { " \($0)" } ?? "") }
        }
    }
}
