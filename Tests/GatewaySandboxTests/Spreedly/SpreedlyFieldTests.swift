import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Spreedly: the fields of a card")
struct SpreedlyFieldTests {
    private static let now = WallTime(secondsSince1970: 1_785_000_000, nanoseconds: 345_000_000)

    private static var configuration: SandboxConfiguration {
        var configuration = SandboxConfiguration()
        configuration.now = { now }
        return configuration
    }

    private static func tokenize(_ body: String) async throws -> RawAnswer {
        let answer = try await withSandbox(configuration) { $0.exchange(SpreedlyCall.tokenize($0, body: body)) }
        return try #require(answer)
    }

    struct Field: Sendable, CustomTestStringConvertible {
        var name: String
        var body: String
        /// `attribute key` in their order; empty when a method is created.
        var errors: [String]
        var status: Int
        var testDescription: String { name }

        init(_ name: String, _ body: String, _ errors: [String] = [], status: Int? = nil) {
            self.name = name
            self.body = body
            self.errors = errors
            self.status = status ?? (errors.isEmpty ? 201 : 422)
        }
    }

    private static func named(_ name: String, outer: String = "") -> String {
        "{\"payment_method\":{\"credit_card\":{\(name)\"number\":\"\(SpreedlyCall.visa)\",\"month\":9,\"year\":2031}"
            + "\(outer)}}"
    }

    /// A number of sixteen digits with this beginning whose check digit is right, or wrong.
    private static func made(_ prefix: String, isRight: Bool = true, length: Int = 16) -> String {
        let body = prefix + String(repeating: "0", count: length - 1 - prefix.count)
        let sum = body.utf8.reversed().enumerated().reduce(0) { sum, item in
            let digit = Int(item.element) - 48
            let weighted = item.offset.isMultiple(of: 2) ? digit * 2 : digit
            return sum + (weighted > 9 ? weighted - 9 : weighted)
        }
        return body + String((10 - sum % 10 + (isRight ? 0 : 1)) % 10)
    }

    private static let pairs26 = (0..<26).map { "\"k\($0)\":1" }.joined(separator: ",")
    private static let inactive = ["- errors.account_inactive"]

