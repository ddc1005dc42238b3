import GatewayKitCore
import Testing

/// Refused requests with an `errors` list (dossier 1.5, 4.1, 4.3).
@Suite struct RefusalTests {
    private func end(_ body: String, status: Int = 422, fields: [String] = []) async throws -> End {
        try await Shop.answer(of: try AnswerPeer(status: status, body, fields: fields))
    }

    private static func entry(_ attribute: String?, _ key: String?, _ message: String?) -> String {
        let members = [("attribute", attribute), ("key", key), ("message", message)].compactMap { name, value in
            value.map { "\"\(name)\":\"\($0)\"" }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func list(_ entries: String...) -> String {
        "{\"errors\":[" + entries.joined(separator: ",") + "]}"
    }

    struct FieldRow: Sendable, CustomTestStringConvertible {
        let attribute: String?
        let key: String
        let field: FieldIssue.Field
        let problem: FieldIssue.Problem
        var testDescription: String { "\(attribute ?? "no attribute") \(key)" }

        init(_ attribute: String?, _ key: String, _ field: FieldIssue.Field, _ problem: FieldIssue.Problem) {
            self.attribute = attribute
            self.key = key
            self.field = field
            self.problem = problem
        }
    }

    static let fieldRows: [FieldRow] = [
        FieldRow("number", "errors.blank", .number, .missing),
        FieldRow("number", "errors.invalid", .number, .malformed),
        FieldRow("month", "errors.blank", .expiryMonth, .missing),
        FieldRow("month", "errors.invalid", .expiryMonth, .malformed),
        FieldRow("month", "errors.expired", .expiryMonth, .expired),
        FieldRow("year", "errors.blank", .expiryYear, .missing),
        FieldRow("year", "errors.invalid", .expiryYear, .malformed),
        FieldRow("year", "errors.expired", .expiryYear, .expired),
        FieldRow(nil, "errors.expired", .expiryYear, .expired),
        FieldRow("first_name", "errors.blank", .firstName, .missing),
        FieldRow("last_name", "errors.blank", .lastName, .missing),
        FieldRow("full_name", "errors.blank", .name, .missing),
        FieldRow("verification_value", "errors.invalid", .securityCode, .malformed),
        FieldRow("verification_value", "errors.invalid_cvv", .securityCode, .malformed),
        FieldRow(nil, "errors.invalid_cvv", .securityCode, .malformed),
        FieldRow("number", "errors.blank_card_type", .number, .unknownBrand),
        FieldRow("card_type", "errors.blank_card_type", .number, .unknownBrand),
        FieldRow(nil, "errors.blank_card_type", .number, .unknownBrand),
        FieldRow(nil, "errors.blank", .other, .missing),
        FieldRow(nil, "errors.invalid", .other, .malformed),
        FieldRow("email", "errors.invalid", .email, .malformed),
        FieldRow("zip", "errors.invalid", .postalCode, .malformed),
        FieldRow("state", "errors.invalid", .region, .malformed),
        FieldRow("country", "errors.invalid", .country, .malformed),
        FieldRow("address1", "errors.blank", .line1, .missing),
        FieldRow("shipping_zip", "errors.invalid", .postalCode.ofShipping, .malformed),
        FieldRow("shipping_phone_number", "errors.invalid", .phone.ofShipping, .malformed),
        FieldRow("phone_number", "errors.invalid", .phone, .malformed),
        FieldRow("company", "errors.invalid", .company, .malformed),
        FieldRow("metadata", "errors.invalid", .metadata, .malformed),
        FieldRow("retained", "errors.invalid", .option, .malformed),
        FieldRow("allow_blank_name", "errors.invalid", .option, .malformed),
        FieldRow("eligible_for_card_updater", "errors.invalid", .option, .malformed),
        FieldRow("attribute_of_2031", "errors.invalid", .other, .malformed),
        FieldRow("number", "errors.key_of_2031", .number, .unlisted),
        FieldRow("attribute_of_2031", "errors.key_of_2031", .other, .unlisted),
    ]

    @Test("F11: each field error has its row and keeps the raw key, field and words", arguments: fieldRows)
    func fields(row: FieldRow) async throws {
        let end = try await end(Self.list(Self.entry(row.attribute, row.key, "Words of the provider")))
        let expected = FieldIssue(
            row.field, row.problem, origin: .provider, providerCode: row.key, providerField: row.attribute,
            message: "Words of the provider")
        #expect(end.issues == [expected])
    }

    @Test("Several errors at once, two on one attribute, in their order; none is dropped")
    func several() async throws {
        let body = Self.list(
            Self.entry("first_name", "errors.blank", "First name can't be blank"),
            Self.entry("year", "errors.expired", "Year is expired"),
            Self.entry("year", "errors.invalid", "Year is invalid"),
            Self.entry(nil, "errors.key_of_2031", "Something else"), "null", "7")
        let issues = try #require(try await end(body).issues)
        #expect(issues.map(\.field) == [.firstName, .expiryYear, .expiryYear, .other])
        #expect(issues.map(\.problem) == [.missing, .expired, .malformed, .unlisted])
        #expect(issues.map(\.message.description).last == "Something else")
    }

    @Test("A single error without its array")
    func object() async throws {
        let end = try await end("{\"errors\":" + Self.entry("year", "errors.expired", "Year is expired") + "}")
        #expect(end.issues?.map(\.field) == [.expiryYear])
    }

    @Test("B6: what is missing in an error is missing, the rest is read")
    func missingParts() async throws {
        let noMessage = try await end(Self.list(Self.entry("year", "errors.expired", nil)))
        #expect(noMessage.issues?.map(\.problem) == [.expired])
        #expect(noMessage.issues?.first?.message.isEmpty == false)
        let noKey = try await end(Self.list(Self.entry("year", nil, "Year is odd")))
        #expect(
            noKey.issues == [
                FieldIssue(.expiryYear, .unlisted, origin: .provider, providerField: "year", message: "Year is odd")
            ])
        let onlyMessage = try await end(Self.list(Self.entry(nil, nil, "No way")))
        #expect(onlyMessage.thrown?.code == .requestRefused)
        #expect(onlyMessage.thrown?.answer?.providerMessage?.description == "No way")
        let text = try await end(#"{"errors":["No way"]}"#)
        #expect(text.thrown?.answer?.providerMessage?.description == "No way")
    }

    @Test("An empty list still refuses; neither errors nor a transaction proves nothing")
    func emptyLists() async throws {
        for body in [#"{"errors":[]}"#, #"{"errors":{}}"#, #"{"errors":[{}]}"#, #"{"errors":[null]}"#] {
            let error = try #require(try await end(body).thrown, "\(body)")
            #expect(error.code == .requestRefused)
            #expect(error.reach == .answered)
        }
        for body in ["{}", "[]", "null", "\"no\"", #"{"errors":null}"#, #"{"transaction":null}"#, "", "no", "<html>"] {
            for status in [402, 422] {
                #expect(try await end(body, status: status).name == "unknown", "\(status) \(body)")
            }
        }
    }

    @Test("A real card in an environment for test cards only: 402 and 422", arguments: [402, 422])
    func accountInactive(status: Int) async throws {
        let end = try await end(
            Self.list(Self.entry(nil, "errors.account_inactive", "Account is inactive")), status: status,
            fields: ["X-Request-ID: id-1"])
        #expect(
            end.decline
                == Decline(
                    .accountNotActive, providerCode: "errors.account_inactive", message: "Account is inactive",
                    requestID: "id-1"))
    }

    @Test(
        "Keys that tell of credentials do so under any refusing status",
        arguments: [400, 401, 402, 404, 422],
        [
            "errors.access_denied", "errors.environment_key_parameter_required",
            "errors.invalid_environment_key_parameter", "errors.invalid_enhanced_authentication_params",
        ])
    func credentials(status: Int, key: String) async throws {
        let error = try #require(
            try await end(Self.list(Self.entry(nil, key, "Words")), status: status).thrown)
        #expect(error.code == .credentialsRefused)
        #expect(error.reach == .answered)
        #expect(error.answer?.status == status)
        #expect(error.answer?.providerCode == key)
        #expect(error.answer?.providerMessage?.description == "Words")
        #expect(error.tries == 1)
    }

