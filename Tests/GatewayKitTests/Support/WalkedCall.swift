import GatewayKitCore

/// A call of a capability, for the walk.
struct WalkedCall: Sendable {
    /// The operation that the call is about, without its provider, as fault rules and the ledger have it.
    let operation: String
    /// Whether it only asks.
    var isRead = false
    /// Brings about what the call needs, before the fault: the id of a stored instrument or session, or nothing.
    var prepare: @Sendable () async -> String = { "" }
    /// Makes the call on what was prepared.
    let make: @Sendable (String, CallContext) async -> CallEnd
    /// How many requests the call makes, where nothing goes wrong before its own.
    var requests = 1
    /// Whether it moves money: then nothing but the adapter's written list proves that nothing happened.
    var movesMoney = false

    /// Every call that a gateway offers but those that move money, which are ``WalkedPayments``. A new capability joins
    /// here.
    static func all(of gateway: Gateway) -> [WalkedCall] {
        guard let tokens = gateway.tokens else { return [] }
        var calls = [tokenize(tokens)]
        if let vault = gateway.vault { calls += all(of: vault, tokens) }
        if let customers = gateway.customers { calls.append(create(customers)) }
        if let sessions = gateway.sessions { calls.append(status(sessions, tokens, gateway.account)) }
        return calls
    }

    private static func tokenize(_ tokens: any TokenProvider) -> WalkedCall {
        WalkedCall(operation: "tokenize") { _, context in
            do throws(GatewayError) {
                let session = try await tokens.openSession(SessionRequest(), context)
                return CallEnd(try await tokens.tokenize(try request(), in: session, context))
            } catch {
                return CallEnd(thrown: error)
            }
        }
    }

    private static func all(of vault: any Vault, _ tokens: any TokenProvider) -> [WalkedCall] {
        typealias Make = @Sendable (String, CallContext) async throws(GatewayError) -> VaultResult
        let update = VaultUpdate(shopper: Shopper(email: "new@shop.example"))
        let offered: [(VaultOperation, Make)] = [
            (.show, { id, context async throws(GatewayError) in try await vault.show(id, context) }),
            (.update, { id, context async throws(GatewayError) in try await vault.update(id, update, context) }),
            (.retain, { id, context async throws(GatewayError) in try await vault.retain(id, context) }),
            (.redact, { id, context async throws(GatewayError) in try await vault.redact(id, context) }),
            (
                .deleteMetadata,
                { id, context async throws(GatewayError) in try await vault.deleteMetadata(["cart"], of: id, context) }
            ),
        ]
        let calls = offered.filter { vault.operations.contains($0.0) }.map { operation, make in
            WalkedCall(
                operation: operation == .deleteMetadata ? "delete-metadata" : operation.rawValue,
                isRead: operation == .show,
                prepare: { await stored(tokens)?.id ?? "" },
                make: { id, context in
                    do throws(GatewayError) {
                        return CallEnd(try await make(id, context), isRead: operation == .show)
                    } catch {
                        return CallEnd(thrown: error)
                    }
                })
        }
        guard vault.operations.contains(.list) else { return calls }
        return calls + [
            WalkedCall(
                operation: "list", isRead: true, prepare: { await stored(tokens)?.id ?? "" },
                make: { _, context in
                    do throws(GatewayError) {
                        return CallEnd(read: try await vault.page(VaultQuery(), after: nil, context))
                    } catch {
                        return CallEnd(thrown: error)
                    }
                })
        ]
    }

    private static func create(_ customers: any CustomerCreating) -> WalkedCall {
        WalkedCall(operation: "create-customer") { _, context in
            let shopper = Shopper(
                name: "Ada Okoro", email: "ada@shop.example", phone: "+922100000000",
                billingAddress: Address(country: "PK"))
            do throws(GatewayError) {
                return CallEnd(try await customers.create(shopper, context))
            } catch {
                return CallEnd(thrown: error)
            }
        }
    }

