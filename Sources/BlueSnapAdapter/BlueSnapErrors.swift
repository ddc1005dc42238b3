import GatewayKitCore

/// What an error of BlueSnap's means, in GatewayKit's words.
enum BlueSnapMeaning: Hashable {
    /// The token cannot be used any more.
    case token(TokenFault)
    /// A field of the input is wrong.
    case field(FieldIssue.Field, FieldIssue.Problem)
    /// A definite no of an issuer, a network or a fraud rule.
    case declined(Decline.Reason)
    /// The call failed as such.
    case failed(GatewayError.Code)

    /// Why a token cannot be used any more.
    enum TokenFault: Hashable {
        case expired, notFound, used
    }
}

/// BlueSnap's words and numbers, in GatewayKit's. They are looked up by name, then by number, then by status, because
/// 14002, 10000 and 10001 each stand for many names. What has no row stays unlisted, with its text beside it.
///
/// Names and numbers are those of BlueSnap's documents ("Card transaction errors", "Vaulted shopper errors", "Recurring
/// errors") and, for the token family, of its SDKs. What they mean here is our reading.
enum BlueSnapErrors {
    static func meaning(name: String?, code: String?) -> BlueSnapMeaning? {
        if let name {
            if let row = names[name] { return row }
            if name.hasPrefix(usedPrefix) { return .token(.used) }
        }
        guard let code else { return nil }
        return codes[code] ?? (code == "14002" ? .declined(.unlisted) : nil)
    }

    /// `TOKEN_WAS_ALREADY_USED_FOR_CC`, `…_APPLE_PAY` and so on.
    private static let usedPrefix = "TOKEN_WAS_ALREADY_USED_FOR_"

    /// The answers that prove that nothing was done, by status: the request was refused before anything was done (RFC
    /// 9110, section 15.5; RFC 6585; 422 by BlueSnap's overview of errors), whatever the body is and whoever on the way
    /// refused it. No other status proves it: 408 and 409 least of all.
    static let refusals: [Int: GatewayError.Code] = [
        400: .requestRefused, 401: .credentialsRefused, 403: .notPermitted, 404: .notFound, 405: .requestRefused,
        406: .requestRefused, 410: .notFound, 411: .requestRefused, 413: .requestRefused, 414: .requestRefused,
        415: .requestRefused, 417: .requestRefused, 421: .requestRefused, 422: .requestRefused, 428: .requestRefused,
        429: .rateLimited, 431: .requestRefused, 451: .notPermitted,
    ]

    /// What BlueSnap's throttle says under 429 and 503 ("Error handling overview"). The fifth text, "Service is
    /// temporarily unavailable", is no matter of rates.
    static let throttleTexts: [String] = [
        "client request rate is too high", "client request concurrency is too high",
        "request rate for service is too high", "request concurrency to specific service is too high",
    ]

    static let names: [String: BlueSnapMeaning] = {
        var rows: [String: BlueSnapMeaning] = [:]
        for (meaning, list) in nameRows {
            for name in list.split(whereSeparator: \.isWhitespace) { rows[String(name)] = meaning }
        }
        return rows
    }()

