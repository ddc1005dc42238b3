import GatewayKitCore

/// The HTTP calls below `/_sandbox/` by which tests in other languages and people with a terminal steer the sandbox.
///
/// - `GET /_sandbox/health`
/// - `GET /_sandbox/credentials`: base path and made-up credentials per provider
/// - `GET /_sandbox/faults`: the rules that can still strike, in their text form
/// - `POST /_sandbox/faults` with `{"faults": ["spreedly.tokenize=stall"]}`: adds rules, all or none
/// - `DELETE /_sandbox/faults`: takes out all
/// - `GET /_sandbox/ledger`: what really happened; of a card only brand, first six and last four digits, expiry;
///   `movement` is the money that moved, in minor units
/// - `GET /_sandbox/choices`: the ways of behaving that can be chosen, and which are
/// - `POST /_sandbox/choices` with `{"hellgate.session": "guardian"}`: chooses, all or none
/// - `POST /_sandbox/release`: lets held answers go
/// - `POST /_sandbox/reset`: as at the start, with the same credentials
final class SandboxControl: Sendable {
    private let faults: FaultBook
    private let ledger: Ledger
    private let providers: [any SandboxProvider]
    private let actions = Locked<[String: @Sendable () -> Void]>([:])

    init(faults: FaultBook, ledger: Ledger, providers: [any SandboxProvider]) {
        self.faults = faults
        self.ledger = ledger
        self.providers = providers
    }

    /// Sets what `POST /_sandbox/<name>` does.
    func setAction(_ name: String, _ action: @escaping @Sendable () -> Void) {
        actions.withLock { $0[name] = action }
    }

    func answer(_ request: ReceivedRequest) -> SandboxReply {
        guard request.path.count == 2, let name = request.path.last else { return .text(404, "There is no such call.") }
        switch (request.method, name) {
        case ("GET", "health"): return object { $0.set("status", "ok") }
        case ("GET", "credentials"): return credentials()
        case ("GET", "faults"): return faultList()
        case ("POST", "faults"): return addFaults(request)
        case ("DELETE", "faults"):
            faults.removeAll()
            return faultList()
        case ("GET", "ledger"): return ledgerList()
        case ("GET", "choices"): return choiceList()
        case ("POST", "choices"): return choose(request)
        case ("POST", "reset"), ("POST", "release"):
            guard let action = actions.withLock({ $0[name] }) else { return .text(503, "The sandbox is not running.") }
            action()
            return object { $0.set("status", "ok") }
        case (_, "health"), (_, "credentials"), (_, "ledger"): return wrongMethod("GET")
        case (_, "choices"): return wrongMethod("GET, POST")
        case (_, "faults"): return wrongMethod("GET, POST, DELETE")
        case (_, "reset"), (_, "release"): return wrongMethod("POST")
        default: return .text(404, "There is no such call.")
        }
    }

    private func wrongMethod(_ allowed: String) -> SandboxReply {
        var reply = SandboxReply.text(405, "This call wants another method.")
        reply.set("allow", allowed)
        return reply
    }

    private func object(_ status: Int = 200, _ build: (inout AnswerWriter) -> Void) -> SandboxReply {
        .json(status, AnswerWriter.object(build))
    }

    private func credentials() -> SandboxReply {
        object { body in
            for provider in providers {
                body.object(provider.id) { entry in
                    entry.set("basePath", "/" + ([provider.id] + provider.prefix).joined(separator: "/"))
                    for item in provider.credentials.items { entry.set(item.name, item.value) }
                }
            }
        }
    }

    private func faultList() -> SandboxReply {
        object { body in
            body.array("faults") { list in for rule in faults.rules { list.append(rule.description) } }
        }
    }

    private func addFaults(_ request: ReceivedRequest) -> SandboxReply {
        let problem: String
        do {
            let list = try JSONValue(parsing: request.body)["faults"].elements()
            var rules: [FaultRule] = []
            for text in list { rules.append(try FaultRule(try text.string())) }
            for rule in rules { faults.add(rule) }
            return faultList()
        } catch let error as FaultSyntaxError {
            problem = error.description
        } catch {
            problem = "The body must be {\"faults\": [\"TARGET=KIND\", ...]}."
        }
        return object(400) { $0.set("error", problem) }
    }

    private func choiceList() -> SandboxReply {
        object { body in
            body.array("choices") { list in
                for provider in providers {
                    for choice in provider.chosen.choices {
                        list.appendObject { item in
                            item.set("name", choice.name)
                            item.set("value", provider.chosen[choice.name])
                            item.array("values") { values in for value in choice.values { values.append(value) } }
                            item.set("help", choice.help)
                        }
                    }
                }
            }
        }
    }

    private func choose(_ request: ReceivedRequest) -> SandboxReply {
        let members = (try? JSONValue(parsing: request.body).members()) ?? []
        var wanted: [(name: String, value: String)] = []
        for member in members {
            guard let value = try? member.value.string(),
                providers.contains(where: { provider in
                    provider.chosen.choices.contains { $0.name == member.name && $0.values.contains(value) }
                })
            else { return object(400) { $0.set("error", "There is no such choice, or no such value of it.") } }
            wanted.append((member.name, value))
        }
        guard !wanted.isEmpty else {
            return object(400) { $0.set("error", "The body must be {\"NAME\": \"VALUE\", ...}.") }
        }
        for choice in wanted { _ = providers.contains { $0.chosen.choose(choice.value, for: choice.name) } }
        return choiceList()
    }

    private func ledgerList() -> SandboxReply {
        object { body in
            body.set("count", ledger.count)
            body.array("entries") { list in
                for entry in ledger.entries {
                    list.appendObject { item in
                        item.set("number", entry.number)
                        item.set("time", entry.time.rfc3339WithMilliseconds)
                        item.set("provider", entry.provider)
                        item.set("operation", entry.operation)
                        item.set("outcome", entry.outcome.description)
                        item.set("status", entry.status)
                        item.set("token", entry.token)
                        if let card = entry.card {
                            item.object("card") { summary in
                                summary.set("brand", card.brand?.id)
                                summary.set("firstSix", card.firstSix)
                                summary.set("lastFour", card.lastFour)
                                summary.set("expiry", card.expiry?.description)
                            }
                        }
                        item.set("ownReference", entry.ownReference)
                        if let movement = entry.movement {
                            item.object("movement") { body in
                                body.set("kind", movement.kind)
                                if let amount = movement.amount { body.set("amount", Int(amount)) }
                                body.set("currency", movement.currency)
                                body.set("parent", movement.parent)
                            }
                        }
                        item.set("fault", entry.fault)
                        item.set("delivery", entry.delivery.rawValue)
                    }
                }
            }
        }
    }
}
