import GatewayKitCore

/// Cases of the capabilities that move money.
enum PaymentCases {
    static let all = [purchase, declined, captured, voided, refunded, credited, found, absent]

    static let purchase = ContractCase(
        "payments.charging.purchase", .charging, alsoNeeds: [.tokens], .onRequest,
        "A payment with an approved card is approved with proof: its amount, its own reference, one transaction."
    ) { run in
        let request = try await run.paymentRequest(.purchase)
        let mark = run.stage.controls?.history().count ?? 0
        let record = try run.approved(await run.charge(request))
        run.observe("approved, \(record.state)")
        run.equal("its state", record.state, .succeeded)
        run.equal("its amount", record.amount, request.amount)
        if let reference = record.ownReference { run.equal("its own reference", reference, request.ownReference) }
        let made = (run.stage.controls?.history() ?? []).dropFirst(mark).filter { $0.outcome == .created }
        if run.stage.controls != nil { run.equal("made", made.compactMap(\.id), [record.id]) }
    }

    static let declined = ContractCase(
        "payments.charging.declined", .charging, alsoNeeds: [.tokens], .onRequest,
        "F10, F11: a payment that is declined is told as declined, with the provider's code, and never as unknown."
    ) { run in
        let facts = try run.paymentFacts()
        guard facts.declinedCard != nil || facts.declinedAmount != nil else {
            throw ContractRun.Stop.owed("\(run.subject.provider.id)'s test data do not tell what is declined")
        }
        let request = try await run.paymentRequest(
            .purchase, card: facts.declinedCard, amount: facts.declinedAmount)
        let end = await run.charge(request)
        guard case .declined(let decline, _)? = end.result else { return run.note("it ends as \(end.end.name)") }
        run.observe("declined, \(decline.reason)")
        run.expect(decline.providerCode != nil || !decline.message.isEmpty, "the provider's own words are lost")
    }

    static let captured = ContractCase(
        "payments.capturing.capture", .capturing, alsoNeeds: [.charging, .tokens], .onRequest,
        "What was authorized is captured, and the capture knows its payment."
    ) { run in
        let capturing = try run.gateway().payments.capturing ?? run.stop(.skipped("it does not capture"))
        try await run.child(of: .authorize, .capture) { request, context throws(NothingMoved) in
            try await capturing.capture(request, context)
        }
    }

    static let voided = ContractCase(
        "payments.voiding.void", .voiding, alsoNeeds: [.charging, .tokens], .onRequest,
        "What was authorized is voided, and the void knows its payment."
    ) { run in
        let voiding = try run.gateway().payments.voiding ?? run.stop(.skipped("it does not void"))
        try await run.child(of: .authorize, .void) { request, context throws(NothingMoved) in
            try await voiding.void(request, context)
        }
    }

    static let refunded = ContractCase(
        "payments.refunding.refund", .refunding, alsoNeeds: [.charging, .tokens], .onRequest,
        "What was paid is refunded, with the amount that was asked for, and the refund knows its payment."
    ) { run in
        let refunding = try run.gateway().payments.refunding ?? run.stop(.skipped("it does not refund"))
        try await run.child(of: .purchase, .refund) { request, context throws(NothingMoved) in
            try await refunding.refund(request, context)
        }
    }

    static let credited = ContractCase(
        "payments.crediting.credit", .crediting, alsoNeeds: [.tokens], .onRequest,
        "Money is given without an earlier payment, with the amount that was asked for and its own reference."
    ) { run in
        let request = try await run.paymentRequest(.purchase)
        let record = try run.approved(await run.credit(request))
        run.observe("approved, \(record.kind)")
        run.equal("its kind", record.kind, .credit)
        if let amount = record.amount { run.equal("its amount", amount, request.amount) }
        if let reference = record.ownReference { run.equal("its own reference", reference, request.ownReference) }
    }

    static let found = ContractCase(
        "payments.lookup.find", .lookup, alsoNeeds: [.charging, .tokens], .onRequest,
        "R5: a payment is found again by its own reference alone, as the one that was made."
    ) { run in
        let lookup = try run.gateway().payments.lookup ?? run.stop(.skipped("it does not look payments up"))
        let since = run.now.adding(seconds: -60)
        let request = try await run.paymentRequest(.purchase)
        let record = try run.approved(await run.charge(request))
        let reference = PaymentReference(account: run.stage.account.name, ownReference: request.ownReference)
        for wanted in [reference, run.reference(to: record, request)] {
            let finding = try await lookup.find(wanted, since: since, CallContext())
            run.see(ContractEnd(read: finding, name: "finding"))
            guard case .found(let again) = finding else { return run.note("it is not found") }
            run.observe("found, \(again.state)")
            run.equal("its id", again.id, record.id)
            run.equal("its state", again.state, .succeeded)
            run.equal("its amount", again.amount, request.amount)
        }
    }

