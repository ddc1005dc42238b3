import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Spreedly: every instrument")
struct SpreedlyInstrumentTests {
    private static let number = SpreedlyCall.visa
    static let appleData =
        #"{"version":"EC_v1","data":"ZGF0YQ==","signature":"c2ln","header":{"ephemeralPublicKey":"a2V5","publicKeyHash":"aGFzaA==","transactionId":"7f3a"}}"#
    static let googleData = #"{"signature":"c2ln","protocolVersion":"ECv2","signedMessage":"{\"tag\":\"dGFn\"}"}"#

    static func apple(_ data: String? = appleData, test: String? = "\"\(number)\"", more: String = "") -> String {
        wallet("apple_pay", data, test, outer: more)
    }

    static func google(_ data: String? = googleData, test: String? = "\"\(number)\"", more: String = "") -> String {
        wallet("google_pay", data, test, inner: more)
    }

    private static func wallet(
        _ name: String, _ data: String?, _ test: String?, inner: String = "", outer: String = ""
    ) -> String {
        let members = [data.map { "\"payment_data\":\($0)" }, test.map { "\"test_card_number\":\($0)" }]
        return
            "{\"payment_method\":{\"\(name)\":{\(members.compactMap { $0 }.joined(separator: ","))\(inner)}\(outer)}}"
    }

    static func bank(
        routing: String = "\"021000021\"", account: String = "\"9876543210\"",
        more: String =
            #","bank_account_type":"checking","bank_account_holder_type":"personal","full_name":"Ada Okoro""#,
        outer: String = ""
    ) -> String {
        "{\"payment_method\":{\"bank_account\":{\"bank_routing_number\":\(routing),\"bank_account_number\":\(account)"
            + "\(more)}\(outer)}}"
    }

    static func flat(_ members: String) -> String { "{\"payment_method\":{\(members)}}" }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var body: String
        var errors: [String]
        var status: Int

