import GatewayKitCore

/// Why payments are declined: Spreedly's words in GatewayKit's. A code without a row stays unlisted, with the raw code
/// and text beside it.
extension SpreedlyErrors {
    /// The normalised `failure_reason`s of API V1 ("Normalized values"), and the keys of messages that decline. Gateways'
    /// own codes are as many as gateways and have no rows.
    static let declineReasons: [String: Decline.Reason] = [
        "do_not_honor": .doNotHonor,
        "insufficient_funds": .insufficientFunds,
        "card_limit_exceeded": .limitExceeded,
        "expired_card": .expiredCard,
        "cc_rejected_bad_filled_date": .incorrectExpiry,
        "incorrect_cvv": .incorrectSecurityCode,
        "invalid_cvc": .incorrectSecurityCode,
        "security_code_error": .incorrectSecurityCode,
        "incorrect_zip": .incorrectAddress,
        "incorrect_address": .incorrectAddress,
        "invalid_card": .invalidNumber,
        "invalid_number": .invalidNumber,
        "invalid_account": .invalidNumber,
        "invalid_amount": .invalidAmount,
        "insufficient_amount": .invalidAmount,
        "amount_not_supported": .invalidAmount,
        "currency_not_supported": .currencyNotSupported,
        "invalid_merchant": .merchantNotConfigured,
        "invalid_merchant_configuration": .merchantNotConfigured,
        "closed_card": .closedCard,
        "restricted_card": .restrictedCard,
        "lost_stolen_card": .lostOrStolen,
        "fraud_suspected": .fraudSuspected,
        "refused_due_to_sanctions": .sanctions,
        "call_issuer": .callIssuer,
        "contact_bank": .callIssuer,
        "request_authorization_card": .callIssuer,
        "bank_error": .issuerUnavailable,
        "issuer_unavailable": .issuerUnavailable,
        "issuer_not_available": .issuerUnavailable,
        "processing_error": .processingError,
        "processor_declined": .cardDeclined,
        "authentication_required": .authenticationRequired,
        "cardholder_authentication_required": .authenticationRequired,
        "messages.failed_sca_authentication": .authenticationFailed,
        "transaction_not_allowed": .transactionNotAllowed,
        "not_supported": .notSupported,
        "token_not_supported": .notSupported,
        "duplicate_transaction": .duplicate,
        "cc_rejected_duplicated_payment": .duplicate,
        "non_reloadable_prepaid_card": .cardKindNotAccepted,
        "single_use_virtual_card_number": .cardKindNotAccepted,
        "multi_use_virtual_card_number": .cardKindNotAccepted,
    ]

    /// Keys of errors that tell of a thing that is not there, whatever the status is.
    static let missingThings: [String: SafeText] = [
        "errors.gateway_not_found": "Spreedly has no such gateway: check gatewayToken.",
        "errors.payment_method_not_found": "Spreedly has no such payment method: check the token.",
        "errors.reference_transaction_not_found": "Spreedly has no such payment: check its id and the account.",
        "errors.transaction_not_found": "Spreedly has no such payment: check its id and the account.",
        "errors.receiver_not_found": "Spreedly has no such receiver.",
        "errors.dispatch_not_found": "Spreedly has no such call: check the account's baseURL.",
        "errors.not_found": "Spreedly has no such thing: check ids, account and baseURL.",
    ]
}

extension SpreedlyAnswerFacts {
    /// The decline that a failed payment is.
    func decline(_ transaction: SpreedlyPaymentTransaction) -> Decline {
        let codes = transaction.declineCodes
        let listed = codes.first { SpreedlyErrors.declineReasons[$0] != nil }
        let code = listed ?? codes.first
        return decline(
            reason(transaction, listed),
            SpreedlyErrorEntry(
                attribute: nil, key: code ?? transaction.state,
                message: transaction.response.message ?? transaction.message))
    }

    /// A code of the tables; then what the gateway marked; and `cardDeclined` only where a gateway gave no code at all.
    private func reason(_ transaction: SpreedlyPaymentTransaction, _ listed: String?) -> Decline.Reason {
        if let listed, let reason = SpreedlyErrors.declineReasons[listed] { return reason }
        if transaction.response.fraudReview == true { return .fraudSuspected }
        guard transaction.response.errorCode == nil, transaction.response.failureReason == nil else { return .unlisted }
        // ISO 8583's and the networks' word for "no match".
        if transaction.response.cvvCode == "N" { return .incorrectSecurityCode }
        return transaction.state == "gateway_processing_failed" ? .cardDeclined : .unlisted
    }
}
