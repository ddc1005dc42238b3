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
}
