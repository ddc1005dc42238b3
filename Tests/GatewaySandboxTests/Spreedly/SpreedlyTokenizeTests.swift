import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Spreedly: creating a payment method")
struct SpreedlyTokenizeTests {
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

    @Test("answers with the recorded fields in the recorded order")
    func shape() async throws {
        let body = SpreedlyCall.card(
            more: #","company":"Kite Ltd","zip":"LS1 4AB","shipping_city":"Leeds""#,
            outer: #","email":"ada@example.com","metadata":{"cart":"c-771","visits":3,"vip":true}"#)
        let answer = try await Self.tokenize(body)
        #expect(answer.status == 201)
        #expect(answer.value("content-type") == "application/json; charset=utf-8")
        #expect(answer.value("cache-control") == "max-age=0, private, must-revalidate")
        #expect(answer.value("x-request-id")?.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        let transaction = try JSONValue(parsing: answer.body)["transaction"]
        let method = transaction["payment_method"]
        #expect(
            try transaction.members().map(\.name) == [
                "token", "created_at", "updated_at", "succeeded", "transaction_type", "retained", "state",
                "message_key", "message", "payment_method",
            ])
        #expect(
            try method.members().map(\.name) == [
                "token", "created_at", "updated_at", "email", "data", "storage_state", "test", "metadata",
                "callback_url", "last_successfully_used", "last_four_digits", "first_six_digits", "card_type",
                "first_name", "last_name", "month", "year", "address1", "address2", "city", "state", "zip", "country",
                "phone_number", "company", "full_name", "eligible_for_card_updater", "shipping_address1",
                "shipping_address2", "shipping_city", "shipping_state", "shipping_zip", "shipping_country",
                "shipping_phone_number", "issuer_identification_number", "click_to_pay", "managed", "bin_metadata",
                "subscribed_to_mastercard_abu", "payment_method_type", "errors", "fingerprint", "verification_value",
                "number",
            ])
        let token = try method["token"].string()
        let fingerprint = try method["fingerprint"].string()
        let other = try transaction["token"].string()
        #expect(token.count == 26 && other.count == 26 && token != other && fingerprint.count == 36)
        let expected = """
            {"transaction":{"token":"\(other)","created_at":"2026-07-25T17:20:00Z","updated_at":"2026-07-25T17:20:00Z",\
            "succeeded":true,"transaction_type":"AddPaymentMethod","retained":false,"state":"succeeded",\
            "message_key":"messages.transaction_succeeded","message":"Succeeded!","payment_method":{"token":"\(token)",\
            "created_at":"2026-07-25T17:20:00.345Z","updated_at":"2026-07-25T17:20:00.345Z",\
            "email":"ada@example.com","data":null,"storage_state":"cached","test":true,\
            "metadata":{"cart":"c-771","visits":3,"vip":true},"callback_url":null,"last_successfully_used":null,\
            "last_four_digits":"1111","first_six_digits":"411111","card_type":"visa","first_name":"Ada",\
            "last_name":"Okoro","month":9,"year":2031,"address1":null,"address2":null,"city":null,"state":null,\
            "zip":"LS1 4AB","country":null,"phone_number":null,"company":"Kite Ltd","full_name":"Ada Okoro",\
            "eligible_for_card_updater":true,"shipping_address1":null,"shipping_address2":null,\
            "shipping_city":"Leeds","shipping_state":null,"shipping_zip":null,"shipping_country":null,\
            "shipping_phone_number":null,"issuer_identification_number":"41111111","click_to_pay":false,\
            "managed":true,"bin_metadata":{"message":"(not enrolled)"},"subscribed_to_mastercard_abu":false,\
            "payment_method_type":"credit_card","errors":[],"fingerprint":"\(fingerprint)",\
            "verification_value":"XXX","number":"XXXX-XXXX-XXXX-1111"}}}
            """
        #expect(answer.text == expected)
    }

    // MARK: - Ways in

    struct Way: Sendable, CustomTestStringConvertible {
        var name: String
        var path: String
        /// `KEY`, `SECRET` and `BASIC` stand for the right values.
        var header = ""
        var body = SpreedlyCall.card()
        var type = "content-type: application/json\r\n"
        var status: Int
        var key: String?
        var testDescription: String { name }
    }

    private static func withKey(_ key: String) -> String {
        "{\"environment_key\":\"\(key)\"," + SpreedlyCall.card().dropFirst()
    }

    static let ways: [Way] = [
        Way(name: "basic", path: "/payment_methods.json", header: "authorization: BASIC\r\n", status: 201),
        Way(name: "no suffix", path: "/payment_methods", header: "authorization: BASIC\r\n", status: 201),
        Way(
            name: "scheme in other case", path: "/payment_methods", header: "Authorization: BASIC-LOWER\r\n",
            status: 201),
        Way(name: "public", path: "/payment_methods.json?environment_key=KEY", status: 201),
        Way(
            name: "restricted, key in the body", path: "/payment_methods/restricted.json", body: withKey("KEY"),
            status: 201),
        Way(
            name: "restricted, key in the header", path: "/payment_methods/restricted",
            header: "spreedly-environment-key: KEY\r\n", status: 201),
        Way(
            name: "restricted, platform-meta", path: "/payment_methods/restricted.json",
            body: "{\"platform-meta\":\"e30=\"," + withKey("KEY").dropFirst(), status: 201),
        Way(
            name: "wrong secret", path: "/payment_methods.json", header: "authorization: Basic YTpi\r\n", status: 401,
            key: "errors.access_denied"),
        Way(
            name: "wrong secret beats a right key", path: "/payment_methods.json?environment_key=KEY",
            header: "authorization: Basic YTpi\r\n", status: 401, key: "errors.access_denied"),
        Way(
            name: "bearer", path: "/payment_methods.json", header: "authorization: Bearer SECRET\r\n", status: 401,
            key: "errors.access_denied"),
        Way(
            name: "basic twice", path: "/payment_methods.json",
            header: "authorization: BASIC\r\nauthorization: BASIC\r\n", status: 401, key: "errors.access_denied"),
        Way(
            name: "nothing", path: "/payment_methods.json", status: 401,
            key: "errors.environment_key_parameter_required"),
        Way(
            name: "empty key", path: "/payment_methods.json?environment_key=", status: 401,
            key: "errors.environment_key_parameter_required"),
        Way(
            name: "wrong key", path: "/payment_methods.json?environment_key=other", status: 401,
            key: "errors.invalid_environment_key_parameter"),
        Way(
            name: "restricted without key", path: "/payment_methods/restricted.json", status: 401,
            key: "errors.environment_key_parameter_required"),
        Way(
            name: "restricted with wrong key", path: "/payment_methods/restricted.json", body: withKey("other"),
            status: 401, key: "errors.invalid_environment_key_parameter"),
        Way(
            name: "restricted with a query key", path: "/payment_methods/restricted.json?environment_key=KEY",
            status: 401, key: "errors.environment_key_parameter_required"),
        Way(
            name: "signed set that nobody knows", path: "/payment_methods/restricted.json",
            body: "{\"nonce\":\"n\"," + withKey("KEY").dropFirst(), status: 401,
            key: "errors.invalid_enhanced_authentication_params"),
        Way(
            name: "credentials before the body", path: "/payment_methods.json", body: "{", status: 401,
            key: "errors.environment_key_parameter_required"),
        Way(
            name: "no content type", path: "/payment_methods.json", header: "authorization: BASIC\r\n", type: "",
            status: 415, key: "errors.unsupported_content_type"),
        Way(
            name: "form", path: "/payment_methods.json", header: "authorization: BASIC\r\n",
            type: "content-type: application/x-www-form-urlencoded\r\n", status: 415,
            key: "errors.unsupported_content_type"),
        Way(
            name: "charset", path: "/payment_methods.json", header: "authorization: BASIC\r\n",
            type: "content-type: application/json; charset=UTF-8\r\n", status: 201),
        Way(
            name: "broken JSON", path: "/payment_methods.json", header: "authorization: BASIC\r\n", body: "{",
            status: 400, key: "errors.invalid_request_body"),
        Way(
            name: "JSON that is no object", path: "/payment_methods.json", header: "authorization: BASIC\r\n",
            body: "[]", status: 400, key: "errors.invalid_request_body"),
        Way(
            name: "a member twice", path: "/payment_methods.json", header: "authorization: BASIC\r\n",
            body: #"{"payment_method":{},"payment_method":{}}"#, status: 400, key: "errors.invalid_request_body"),
        Way(name: "XML", path: "/payment_methods.xml", status: 404, key: "errors.dispatch_not_found"),
        Way(name: "unknown path", path: "/cards.json", status: 404, key: "errors.dispatch_not_found"),
    ]

    @Test("ways in and the order of checks", arguments: ways)
    func access(_ way: Way) async throws {
        let answer = try await withSandbox(Self.configuration) { sandbox in
            let credentials = sandbox.credentials(for: "spreedly")
            let basic = SpreedlyCall.basic(sandbox).dropFirst("authorization: ".count).dropLast(1)
            let fill = { (text: String) in
                text.replacing("BASIC-LOWER", with: "bASIC" + basic.dropFirst(5)).replacing("BASIC", with: basic)
                    .replacing("KEY", with: credentials?["environmentKey"] ?? "")
                    .replacing("SECRET", with: credentials?["accessSecret"] ?? "")
            }
            return sandbox.exchange(
                SpreedlyCall.post(
                    "/spreedly/v1" + fill(way.path), header: fill(way.header), type: way.type, body: fill(way.body)))
        }
        #expect(answer?.status == way.status)
        if let key = way.key {
            let error = try JSONValue(parsing: try #require(answer?.body))["errors"][0]
            #expect(try error["key"].string() == key)
            #expect(try !error["message"].string().isEmpty)
            #expect(answer?.value("cache-control") == "no-cache")
        }
    }

    @Test("other methods are told which one is right")
    func wrongMethod() async throws {
        let answers = try await withSandbox { sandbox in
            ["/payment_methods.json", "/payment_methods/restricted", "/payment_methods/abc.json"]
                .map { sandbox.get("/spreedly/v1" + $0, method: "PATCH") }
        }
        #expect(answers.map(\.?.status) == [405, 405, 405])
        #expect(answers.map { $0?.value("allow") } == ["POST", "POST", "GET"])
    }

    // MARK: - Fields

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
            "maestro", "master", "naranja", "sodexo", "visa",
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

    @Test("shows what was created, to those with the secret")
    func show() async throws {
        let (created, shown, denied, unknown) = try await withSandbox(Self.configuration) { sandbox in
            let created = sandbox.exchange(SpreedlyCall.tokenize(sandbox))
            let path = "/spreedly/v1/payment_methods/\(sandbox.ledger.entries.first?.token ?? "")"
            return (
                created, sandbox.get(path + ".json", header: SpreedlyCall.basic(sandbox)), sandbox.get(path),
                sandbox.get("/spreedly/v1/payment_methods/0000", header: SpreedlyCall.basic(sandbox))
            )
        }
        let inner = try JSONValue(parsing: try #require(created?.body))["transaction"]["payment_method"]
        let outer = try JSONValue(parsing: try #require(shown?.body))["payment_method"]
        #expect(shown?.status == 200)
        #expect(outer == inner)
        #expect(denied?.status == 401)
        #expect(unknown?.status == 404)
        #expect(unknown?.text.contains("errors.payment_method_not_found") == true)
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

@Suite("Names that a provider hands out")
struct TokenMintTests {
    @Test("SipHash-2-4 gives its authors' test value")
    func sipHash() {
        let key: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
        #expect(SipHash.hash(Array(0..<15), key: key) == 0xA129_CA61_49BE_45E5)
        #expect(SipHash.hash([], key: key) == 0x726F_DB47_DD0E_0E31)
    }

    @Test(
        "base 64 as in RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ])
    func base64(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
    }

    @Test("no name holds eleven digits in a row, hyphens not counted")
    func noCardLookalikes() {
        var mint = TokenMint(seed: 5, purpose: 1)
        let fingerprint = KeyedFingerprint(mint: &mint)
        for index in 0..<2000 {
            let names = [
                mint.ulid(at: WallTime(secondsSince1970: Int64(index) * 1_000_000)), mint.unorderedToken(), mint.uuid(),
                mint.secret(64), fingerprint.of("\(index)"),
            ]
            #expect(names.map(\.count) == [26, 26, 36, 64, 36])
            for name in names {
                let runs = name.filter { $0 != "-" }.split { !$0.isASCII || !$0.isNumber }
                #expect(runs.allSatisfy { $0.count < 11 })
            }
        }
    }

    @Test("ULIDs sort by time")
    func ulidOrder() {
        var mint = TokenMint(seed: 5, purpose: 1)
        let early = mint.ulid(at: WallTime(secondsSince1970: 1_785_000_000))
        let late = mint.ulid(at: WallTime(secondsSince1970: 1_785_000_001))
        #expect(early < late)
        #expect(early.hasPrefix("01K"))
    }
}