        init(_ name: String, _ body: String, _ errors: [String] = [], status: Int? = nil) {
            testDescription = name
            self.body = body
            self.errors = errors
            self.status = status ?? (errors.isEmpty ? 201 : 422)
        }
    }

    private static let inactive = ["- errors.account_inactive"]
    private static let wrongData = ["payment_data errors.invalid"]

    static let cases: [Case] = [
        Case("Apple Pay", apple()),
        Case(
            "Apple Pay with names beside it",
            apple(
                more: #","first_name":"Ada","last_name":"Okoro","zip":"LS1","email":"ada@example.com","retained":true"#)
        ),
        Case("Apple Pay, data as text", apple(quoted(appleData))),
        Case(
            "Apple Pay with an RSA key",
            apple(appleData.replacing("EC_v1", with: "RSA_v1").replacing("ephemeralPublicKey", with: "wrappedKey"))),
        Case("Apple Pay with the other key", apple(appleData.replacing("EC_v1", with: "RSA_v1")), wrongData),
        Case("Apple Pay without data", apple(nil), ["payment_data errors.blank"]),
        Case("Apple Pay with other data", apple("[]"), wrongData),
        Case("Apple Pay with another version", apple(appleData.replacing("EC_v1", with: "EC_v0")), wrongData),
        Case("Apple Pay without header", apple(#"{"version":"EC_v1","data":"a","signature":"b"}"#), wrongData),
        Case("Apple Pay with blank data", apple(appleData.replacing("ZGF0YQ==", with: "")), wrongData),
        Case("Apple Pay with a number in the header", apple(appleData.replacing("\"7f3a\"", with: "7")), wrongData),
        Case("Apple Pay, real", apple(test: nil), inactive, status: 402),
        Case("Apple Pay, number not on the list", apple(test: "\"343\""), ["test_card_number errors.invalid"]),
        Case(
            "Apple Pay, number as a number", apple(test: number),
            ["test_card_number errors.invalid"]),
        Case("Apple Pay, unknown members", apple(more: ",\"x\":1")),
        Case("Google Pay", google()),
        Case(
            "Google Pay with names inside",
            google(more: #","first_name":"Ada","last_name":"Okoro","address_1":"9 Mill Row","zip":"LS1""#)),
        Case("Google Pay, data as text", google(quoted(googleData))),
        Case("Google Pay without signature", google(#"{"protocolVersion":"ECv2","signedMessage":"m"}"#), wrongData),
        Case("Google Pay, real", google(test: nil), inactive, status: 402),
        Case("Google Pay as text", #"{"payment_method":{"google_pay":"x"}}"#, ["google_pay errors.invalid"]),

        Case("bank account", bank()),
        Case(
            "bank account with everything",
            bank(
                more:
                    #","bank_account_type":"savings","bank_account_holder_type":"business","first_name":"Ada","last_name":"Okoro","bank_name":"Kite Bank","country":"US","zip":"10001""#
            )),
        Case("bank account without types", bank(more: #","full_name":"Ada Okoro""#)),
        Case("bank account without name", bank(more: ""), ["first_name errors.blank", "last_name errors.blank"]),
        Case("bank account, blank name allowed", bank(more: "", outer: ",\"allow_blank_name\":true")),
        Case("refused test account", bank(account: "\"9876543211\""), ["account_number errors.invalid"]),
        Case("wrong test routing number", bank(routing: "\"021000022\""), ["routing_number errors.invalid"]),
        Case("eight digits", bank(routing: "\"02100002\""), ["routing_number errors.invalid"]),
        Case(
            "blank numbers", bank(routing: "\" \"", account: "null"),
            ["routing_number errors.blank", "account_number errors.blank"]),
        Case("number as a number", bank(account: "9876543210"), ["account_number errors.invalid"]),
        Case(
            "other account type", bank(more: #","bank_account_type":"gold","full_name":"A B""#),
            ["account_type errors.invalid"]),
        Case(
            "other holder type", bank(more: #","bank_account_holder_type":"dog","full_name":"A B""#),
            ["account_holder_type errors.invalid"]),
        Case("other country", bank(more: #","country":"GB","full_name":"A B""#), ["country errors.invalid"]),
        Case("real account", bank(account: "\"12345678\""), inactive, status: 402),
        Case(
            "real Canadian account", bank(routing: "\"000312345\"", more: #","country":"CA","full_name":"A B""#),
            inactive, status: 402),

        Case(
            "foreign token",
            flat(#""payment_method_type":"third_party_token","reference":"vault-77","gateway_type":"test""#)),
        Case(
            "foreign token without the rest", flat(#""payment_method_type":"third_party_token""#),
            ["reference errors.blank", "gateway_type errors.blank"]),
        Case(
            "foreign token that is a card number",
            flat(
                "\"payment_method_type\":\"third_party_token\",\"gateway_type\":\"test\",\"reference\":\"test_vault:\(number)\""
            ), ["reference errors.invalid"]),
        Case(
            "reference as a number",
            flat(#""payment_method_type":"third_party_token","reference":7,"gateway_type":"test""#),
            ["reference errors.invalid"]),
        Case("offsite", flat(#""payment_method_type":"sprel","email":"ada@example.com""#)),
        Case(
            "offsite that is not imitated", flat(#""payment_method_type":"paypal""#),
            ["payment_method_type errors.invalid"]),
        Case("type as a number", flat(#""payment_method_type":1"#), ["payment_method_type errors.invalid"]),
        Case("type and its object", SpreedlyCall.card(outer: ",\"payment_method_type\":\"credit_card\"")),
        Case("type without its object", flat(#""payment_method_type":"bank_account""#), ["bank_account errors.blank"]),
        Case(
            "type of another object", SpreedlyCall.card(outer: ",\"payment_method_type\":\"google_pay\""),
            ["payment_method_type errors.invalid"]),
        Case("two instruments", SpreedlyCall.card(outer: ",\"apple_pay\":{}"), ["apple_pay errors.invalid"]),
        Case(
            "flat and nested", SpreedlyCall.card(outer: ",\"payment_method_type\":\"sprel\""),
            ["credit_card errors.invalid"]),
    ]

    private static func quoted(_ json: String) -> String {
        "\"" + json.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    @Test("what is taken and what is not", arguments: cases)
    func accepts(_ item: Case) async throws {
        try await withSpreedly { desk in
            let answer = desk.call("POST", "/payment_methods.json", item.body)
            let errors = try answer.errors
            #expect(errors == item.errors)
            #expect(answer.status == item.status)
            if answer.status == 201 {
                let token = try answer.transaction["payment_method"]["token"].string()
                #expect(
                    try desk.call("GET", "/payment_methods/\(token)").method == answer.transaction["payment_method"])
            }
        }
    }

    @Test("wallets answer like the test card behind them")
    func wallets() async throws {
        try await withSpreedly { desk in
            let card = try desk.call("POST", "/payment_methods", SpreedlyCall.card()).transaction["payment_method"]
            for (type, body) in [
                ("apple_pay", Self.apple(more: #","full_name":"Ada Okoro","address1":"9 Mill Row""#)),
                ("google_pay", Self.google(more: #","full_name":"Ada Okoro","address_1":"9 Mill Row""#)),
            ] {
                let method = try desk.call("POST", "/payment_methods", body).transaction["payment_method"]
                #expect(try method["payment_method_type"].string() == type)
                #expect(try method.members().map(\.name) == card.members().map(\.name))
                for name in ["last_four_digits", "first_six_digits", "card_type", "number", "full_name", "fingerprint"]
                {
                    #expect(method[name] == card[name])
                }
                #expect(try method["address1"].string() == "9 Mill Row")
                #expect(try method["verification_value"].string() == "")
                #expect(method["month"].kind == .null && method["year"].kind == .null)
            }
        }
    }

    @Test("a bank account's answer has other names and not its numbers")
    func bankAnswer() async throws {
        try await withSpreedly { desk in
            let answer = desk.call("POST", "/payment_methods", Self.bank())
            let method = try answer.transaction["payment_method"]
            let expected = [
                "account_type": #""checking""#, "account_holder_type": #""personal""#, "routing_number": #""021*""#,
                "account_number": #""*3210""#, "routing_number_display_digits": #""021""#,
                "account_number_display_digits": #""3210""#, "bank_name": "null", "full_name": #""Ada Okoro""#,
                "payment_method_type": #""bank_account""#, "storage_state": #""cached""#, "errors": "[]",
            ]
            for (name, source) in expected {
                #expect(String(decoding: method[name].source ?? [], as: UTF8.self) == source, "\(name)")
            }
            #expect(method["bank_account_type"].kind == .absent && method["number"].kind == .absent)
            #expect(!answer.text.contains("021000021") && !answer.text.contains("9876543210"))
            let token = try method["token"].string()
            let redacted = try desk.call("PUT", "/payment_methods/\(token)/redact").transaction["payment_method"]
            #expect(try redacted["account_number"].string() == "" && redacted["routing_number"].string() == "")
            #expect(desk.sandbox.ledger.entries.allSatisfy { $0.card == nil })
        }
    }

    @Test("foreign tokens and offsite methods, and that only cards are recached")
    func others() async throws {
        try await withSpreedly { desk in
            let members = #""payment_method_type":"third_party_token","reference":"v-7","gateway_type":"test""#
            let foreign = try desk.call(
                "POST", "/payment_methods",
                Self.flat(members + #","retained":true,"full_name":"Ada Okoro","zip":"LS1""#)
            ).transaction["payment_method"]
            #expect(try foreign["third_party_token"].string() == "v-7" && foreign["gateway_type"].string() == "test")
            #expect(try foreign["payment_method_type"].string() == "third_party_token")
            #expect(try foreign["full_name"].string() == "Ada Okoro" && foreign["zip"].string() == "LS1")
            let recache = desk.call(
                "POST", "/payment_methods/\(try foreign["token"].string())/recache",
                #"{"payment_method":{"credit_card":{"verification_value":"415"}}}"#)
            #expect(try recache.status == 422 && !recache.transaction["succeeded"].bool())
            let offsite = try desk.call("POST", "/payment_methods", Self.flat(#""payment_method_type":"sprel""#))
                .transaction["payment_method"]
            #expect(try offsite["payment_method_type"].string() == "sprel")
        }
    }
}
