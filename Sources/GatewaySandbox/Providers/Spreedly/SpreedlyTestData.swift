import GatewayKitCore

extension SpreedlySandbox {
    /// From Spreedly's published test data (developer.spreedly.com/docs/test-data) and the dossier, 1.5 and 2.
    var testData: ProviderTestData {
        var data = ProviderTestData()
        data.approvedCard = .known("visa")
        data.declinedCard = .none("Spreedly stores a card without asking anybody; it is declined when it is charged")
        data.invalidInput = .known(
            .init(card: "visa", isExpired: true, fields: [.expiryMonth, .expiryYear]))
        data.sessions = .none("Spreedly wants no session; the environment takes its place")
        data.unknownInstrument = .known("01HZZZZZZZZZZZZZZZZZZZZZZZ")
        // The status of a session is that of a transaction, whose tokens have this form.
        data.unknownSession = .known("01HZZZZZZZZZZZZZZZZZZZZZZZ")
        data.payments = .known(.init(amount: Money(minorUnits: 1_234, currency: .usd), declinedCard: "visa-declined"))
        return data
    }
}
