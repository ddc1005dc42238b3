import GatewayKitCore
import Testing

@testable import BlueSnapAdapter

/// Every form of error body that is met.
@Suite struct BlueSnapErrorBodyTests {
    static let page = """
        <!doctype html><html lang="en"><head><title>HTTP Status 401 – Unauthorized</title></head>
        <body><h1>HTTP Status 401 – Unauthorized</h1><p><b>Message</b> Bad credentials</p></body></html>
        """

    static let bodies: [(String, [BlueSnapErrorItem])] = [
        // a: the usual one
        (
            #"{"message":[{"errorName":"EXPIRED_TOKEN","code":"14040","description":"Token is expired"}]}"#,
            [BlueSnapErrorItem(name: "EXPIRED_TOKEN", code: "14040", text: "Token is expired")]
        ),
        // b: a numeric code
        (
            #"{"message":[{"errorName":"EXPIRED_TOKEN","code":14040}]}"#,
            [BlueSnapErrorItem(name: "EXPIRED_TOKEN", code: "14040")]
        ),
        // c: with the field
        (
            #"""
            {"message":[{"errorName":"VALIDATION_GENERAL_FAILURE","code":"10001","description":"Bad","invalidProperty":
            {"name":"creditCard.cardNumber","messageValue":""}},{"errorName":"MISSING_CARD_TYPE","code":90}]}
            """#,
            [
                BlueSnapErrorItem(
                    name: "VALIDATION_GENERAL_FAILURE", code: "10001", text: "Bad", property: "creditCard.cardNumber"),
                BlueSnapErrorItem(name: "MISSING_CARD_TYPE", code: "90"),
            ]
        ),
        // d: fraud
        (
            #"""
            {"message":[{"errorName":"FRAUD_DETECTED","code":"15011","description":"Fraud","fraudEvents":
            {"fraudReferenceId":"1","fraudEvent":[{"fraudEventCode":"orderTotalDecline","fraudEventDecision":"D"}]}}]}
            """#,
            [
                BlueSnapErrorItem(
                    name: "FRAUD_DETECTED", code: "15011", text: "Fraud", fraudEvents: ["orderTotalDecline"])
            ]
        ),
        (
            #"{"message":[{"errorName":"FRAUD_DETECTED","fraudResultInfo":{"fraudEvents":[{"fraudEventCode":"x"}]}}]}"#,
            [BlueSnapErrorItem(name: "FRAUD_DETECTED", fraudEvents: ["x"])]
        ),
        // e: flat, with and without a name
        (
            #"{"errorCode":"10000","errorDescription":"Went wrong","errorName":"PAYMENT_GENERAL_FAILURE"}"#,
            [BlueSnapErrorItem(name: "PAYMENT_GENERAL_FAILURE", code: "10000", text: "Went wrong")]
        ),
        (
            #"{"errorCode":403,"errorDescription":"Went wrong"}"#,
            [BlueSnapErrorItem(code: "403", text: "Went wrong")]
        ),
        // f: bare texts
        (#""Unauthorized""#, [BlueSnapErrorItem(text: "Unauthorized")]),
        ("Unauthorized", [BlueSnapErrorItem(text: "Unauthorized")]),
        (#""EXPIRED_TOKEN""#, [BlueSnapErrorItem(name: "EXPIRED_TOKEN")]),
        ("EXPIRED_TOKEN\r\n", [BlueSnapErrorItem(name: "EXPIRED_TOKEN")]),
        (
            "User API_1 is not authorized to view transaction 5.",
            [BlueSnapErrorItem(text: "User API_1 is not authorized to view transaction 5.")]
        ),
        // g: pages
        (page, []), ("<html><body>502</body></html>", []), ("\u{FEFF} <HTML></HTML>", []),
        // h: XML
        (
            """
            <?xml version="1.0"?><messages xmlns="http://ws.plimus.com"><message><error-name>EXPIRED_CARD</error-name>
            <code>14002</code><description>Not &amp; never</description></message>
            <message><code>1</code></message></messages>
            """,
            [
                BlueSnapErrorItem(name: "EXPIRED_CARD", code: "14002", text: "Not & never"),
                BlueSnapErrorItem(code: "1"),
            ]
        ),
        ("<xml>Client request rate is too high</xml>", [BlueSnapErrorItem(text: "Client request rate is too high")]),
        // What no form has: nothing is said, and nothing breaks.
        (#"{"message":[]}"#, []), (#"[{"errorName":"X"}]"#, [BlueSnapErrorItem(name: "X")]), ("", []), ("{}", []),
        ("[]", []), ("null", []), ("7", []), (#"{"message":null}"#, []), (#"{"message":[null,7,{}]}"#, []),
        (#"{"message":"In words"}"#, [BlueSnapErrorItem(text: "In words")]),
        (#"{"message":{"errorName":"ALONE"}}"#, [BlueSnapErrorItem(name: "ALONE")]),
        (#"{"message":["EXPIRED_TOKEN"]}"#, [BlueSnapErrorItem(name: "EXPIRED_TOKEN")]),
        (#"{"errorName":"#, []), ("<messages><message>", []),
    ]

    @Test("B3, B6, B10, B12: every form of error body is read, with codes as text or number", arguments: bodies)
    func forms(body: String, items: [BlueSnapErrorItem]) {
        #expect(BlueSnapErrorBody.items(Array(body.utf8)) == items)
    }

    @Test("Bytes that are no text say nothing that could be shown wrongly")
    func binary() {
        #expect(BlueSnapErrorBody.items([0xFF, 0xFE, 0x00]).count <= 1)
        #expect(BlueSnapErrorBody.items(Array(repeating: 0x41, count: 1 << 20)).isEmpty)
    }
}

/// Names and numbers, in GatewayKit's words.
@Suite struct BlueSnapErrorTableTests {
    @Test(
        "F10: names go before numbers, and 14002, 10000 and 10001 are told apart by name",
        arguments: [
            ("INSUFFICIENT_FUNDS", "14002", .declined(.insufficientFunds)),
            ("INSUFFICIENT_FUNDS_FOR_REFUND", nil, .failed(.requestRefused)),
            ("EXPIRED_CARD", "14002", .declined(.expiredCard)),
            ("STRONG_CUSTOMER_AUTHENTICATION_REQUIRED", "14002", .declined(.authenticationRequired)),
            ("THREE_D_SECURE_FAILURE", "14002", .declined(.authenticationFailed)),
            ("PROCESSING_TIMEOUT", "14002", .failed(.providerUnavailable)),
            ("PROCESSING_DUPLICATE", "14002", .declined(.duplicate)),
            ("AUTHORIZATION_NOT_FOUND", "14002", .failed(.notFound)),
            ("BRAND_NEW", "14002", .declined(.unlisted)), (nil, "14002", .declined(.unlisted)),
            ("BLS_NO_SUCH_SHOPPER_PAYMENT_METHOD", "10000", .failed(.notFound)),
            ("PAYMENT_GENERAL_FAILURE", "10000", .failed(.providerUnavailable)),
            ("INVALID_API_VERSION", "10000", .failed(.requestRefused)), ("BRAND_NEW", "10000", nil),
            ("BRAND_NEW", "10001", .failed(.requestRefused)), ("BRAND_NEW", "14040", .token(.expired)),
            ("TOKEN_NOT_FOUND", "14041", .token(.notFound)), (nil, "14041", .token(.notFound)),
            ("TOKEN_WAS_ALREADY_USED_FOR_CC", nil, .token(.used)),
            ("TOKEN_WAS_ALREADY_USED_FOR_APPLE_PAY", nil, .token(.used)),
            ("PAYPAL_TOKEN_ALREADY_USED", nil, .token(.used)),
            ("NO_PAYMENT_DETAILS_LINKED_TO_TOKEN", "14042", .failed(.requestRefused)),
            ("FRAUD_DETECTED", "15011", .declined(.fraudSuspected)), (nil, "20031", .failed(.requestRefused)),
            (nil, "23003", .failed(.providerUnavailable)), (nil, "23014", .failed(.requestRefused)),
            (nil, "24012", .failed(.notPermitted)), (nil, "14101", .declined(.authenticationFailed)),
            (nil, "22013", .field(.number, .notAccepted)), (nil, "99999", nil), (nil, nil, nil),
            ("expired_token", nil, nil),
        ] as [(String?, String?, BlueSnapMeaning?)])
    func rows(name: String?, code: String?, meaning: BlueSnapMeaning?) {
        #expect(BlueSnapErrors.meaning(name: name, code: code) == meaning)
    }

    @Test("F10: every name and number of the dossier's table has its row, and none has two")
    func complete() {
        let names = """
            INVALID_TRANSACTION_TYPE MISSING_SHOPPER_OR_CARD_HOLDER INVALID_HTTP_METHOD MISSING_CARD_TYPE
            BLS_NO_SUCH_SHOPPER_PAYMENT_METHOD ORDER_NOT_FOUND INVALID_API_VERSION PAYMENT_GENERAL_FAILURE
            SERVER_GENERAL_FAILURE VALIDATION_GENERAL_FAILURE INVALID_MERCHANT_TRANSACTION_ID
            INVALID_RECURRING_TRANSACTION MERCHANT_CONFIGURATION_ERROR XSS_EXCEPTION PRICING_CURRENCY_NOT_FOUND
            THREE_D_SECURITY_AUTHENTICATION_REQUIRED STRONG_CUSTOMER_AUTHENTICATION_REQUIRED THREE_D_SECURE_FAILURE
            INSUFFICIENT_FUNDS LIMIT_EXCEEDED EXPIRED_CARD INVALID_CARD_NUMBER INVALID_CARD_TYPE CVV_ERROR
            HIGH_RISK_ERROR CARD_LOST_OR_STOLEN PICKUP_CARD DO_NOT_HONOR CALL_ISSUER RESTRICTED_CARD ACCOUNT_CLOSED
            GENERAL_PAYMENT_PROCESSING_ERROR PROCESSING_GENERAL_DECLINE INCORRECT_INFORMATION
            INVALID_PIN_OR_PW_OR_ID_ERROR INVALID_TRANSACTION AUTHORIZATION_REVOKED INVALID_AMOUNT
            PROCESSING_AMOUNT_ERROR AUTHORIZATION_AMOUNT_NOT_VALID INCORRECT_SETUP AUTHORIZATION_NOT_FOUND
            AUTHORIZATION_EXPIRED AUTHORIZATION_AMOUNT_ALREADY_REVERSED REFUND_FAILED PROCESSING_DUPLICATE
            PROCESSING_TIMEOUT BLS_CONNECTION_PROBLEM SYSTEM_TECHNICAL_ERROR THE_ISSUER_IS_UNAVAILABLE_OR_OFFLINE
            FAILED_CREATING_PAYPAL_TOKEN PAYMENT_METHOD_NOT_SUPPORTED NO_AVAILABLE_PROCESSORS
            AMOUNT_EXCEEDED_MAXIMUM_ALLOWED_FRACTION_DIGITS INVOICE_ALREADY_FULLY_REFUNDED INVALID_PAYMENT_DETAILS
            EXPIRED_TOKEN TOKEN_NOT_FOUND NO_PAYMENT_DETAILS_LINKED_TO_TOKEN SHOPPER_NOT_FOUND FRAUD_DETECTED
            FRAUD_ERROR SHOPPER_COUNTRY_OFAC_SANCTIONED MISSING_ARGUMENTS MULTIPLE_PAYMENT_METHODS_NON_SELECTED
            PAYMENT_NOT_AUTHORIZED_BY_SHOPPER INVALID_STEP_FIELD MULTIPLE_TRANSACTIONS_FOUND TRANSACTION_LOCKED
            TRANSACTION_PAYMENT_METHOD_NOT_SUPPORTED TRANSACTION_NOT_AUTHORIZED TRANSACTION_ALREADY_EXISTS
            TRANSACTION_EXPIRED TRANSACTION_ID_REQUIRED INVALID_TRANSACTION_ID TRANSACTION_ALREADY_CAPTURED
            TRANSACTION_CARD_NOT_VALID MISSING_RELEVANT_METHOD_FOR_SHOPPER INVALID_INPUT WALLET_PROCESSING_FAILURE
            WALLET_EXPIRED INVALID_WALLET_PAYMENT_DATA CURRENCY_NOT_FOUND USER_NOT_AUTHORIZED SUBSCRIPTION_NOT_FOUND
            REFUND_GENERAL_FAILURE REFUND_MIN_AMOUNT_FAILURE REFUND_MAX_AMOUNT_FAILURE REFUND_PERIOD_EXPIRED
            INSUFFICIENT_FUNDS_FOR_REFUND INVOICE_ALREADY_REFUNDED REFUND_IN_PROCESS PARTIAL_REFUND_NOT_SUPPORTED
            PAYMENT_METHOD_NOT_REFUNDABLE INVALID_CC_NUMBER INVALID_CVV INVALID_EXP_DATE CARD_TYPE_NOT_SUPPORTED
            PAYPAL_UNSUPPORTED_CURRENCY PAYPAL_TOKEN_ALREADY_USED
            """.split(whereSeparator: \.isWhitespace).map(String.init)
        for name in names { #expect(BlueSnapErrors.names[name] != nil, "\(name) has no row") }
        #expect(Set(BlueSnapErrors.names.keys) == Set(names), "a name has a row that nobody told of")
        let codes =
            [
                7, 30, 85, 90, 10001, 11001, 13001, 14010, 14011, 14016, 14021, 14022, 14034, 14040, 14041, 14042,
                15008,
                15011, 15012, 16001, 16003, 16004, 17005, 19000, 20031, 20033, 20035, 21001, 22013, 26001, 26002, 90009,
            ] + Array(14100...14104) + Array(20002...20010) + [20017] + Array(20020...20027) + Array(23001...23014)
            + Array(24001...24018) + Array(43008...43010)
        for code in codes { #expect(BlueSnapErrors.codes["\(code)"] != nil, "\(code) has no row") }
        #expect(Set(BlueSnapErrors.codes.keys) == Set(codes.map(String.init)))
    }
}
