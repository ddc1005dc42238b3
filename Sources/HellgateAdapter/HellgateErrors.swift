import GatewayKitCore

/// Hellgate's words, in GatewayKit's. A word without a row stays unlisted, with its text beside it.
enum HellgateErrors {
    /// The classifier of an error body that says that the thing is not there.
    static let notFound = "NOT_FOUND"

    /// The answers that prove that nothing was done, by status: the request was refused before anything was done (RFC
    /// 9110, section 15.5; RFC 6585), whatever the body is and whoever on the way refused it. No other status proves
    /// it: 408, 409 and what gateways answer for a client that went away least of all.
    static let refusals: [Int: GatewayError.Code] = [
        400: .requestRefused, 401: .credentialsRefused, 403: .notPermitted, 404: .notFound, 405: .requestRefused,
        406: .requestRefused, 410: .notFound, 411: .requestRefused, 413: .requestRefused, 414: .requestRefused,
        415: .requestRefused, 417: .requestRefused, 421: .requestRefused, 422: .requestRefused, 428: .requestRefused,
        429: .rateLimited, 431: .requestRefused, 451: .notPermitted,
    ]

    /// `reason_code` of a session that failed. Only the first is documented; Hellgate publishes no list.
    static let declines: [String: Decline.Reason] = [
        "invalid_test_card": .accountNotActive,
        "card_declined": .cardDeclined,
    ]

    /// `scheme` of a token, in lower case: the Commerce API writes `Visa`, the vault `visa`.
    static let brands: [String: CardBrand] = [
        "visa": .visa,
        "mastercard": .mastercard,
        "american express": .americanExpress,
        "discover": .discover,
        "diners club": .dinersClub,
        "jcb": .jcb,
        "unionpay": .unionPay,
    ]
}