    private static let nameRows: [(BlueSnapMeaning, String)] = [
        (.token(.expired), "EXPIRED_TOKEN"),
        (.token(.notFound), "TOKEN_NOT_FOUND"),
        (.token(.used), "PAYPAL_TOKEN_ALREADY_USED"),
        (.field(.number, .malformed), "INVALID_CC_NUMBER"),
        (.field(.securityCode, .malformed), "INVALID_CVV"),
        (.field(.expiryMonth, .malformed), "INVALID_EXP_DATE"),
        (.field(.number, .notAccepted), "CARD_TYPE_NOT_SUPPORTED"),
        (.field(.currency, .notAccepted), "PAYPAL_UNSUPPORTED_CURRENCY"),
        (
            .failed(.requestRefused),
            """
            NO_PAYMENT_DETAILS_LINKED_TO_TOKEN INVALID_TRANSACTION_TYPE MISSING_SHOPPER_OR_CARD_HOLDER
            INVALID_HTTP_METHOD MISSING_CARD_TYPE INVALID_API_VERSION VALIDATION_GENERAL_FAILURE
            INVALID_MERCHANT_TRANSACTION_ID INVALID_RECURRING_TRANSACTION MERCHANT_CONFIGURATION_ERROR XSS_EXCEPTION
            PRICING_CURRENCY_NOT_FOUND INVALID_AMOUNT PROCESSING_AMOUNT_ERROR AUTHORIZATION_AMOUNT_NOT_VALID
            INCORRECT_SETUP AUTHORIZATION_EXPIRED AUTHORIZATION_AMOUNT_ALREADY_REVERSED REFUND_FAILED
            PAYMENT_METHOD_NOT_SUPPORTED AMOUNT_EXCEEDED_MAXIMUM_ALLOWED_FRACTION_DIGITS
            INVOICE_ALREADY_FULLY_REFUNDED MISSING_ARGUMENTS MULTIPLE_PAYMENT_METHODS_NON_SELECTED
            PAYMENT_NOT_AUTHORIZED_BY_SHOPPER INVALID_STEP_FIELD TRANSACTION_PAYMENT_METHOD_NOT_SUPPORTED
            TRANSACTION_NOT_AUTHORIZED TRANSACTION_EXPIRED TRANSACTION_ID_REQUIRED INVALID_TRANSACTION_ID
            MISSING_RELEVANT_METHOD_FOR_SHOPPER INVALID_INPUT WALLET_EXPIRED INVALID_WALLET_PAYMENT_DATA
            CURRENCY_NOT_FOUND REFUND_GENERAL_FAILURE REFUND_MIN_AMOUNT_FAILURE REFUND_MAX_AMOUNT_FAILURE
            REFUND_PERIOD_EXPIRED INSUFFICIENT_FUNDS_FOR_REFUND INVOICE_ALREADY_REFUNDED REFUND_IN_PROCESS
            PARTIAL_REFUND_NOT_SUPPORTED PAYMENT_METHOD_NOT_REFUNDABLE
            """
        ),
        (
            .failed(.notFound),
            """
            BLS_NO_SUCH_SHOPPER_PAYMENT_METHOD ORDER_NOT_FOUND AUTHORIZATION_NOT_FOUND SHOPPER_NOT_FOUND
            SUBSCRIPTION_NOT_FOUND
            """
        ),
        (
            .failed(.providerUnavailable),
            """
            PAYMENT_GENERAL_FAILURE SERVER_GENERAL_FAILURE PROCESSING_TIMEOUT BLS_CONNECTION_PROBLEM
            SYSTEM_TECHNICAL_ERROR THE_ISSUER_IS_UNAVAILABLE_OR_OFFLINE FAILED_CREATING_PAYPAL_TOKEN
            NO_AVAILABLE_PROCESSORS TRANSACTION_LOCKED WALLET_PROCESSING_FAILURE
            """
        ),
        (.failed(.notPermitted), "USER_NOT_AUTHORIZED"),
        (
            .declined(.authenticationRequired),
            "THREE_D_SECURITY_AUTHENTICATION_REQUIRED STRONG_CUSTOMER_AUTHENTICATION_REQUIRED"
        ),
        (.declined(.authenticationFailed), "THREE_D_SECURE_FAILURE"),
        (.declined(.insufficientFunds), "INSUFFICIENT_FUNDS"),
        (.declined(.limitExceeded), "LIMIT_EXCEEDED"),
        (.declined(.expiredCard), "EXPIRED_CARD"),
        (
            .declined(.invalidNumber),
            "INVALID_CARD_NUMBER INVALID_CARD_TYPE INVALID_PAYMENT_DETAILS TRANSACTION_CARD_NOT_VALID"
        ),
        (.declined(.incorrectSecurityCode), "CVV_ERROR"),
        (.declined(.fraudSuspected), "HIGH_RISK_ERROR FRAUD_DETECTED FRAUD_ERROR"),
        (.declined(.sanctions), "SHOPPER_COUNTRY_OFAC_SANCTIONED"),
        (.declined(.lostOrStolen), "CARD_LOST_OR_STOLEN PICKUP_CARD"),
        (.declined(.doNotHonor), "DO_NOT_HONOR"),
        (.declined(.callIssuer), "CALL_ISSUER"),
        (.declined(.restrictedCard), "RESTRICTED_CARD"),
        (.declined(.closedCard), "ACCOUNT_CLOSED"),
        (.declined(.transactionNotAllowed), "INVALID_TRANSACTION AUTHORIZATION_REVOKED"),
        (
            .declined(.cardDeclined),
            """
            GENERAL_PAYMENT_PROCESSING_ERROR PROCESSING_GENERAL_DECLINE INCORRECT_INFORMATION
            INVALID_PIN_OR_PW_OR_ID_ERROR
            """
        ),
        (
            .declined(.duplicate),
            """
            PROCESSING_DUPLICATE MULTIPLE_TRANSACTIONS_FOUND TRANSACTION_ALREADY_EXISTS TRANSACTION_ALREADY_CAPTURED
            """
        ),
    ]

