public import GatewayKitCore

/// Makes keyed MACs for the journal: ``KeyedAuthenticator``, or an application's own, such as one whose key never leaves
/// a hardware module.
public protocol MessageAuthenticator: Sendable {
    /// The MAC of a message, at least 16 bytes. The same message gives the same bytes for as long as the key lives.
    /// - Throws: `GatewayError` when there is no MAC; nothing is sent then.
    func authenticationCode(of message: [UInt8]) throws(GatewayError) -> [UInt8]
}

/// What is asked for, as bytes: each part with its name and length, so that no two requests share their bytes.
///
/// It holds what makes a payment another payment (kind, amount, account, order, token, options). What may differ between
/// two presses of the same button (description, shopper, address of the device, return address) is left out, and card
/// data never was in it.
struct FingerprintMessage {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        for text in [name, value] {
            let content = Array(text.utf8)
            withUnsafeBytes(of: UInt64(content.count).bigEndian) { bytes += $0 }
            bytes += content
        }
    }

    mutating func add(_ amount: Money?) {
        add("amount", amount.map { "\($0.minorUnits) \($0.currency.code)" } ?? "the rest")
    }
}

extension PaymentInstruction {
    func fingerprint(_ intent: PaymentIntent, _ authenticator: any MessageAuthenticator) throws(GatewayError) -> [UInt8]
    {
        var message = FingerprintMessage()
        message.add("kind", kind.rawValue)
        message.add(intent.amount)
        message.add("account", intent.account.description)
        message.add("order", intent.orderReference)
        message.add("token", token)
        message.add("retain", retainOnSuccess.map { "\($0)" })
        message.add("initiator", storedCredential?.initiator.rawValue)
        message.add("reason", storedCredential?.reason.rawValue)
        message.add("network transaction", storedCredential?.networkTransactionID)
        for (name, value) in options.sorted(by: { $0.key < $1.key }) { message.add("option " + name, "\(value)") }
        return try authenticator.authenticationCode(of: message.bytes)
    }
}

extension CreditInstruction {
    func fingerprint(_ intent: PaymentIntent, _ authenticator: any MessageAuthenticator) throws(GatewayError) -> [UInt8]
    {
        var message = FingerprintMessage()
        message.add("kind", PaymentAttempt.Kind.credit.rawValue)
        message.add(intent.amount)
        message.add("account", intent.account.description)
        message.add("order", intent.orderReference)
        message.add("token", token)
        for (name, value) in options.sorted(by: { $0.key < $1.key }) { message.add("option " + name, "\(value)") }
        return try authenticator.authenticationCode(of: message.bytes)
    }
}

extension MessageAuthenticator {
    /// Bound to the key, so that one token does not show as the same one in two attempts.
    func tokenFingerprint(_ token: String, key: String) throws(GatewayError) -> [UInt8] {
        var message = FingerprintMessage()
        message.add("token under key", key)
        message.add("token", token)
        return try authenticationCode(of: message.bytes)
    }
}

extension ChildInstruction {
    func fingerprint(
        _ kind: PaymentAttempt.Kind, _ payment: AttemptID, _ authenticator: any MessageAuthenticator
    ) throws(GatewayError) -> [UInt8] {
        var message = FingerprintMessage()
        message.add("kind", kind.rawValue)
        message.add("payment", payment.description)
        if kind != .void { message.add(amount) }
        return try authenticator.authenticationCode(of: message.bytes)
    }
}
