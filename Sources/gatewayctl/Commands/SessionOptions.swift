import GatewayKitCore

/// The options that tell what a session is wanted for.
enum SessionOptions {
    private static let purpose = Option.value(
        "purpose", "PURPOSE", reading: .oneOf(SessionRequest.Purpose.all.map(\.description)),
        help: "What will be done in the session; a token unless told otherwise.")
    private static let entry = Option.value(
        "entry", "WAY", reading: .oneOf(SessionRequest.Entry.all.map(\.description)),
        help: "How the instrument will come; the provider's usual way unless told otherwise.")
    private static let amount = Option.value(
        "amount", "AMOUNT", reading: .text,
        help: "How much, in major units: 10.00. For providers that fix the amount when a session is opened.")
    private static let currency = Option.value(
        "currency", "CODE", reading: .text, help: "The currency of the amount by its ISO code, such as EUR.")
    private static let order = Option.value(
        "order", "NUMBER", reading: .text, help: "The shop's number of the order.")
    private static let shopper = Option.value(
        "shopper-id", "ID", reading: .text, help: "The provider's id of a shopper that it has stored.")
    private static let authentication = Option.value(
        "authentication", "WISH", reading: .oneOf(SessionRequest.Authentication.allCases.map(\.rawValue)),
        help: "Demand 3-D Secure: 'required' leaves the way to the issuer, 'challenge' asks for a challenge.")

    static let all: [any OptionDeclaration] = [purpose, entry, amount, currency, order, shopper, authentication]

    /// What the command line asks for.
    static func request(_ invocation: Invocation) throws -> SessionRequest {
        SessionRequest(
            invocation[purpose].flatMap { SessionRequest.Purpose($0) } ?? .token,
            entry: invocation[entry].flatMap { SessionRequest.Entry($0) }, amount: try money(invocation),
            orderReference: invocation[order], shopperID: invocation[shopper],
            authentication: invocation[authentication].flatMap(SessionRequest.Authentication.init(rawValue:)))
    }

    private static func money(_ invocation: Invocation) throws -> Money? {
        switch (invocation[amount], invocation[currency]) {
        case (nil, nil): return nil
        case (let amount?, let currency?):
            do throws(MoneyError) {
                return try Money(amount, Currency(currency))
            } catch {
                throw invocation.usageError("the amount cannot be used: \(error.description)")
            }
        default:
            throw invocation.usageError("an amount needs both '--amount' and '--currency'")
        }
    }
}