    /// The numbers that stand for one thing.
    static let codes: [String: BlueSnapMeaning] = {
        var rows: [String: BlueSnapMeaning] = [:]
        for (meaning, ranges) in codeRows {
            for range in ranges {
                for code in range { rows[String(code)] = meaning }
            }
        }
        return rows
    }()

    private static let codeRows: [(BlueSnapMeaning, [ClosedRange<Int>])] = [
        (.token(.expired), [14_040...14_040]),
        (.token(.notFound), [14_041...14_041]),
        (.field(.number, .notAccepted), [22_013...22_013]),
        (
            .failed(.requestRefused),
            [
                7...7, 30...30, 85...85, 90...90, 10_001...10_001, 11_001...11_001, 13_001...13_001, 14_011...14_011,
                14_021...14_022, 14_042...14_042, 14_100...14_100, 14_102...14_104, 16_001...16_001, 16_003...16_004,
                17_005...17_005, 19_000...19_000, 20_004...20_005, 20_007...20_009, 20_020...20_027, 20_031...20_031,
                20_033...20_033, 20_035...20_035, 21_001...21_001, 23_001...23_002, 23_004...23_014, 24_001...24_011,
                24_013...24_018, 26_001...26_002, 43_008...43_010,
            ]
        ),
        (.failed(.notFound), [15_008...15_008, 90_009...90_009]),
        (.failed(.providerUnavailable), [14_010...14_010, 14_016...14_016, 20_003...20_003, 23_003...23_003]),
        (.failed(.notPermitted), [24_012...24_012]),
        (.declined(.authenticationFailed), [14_101...14_101]),
        (.declined(.invalidNumber), [14_034...14_034, 20_017...20_017]),
        (.declined(.fraudSuspected), [15_011...15_011]),
        (.declined(.sanctions), [15_012...15_012]),
        (.declined(.duplicate), [20_002...20_002, 20_006...20_006, 20_010...20_010]),
    ]

    /// BlueSnap's names of fields, in requests and in the property of a validation error.
    static let fields: [String: FieldIssue.Field] = [
        "ccNumber": .number, "cardNumber": .number, "encryptedCardNumber": .number, "lastFourDigits": .number,
        "cardLastFourDigits": .number, "cvv": .securityCode, "securityCode": .securityCode, "expDate": .expiryMonth,
        "expirationMonth": .expiryMonth, "expirationYear": .expiryYear, "ccType": .brand, "cardType": .brand,
        "storeCard": .consent, "email": .email, "phone": .phone, "firstName": .firstName, "lastName": .lastName,
        "billingFirstName": .firstName, "billingLastName": .lastName, "billingCountry": .country,
        "billingState": .region, "billingCity": .city, "billingAddress": .line1, "billingZip": .postalCode,
        "country": .country, "state": .region, "city": .city, "address": .line1, "address1": .line1,
        "address2": .line2, "zip": .postalCode, "shippingFirstName": .firstName.ofShipping,
        "shippingLastName": .lastName.ofShipping, "shippingCountry": .country.ofShipping,
        "shippingState": .region.ofShipping, "shippingCity": .city.ofShipping, "shippingAddress": .line1.ofShipping,
        "shippingZip": .postalCode.ofShipping, "applePayToken": .walletPayload, "paymentToken": .walletPayload,
        "encodedPaymentToken": .walletPayload, "paymentMethod": .method, "ecpRoutingNumber": .routingNumber,
        "ecpAccountNumber": .accountNumber, "ecpAccountType": .accountType, "routingNumber": .routingNumber,
        "accountNumber": .accountNumber, "accountType": .accountType, "pfToken": .token, "amount": .amount,
        "currency": .currency, "vaultedShopperId": .shopper, "shopperId": .shopper,
        "merchantTransactionId": .reference,
    ]

    /// `ccType` and `cardType`, in upper case, where a brand's own name does not give it.
    static let brands: [String: CardBrand] = [
        "AMEX": .americanExpress, "DINERS": .dinersClub, "CHINA_UNION_PAY": .unionPay,
        "CARTE_BLEUE": .cartesBancaires, "MAESTR_UK": .maestro, "TARJETASHOPPING": .tarjetaShopping,
    ]
}
