import GatewayKitCore

/// Safepay's words, in GatewayKit's. A text without a row stays unlisted, with the text beside it.
enum SafepayErrors {
    /// What a text or code means.
    enum Meaning: Equatable {
        /// The tracker takes nothing of that kind any more, or not yet.
        case trackerState
        case credentials
        case decline(Decline.Reason)
        case field(FieldIssue.Field, FieldIssue.Problem)
        /// The processor behind Safepay could not be reached.
        case unavailable
    }

    /// How a row is found in a text.
    enum Match {
        /// The whole text.
        case whole
        /// Anywhere, whatever the case.
        case anywhere
        /// At the end, whatever the case.
        case end
        /// All of the words anywhere, whatever the case; the row's text has spaces between them.
        case allWords
    }

    struct Row {
        let text: String
        let match: Match
        let meaning: Meaning

        init(_ text: String, _ match: Match, _ meaning: Meaning) {
            self.text = text
            self.match = match
            self.meaning = meaning
        }
    }

    /// The first row that fits decides. Whole texts and codes are Safepay's own (SDKs, documents, recorded answers); the
    /// last rows, which look for words, are our reading of what processors' texts say.
    static let rows: [Row] = [
        Row("error.unauthorized_access", .whole, .credentials),
        Row("PT-1001", .whole, .trackerState),
        Row("CAPTURE_CONTEXT_INVALID", .whole, .field(.reference, .malformed)),
        Row("CAPTURE_CONTEXT_EXPIRED", .whole, .field(.reference, .expired)),
        Row("CREATE_TOKEN_CAPTURE_CONTEXT_USED_TOO_MANY_TIMES", .whole, .field(.reference, .notAccepted)),
        Row("BROWSER_ENCRYPTION_FAILED", .whole, .field(.reference, .malformed)),
        Row("CREATE_TOKEN_CARD_TYPE_NOT_ALLOWED", .whole, .decline(.cardKindNotAccepted)),
        Row("API_GATEWAY_ERROR", .whole, .unavailable),
        Row("Tracker is in an invalid state", .anywhere, .trackerState),
        Row("cannot add payment method: duplicate", .anywhere, .decline(.duplicate)),
        Row("Missing authorization credentials", .anywhere, .credentials),
        Row("Unauthorized access", .anywhere, .credentials),
        Row("unsupported meta key", .anywhere, .field(.metadata, .notAccepted)),
        Row("Incorrect OTP", .anywhere, .decline(.authenticationFailed)),
        Row("stolen card", .allWords, .decline(.lostOrStolen)),
        Row("lost card", .anywhere, .decline(.lostOrStolen)),
        Row("reported lost", .anywhere, .decline(.lostOrStolen)),
        Row("insufficient fund", .allWords, .decline(.insufficientFunds)),
        Row("expired card", .allWords, .decline(.expiredCard)),
        Row("cvv", .anywhere, .decline(.incorrectSecurityCode)),
        Row("cvn", .anywhere, .decline(.incorrectSecurityCode)),
        Row("duplicate", .end, .decline(.duplicate)),
    ]

    /// Fields that an error names before a colon, as in `phone_number: the phone number supplied is not a number`.
    static let fields: [String: FieldIssue.Field] = [
        "card_number": .number, "expiration_month": .expiryMonth, "expiration_year": .expiryYear,
        "cvv": .securityCode, "first_name": .firstName, "last_name": .lastName, "email": .email,
        "phone_number": .phone, "country": .country, "street_1": .line1, "street_2": .line2, "city": .city,
        "state": .region, "postal_code": .postalCode, "amount": .amount, "currency": .currency, "user": .shopper,
        "transient_token_jwt": .reference, "token": .token,
    ]

    /// The answers that prove that nothing was done, by status: the request was refused before anything was done (RFC
    /// 9110, section 15.5; RFC 6585), whatever the body is and whoever on the way refused it. No other status proves it:
    /// 408 and 409 least of all.
    static let refusals: [Int: GatewayError.Code] = [
        400: .requestRefused, 401: .credentialsRefused, 403: .notPermitted, 404: .notFound, 405: .requestRefused,
        406: .requestRefused, 410: .notFound, 411: .requestRefused, 413: .requestRefused, 414: .requestRefused,
        415: .requestRefused, 417: .requestRefused, 421: .requestRefused, 422: .requestRefused, 428: .requestRefused,
        429: .rateLimited, 431: .requestRefused, 451: .notPermitted,
    ]

    /// Cybersource's card types and Safepay's names of schemes, in lower case.
    static let brands: [String: CardBrand] = [
        "visa": .visa, "001": .visa, "mastercard": .mastercard, "002": .mastercard,
        "american express": .americanExpress, "amex": .americanExpress, "003": .americanExpress,
        "discover": .discover, "004": .discover, "diners club": .dinersClub, "005": .dinersClub, "jcb": .jcb,
        "007": .jcb, "maestro": .maestro, "042": .maestro, "unionpay": .unionPay, "062": .unionPay,
    ]

    /// What a text or code means, and the words of the table by which it was known; `nil` when it is not listed.
    static func meaning(of text: String) -> (meaning: Meaning, key: String)? {
        let cause = self.cause(of: text)
        let lower = cause.lowercased()
        if let colon = cause.firstIndex(of: ":") {
            let name = String(cause[..<colon])
            if let field = fields[name] {
                return (.field(field, lower.contains("expired") ? .expired : .malformed), name)
            }
        }
        for row in rows {
            let known = row.text.lowercased()
            let fits =
                switch row.match {
                case .whole: cause == row.text
                case .anywhere: lower.contains(known)
                case .end: lower.trimmed.hasSuffix(known)
                case .allWords: known.split(separator: " ").allSatisfy { lower.contains($0) }
                }
            if fits { return (row.meaning, row.text) }
        }
        return nil
    }

    /// Whether the text says that an action of a tracker failed: `error performing action 'AUTHORIZATION': …`.
    static func isFailedAction(_ text: String) -> Bool { text.hasPrefix(actionPrefix) }

    /// A text for people. That of a failed action has its cause first and the action behind it: in Safepay's own order
    /// `'AUTHORIZATION': …` reads as the header of that name, and all of the cause would be masked.
    static func words(of text: String) -> String {
        let cause = self.cause(of: text)
        guard isFailedAction(text), cause != text else { return text }
        let action = text.dropFirst(actionPrefix.count).prefix { $0 != "'" }
        return cause.trimmed + " (" + action + ")"
    }

    private static let actionPrefix = "error performing action '"

    /// What stands behind the action's name, or all of the text.
    private static func cause(of text: String) -> String {
        guard isFailedAction(text) else { return text }
        let rest = text.dropFirst(actionPrefix.count)
        guard let end = rest.firstRange(of: "':") else { return text }
        return String(rest[end.upperBound...].drop { $0 == " " })
    }
}

extension String {
    /// Without white space at its ends.
    fileprivate var trimmed: Substring {
        let head = drop(while: \.isWhitespace)
        guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return head[head.endIndex...] }
        return head[...last]
    }
}
