import GatewayKitCore
import Testing

@testable import SpreedlyAdapter

/// The answers that prove that no money moved: each row of the list does, and nothing else.
@Suite struct MoneyProofTests {
    static let errors = #"{"errors":[{"key":"errors.key_of_2031","message":"No."}]}"#
    static let shapes: [(shape: SpreedlyMoneyProofs.Shape, body: String)] = [
        (.errors, errors), (.empty, ""), (.other, "{}"), (.other, StatusTests.html), (.other, "No."),
        (.other, #"{"errors":[]}"#), (.other, #"{"message":"No."}"#), (.other, #"{"error":"No."}"#),
        (.other, #"{"errors":[{"key":"errors.duplicate_transaction","message":"No."}]}"#),
    ]

    @Test(
        "F3, F6: a money call throws for exactly the rows of the list, whatever else comes",
        arguments: MoneyVerb.allCases)
    func rows(verb: MoneyVerb) async throws {
        for status in Array(300..<600) + [100, 204, 226, 700, 999] {
            for (shape, body) in Self.shapes {
                let end = await verb.make(try Till.scripted(status, body))
                let row = SpreedlyMoneyProofs.rows.first { $0.status == status && $0.shape == shape.rawValue }
                if let row {
                    let nothing = try #require(end.thrown, "\(status) \(shape)")
                    #expect(nothing.proof == row)
                    #expect(nothing.error.reach == .answered && nothing.error.answer?.status == status)
                    #expect("\(nothing)".contains("Nothing was "))
                } else {
                    #expect(end.unknown?.reference.ownReference == Till.reference, "\(status) \(shape)")
                }
            }
        }
    }

    @Test("Each row has a reason in a sentence, and no two rows are alike")
    func reasons() {
        for row in SpreedlyMoneyProofs.rows {
            #expect(row.reason.description.hasSuffix(".") && row.reason.description.count > 20)
            #expect(row.shape != nil)
        }
        #expect(
            Set(SpreedlyMoneyProofs.rows.map { "\($0.status) \($0.shape ?? "")" }).count
                == SpreedlyMoneyProofs.rows.count)
        #expect(!SpreedlyMoneyProofs.rows.contains { $0.status >= 500 || [408, 409].contains($0.status) })
    }

    static let keys: [(status: Int, key: String, attribute: String?, name: String)] = [
        (401, "errors.access_denied", nil, "throws credentialsRefused"),
        (422, "errors.environment_key_parameter_required", nil, "throws credentialsRefused"),
        (422, "errors.invalid_environment_key_parameter", nil, "throws credentialsRefused"),
        (422, "errors.invalid_enhanced_authentication_params", nil, "throws credentialsRefused"),
        (403, "errors.access_denied", nil, "throws notPermitted"),
        (402, "errors.account_inactive", nil, "declined"), (422, "errors.account_inactive", nil, "declined"),
        (422, "errors.blank", "amount", "invalid"), (422, "errors.invalid", "currency_code", "invalid"),
        (422, "errors.expired", nil, "invalid"), (422, "errors.blank_card_type", nil, "invalid"),
        (422, "errors.invalid_cvv", nil, "invalid"), (422, "errors.greater_than_or_equal_to", "amount", "invalid"),
        (404, "errors.gateway_not_found", nil, "throws notFound"),
        (404, "errors.payment_method_not_found", nil, "throws notFound"),
        (422, "errors.payment_method_not_found", nil, "throws notFound"),
        (404, "errors.reference_transaction_not_found", nil, "throws notFound"),
        (404, "errors.transaction_not_found", nil, "throws notFound"),
        (404, "errors.receiver_not_found", nil, "throws notFound"), (404, "errors.not_found", nil, "throws notFound"),
        (404, "errors.dispatch_not_found", nil, "throws notFound"),
        (422, "errors.unknown_receiver_type", nil, "throws requestRefused"),
        (422, "errors.invalid_gateway_type", nil, "throws requestRefused"),
        (422, "errors.sca_provider_not_found", "sca_provider_key", "invalid"),
        (422, "errors.unsupported_flag_with_spreedly_3ds_authentication", "attempt_3dsecure", "invalid"),
        (422, "errors.configuration", nil, "throws requestRefused"),
        (422, "errors.unknown_referrer", nil, "throws requestRefused"),
        (422, "errors.invalid_referrer", nil, "throws requestRefused"),
        (422, "messages.cannot_use_redacted_gateway", nil, "throws requestRefused"),
        (422, "messages.unable_to_retain_a_redacted_payment_method", nil, "throws requestRefused"),
        (429, "errors.rate_limited", nil, "throws rateLimited"), (503, "errors.circuit_breaker_open", nil, "unknown"),
        (422, "errors.duplicate_transaction", nil, "unknown"),
        (422, "errors.key_of_2031", nil, "throws requestRefused"),
    ]

    @Test("F10, F11: every error key of a refused payment has its end, with the raw key beside it", arguments: keys)
    func errorKeys(status: Int, key: String, attribute: String?, name: String) async throws {
        let named = attribute.map { #""attribute":"\#($0)","# } ?? ""
        let body = #"{"errors":[{\#(named)"key":"\#(key)","message":"Words of the provider."}]}"#
        for verb in MoneyVerb.allCases {
            let end = await verb.make(try Till.scripted(status, body))
            #expect(end.name == name, "\(verb) \(key)")
            let code =
                end.thrown?.error.answer?.providerCode ?? end.unknown?.cause.answer?.providerCode
                ?? end.declined?.decline.providerCode ?? end.issues?.first?.providerCode
            #expect(code == key)
            #expect(end.shown.contains("Words of the provider."))
        }
    }

    @Test("Going on with a payment throws only where the caller is refused")
    func completion() {
        #expect(Set(SpreedlyMoneyProofs.completionRows.map(\.status)) == [401, 403, 429])
    }
}