    static let absent = ContractCase(
        "payments.lookup.absent", .lookup, alsoNeeds: [.charging, .tokens], .onRequest,
        "R5: a payment that was never sent is told as absent, with another one as the witness that the look-up works."
    ) { run in
        let lookup = try run.gateway().payments.lookup ?? run.stop(.skipped("it does not look payments up"))
        let since = run.now.adding(seconds: -60)
        let witness = try run.approved(await run.charge(run.paymentRequest(.purchase)))
        let reference = PaymentReference(account: run.stage.account.name, ownReference: run.ownReference())
        let finding = try await lookup.find(reference, since: since, CallContext())
        run.see(ContractEnd(read: finding, name: "finding"))
        guard case .absent(let witnesses) = finding else { return run.note("something is found") }
        run.observe("absent")
        run.expect(witnesses.contains(witness.id), "the payment that was made before is no witness")
    }
}

/// One call that moves money, and what came of it.
struct MoneyEnd: Sendable {
    let end: ContractEnd
    let result: PaymentResult?
}

extension ContractRun {
    func paymentFacts() throws -> ProviderTestData.Payments {
        try fact(subject.testData.payments, "what payments do")
    }

    /// A reference that no other attempt has.
    func ownReference() -> String {
        "contract-" + String(stage.runtime.random.next(), radix: 36)
    }

    /// An attempt with a fresh token.
    func paymentRequest(
        _ kind: PaymentRequest.Kind, card: String? = nil, amount: Money? = nil
    ) async throws -> PaymentRequest {
        let facts = try paymentFacts()
        var request = try approvedRequest()
        if let card { request = try self.request(card) }
        let token = try token(of: await submit(request))
        return PaymentRequest(kind, amount ?? facts.amount, token: token.id, ownReference: ownReference())
    }

    func charge(_ request: PaymentRequest, _ context: CallContext = CallContext()) async -> MoneyEnd {
        guard let charging = try? gateway().payments.charging else {
            let error = GatewayError(.notSupported, message: "It does not charge.", advice: "Skip the case.")
            return MoneyEnd(end: ContractEnd(thrown: error), result: nil)
        }
        return await money { () async throws(NothingMoved) in try await charging.charge(request, context) }
    }

    func credit(_ request: PaymentRequest, _ context: CallContext = CallContext()) async -> MoneyEnd {
        guard let crediting = try? gateway().payments.crediting else {
            let error = GatewayError(.notSupported, message: "It does not credit.", advice: "Skip the case.")
            return MoneyEnd(end: ContractEnd(thrown: error), result: nil)
        }
        return await money { () async throws(NothingMoved) in try await crediting.credit(request, context) }
    }

    /// Either end of a call that moves money.
    func money(_ body: () async throws(NothingMoved) -> PaymentResult) async -> MoneyEnd {
        do {
            let result = try await body()
            return MoneyEnd(end: see(ContractEnd(result)), result: result)
        } catch {
            return MoneyEnd(end: see(ContractEnd(thrown: error.error)), result: nil)
        }
    }

    /// The record of a payment that must be approved.
    func approved(_ money: MoneyEnd) throws -> PaymentRecord {
        guard case .approved(let record)? = money.result else {
            note("the payment ends as \(money.end.name)\(money.end.error.map { ": \($0)" } ?? "")")
            throw Stop.failed
        }
        return record
    }

    func reference(to record: PaymentRecord, _ request: PaymentRequest) -> PaymentReference {
        PaymentReference(
            account: stage.account.name, ownReference: request.ownReference, providerID: record.id)
    }

    /// A capture, void or refund of a fresh payment.
    fileprivate func child(
        of parent: PaymentRequest.Kind, _ kind: PaymentRecord.Kind,
        _ make: @Sendable (ChildRequest, CallContext) async throws(NothingMoved) -> PaymentResult
    ) async throws {
        let request = try await paymentRequest(parent)
        let record = try approved(await charge(request))
        let child = ChildRequest(
            of: reference(to: record, request), request.amount, ownReference: ownReference())
        let made = try approved(
            await money { () async throws(NothingMoved) in try await make(child, CallContext()) })
        observe("approved, \(made.kind)")
        equal("its kind", made.kind, kind)
        if let parentID = made.parentID { equal("its payment", parentID, record.id) }
        if let amount = made.amount { equal("its amount", amount, request.amount) }
        expect(made.id != record.id, "it has the id of its payment")
    }
}
