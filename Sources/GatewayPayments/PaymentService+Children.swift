public import GatewayKitCore

extension PaymentService {
    /// Takes what an authorization reserved, or a part of it.
    ///
    /// May be repeated under the same key: it gives what came of it. One capture, void or refund of a payment is open at
    /// a time. "All of it" where everything is captured already gives the capture that there is.
    /// - Throws: ``NothingMoved``.
    public func capture(
        _ payment: AttemptID, _ instruction: ChildInstruction, _ call: CallContext = CallContext()
    ) async throws(NothingMoved) -> PaymentOutcome {
        guard let capturing = gateway.payments.capturing else { throw unsupported("capture") }
        return try await child(.capture, payment, instruction, call) { (request, call) async throws(NothingMoved) in
            try await capturing.capture(request, call)
        }
    }

    /// Cancels a payment that is not settled. May be repeated; a payment that is voided already gives its void.
    /// - Throws: ``NothingMoved``.
    public func void(
        _ payment: AttemptID, _ instruction: ChildInstruction, _ call: CallContext = CallContext()
    ) async throws(NothingMoved) -> PaymentOutcome {
        guard let voiding = gateway.payments.voiding else { throw unsupported("void") }
        return try await child(.void, payment, instruction, call) { (request, call) async throws(NothingMoved) in
            try await voiding.void(request, call)
        }
    }

    /// Gives back what was taken, or a part of it. More than what is left is refused here.
    ///
    /// May be repeated under the same key. Two equal partial refunds need two keys.
    /// - Throws: ``NothingMoved``.
    public func refund(
        _ payment: AttemptID, _ instruction: ChildInstruction, _ call: CallContext = CallContext()
    ) async throws(NothingMoved) -> PaymentOutcome {
        guard let refunding = gateway.payments.refunding else { throw unsupported("refund") }
        return try await child(.refund, payment, instruction, call) { (request, call) async throws(NothingMoved) in
            try await refunding.refund(request, call)
        }
    }

    private func child(
        _ kind: PaymentAttempt.Kind, _ payment: AttemptID, _ instruction: ChildInstruction, _ call: CallContext,
        _ exchange: @escaping @Sendable (ChildRequest, CallContext) async throws(NothingMoved) -> PaymentResult
    ) async throws(NothingMoved) -> PaymentOutcome {
        _ = try await pinned(payment)
        let checked = try checked { () throws(PaymentInputProblem) in try instruction.checked() }
        let limit = call.timeout ?? timeout
        let deadline = clock.now.advanced(by: limit)
        let context = CallContext(timeout: limit, correlationID: call.correlationID)
        let fingerprint = try authenticated { () throws(GatewayError) in
            try checked.fingerprint(kind, payment, authenticator)
        }
        while true {
            var new = NewAttempt(id: .make(random), kind: kind, key: checked.key, fingerprint: fingerprint)
            new.amount = kind == .void ? nil : checked.amount
            new.requestedBy = checked.requestedBy
            new.reason = checked.reason
            let asked = new
            let verdict = try await entering { () async throws(PaymentStoreError) in
                try await store.openChild(of: payment, asked)
            }
            let attempt: PaymentAttempt
            switch verdict {
            case .opened(let opened): attempt = opened
            case .existing(let existing):
                guard existing.state == .prepared else { return try await join(existing, until: deadline) }
                attempt = existing
            case .refused(let reason): throw refuse(reason, account: gateway.account)
            }
            let target = try await entering { () async throws(PaymentStoreError) -> PaymentAttempt? in
                try await self.target(of: attempt)
            }
            guard let target, target.providerID != nil else {
                let change = AttemptChange(to: .abandoned, by: "service", note: "the payment has no provider's id")
                _ = try? await store.advance(attempt.id, from: attempt.version, change, holding: nil)
                throw refuse(
                    .invalidInput, "The provider's id of the payment is not known.",
                    "Look the payment up, or resolve it with its id.")
            }
            let request = ChildRequest(
                of: target.reference, attempt.amount, ownReference: attempt.id.description, reason: attempt.reason)
            let outcome = try await send(attempt, as: .sending, limit) { (claimed) async throws(NothingMoved) in
                await record(await readUp(try await exchange(request, context), claimed), claimed)
            }
            if let outcome { return outcome }
        }
    }
}

extension ChildInstruction {
    func checked() throws(PaymentInputProblem) -> ChildInstruction {
        _ = try PaymentInputProblem.checkID(key, "the key")
        if let requestedBy { _ = try PaymentInputProblem.checkText(requestedBy, "the operator") }
        if let reason { _ = try PaymentInputProblem.checkText(reason, "the reason") }
        return self
    }
}