    @Test("403 is a matter of rights, unless its key tells of the environment key")
    func rights() async throws {
        let denied = try await end(Self.list(Self.entry(nil, "errors.access_denied", "Words")), status: 403)
        #expect(denied.thrown?.code == .notPermitted)
        let unknownKey = try await end(
            Self.list(Self.entry(nil, "errors.invalid_environment_key_parameter", "Words")), status: 403)
        #expect(unknownKey.thrown?.code == .credentialsRefused)
    }

    @Test(
        "Other keys without a field are refused requests that keep code and words",
        arguments: [
            "errors.unknown_referrer", "errors.invalid_referrer", "errors.configuration", "errors.dispatch_not_found",
            "errors.key_of_2031",
        ])
    func otherKeys(key: String) async throws {
        let error = try #require(try await end(Self.list(Self.entry(nil, key, "Words"))).thrown)
        #expect(error.code == .requestRefused)
        #expect(error.answer?.providerCode == key)
        #expect(error.answer?.providerMessage?.description == "Words")
    }

    @Test("L3, L5, L6: words, keys and names that echo card or secret are scrubbed, in every spelling")
    func echoes() async throws {
        let number = Shop.number
        let spellings = [
            number, "4111 1111 1111 1111", "4111-1111-1111-1111", "4111.1111.1111.1111", "x\(number)y",
            Base64Reading.encode(number), Base64Reading.encode("{\\\"number\\\":\\\"\(number)\\\"}"),
            number.utf8.map { "%" + String($0, radix: 16) }.joined(), number.utf8.map { "&#\($0);" }.joined(),
            number.utf8.map { "\\u00" + String($0, radix: 16) }.joined(),
            number.utf8.map { String($0, radix: 16) }.joined(), "number=\(number)&verification_value=737",
            "<number>\(number)</number>", "code 737 is wrong", "key \(Shop.accessSecret)",
            Base64Reading.encode("\(Shop.environmentKey):\(Shop.accessSecret)"),
        ]
        for text in spellings {
            let everywhere = Self.list(
                Self.entry("year", "errors.expired", "Year \(text) is expired"), Self.entry(text, text, text))
            let nameless = Self.list(Self.entry(nil, text, text))
            for (status, body) in [(422, everywhere), (422, nameless), (404, nameless), (503, nameless)] {
                let recorder = Recorder()
                let peer = try AnswerPeer(status: status, body, fields: ["x-request-id: \(text)"])
                let end = try await Shop.answer(of: peer, nil, recorder)
                #expect(end.leaks.isEmpty, "\(status) \(text)")
                #expect(secretSearch.leaks(in: recorder.shown).isEmpty, "\(status) \(text)")
            }
        }
        let shown = try await end(Self.list(Self.entry("year", "errors.expired", "Year of \(number) is expired")))
            .issues
        #expect(shown?.first?.message.description == "Year of 411111******1111 is expired")
    }
}
