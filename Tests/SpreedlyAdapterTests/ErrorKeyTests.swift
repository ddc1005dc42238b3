import GatewayKitCore
import Testing

/// Every key of the dossier's table 4.1: how it ends, which field, the raw key, and the words with what must not show
/// taken out.
@Suite struct ErrorKeyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let key: String
        let status: Int
        let end: String
        var attribute: String?
        var issue: (field: FieldIssue.Field, problem: FieldIssue.Problem)?
        var testDescription: String { "\(status) \(key)" + (attribute.map { " on \($0)" } ?? "") }

        init(_ key: String, _ status: Int, _ end: String) {
            self.key = key
            self.status = status
            self.end = end
        }

        init(_ key: String, on attribute: String?, _ field: FieldIssue.Field, _ problem: FieldIssue.Problem) {
            self.init(key, 422, "invalid")
            self.attribute = attribute
            issue = (field, problem)
        }
    }

    static let rows: [Row] = [
        Row("errors.access_denied", 401, "throws credentialsRefused"),
        Row("errors.environment_key_parameter_required", 401, "throws credentialsRefused"),
        Row("errors.invalid_environment_key_parameter", 401, "throws credentialsRefused"),
        Row("errors.invalid_enhanced_authentication_params", 401, "throws credentialsRefused"),
        Row("errors.invalid_enhanced_authentication_params", 422, "throws credentialsRefused"),
        Row("errors.account_inactive", 402, "declined"),
        Row("errors.account_inactive", 422, "declined"),
        Row("errors.blank", on: "first_name", .firstName, .missing),
        Row("errors.invalid", on: "month", .expiryMonth, .malformed),
        Row("errors.expired", on: "year", .expiryYear, .expired),
        Row("errors.expired", on: "month", .expiryMonth, .expired),
        Row("errors.blank_card_type", on: nil, .number, .unknownBrand),
        Row("errors.invalid_cvv", on: nil, .securityCode, .malformed),
        Row("errors.configuration", 422, "throws requestRefused"),
        Row("errors.unknown_referrer", 403, "throws notPermitted"),
        Row("errors.invalid_referrer", 403, "throws notPermitted"),
        Row("errors.unknown_referrer", 422, "throws requestRefused"),
        Row("errors.invalid_referrer", 422, "throws requestRefused"),
        Row("errors.gateway_not_found", 404, "throws notFound"),
        Row("errors.payment_method_not_found", 404, "throws notFound"),
        Row("errors.reference_transaction_not_found", 404, "throws notFound"),
        Row("errors.transaction_not_found", 404, "throws notFound"),
        Row("errors.receiver_not_found", 404, "throws notFound"),
        Row("errors.unknown_receiver_type", 422, "throws requestRefused"),
        Row("errors.invalid_gateway_type", 422, "throws requestRefused"),
        Row("errors.not_found", 404, "throws notFound"),
        Row("errors.dispatch_not_found", 404, "throws notFound"),
        Row("errors.sca_provider_not_found", on: "sca_provider_key", .other, .unlisted),
        Row("errors.unsupported_flag_with_spreedly_3ds_authentication", on: "attempt_3dsecure", .other, .unlisted),
        Row("errors.greater_than_or_equal_to", on: "amount", .other, .unlisted),
        Row("errors.circuit_breaker_open", 503, "unknown"),
        Row("messages.cannot_use_redacted_gateway", 422, "throws requestRefused"),
        Row("errors.key_of_2031", 422, "throws requestRefused"),
    ]

    @Test("F11, L3: each key of an errors list", arguments: rows)
    func key(row: Row) async throws {
        let attribute = row.attribute.map { "\"attribute\":\"\($0)\"," } ?? ""
        // `count` comes with one of the keys, and does no harm with the others.
        let body = """
            {"errors":[{\(attribute)"key":"\(row.key)","message":"Words on \(Shop.number)","count":1}]}
            """
        let end = try await Shop.answer(of: try AnswerPeer(status: row.status, body))
        #expect(end.name == row.end)
        let words = "Words on 411111******1111"
        if let issue = row.issue {
            #expect(
                end.issues == [
                    FieldIssue(
                        issue.field, issue.problem, origin: .provider, providerCode: row.key,
                        providerField: row.attribute, message: "Words on 411111******1111")
                ])
        } else if let decline = end.decline {
            #expect(decline.reason == .accountNotActive && decline.providerCode == row.key)
            #expect(decline.message.description == words)
        } else {
            let error = try #require(end.thrown ?? end.unknown)
            #expect(error.answer?.providerCode == row.key && error.answer?.status == row.status)
            #expect(error.answer?.providerMessage?.description == words)
            #expect(error.reach == .answered)
        }
    }

    @Test(
        "F11: each message_key of a transaction",
        arguments: [
            ("messages.transaction_succeeded", "true", "succeeded", "token"),
            ("messages.transaction_pending", "false", "pending", "unknown"),
            ("messages.failed_sca_authentication", "false", "failed", "declined"),
            ("messages.unable_to_retain_a_redacted_payment_method", "false", "failed", "declined"),
            ("messages.cannot_use_redacted_gateway", "false", "failed", "declined"),
        ])
    func messageKey(key: String, succeeded: String, state: String, expected: String) async throws {
        let changes = [
            "message_key": "\"\(key)\"", "succeeded": succeeded, "state": "\"\(state)\"",
            "message": "\"Words on \(Shop.number)\"", "payment_method": expected == "token" ? nil : "null",
        ].compactMapValues { $0 }
        let body =
            expected == "token"
            ? SuccessAnswerTests.answer(changes)
            : "{\"transaction\":{"
                + changes.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}}"
        let end = try await Shop.answer(of: try AnswerPeer(status: expected == "token" ? 201 : 422, body))
        #expect(end.name == expected, "\(end.shown)")
        if let decline = end.decline {
            #expect(decline.providerCode == key)
            #expect(decline.message.description == "Words on 411111******1111")
        }
        if let unknown = end.unknown { #expect(unknown.answer?.providerCode == state) }
    }

    @Test("The vault keeps the raw key of what it refuses", arguments: VaultCall.writes)
    func vault(call: VaultCall) async throws {
        let body = """
            {"transaction":{"succeeded":false,"state":"failed","message":"Words on \(Shop.number)",
             "message_key":"messages.unable_to_retain_a_redacted_payment_method"}}
            """
        let end = try await VaultEnd.answer(of: try AnswerPeer(status: 422, body), call)
        #expect(end.refused?.providerCode == "messages.unable_to_retain_a_redacted_payment_method")
        #expect(end.refused?.message.description == "Words on 411111******1111")
    }
}
