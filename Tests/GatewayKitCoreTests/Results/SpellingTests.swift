import Testing

@testable import GatewayKitCore

/// Programs store, count and compare these words: changing one is a breaking change.
@Suite("Stable spellings")
struct SpellingTests {
    @Test("fields")
    func fieldNames() {
        let fields: [(FieldIssue.Field, String)] = [
            (.number, "number"), (.expiryMonth, "expiryMonth"), (.expiryYear, "expiryYear"),
            (.securityCode, "securityCode"), (.name, "name"), (.firstName, "firstName"), (.lastName, "lastName"),
            (.company, "company"), (.email, "email"), (.phone, "phone"), (.line1, "line1"), (.line2, "line2"),
            (.city, "city"), (.region, "region"), (.postalCode, "postalCode"), (.country, "country"),
            (.metadata, "metadata"), (.option, "option"), (.amount, "amount"), (.currency, "currency"),
            (.other, "other"), (.postalCode.ofShipping, "shipping.postalCode"),
            (.country.ofShipping.ofShipping, "shipping.country"), (.routingNumber, "routingNumber"),
            (.accountNumber, "accountNumber"), (.accountType, "accountType"), (.holderType, "holderType"),
            (.bankName, "bankName"), (.walletPayload, "walletPayload"), (.vault, "vault"), (.reference, "reference"),
            (.method, "method"), (.returnURL, "returnURL"), (.token, "token"),
        ]
        for (field, spelling) in fields { #expect(field.description == spelling) }
        #expect(FieldIssue.Field.city.ofShipping != .city)
        #expect(Set(fields.map(\.0)).count == fields.count)
    }

    @Test("problems, decline reasons, phases")
    func others() {
        let problems: [(FieldIssue.Problem, String)] = [
            (.missing, "missing"), (.malformed, "malformed"), (.tooShort, "tooShort"), (.tooLong, "tooLong"),
            (.checkDigit, "checkDigit"), (.expired, "expired"), (.tooFarAhead, "tooFarAhead"),
            (.unknownBrand, "unknownBrand"), (.notAccepted, "notAccepted"), (.unlisted, "unlisted"),
        ]
        for (problem, spelling) in problems { #expect(problem.description == spelling) }
        let reasons: [(Decline.Reason, String)] = [
            (.cardDeclined, "cardDeclined"), (.accountNotActive, "accountNotActive"), (.doNotHonor, "doNotHonor"),
            (.insufficientFunds, "insufficientFunds"), (.limitExceeded, "limitExceeded"),
            (.expiredCard, "expiredCard"), (.incorrectExpiry, "incorrectExpiry"),
            (.incorrectSecurityCode, "incorrectSecurityCode"), (.incorrectAddress, "incorrectAddress"),
            (.invalidNumber, "invalidNumber"), (.invalidAmount, "invalidAmount"),
            (.currencyNotSupported, "currencyNotSupported"), (.merchantNotConfigured, "merchantNotConfigured"),
            (.closedCard, "closedCard"), (.restrictedCard, "restrictedCard"), (.lostOrStolen, "lostOrStolen"),
            (.cardKindNotAccepted, "cardKindNotAccepted"), (.fraudSuspected, "fraudSuspected"),
            (.sanctions, "sanctions"), (.callIssuer, "callIssuer"), (.issuerUnavailable, "issuerUnavailable"),
            (.processingError, "processingError"), (.authenticationRequired, "authenticationRequired"),
            (.authenticationFailed, "authenticationFailed"), (.transactionNotAllowed, "transactionNotAllowed"),
            (.notSupported, "notSupported"), (.duplicate, "duplicate"), (.unlisted, "unlisted"),
        ]
        for (reason, spelling) in reasons {
            #expect(reason.description == spelling)
            #expect(Decline.Reason(spelling) == reason)
        }
        #expect(Decline.Reason.all == reasons.map(\.0))
        #expect(Decline.Reason("none") == nil)
        let phases: [(SessionStatus.Phase, String)] = [
            (.open, "open"), (.processing, "processing"), (.succeeded, "succeeded"), (.failed, "failed"),
            (.expired, "expired"), (.unknown, "unknown"),
        ]
        for (phase, spelling) in phases { #expect(phase.description == spelling) }
        let states: [(StoredInstrument.State, String)] = [
            (.retained, "retained"), (.cached, "cached"), (.used, "used"), (.redacted, "redacted"),
            (.closed, "closed"), (.unknown, "unknown"),
        ]
        for (state, spelling) in states { #expect(state.description == spelling) }
        #expect(FieldIssue.Origin.local.rawValue == "local" && FieldIssue.Origin.provider.rawValue == "provider")
        #expect(Reach.allCases.map(\.rawValue) == ["notSent", "sent", "answered"])
        #expect(HTTPMethod.allCases.map(\.rawValue) == ["GET", "POST", "PUT", "PATCH", "DELETE"])
    }

    @Test("error codes")
    func errorCodes() {
        let codes: [(GatewayError.Code, String)] = [
            (.configuration, "configuration"), (.invalidInput, "invalidInput"), (.notSupported, "notSupported"),
            (.cancelled, "cancelled"), (.unreachable, "unreachable"), (.timedOut, "timedOut"), (.tls, "tls"),
            (.proxy, "proxy"), (.refusedHost, "refusedHost"), (.credentialsRefused, "credentialsRefused"),
            (.notPermitted, "notPermitted"), (.notFound, "notFound"), (.rateLimited, "rateLimited"),
            (.providerUnavailable, "providerUnavailable"), (.requestRefused, "requestRefused"),
            (.unreadableAnswer, "unreadableAnswer"), (.connectionLost, "connectionLost"), (.dryRun, "dryRun"),
        ]
        for (code, spelling) in codes { #expect(code.description == spelling) }
    }

    @Test("transport failures")
    func kinds() {
        #expect(
            TransportError.Kind.known.map(\.description) == [
                "nameLookup", "connect", "connectTimeout", "tls", "proxy", "timeout", "cancelled", "connectionLost",
                "truncated", "malformedAnswer", "answerTooLarge", "invalidRequest", "refusedHost", "dryRun", "closed",
                "other",
            ])
    }

    @Test("outcomes of a tokenization")
    func outcomes() {
        let reference = SessionReference(account: .known("eu"), id: "s-1")
        let error = GatewayError(.timedOut, message: "m", advice: "a", reach: .sent)
        let results: [(TokenizationResult, String)] = [
            (.token(PaymentToken(id: "t", account: .known("eu"), usage: .single)), "token"), (.invalid([]), "invalid"),
            (.declined(Decline(.cardDeclined, providerCode: nil, message: "no")), "declined"),
            (.actionRequired(.html("")), "actionRequired"),
            (.sessionUnusable(SessionStatus(reference: reference, phase: .expired)), "sessionUnusable"),
            (.unknown(reference, cause: error), "unknown"),
        ]
        for (result, name) in results { #expect(result.outcomeName == name) }
    }
}
