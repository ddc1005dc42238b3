public import GatewayKitCore

/// What is owed once: an amount, for an order, to be paid through one account.
///
/// It is the caller's: its id names the debt, whatever happens to the single attempts to pay it. Whoever asks for a
/// payment of the same intent again, from any thread, process or restart, gets the payment that there is already.
public struct PaymentIntent: Sendable, Hashable {
    /// The caller's own id, such as the id of the order and a number of the debt within it.
    public let id: String
    /// How much is owed; zero only where an instrument is to be verified.
    public let amount: Money
    /// The shop's own number of the order.
    public let orderReference: String?
    /// The account that all attempts go through.
    public let account: AccountName

    /// Describes a debt.
    ///
    /// - Parameters:
    ///   - id: 1 to 128 ASCII letters, digits and `-_.:/`.
    ///   - orderReference: 1 to 128 characters without control characters.
    /// - Throws: ``PaymentInputProblem`` when the id or the reference cannot be used, or looks like card data.
    public init(
        id: String, amount: Money, orderReference: String? = nil, account: AccountName
    ) throws(PaymentInputProblem) {
        self.id = try PaymentInputProblem.checkID(id, "the intent's id")
        guard !amount.isNegative else { throw PaymentInputProblem(reason: "the amount is negative") }
        self.amount = amount
        self.orderReference = try orderReference.map { text throws(PaymentInputProblem) in
            try PaymentInputProblem.checkText(text, "the order reference")
        }
        self.account = account
    }

    /// Whether this stored intent and the given one are the same. A purged intent has lost its order reference.
    func isSameDebt(as given: PaymentIntent) -> Bool {
        id == given.id && amount == given.amount && account == given.account
            && (orderReference == nil || orderReference == given.orderReference)
    }

    /// Without personal data.
    public var tombstone: PaymentIntent {
        PaymentIntent(stored: id, amount: amount, orderReference: nil, account: account)
    }

    /// An intent as a store has it, which was checked when it was written.
    public init(stored id: String, amount: Money, orderReference: String?, account: AccountName) {
        self.id = id
        self.amount = amount
        self.orderReference = orderReference
        self.account = account
    }
}

/// Why a value that the caller gave cannot be used. Nothing was written and nothing sent.
public struct PaymentInputProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, without the value itself.
    public let reason: SafeText

    /// What is wrong.
    public var description: String { reason.description }

    static func checkID(_ text: String, _ name: SafeText) throws(PaymentInputProblem) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x2E, 0x3A, 0x2F: true
            default: false
            }
        }
        guard isPlain, (1...128).contains(text.utf8.count) else {
            throw PaymentInputProblem(reason: "\(name) must be 1 to 128 ASCII letters, digits and -_.:/")
        }
        return try checkHarmless(text, name)
    }

    static func checkText(_ text: String, _ name: SafeText) throws(PaymentInputProblem) -> String {
        guard (1...128).contains(text.unicodeScalars.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw PaymentInputProblem(reason: "\(name) must be 1 to 128 characters without control characters") }
        return try checkHarmless(text, name)
    }

    /// The journal is not a place for card data, not even by mistake.
    private static func checkHarmless(_ text: String, _ name: SafeText) throws(PaymentInputProblem) -> String {
        guard Redactor.standard.redact(text) == text else {
            throw PaymentInputProblem(reason: "\(name) looks like card data or a secret, which must not be stored")
        }
        return text
    }
}
