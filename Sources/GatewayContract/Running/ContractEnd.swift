import GatewayKitCore

/// What every call's end has in common, whatever its own result type is.
struct ContractEnd: Sendable {
    enum Meaning: Sendable, Equatable {
        /// What was asked for is done, or shown; the provider's id of what it is about, where it has one.
        case done(id: String?)
        /// An answer that says no: nothing was made.
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
            case .declined, .invalid: .refused
            }
        name = result.outcomeName
        shown = everything(of: result)
    }

    /// Something that was read.
    init<Value>(read value: Value, name: String) {
        meaning = .done(id: nil)
        self.name = name
        shown = everything(of: value)
    }

    /// An answer that says no.
    init<Value>(refused value: Value, name: String) {
        meaning = .refused
        self.name = name
        shown = everything(of: value)
    }

    /// A result that says that it may have been done.
    init<Value>(unknown value: Value, _ cause: GatewayError) {
        meaning = .unknown(cause)
        name = "unknown"
        shown = everything(of: value)
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

    var isUnknown: Bool { if case .unknown = meaning { true } else { false } }
}

extension ContractEnd {
    /// Either end of a call, as a value.
    static func of<Value>(
        _ make: (Value) -> ContractEnd, _ body: () async throws(GatewayError) -> Value
    ) async -> ContractEnd {
        do {
            return make(try await body())
        } catch {
            return ContractEnd(thrown: error)
        }
    }

    /// Either end of a call that moves money, as a value.
    static func ofMoney(_ body: () async throws(NothingMoved) -> PaymentResult) async -> ContractEnd {
        do {
            return ContractEnd(try await body())
        } catch {
            return ContractEnd(thrown: error.error)
        }
    }
}

/// Description, debug description and dump.
func everything<Value>(of value: Value) -> String {
    var text = "\(value)\n\(String(reflecting: value))\n"
    dump(value, to: &text)
    return text
}
