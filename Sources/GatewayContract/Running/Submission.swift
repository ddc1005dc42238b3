import GatewayKitCore

/// One card that was handed over, and what it left behind.
struct Submission: Sendable {
    let end: ContractEnd
    /// The answer, where there was one.
    let result: TokenizationResult?
    /// What was handed to the network meanwhile.
    let wire: [WireLog.Entry]
    /// What happened at the imitation meanwhile; nothing where nobody keeps a ledger.
    let records: [ContractRecord]

    var created: [ContractRecord] { records.filter { $0.outcome == .created } }
}

extension ContractRun {
    /// A request with the provider's approved card.
    func approvedRequest() throws -> TokenizationRequest {
        try request(fact(subject.testData.approvedCard, "a card that becomes a token"))
    }

    /// Hands a card over, in a session of its own unless one is given.
    func submit(
        _ request: TokenizationRequest, in given: PaymentSession? = nil, to gateway: Gateway? = nil,
        _ context: CallContext = CallContext(), before: () -> Void = {}
    ) async throws -> Submission {
        let tokens = try gateway?.tokens ?? tokens()
        let session: PaymentSession
        if let given { session = given } else { session = try await tokens.openSession() }
        before()
        let mark = stage.controls?.history().count ?? 0
        wire.forget()
        var answer: TokenizationResult?
        let end: ContractEnd
        do throws(GatewayError) {
            let result = try await tokens.tokenize(request, in: session, context)
            answer = result
            end = ContractEnd(result)
        } catch {
            end = ContractEnd(thrown: error)
        }
        see(end)
        let records = (stage.controls?.history() ?? []).dropFirst(mark)
        return Submission(end: end, result: answer, wire: wire.entries, records: Array(records))
    }

    /// The token of the provider's approved card; the case ends where there is none.
    func storedToken(_ change: (inout TokenizationRequest) -> Void = { _ in }) async throws -> PaymentToken {
        var request = try approvedRequest()
        change(&request)
        return try token(of: await submit(request))
    }

    /// The token of a submission that must have one. It exists, and nothing of its kind was made beside it.
    func token(of submission: Submission) throws -> PaymentToken {
        guard case .token(let token)? = submission.result else {
            note("the approved card ends as \(submission.end.name)\(submission.end.error.map { ": \($0)" } ?? "")")
            throw Stop.failed
        }
        guard stage.controls != nil else { return token }
        let made = submission.records.filter { $0.id == token.id && $0.outcome != .nothing }
        expect(!made.isEmpty, "the token that the caller was given does not exist")
        for operation in Set(made.map(\.operation)) {
            equal("made by \(operation)", submission.created.count { $0.operation == operation }, made.count)
        }
        return token
    }
}
