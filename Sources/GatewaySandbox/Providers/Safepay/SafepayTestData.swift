import GatewayKitCore

extension SafepaySandbox {
    /// From the dossier, 2.1, 5.3.
    var testData: ProviderTestData {
        var data = ProviderTestData()
        data.approvedCard = .known("visa")
        data.declinedCard = .none("Safepay sets every test card up without asking anybody; the amount decides later")
        data.invalidInput = .known(.init(card: "visa", isExpired: true, fields: [.expiryMonth, .expiryYear]))
        data.sessions = .known(.init(lifetime: nil, isForOneToken: true, endsWithToken: false))
        data.tokensAreStored = .none("Safepay keeps a card once the payer was authenticated, in a customer's wallet")
        data.unknownInstrument = .known(
            "cus_00000000-0000-4000-8000-000000000000/pm_00000000-0000-4000-8000-000000000000")
        data.unknownSession = .known(
            "v3:sandbox:payment:raw:PKR:150000:-:track_00000000-0000-4000-8000-000000000000")
        data.payments = .known(
            .init(
                amount: Money(minorUnits: 150_000, currency: .pkr),
                declinedAmount: Money(minorUnits: 400_300, currency: .pkr)))
        return data
    }
}
