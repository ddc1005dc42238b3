import Testing

@testable import GatewayKitCore

@Suite("Moving money (laws 2 and 3)")
struct MoveMoneyTests {
    private static let proofs = [
        NoMovementProof(401, reason: "Credentials are checked first."),
        NoMovementProof(422, shape: "errors", reason: "Refused before the gateway."),
    ]
    private static let reference = PaymentReference(account: .known("eu"), ownReference: "a-1")

    private enum Ending: Equatable { case threw, approved, pending, declined, invalid, unknown }

    /// What comes out of a scripted exchange, and how often the request was sent.
    private func end(
        _ steps: [ScriptedTransport.Step], _ repeatability: WireRequest.Repeatability = .once,
        _ read: @escaping @Sendable (WireResponse, Call) -> MoneyAnswer
    ) async -> (Ending, Int) {
        let bench = Workbench(steps)
        let (pipeline, request) = (bench.pipeline, bench.request(repeatability))
        let call = pipeline.begin("test.charge", CallContext())
        let money = MoneyCall(Self.reference, pipeline: pipeline, call: call, proofs: Self.proofs)
        let sending = Task { () -> Ending in
            do throws(NothingMoved) {
                switch try await moveMoney(money, request, { read($0, call) }) {
                case .approved: return .approved
                case .pending: return .pending
                case .declined: return .declined
                case .invalid: return .invalid
                case .unknown(let reference, _):
                    #expect(reference.ownReference == "a-1")
                    return .unknown
                }
            } catch {
                return .threw
            }
        }
        let waking = Task { [clock = bench.clock] in while !Task.isCancelled { _ = await clock.wakeNext() } }
        let ending = await sending.value
        waking.cancel()
        return (ending, bench.transport.count)
    }

    private static func record(_ state: PaymentRecord.State) -> PaymentRecord {
        PaymentRecord(id: "t-1", account: .known("eu"), kind: .purchase, state: state)
    }

    private static let decline = Decline(.cardDeclined, providerCode: "05", message: "no")

    private static func refused(_ response: WireResponse, _ call: Call, shape: String) -> MoneyAnswer {
        .refused(
            GatewayError(
                .requestRefused, response, in: call, redactor: call.redactor, now: WallTime(secondsSince1970: 0),
                message: "Refused.", advice: "Look."), shape: shape)
    }

    @Test("what an adapter reads from the only try stands")
    func results() async {
        let results: [(PaymentResult, Ending)] = [
            (.approved(Self.record(.succeeded)), .approved), (.pending(nil, Self.record(.pending)), .pending),
            (.declined(Self.decline, nil), .declined),
            (.invalid([FieldIssue(.number, .malformed, message: "no")]), .invalid),
            (
                .unknown(Self.reference, cause: GatewayError(.timedOut, message: "m", advice: "a", reach: .sent)),
                .unknown
            ),
        ]
        for (result, expected) in results {
            let (ending, sent) = await end([.answer(200)]) { _, _ in .result(result) }
            #expect(ending == expected && sent == 1)
        }
    }

    @Test(
        "R11: only a request that was certainly not sent throws without an answer", arguments: TransportError.Kind.known
    )
    func exchanges(_ kind: TransportError.Kind) async {
        for (reach, expected) in [(Reach.notSent, Ending.threw), (.sent, .unknown), (.answered, .unknown)] {
            // Enough steps for every repetition of what was not sent.
            let steps = Array(repeating: ScriptedTransport.Step.fail(kind, reach), count: 20)
            let (ending, sent) = await end(steps) { _, _ in .result(.approved(Self.record(.succeeded))) }
            #expect(ending == expected, "\(kind) \(reach)")
            if reach != .notSent { #expect(sent == 1) }
        }
    }

    @Test(
        "a refusal throws only with its row on the list",
        arguments: [
            (401, "errors", true), (401, "html", true), (422, "errors", true), (422, "html", false),
            (400, "errors", false), (403, "errors", false), (404, "errors", false), (408, "errors", false),
            (409, "errors", false), (500, "errors", false), (502, "html", false), (200, "errors", false),
        ])
    func refusals(status: Int, shape: String, throwsNothing: Bool) async {
        let (ending, sent) = await end([.answer(status)]) { Self.refused($0, $1, shape: shape) }
        #expect(ending == (throwsNothing ? .threw : .unknown))
        #expect(sent == 1)
    }

    @Test("a try that was refused proves nothing about an earlier one that may have arrived")
    func earlierTry() async {
        let steps: [ScriptedTransport.Step] = [.fail(.connectionLost, .sent), .answer(401)]
        let (refused, sent) = await end(steps, .keyed) { Self.refused($0, $1, shape: "errors") }
        #expect(refused == .unknown && sent == 2)
        for result in [PaymentResult.declined(Self.decline, nil), .invalid([])] {
            let (ending, _) = await end(steps, .keyed) { _, _ in .result(result) }
            #expect(ending == .unknown)
        }
        let (approved, _) = await end(steps, .keyed) { _, _ in .result(.approved(Self.record(.succeeded))) }
        #expect(approved == .approved)
    }

    @Test("an answer that proves nothing is unknown, with the provider's id")
    func unclear() async throws {
        let bench = Workbench([.answer(200)])
        let call = bench.pipeline.begin("test.charge", CallContext())
        let money = MoneyCall(Self.reference, pipeline: bench.pipeline, call: call, proofs: Self.proofs)
        let cause = GatewayError(.unreadableAnswer, message: "m", advice: "a", reach: .answered)
        let result = try await moveMoney(money, bench.request(.once)) { _ in .unclear(cause, providerID: "t-9") }
        guard case .unknown(let reference, let told) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reference.providerID == "t-9" && told == cause)
    }

    @Test("R8: a money call that calls itself a read is not sent again for it")
    func neverARead() async {
        let steps: [ScriptedTransport.Step] = [.fail(.connectionLost, .sent), .answer(200)]
        let (ending, sent) = await end(steps, .read) { _, _ in .result(.approved(Self.record(.succeeded))) }
        #expect(ending == .unknown && sent == 1)
    }

    @Test("nothing-moved cannot be made of what was sent or answered")
    func construction() {
        for (reach, possible) in [(Reach.notSent, true), (.sent, false), (.answered, false)] {
            let error = GatewayError(.timedOut, message: "m", advice: "a", reach: reach)
            #expect((NothingMoved(notSent: error) != nil) == possible)
            #expect((NothingMoved(answered: error, proof: Self.proofs[0]) != nil) == (reach == .answered))
        }
    }
}
