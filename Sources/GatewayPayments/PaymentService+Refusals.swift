import GatewayKitCore

extension PaymentService {
    func refuse(_ code: GatewayError.Code, _ message: SafeText, _ advice: SafeText) -> NothingMoved {
        NothingMoved(nothingSent: code, message: message, advice: advice, account: gateway.account)
    }

    func unsupported(_ what: SafeText) -> NothingMoved {
        refuse(
            .notSupported, "Account \(gateway.account) (\(gateway.provider)) cannot \(what).",
            "Choose an account whose provider can: 'gatewayctl providers' lists them.")
    }

    /// The journal must be written before a byte leaves: where it cannot be, nothing is sent.
    func entering<Value: Sendable>(
        _ work: () async throws(PaymentStoreError) -> Value
    ) async throws(NothingMoved) -> Value {
        do {
            return try await work()
        } catch {
            throw refuse(
                .unreachable, "The journal cannot be used: \(error.message)",
                "Nothing was sent by this call. Mend the journal, then call again.")
        }
    }

    func authenticated<Value>(_ make: () throws(GatewayError) -> Value) throws(NothingMoved) -> Value {
        do {
            return try make()
        } catch {
            throw refuse(error.code, error.message, error.advice)
        }
    }

    func checked<Value>(_ read: () throws(PaymentInputProblem) -> Value) throws(NothingMoved) -> Value {
        do {
            return try read()
        } catch {
            throw refuse(.invalidInput, "The request cannot be used: \(error.reason).", "Correct it; nothing was sent.")
        }
    }

    func refuse(_ reason: OpenRefusal, account: AccountName) -> NothingMoved {
        switch reason {
        case .intentDiffers:
            refuse(
                .invalidInput,
                "The intent's id stands for another amount, currency, order, account or direction of the money.",
                "Give each debt an id of its own, and what the shop owes another than what it is owed.")
        case .keyUsedForAnother:
            refuse(
                .invalidInput, "The key was used for something else.",
                "The same key asks for the same thing; use a new key for a new one.")
        case .keyUsedWithAnotherToken:
            refuse(
                .invalidInput,
                "The key was used with another token: a retry with another token is another request, not the same again.",
                "Retry with the token of the first try, or show what became of it; a new try takes a new key.")
        case .givenUp: refuse(.invalidInput, "The order was given up.", "Make a new intent for a new order.")
        case .noSuchPayment:
            refuse(.notFound, "The journal has no such payment.", "'gatewayctl attempts list' shows what it has.")
        case .notApproved(let state):
            refuse(
                .invalidInput, "The payment is \(state.rawValue), not approved.",
                state == .unknown || state.isUnderWay ? "Settle it first." : "Only approved payments can be changed.")
        case .otherOperationOpen(let id):
            refuse(
                .invalidInput, "The operation \(id) of the same payment is not over.",
                "Settle it first: look it up, or let the reconciler do it.")
        case .voided: refuse(.invalidInput, "The payment was voided.", "There is nothing left to do.")
        case .notPossible(let kind):
            refuse(
                .invalidInput, "This payment does not allow a \(kind.rawValue).",
                "Authorizations are captured; what was taken and not given back is voided or refunded.")
        case .exceedsRest(let rest):
            refuse(.invalidInput, "Only \(rest) is left.", "Ask for no more than that.")
        case .spreadOverCaptures:
            refuse(
                .invalidInput, "The payment was captured in parts, and no part has that much left.",
                "Refund in parts that fit the captures.")
        case .unusableAmount:
            refuse(
                .invalidInput, "The amount cannot be used.",
                "It must be more than zero (zero only to verify), in the payment's own currency.")
        }
    }
}
