import Testing

@testable import GatewayKitCore

@Suite("What a session may become")
struct PhaseSuccessionTests {
    static let phases: [SessionStatus.Phase] = [.unknown, .open, .processing, .succeeded, .failed, .expired]

    /// Every pair: what is known, what comes, what is known then.
    static let pairs: [(known: String, becomes: [String])] = [
        ("unknown", ["unknown", "open", "processing", "succeeded", "failed", "expired"]),
        ("open", ["open", "open", "processing", "succeeded", "failed", "expired"]),
        ("processing", ["processing", "processing", "processing", "succeeded", "failed", "expired"]),
        ("succeeded", Array(repeating: "succeeded", count: 6)),
        ("failed", Array(repeating: "failed", count: 6)),
        ("expired", Array(repeating: "expired", count: 6)),
    ]

    @Test("a state never moves back, whatever word comes later", arguments: pairs.indices)
    func table(_ index: Int) throws {
        let (name, becomes) = Self.pairs[index]
        let phase = try #require(Self.phases.first { $0.description == name })
        for (newer, expected) in zip(Self.phases, becomes) {
            let merged = status(phase, "known").followed(by: status(newer, "newer"))
            #expect(merged.phase.description == expected, "\(phase), then \(newer)")
            #expect(merged.providerWord == "newer")
        }
    }

    @Test("what a later answer leaves out stays known")
    func omissions() {
        var known = status(.processing, "working")
        known.token = PaymentToken(id: "tok-1", account: .known("eu"), usage: .single)
        known.decline = Decline(.cardDeclined, providerCode: "05", message: "no")
        known.payment = PaymentRecord(id: "pay-1", account: .known("eu"), kind: .purchase, state: .pending)
        known.requestID = "request-1"
        let merged = known.followed(by: status(.processing, nil))
        #expect(merged.token == known.token && merged.decline == known.decline && merged.payment == known.payment)
        #expect(merged.providerWord == nil && merged.requestID == nil)
    }

    @Test("after an end neither token nor decline changes")
    func terminal() {
        var known = status(.failed, "refused")
        known.decline = Decline(.cardDeclined, providerCode: "05", message: "no")
        var newer = status(.succeeded, "done")
        newer.token = PaymentToken(id: "tok-1", account: .known("eu"), usage: .single)
        newer.decline = Decline(.cardDeclined, providerCode: "51", message: "no")
        let merged = known.followed(by: newer)
        #expect(merged.phase == .failed && merged.token == nil && merged.decline == known.decline)
    }

    static let payments: [(PaymentRecord.State, PaymentRecord.State, sameID: Bool, PaymentRecord.State)] = [
        (.pending, .succeeded, true, .succeeded), (.unknown, .pending, true, .pending),
        (.succeeded, .pending, true, .succeeded), (.succeeded, .unknown, true, .succeeded),
        (.succeeded, .failed, true, .succeeded), (.failed, .pending, true, .failed),
        (.failed, .succeeded, true, .failed), (.failed, .pending, false, .pending),
        (.failed, .succeeded, false, .succeeded),
    ]

    @Test("a payment that was settled stays settled; another payment is another one", arguments: payments.indices)
    func payment(_ index: Int) {
        let (before, after, sameID, expected) = Self.payments[index]
        var known = status(.processing, nil)
        known.payment = PaymentRecord(id: "pay-1", account: .known("eu"), kind: .purchase, state: before)
        var newer = status(.processing, nil)
        newer.payment = PaymentRecord(
            id: sameID ? "pay-1" : "pay-2", account: .known("eu"), kind: .purchase, state: after)
        newer.payment?.providerState = "its word"
        let merged = known.followed(by: newer)
        #expect(merged.payment?.state == expected)
        #expect(merged.payment?.providerState == "its word" && merged.payment?.id == newer.payment?.id)
    }

    @Test("a request id alone is no news; a word is")
    func news() {
        var known = status(.open, "created")
        known.requestID = "request-1"
        known.payment = PaymentRecord(id: "pay-1", account: .known("eu"), kind: .purchase, state: .pending)
        known.payment?.requestID = "request-1"
        var newer = known
        newer.requestID = "request-2"
        newer.payment?.requestID = "request-2"
        #expect(!newer.isNews(after: known))
        newer.providerWord = "opened"
        #expect(newer.isNews(after: known))
    }

    private func status(_ phase: SessionStatus.Phase, _ word: String?) -> SessionStatus {
        SessionStatus(reference: ScriptedSessions.reference, phase: phase, providerWord: word)
    }
}