    static let fields: [Field] = [
        Field("month and year as text", SpreedlyCall.card(month: "\"09\"", year: "\"2031\"")),
        Field("month without zero", SpreedlyCall.card(month: "\"9\"")),
        Field("month 13", SpreedlyCall.card(month: "13"), ["month errors.invalid"]),
        Field("month 0", SpreedlyCall.card(month: "\"0\""), ["month errors.invalid"]),
        Field("month as a word", SpreedlyCall.card(month: "\"May\""), ["month errors.invalid"]),
        Field("month with a fraction", SpreedlyCall.card(month: "9.5"), ["month errors.invalid"]),
        Field("month true", SpreedlyCall.card(month: "true"), ["month errors.invalid"]),
        Field("two-digit year", SpreedlyCall.card(year: "\"31\""), ["year errors.invalid"]),
        Field("two-digit year as a number", SpreedlyCall.card(year: "31"), ["year errors.invalid"]),
        Field(
            "blank date", SpreedlyCall.card(month: "\"\"", year: "null"), ["month errors.blank", "year errors.blank"]),
        Field(
            "blank date allowed", SpreedlyCall.card(month: "null", year: "null", outer: ",\"allow_blank_date\":true")),
        Field("last month", SpreedlyCall.card(month: "6", year: "2026"), ["year errors.expired"]),
        Field("this month (C2)", SpreedlyCall.card(month: "7", year: "2026")),
        Field("expired allowed", SpreedlyCall.card(year: "2020", outer: ",\"allow_expired_date\":true")),
        Field("expired allowed in the card", SpreedlyCall.card(year: "2020", more: ",\"allow_expired_date\":true")),
        Field(
            "expired not allowed", SpreedlyCall.card(year: "2020", outer: ",\"allow_expired_date\":false"),
            ["year errors.expired"]),
        Field("no names", named(""), ["first_name errors.blank", "last_name errors.blank"]),
        Field("name of spaces", named("\"first_name\":\" \",\"last_name\":\"Okoro\","), ["first_name errors.blank"]),
        Field("full name", named("\"full_name\":\"Ada Maria Okoro\",")),
        Field("full name of one word (C4)", named("\"full_name\":\"James\",")),
        Field("blank full name", named("\"full_name\":\" \","), ["first_name errors.blank", "last_name errors.blank"]),
        Field("blank name allowed", named("", outer: ",\"allow_blank_name\":true")),
        Field("blank name allowed in the card", named("\"allow_blank_name\":true,")),
        Field("Korean name (C7)", named("\"full_name\":\"\u{AE40} \u{CCA0}\u{C218}\",")),
        Field("name as a number", named("\"first_name\":7,\"last_name\":\"Okoro\","), ["first_name errors.invalid"]),
        Field("no number", SpreedlyCall.card(number: nil), ["number errors.blank"]),
        Field("blank number", SpreedlyCall.card(number: " "), ["number errors.blank"]),
        Field("number with spaces", SpreedlyCall.card(number: "4111 1111 1111 1111"), ["number errors.invalid"]),
        Field("check digit", SpreedlyCall.card(number: made("4111", isRight: false)), ["number errors.invalid"]),
        Field("twenty digits", SpreedlyCall.card(number: made("4111", length: 20)), ["number errors.invalid"]),
        Field("no brand", SpreedlyCall.card(number: made("9")), ["card_type errors.blank_card_type"]),
        Field("real card", SpreedlyCall.card(number: made("4000001")), inactive, status: 402),
        Field("three digits count as a real card", SpreedlyCall.card(number: "343"), inactive, status: 402),
        Field("fields go before activation", SpreedlyCall.card(number: "343", month: "13"), ["month errors.invalid"]),
        Field(
            "several at once", SpreedlyCall.card(number: nil, month: "13", year: "\"31\"", code: "\"12a\""),
            ["number errors.blank", "month errors.invalid", "year errors.invalid", "verification_value errors.invalid"]),
        Field("no code", SpreedlyCall.card(code: "null")),
        Field("blank code (L7)", SpreedlyCall.card(code: "\"\"")),
        Field("code of two digits", SpreedlyCall.card(code: "\"12\""), ["verification_value errors.invalid"]),
        Field("code of five digits", SpreedlyCall.card(code: "\"12345\""), ["verification_value errors.invalid"]),
        Field("code as a number", SpreedlyCall.card(code: "737"), ["verification_value errors.invalid"]),
        Field("email in the card", SpreedlyCall.card(more: ",\"email\":\"ada@example.com\"")),
        Field("empty email and metadata", SpreedlyCall.card(outer: ",\"email\":\"\",\"metadata\":{}")),
        Field("email as an object", SpreedlyCall.card(outer: ",\"email\":{}"), ["email errors.invalid"]),
        Field("26 metadata", SpreedlyCall.card(outer: ",\"metadata\":{\(pairs26)}"), ["metadata errors.invalid"]),
        Field(
            "25 metadata", SpreedlyCall.card(outer: ",\"metadata\":{\(pairs26.dropLast(",\"k25\":1".count))}")),
        Field(
            "long metadata key",
            SpreedlyCall.card(outer: ",\"metadata\":{\"\(String(repeating: "k", count: 51))\":1}"),
            ["metadata errors.invalid"]),
        Field(
            "long metadata value",
            SpreedlyCall.card(outer: ",\"metadata\":{\"k\":\"\(String(repeating: "v", count: 501))\"}"),
            ["metadata errors.invalid"]),
        Field(
            "metadata at the limits",
            SpreedlyCall.card(
                outer:
                    ",\"metadata\":{\"\(String(repeating: "k", count: 50))\":\"\(String(repeating: "v", count: 500))\"}"
            )),
        Field("nested metadata", SpreedlyCall.card(outer: ",\"metadata\":{\"k\":[1]}"), ["metadata errors.invalid"]),
        Field("metadata as a list", SpreedlyCall.card(outer: ",\"metadata\":[]"), ["metadata errors.invalid"]),
        Field("free data", SpreedlyCall.card(outer: ",\"data\":{\"a\":[1,2.50]}")),
        Field(
            "flag as text", SpreedlyCall.card(outer: ",\"allow_blank_name\":\"true\""),
            ["allow_blank_name errors.invalid"]),
        Field("retained", SpreedlyCall.card(outer: ",\"retained\":true")),
        Field("unknown fields", SpreedlyCall.card(more: ",\"nickname\":1", outer: ",\"x\":[]")),
        Field("no payment method", "{}", ["payment_method errors.blank"]),
        Field("payment method as a list", "{\"payment_method\":[]}", ["payment_method errors.invalid"]),
        Field("no card", "{\"payment_method\":{}}", ["credit_card errors.blank"]),
        Field("address as a number", SpreedlyCall.card(more: ",\"zip\":12345"), ["zip errors.invalid"]),
    ]

    @Test("field rules", arguments: fields)
    func field(_ field: Field) async throws {
        let answer = try await Self.tokenize(field.body)
        let errors = try JSONValue(parsing: answer.body)["errors"].items.map { error in
            "\(try error["attribute"].present?.string() ?? "-") \(try error["key"].string())"
        }
        #expect(errors == field.errors)
        #expect(answer.status == field.status)
    }

    @Test("messages begin with the attribute in words")
    func messages() async throws {
        let answer = try await Self.tokenize(
            SpreedlyCall.card(number: nil, month: "7", year: "2020").replacing("Ada", with: ""))
        let texts = try JSONValue(parsing: answer.body)["errors"].items.map { try $0["message"].string() }
        #expect(texts == ["First name can't be blank", "Number can't be blank", "Year is expired"])
    }

    @Test("every public test card is taken, with Spreedly's word for its brand", arguments: TestCard.all.map(\.number))
    func testCards(_ number: String) async throws {
        let answer = try await Self.tokenize(SpreedlyCall.card(number: number))
        let method = try JSONValue(parsing: answer.body)["transaction"]["payment_method"]
        #expect(answer.status == 201)
        #expect(try method["number"].string() == "XXXX-XXXX-XXXX-" + number.suffix(4))
        let words: Set = [
            "alelo", "american_express", "cabal", "carnet", "dankort", "diners_club", "discover", "elo", "jcb",
            "maestro", "master", "naranja", "sodexo", "union_pay", "visa",
        ]
        #expect(words.contains(try method["card_type"].string()))
    }

    @Test("names, codes and dates come back as the dossier shows them")
    func echoes() async throws {
        let method = { (body: String) in
            try JSONValue(parsing: try await Self.tokenize(body).body)["transaction"]["payment_method"]
        }
        let full = try await method(Self.named("\"full_name\":\" Ada  Maria Okoro \","))
        #expect(try full["first_name"].string() == "Ada Maria")
        #expect(try full["last_name"].string() == "Okoro")
        #expect(try full["full_name"].string() == "Ada Maria Okoro")
        #expect(try full["verification_value"].string() == "")
        let amex = try await method(SpreedlyCall.card(number: "378282246310005", month: "\"03\"", code: "\"8264\""))
        #expect(try amex["verification_value"].string() == "XXXX")
        #expect(amex["month"].kind == .number && amex["year"].kind == .number)
        let blank = try await method(
            Self.named("").replacing(
                "\"month\":9,\"year\":2031}",
                with: "\"month\":null},\"allow_blank_name\":true,\"allow_blank_date\":true"))
        #expect(blank["month"].kind == .null && blank["first_name"].kind == .null && blank["full_name"].kind == .null)
        let email = try await method(SpreedlyCall.card(more: ",\"email\":\"ada@example.com\""))
        #expect(try email["email"].string() == "ada@example.com")
    }

    @Test("only the access secret can retain")
    func retained() async throws {
        let (kept, refused) = try await withSandbox(Self.configuration) { sandbox in
            let body = SpreedlyCall.card(outer: ",\"retained\":true")
            let key = sandbox.credentials(for: "spreedly")?["environmentKey"] ?? ""
            return (
                sandbox.exchange(SpreedlyCall.tokenize(sandbox, body: body)),
                sandbox.exchange(
                    SpreedlyCall.post("/spreedly/v1/payment_methods.json?environment_key=\(key)", body: body))
            )
        }
        let transaction = try JSONValue(parsing: try #require(kept?.body))["transaction"]
        #expect(try transaction["retained"].bool())
        #expect(try transaction["payment_method"]["storage_state"].string() == "retained")
        #expect(refused?.status == 422)
    }

    @Test("the fingerprint is the card's own within a sandbox, and differs between sandboxes")
    func fingerprints() async throws {
        let fingerprints = { (seed: UInt64) in
            var configuration = Self.configuration
            configuration.seed = seed
            return try await withSandbox(configuration) { sandbox in
                try [SpreedlyCall.visa, "5555555555554444", SpreedlyCall.visa].map { number in
                    let answer = sandbox.exchange(
                        SpreedlyCall.tokenize(sandbox, body: SpreedlyCall.card(number: number)))
                    let root = try JSONValue(parsing: answer?.body ?? [])
                    return try root["transaction"]["payment_method"]["fingerprint"].string()
                }
            }
        }
        let (first, second) = (try await fingerprints(1), try await fingerprints(2))
        #expect(first[0] == first[2] && first[0] != first[1])
        #expect(first[0] != second[0])
    }

    @Test("tokens are the same for the same seed, time and order")
    func deterministic() async throws {
        let first = try await Self.tokenize(SpreedlyCall.card())
        let second = try await Self.tokenize(SpreedlyCall.card())
        #expect(first.text == second.text)
        #expect(first.value("x-request-id") == second.value("x-request-id"))
    }

    @Test("a full vault forgets the oldest")
    func keptObjects() async throws {
        var configuration = Self.configuration
        configuration.keptEntries = 2
        let statuses = try await withSandbox(configuration) { sandbox in
            let tokens = try (0..<7).map { _ in
                let answer = sandbox.exchange(SpreedlyCall.tokenize(sandbox))
                return try JSONValue(parsing: answer?.body ?? [])["transaction"]["payment_method"]["token"].string()
            }
            return tokens.map {
                sandbox.get("/spreedly/v1/payment_methods/\($0)", header: SpreedlyCall.basic(sandbox))?.status
            }
        }
        #expect(statuses == [404, 404, 404, 404, 404, 200, 200])
    }
}
