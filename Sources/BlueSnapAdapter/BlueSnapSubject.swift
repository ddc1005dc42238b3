import GatewayKitCore

/// What a call submits, as far as its answer is checked against it and told with it.
struct BlueSnapSubject {
    /// What it is called in messages.
    let noun: SafeText
    let origin: PaymentToken.Origin
    /// BlueSnap's word for the kind.
    let kind: String
    /// What must be masked wherever it turns up.
    let secrets: [Sensitive<String>]
    /// What may be shown of the card, as far as the caller knows it.
    let card: CardSummary?
    /// What may be shown of the bank account.
    let bankAccount: BankAccountSummary?
    /// Whether a success must tell something of the card.
    let isCard: Bool

    init(_ instrument: PaymentInstrument) {
        var noun: SafeText = "card"
        var origin = PaymentToken.Origin.newCard
        var kind = "CC"
        var secrets: [Sensitive<String>] = []
        var card: CardSummary?
        var bankAccount: BankAccountSummary?
        var isCard = false
        switch instrument {
        case .card(let new):
            secrets = [new.number.sensitive] + [new.securityCode?.sensitive].compactMap { $0 }
            (card, isCard) = (new.summary, true)
        case .shopperCard(let stored):
            (noun, origin, isCard) = ("choice of a stored card", .shopperCard, true)
            card = CardSummary(lastFour: stored.lastFour, expiry: stored.expiry)
        case .cardNumber(let number):
            (noun, origin, isCard) = ("card number", .cardNumber, true)
            secrets = [number.sensitive]
            card = CardSummary(brand: number.brand, lastFour: number.lastFour, firstSix: number.firstSix)
        case .applePay: (noun, origin, kind) = ("wallet payment", .applePay, "APPLE_PAY")
        case .googlePay: (noun, origin, kind) = ("wallet payment", .googlePay, "GOOGLE_PAY")
        case .bankAccount(let account):
            (noun, origin, kind) = ("bank account", .bankAccount, "ECP")
            secrets = [account.accountNumber, account.routingNumber]
            bankAccount = BankAccountSummary(
                bankName: account.bankName, type: account.type.rawValue, holderType: account.holderType.rawValue,
                lastFour: account.lastFour)
        case .storedCard, .foreignToken, .offsite: break  // refused before
        }
        self.noun = noun
        self.origin = origin
        self.kind = kind
        self.secrets = secrets
        self.card = card
        self.bankAccount = bankAccount
        self.isCard = isCard
    }

    /// What to do when nobody knows what became of it.
    var advice: SafeText {
        "The \(noun) may have been stored. Open another session and send it there: nothing is charged by it, and a token that nobody uses expires."
    }
}
