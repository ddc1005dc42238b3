import GatewayKitCore

extension BlueSnapSandbox {
    /// From the dossier, 1 and 8.
    var testData: ProviderTestData {
        var data = ProviderTestData()
        data.approvedCard = .known("visa")
        data.declinedCard = .none("BlueSnap takes a card's details without asking its issuer; a charge asks")
        data.invalidInput = .known(.init(card: "visa", isExpired: true, fields: [.expiryMonth, .expiryYear]))
        data.retention = .none("a token of BlueSnap's is for one payment; that payment keeps the card, for the shopper")
        data.sessions = .known(
            .init(lifetime: .seconds(BlueSnapToken.lifetime), isForOneToken: false, tellsItsToken: false))
        data.unknownInstrument = .known("99999999")
        data.unknownSession = .known(String(repeating: "f", count: 64) + "_")
        data.returningShopper = .known(BlueSnapShopper.returning)
        data.payments = .known(.init(amount: Money(minorUnits: 2_550, currency: .usd), declinedCard: "amex"))
        return data
    }
}
