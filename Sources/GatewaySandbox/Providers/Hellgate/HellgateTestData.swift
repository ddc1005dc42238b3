import GatewayKitCore

extension HellgateSandbox {
    /// From the dossier: test cards, and sessions of fifteen minutes for one token each.
    var testData: ProviderTestData {
        var data = ProviderTestData()
        data.approvedCard = .known("visa")
        data.declinedCard = .known("3ds-app-challenge")
        data.invalidInput = .none("Hellgate tells what is wrong with a card as a failed session, and names no field")
        data.sessions = .known(.init(lifetime: .seconds(HellgateSession.lifetime), isForOneToken: true))
        data.unknownInstrument = .known("00000000-0000-4000-8000-000000000000")
        data.unknownSession = .known("00000000-0000-4000-8000-000000000000")
        data.payments = .none("Hellgate makes tokens and moves no money")
        return data
    }
}
