import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Spreedly: fresh security codes and metadata")
struct SpreedlyRecacheTests {
    private static func body(_ code: String, key: String? = nil) -> String {
        let key = key.map { "\"environment_key\":\"\($0)\"," } ?? ""
        return
            "{\(key)\"payment_method\":{\"credit_card\":{\"verification_value\":\(code)},\"allow_blank_name\":false}}"
    }

    struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// `KEY` and `BASIC` stand for the right values.
        var header = ""
        var body = SpreedlyRecacheTests.body("\"415\"")
        var status = 200
        var error: String?

        init(_ name: String, header: String = "", key: String? = nil, status: Int = 200, error: String? = nil) {
            testDescription = name
            self.header = header
            body = SpreedlyRecacheTests.body("\"415\"", key: key)
            self.status = status
            self.error = error
        }
    }

    static let ways: [Way] = [
        Way("basic", header: "authorization: BASIC\r\n"), Way("key in the body", key: "KEY"),
        Way("key in a header", header: "spreedly-environment-key: KEY\r\n"),
        Way("basic and key", header: "authorization: BASIC\r\n", key: "KEY"),
        Way("nothing", status: 401, error: "- errors.environment_key_parameter_required"),
        Way("wrong key", key: "other", status: 401, error: "- errors.invalid_environment_key_parameter"),
        Way(
            "wrong secret", header: "authorization: Basic YTpi\r\n", key: "KEY", status: 401,
            error: "- errors.access_denied"),
    ]

    @Test("every way in, by POST and by PUT", arguments: ways, ["POST", "PUT"])
    func access(_ way: Way, method: String) async throws {
        try await withSpreedly { desk in
            let token = try desk.retained(SpreedlyCall.card(code: "null"))
            let key = desk.sandbox.credentials(for: "spreedly")?["environmentKey"] ?? ""
            let basic = SpreedlyCall.basic(desk.sandbox).dropFirst("authorization: ".count).dropLast(1)
            let header = way.header.replacing("BASIC", with: basic).replacing("KEY", with: key)
            let answer = desk.call(
                method, "/payment_methods/\(token)/recache.json", way.body.replacing("KEY", with: key), header: header)
            let errors = try answer.errors
            #expect(answer.status == way.status)
            #expect(errors == (way.error.map { [$0] } ?? []))
            let shown = try desk.call("GET", "/payment_methods/\(token)").method
            #expect(try shown["verification_value"].string() == (way.error == nil ? "XXX" : ""))
            guard way.error == nil else { return }
            let transaction = try answer.transaction
            #expect(try transaction["transaction_type"].string() == "RecacheSensitiveData")
            #expect(try transaction["succeeded"].bool())
            #expect(try transaction["payment_method"]["storage_state"].string() == "retained")
        }
    }

    @Test(
        "wrong codes",
        arguments: [
            ("\"12\"", "errors.invalid_cvv"), ("\"12345\"", "errors.invalid_cvv"), ("\"12a\"", "errors.invalid_cvv"),
            ("\"\"", "errors.blank"), ("null", "errors.blank"), ("415", "errors.invalid"),
        ])
    func codes(code: String, key: String) async throws {
        try await withSpreedly { desk in
            let answer = desk.call(
                "POST", "/payment_methods/\(try desk.retained())/recache.json", Self.body(code))
            #expect(answer.status == 422)
            let errors = try answer.errors
            #expect(errors == ["verification_value \(key)"])
        }
    }

    @Test("a method that is not retained cannot be recached", arguments: [false, true])
    func state(isRedacted: Bool) async throws {
        try await withSpreedly { desk in
            let path = "/payment_methods/\(try desk.create())"
            if isRedacted { _ = desk.call("PUT", path + "/redact") }
            let answer = desk.call("POST", path + "/recache", Self.body("\"415\""))
            #expect(answer.status == 422)
            let transaction = try answer.transaction
            #expect(try !transaction["succeeded"].bool() && transaction["state"].string() == "failed")
            #expect(transaction["message_key"].kind == .absent)
            #expect(try !transaction["message"].string().isEmpty)
        }
    }

    @Test("an unknown method, and an echo of the code")
    func others() async throws {
        try await withSpreedly { desk in
            let unknown = desk.call("POST", "/payment_methods/01KNOBODY/recache", Self.body("\"415\""))
            #expect(try unknown.errors == ["- errors.payment_method_not_found"])
            let token = try desk.retained()
            desk.sandbox.faults.add(.echoCard, provider: "spreedly", operation: "recache")
            let echo = desk.call("POST", "/payment_methods/\(token)/recache", Self.body("\"4159\""))
            #expect(echo.text.contains("4159"))
        }
    }

    // MARK: - Metadata

    @Test(
        "metadata is taken out by its names",
        arguments: [
            (#"{"keys":["cart"]}"#, #"{"vip":true}"#, [] as [String]), (#"{"keys":["cart","vip"]}"#, "{}", []),
            (#"{"keys":["other"]}"#, #"{"cart":"c-1","vip":true}"#, []),
            ("{}", #"{"cart":"c-1","vip":true}"#, ["keys errors.blank"]),
            (#"{"keys":[]}"#, #"{"cart":"c-1","vip":true}"#, ["keys errors.invalid"]),
            (#"{"keys":"cart"}"#, #"{"cart":"c-1","vip":true}"#, ["keys errors.invalid"]),
            (#"{"keys":[1]}"#, #"{"cart":"c-1","vip":true}"#, ["keys errors.invalid"]),
        ])
    func deleteMetadata(body: String, after: String, errors: [String]) async throws {
        try await withSpreedly { desk in
            let path =
                "/payment_methods/\(try desk.create(SpreedlyCall.card(outer: #","metadata":{"cart":"c-1","vip":true}"#)))"
            let answer = desk.call("DELETE", path + "/metadata.json", body)
            #expect(answer.status == (errors.isEmpty ? 200 : 422))
            let found = try answer.errors
            #expect(found == errors)
            let metadata = try desk.call("GET", path).method["metadata"]
            #expect(String(decoding: metadata.source ?? [], as: UTF8.self) == after)
        }
    }

    @Test("metadata of a redacted, a bare and an unknown method")
    func otherMetadata() async throws {
        try await withSpreedly { desk in
            let path = "/payment_methods/\(try desk.create())"
            #expect(try desk.call("DELETE", path + "/metadata", #"{"keys":["a"]}"#).method["metadata"].kind == .null)
            #expect(desk.call("DELETE", path + "/metadata").status == 415)
            #expect(desk.call("PUT", path + "/metadata", "{}").header["allow"] == "DELETE")
            _ = desk.call("PUT", path + "/redact")
            #expect(desk.call("DELETE", path + "/metadata", #"{"keys":["a"]}"#).status == 422)
            #expect(desk.call("DELETE", "/payment_methods/x/metadata", #"{"keys":["a"]}"#).status == 404)
            #expect(desk.call("DELETE", path + "/metadata", #"{"keys":["a"]}"#, header: "").status == 401)
        }
    }
}