    private static func stored(_ tokens: any TokenProvider) async -> PaymentToken? {
        guard case .token(let token)? = try? await tokens.tokenize(request()) else { return nil }
        return token
    }

    private static func status(
        _ sessions: any SessionStatusSource, _ tokens: any TokenProvider, _ account: AccountName
    ) -> WalkedCall {
        WalkedCall(
            operation: "status", isRead: true,
            prepare: {
                // Where no session is opened, a transaction takes its place.
                if let transaction = await stored(tokens)?.transactionID { return transaction }
                return (try? await tokens.openSession().reference.id) ?? ""
            },
            make: { id, context in
                do throws(GatewayError) {
                    let reference = SessionReference(account: account, id: id)
                    return CallEnd(read: try await sessions.status(of: reference, context))
                } catch {
                    return CallEnd(thrown: error)
                }
            })
    }

    static let number = TestCard.named("visa")?.number ?? ""
    static let securityCode = "737"

    static func request() throws(GatewayError) -> TokenizationRequest {
        do throws(InvalidCardInput) {
            let card = try Card.read(
                number: Sensitive(number), expiry: "09/2031", securityCode: Sensitive(securityCode), name: "Ada Okoro",
                now: WalkedAccount.now)
            return TokenizationRequest(.card(card))
        } catch {
            throw GatewayError(
                .invalidInput, message: "The test's own card is unreadable.", advice: "Correct the test.")
        }
    }
}

/// What every call's end has in common, whatever its own result type is.
struct CallEnd: Sendable {
    enum Meaning: Sendable, Equatable {
        /// What was asked for is done; the provider's id of what it made.
        case done(id: String)
        /// A question was answered.
        case told
        /// An answer that proves that nothing was made.
        case refused
        /// It may have been done.
        case unknown(GatewayError)
        case thrown(GatewayError)
    }

    let meaning: Meaning
    /// The result's name, or the error's code.
    let name: String
    /// Everything that printing can show of it.
    let shown: String

    init(_ result: TokenizationResult) {
        meaning =
            switch result {
            case .token(let token): .done(id: token.id)
            case .unknown(_, let cause): .unknown(cause)
            case .invalid, .declined, .actionRequired, .sessionUnusable: .refused
            }
        name = result.outcomeName
        shown = everything(of: result)
    }

    init(_ result: VaultResult, isRead: Bool) {
        meaning =
            switch result {
            case .done(let stored): isRead ? .told : .done(id: stored.id)
            case .unknown(let cause): .unknown(cause)
            case .invalid, .refused, .notFound: .refused
            }
        name = result.outcomeName
        shown = everything(of: result)
    }

    init(_ result: CustomerResult) {
        meaning =
            switch result {
            case .created(let id): .done(id: id)
            case .invalid: .refused
            case .unknown(let cause): .unknown(cause)
            }
        name = result.outcomeName
        shown = everything(of: result)
    }

    init(_ result: PaymentResult) {
        meaning =
            switch result {
            case .approved(let record), .pending(_, let record): .done(id: record.id)
            case .unknown(_, let cause): .unknown(cause)
            case .invalid, .declined: .refused
            }
        name = result.outcomeName
        shown = everything(of: result)
    }

    init(_ nothing: NothingMoved) {
        meaning = .thrown(nothing.error)
        name = "throws " + nothing.error.code.description
        shown = everything(of: nothing)
    }

    /// Of what only reads.
    init<Answer>(read answer: Answer) {
        meaning = .told
        name = "read"
        shown = everything(of: answer)
    }

    init(thrown error: GatewayError) {
        meaning = .thrown(error)
        name = "throws " + error.code.description
        shown = everything(of: error)
    }

    /// The error that comes with it, thrown or as a cause.
    var error: GatewayError? {
        switch meaning {
        case .unknown(let error), .thrown(let error): error
        case .done, .told, .refused: nil
        }
    }
}

/// Description, debug description and dump.
private func everything<Value>(of value: Value) -> String {
    var text = "\(value)\n\(String(reflecting: value))\n"
    dump(value, to: &text)
    return text
}
