import GatewayKitCore
import Testing

@testable import SpreedlyAdapter

/// Why a payment is declined: every code of the dossier (4.2), and what has none.
@Suite struct DeclineTests {
    /// The codes as the dossier lists them, with what each means here.
    static let codes: [(code: String, reason: Decline.Reason)] = [
        ("do_not_honor", .doNotHonor), ("insufficient_funds", .insufficientFunds), ("expired_card", .expiredCard),
        ("incorrect_cvv", .incorrectSecurityCode), ("incorrect_zip", .incorrectAddress),
        ("incorrect_address", .incorrectAddress), ("invalid_card", .invalidNumber), ("invalid_number", .invalidNumber),
        ("invalid_account", .invalidNumber), ("invalid_amount", .invalidAmount),
        ("invalid_cvc", .incorrectSecurityCode),
        ("invalid_merchant", .merchantNotConfigured), ("invalid_merchant_configuration", .merchantNotConfigured),
        ("card_limit_exceeded", .limitExceeded), ("insufficient_amount", .invalidAmount),
        ("amount_not_supported", .invalidAmount), ("currency_not_supported", .currencyNotSupported),
        ("closed_card", .closedCard), ("restricted_card", .restrictedCard), ("lost_stolen_card", .lostOrStolen),
        ("fraud_suspected", .fraudSuspected), ("refused_due_to_sanctions", .sanctions), ("call_issuer", .callIssuer),
        ("contact_bank", .callIssuer), ("bank_error", .issuerUnavailable), ("issuer_unavailable", .issuerUnavailable),
        ("issuer_not_available", .issuerUnavailable), ("processing_error", .processingError),
        ("processor_declined", .cardDeclined), ("authentication_required", .authenticationRequired),
        ("cardholder_authentication_required", .authenticationRequired),
        ("security_code_error", .incorrectSecurityCode),
        ("transaction_not_allowed", .transactionNotAllowed), ("not_supported", .notSupported),
        ("token_not_supported", .notSupported), ("cc_rejected_bad_filled_date", .incorrectExpiry),
        ("non_reloadable_prepaid_card", .cardKindNotAccepted), ("single_use_virtual_card_number", .cardKindNotAccepted),
        ("multi_use_virtual_card_number", .cardKindNotAccepted), ("request_authorization_card", .callIssuer),
    ]
    static let duplicates = ["duplicate_transaction", "cc_rejected_duplicated_payment"]

    @Test("The table has a row for every code of the dossier, and no others")
    func complete() {
        let listed = Set(Self.codes.map(\.code) + Self.duplicates + ["messages.failed_sca_authentication"])
        #expect(listed == Set(SpreedlyErrors.declineReasons.keys))
    }

    private func places(_ code: String) -> [[String: String?]] {
        [
            ["response": #"{"success":false,"message":"Gateway's words.","error_code":"\#(code)"}"#],
            [
                "gateway_response": #"{"payment_outcome_data":{"failure_reason":"\#(code)"}}"#,
                "response": #"{"success":false,"message":"Gateway's words.","error_code":"05"}"#,
            ],
            [
                "response":
                    #"{"success":false,"message":"Gateway's words.","payment_outcome_data":{"failure_reason":"\#(code)"}}"#
            ],
        ]
    }

    @Test("F10, F11: each code of a decline has its row and keeps the raw code and the words", arguments: codes)
    func rows(code: String, reason: Decline.Reason) async throws {
        for change in places(code) {
            for status in [200, 402, 422] {
                let end = await MoneyVerb.purchase.make(
                    try Till.scripted(status, TransactionText.declined(.purchase, change)))
                let (decline, record) = try #require(end.declined, "\(status) \(end.shown)")
                #expect(decline.reason == reason)
                #expect(decline.providerCode == code)
                #expect(decline.message.description == "Gateway's words.")
                #expect(record?.id == Till.paymentID && record?.decline == decline && record?.state == .failed)
            }
        }
    }

    @Test("F1: what the gateway takes for a repetition may have gone through, so it is unknown", arguments: duplicates)
    func duplicate(code: String) async throws {
        for change in places(code) {
            for status in [200, 402, 422] {
                let end = await MoneyVerb.purchase.make(
                    try Till.scripted(status, TransactionText.declined(.purchase, change)))
                let unknown = try #require(end.unknown)
                #expect(unknown.reference.providerID == nil, "what is found under it says that it failed")
                #expect(unknown.cause.answer?.providerCode == code)
            }
        }
    }

    @Test(
        "Codes without a row stay unlisted, with the code and the words",
        arguments: ["05", "51", "3041", "timeout", "Do_Not_Honor"])
    func unlisted(code: String) async throws {
        for change in places(code) {
            let end = await MoneyVerb.purchase.make(try Till.scripted(422, TransactionText.declined(.purchase, change)))
            let decline = try #require(end.declined?.decline)
            #expect(decline.reason == .unlisted)
            #expect(decline.message.description == "Gateway's words.")
        }
    }

    static let others: [(changes: [String: String?], reason: Decline.Reason, code: String)] = [
        ([:], .cardDeclined, "gateway_processing_failed"),
        (["response": nil], .cardDeclined, "gateway_processing_failed"),
        (["response": "null"], .cardDeclined, "gateway_processing_failed"),
        (["state": "\"failed\"", "response": nil], .unlisted, "failed"),
        (["state": "\"gateway_setup_failed\"", "response": nil], .unlisted, "gateway_setup_failed"),
        (["response": #"{"success":false,"fraud_review":true}"#], .fraudSuspected, "gateway_processing_failed"),
        (["response": #"{"success":false,"cvv_code":"N"}"#], .incorrectSecurityCode, "gateway_processing_failed"),
        (["response": #"{"success":false,"cvv_code":"N","error_code":"12"}"#], .unlisted, "12"),
        (
            ["state": "\"failed\"", "message_key": "\"messages.failed_sca_authentication\"", "response": nil],
            .authenticationFailed, "messages.failed_sca_authentication"
        ),
        (["message_key": "\"messages.word_of_2031\"", "response": nil], .cardDeclined, "messages.word_of_2031"),
    ]

    @Test("F10: a decline without a code has the reason that the rest of the answer gives", arguments: others)
    func without(changes: [String: String?], reason: Decline.Reason, code: String) async throws {
        let end = await MoneyVerb.purchase.make(try Till.scripted(422, TransactionText.declined(.purchase, changes)))
        let decline = try #require(end.declined?.decline, "\(end.shown)")
        #expect(decline.reason == reason && decline.providerCode == code)
    }

    @Test("F9, B6: an instrument that is invalid is told by its fields")
    func invalid() async throws {
        let method = """
            {"token":"\(Till.token)","errors":[{"attribute":"year","key":"errors.expired","message":"Year is expired"},
            {"attribute":"number","key":"errors.invalid"},{"message":"More."}]}
            """
        let failed = TransactionText.declined(
            .purchase, ["state": "\"failed\"", "payment_method": method, "response": nil])
        let issues = try #require(await MoneyVerb.purchase.make(try Till.scripted(422, failed)).issues)
        #expect(issues.map(\.field) == [.expiryYear, .number, .other])
        #expect(issues.map(\.problem) == [.expired, .malformed, .unlisted])
        // What a gateway declined was not declined for them.
        let declined = TransactionText.declined(.purchase, ["payment_method": method])
        #expect(await MoneyVerb.purchase.make(try Till.scripted(422, declined)).declined != nil)
    }
}
