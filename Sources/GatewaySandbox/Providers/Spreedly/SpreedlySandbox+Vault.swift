import GatewayKitCore

/// The calls on payment methods that exist (dossier 1.7).
extension SpreedlySandbox {
    func show(_ token: String) throws(SpreedlyRefusal) -> SandboxOutcome {
        let method = try vault.withLock { (vault) throws(SpreedlyRefusal) in try vault.method(token) }
        return outcome(of: method, .read)
    }

    /// Methods in every state are listed unless a state is asked for (a guess).
    func list(_ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        let page = try SpreedlyPage(call.request.query, states: Set(SpreedlyMethod.Storage.allCases.map(\.rawValue)))
        let methods = try vault.withLock { (vault) throws(SpreedlyRefusal) in
            try page.select(from: vault.methods) { method in
                (page.state ?? method.storage.rawValue) == method.storage.rawValue
                    && page.metadata.allSatisfy { method.metadata?.text(of: $0.name) == $0.value }
            }
        }
        let body = AnswerWriter.object { root in
            root.array("payment_methods") { list in
                for method in methods { list.appendObject { method.write(to: &$0) } }
            }
        }
        return SandboxOutcome(reply: withHeader(.json(200, body)), outcome: .read)
    }

    func update(_ token: String, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        let root = try readBody(call.request)
        return try change(token) { (method) throws(SpreedlyRefusal) in
            let update = SpreedlyUpdate(root, of: method, now: call.now)
            guard update.fields.issues.isEmpty else { throw SpreedlyRefusal(422, update.fields.issues) }
            method = update.method
        }
    }

    func updateGratis(_ token: String, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        let level = try readBody(call.request)["payment_method"]
        return try change(token) { (method) throws(SpreedlyRefusal) in
            var fields = SpreedlyFields()
            let flag = fields.flag("managed", level)
            guard fields.issues.isEmpty else { throw SpreedlyRefusal(422, fields.issues) }
            guard let flag else { throw SpreedlyRefusal(422, [.blank("managed")]) }
            method.isManaged = flag
            method.updatedAt = call.now
        }
    }

    func retain(_ token: String, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        _ = try readOptionalBody(call.request)
        let (method, transaction) = try vault.withLock { (vault) throws(SpreedlyRefusal) in
            try vault.retain(token, at: call.now)
        }
        return outcome(of: transaction, method)
    }

    /// A gateway to remove the method from is accepted whatever its token, since there are no gateways here.
    func redact(_ token: String, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        let wrapper = try readOptionalBody(call.request)?["transaction"]
        var fields = SpreedlyFields()
        var removesPersonalData = false
        if let wrapper = wrapper?.present {
            if wrapper.kind != .object { fields.issues.append(.invalid("transaction")) }
            _ = fields.text("remove_from_gateway", wrapper["remove_from_gateway"])
            removesPersonalData = fields.flag("remove_personal_data", wrapper) ?? false
        }
        let issues = fields.issues
        let (method, transaction) = try vault.withLock { (vault) throws(SpreedlyRefusal) in
            _ = try vault.method(token)
            guard issues.isEmpty else { throw SpreedlyRefusal(422, issues) }
            return try vault.redact(token, removingPersonalData: removesPersonalData, at: call.now)
        }
        return outcome(of: transaction, method)
    }

    /// Basic, or the environment key in the body or a header (dossier 1.6). That a missing code is `errors.blank` is a
    /// guess, and so is the status of `errors.invalid_cvv`.
    func recache(_ token: String, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        let root: JSONValue
        if call.request.values(of: "authorization").isEmpty {
            root = try readWithKey(call.request)
        } else {
            try access.checkBasic(call.request)
            root = try readBody(call.request)
        }
        _ = try vault.withLock { (vault) throws(SpreedlyRefusal) in try vault.method(token) }
        let outer = root["payment_method"]
        let code = outer["credit_card"]["verification_value"]
        var fields = SpreedlyFields()
        let length = fields.securityCode(code, wrong: .invalidCode)
        for name in ["allow_blank_name", "allow_expired_date", "allow_blank_date"] { _ = fields.flag(name, outer) }
        if length == nil, fields.issues.isEmpty { fields.issues.append(.blank("verification_value")) }
        guard fields.issues.isEmpty, let length else { throw SpreedlyRefusal(422, fields.issues) }
        let (method, transaction) = try vault.withLock { (vault) throws(SpreedlyRefusal) in
            try vault.recache(token, codeLength: length, at: call.now)
        }
        var result = outcome(of: transaction, method)
        result.submitted = SubmittedCard(number: Sensitive(""), securityCode: try? code.sensitive())
        return result
    }

    /// That keys which are not there do no harm, and that the method is the answer, are guesses.
    func deleteMetadata(_ token: String, _ call: SandboxCall) throws(SpreedlyRefusal) -> SandboxOutcome {
        let list = try readBody(call.request)["keys"]
        return try change(token) { (method) throws(SpreedlyRefusal) in
            guard list.present != nil else { throw SpreedlyRefusal(422, [.blank("keys")]) }
            let names = try? list.elements().map { try $0.string() }
            guard let names, !names.isEmpty else { throw SpreedlyRefusal(422, [.invalid("keys")]) }
            method.metadata?.remove(Set(names))
            method.updatedAt = call.now
        }
    }

    // MARK: - Parts

    /// Changes what may be changed: a redacted method may not (a guess).
    private func change(
        _ token: String, _ body: (inout SpreedlyMethod) throws(SpreedlyRefusal) -> Void
    ) throws(SpreedlyRefusal) -> SandboxOutcome {
        let method = try vault.withLock { (vault) throws(SpreedlyRefusal) in
            var method = try vault.method(token)
            guard method.storage != .redacted else { throw .redactedMethod }
            try body(&method)
            vault.replace(method)
            return method
        }
        return outcome(of: method, .changed)
    }

    /// Whoever sends a body must send a right one.
    private func readOptionalBody(_ request: ReceivedRequest) throws(SpreedlyRefusal) -> JSONValue? {
        request.body.isEmpty ? nil : try readBody(request)
    }

    private func outcome(of method: SpreedlyMethod, _ outcome: LedgerEntry.Outcome) -> SandboxOutcome {
        let body = AnswerWriter.object { $0.object("payment_method") { method.write(to: &$0) } }
        return SandboxOutcome(
            reply: withHeader(.json(200, body)), outcome: outcome, token: method.token, card: method.summary)
    }

    func outcome(of transaction: SpreedlyTransaction, _ method: SpreedlyMethod) -> SandboxOutcome {
        SandboxOutcome(
            reply: answer(transaction, method), outcome: transaction.failure == nil ? .changed : .refused,
            token: method.token, card: method.summary)
    }
}
