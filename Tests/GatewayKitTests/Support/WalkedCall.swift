import GatewayKitCore

/// A call of a capability, for the walk.
struct WalkedCall: Sendable {
    /// The operation's name without its provider, as fault rules and the ledger have it.
    let operation: String
    /// Brings about what the call needs, before the fault: the id of a stored instrument, or nothing.
    var prepare: @Sendable () async -> String = { "" }
    /// Makes the call on what was prepared.
    let make: @Sendable (String, CallContext) async -> CallEnd
    /// How many requests the call makes, where nothing goes wrong before its own.
    var requests = 1
    /// Whether it moves money: then nothing but the adapter's written list proves that nothing happened.
    var movesMoney = false

    /// Every call that a gateway offers. A new capability joins here.
    static func all(of gateway: Gateway) -> [WalkedCall] {
        var calls: [WalkedCall] = []
        if let tokens = gateway.tokens {
            calls.append(
                WalkedCall(operation: "tokenize") { _, context in
                    do throws(GatewayError) {
                        let session = try await tokens.openSession(SessionRequest(), context)
                        return CallEnd(try await tokens.tokenize(try request(), in: session, context))
                    } catch {
                        return CallEnd(thrown: error)
                    }
                })
        }
        if let vault = gateway.vault, let tokens = gateway.tokens {
            calls.append(
                WalkedCall(
                    operation: "retain",
                    prepare: {
                        let stored = try? await tokens.tokenize(request())
                        if case .token(let token)? = stored { return token.id }
                        return ""
                    },
                    make: { id, context in
                        do throws(GatewayError) {
                            return CallEnd(try await vault.retain(id, context))
                        } catch {
                            return CallEnd(thrown: error)
                        }
                    }))
        }
        return calls + WalkedPayments.all(of: gateway)
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

    init(_ result: VaultResult) {
        meaning =
            switch result {
            case .done(let stored): .done(id: stored.id)
            case .unknown(let cause): .unknown(cause)
            case .invalid, .refused, .notFound: .refused
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

    init(thrown error: GatewayError) {
        meaning = .thrown(error)
        name = "throws " + error.code.description
        shown = everything(of: error)
    }

    /// The error that comes with it, thrown or as a cause.
    var error: GatewayError? {
        switch meaning {
        case .unknown(let error), .thrown(let error): error
        case .done, .refused: nil
        }
    }
}

/// Description, debug description and dump.
private func everything<Value>(of value: Value) -> String {
    var text = "\(value)\n\(String(reflecting: value))\n"
    dump(value, to: &text)
    return text
}
