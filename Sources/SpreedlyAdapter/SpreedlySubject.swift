import GatewayKitCore

/// What a call sent, as far as its answer is checked against it.
struct SpreedlySubject {
    /// What it is called in messages.
    let noun: SafeText
    /// Whether it is a card in itself.
    let isCard: Bool
    /// Long secrets that a token never holds, not even by chance.
    let identifying: [Sensitive<String>]
    /// The token that the answer must be about, where there was one before.
    let token: String?
    private let cardLastFour: String?
    private let accountLastFour: String?

    init(_ instrument: PaymentInstrument) {
        var noun: SafeText = "instrument"
        var isCard = false
        var identifying: [Sensitive<String>] = []
        var token: String?
        var cardLastFour: String?
        var accountLastFour: String?
        switch instrument {
        case .card(let card):
            (noun, isCard, identifying) = ("card", true, [card.number.sensitive])
            cardLastFour = card.number.lastFour
        case .storedCard(let card):
            (noun, isCard, token) = ("security code", true, card.token)
        case .bankAccount(let account):
            noun = "bank account"
            identifying = account.lastFour == nil ? [] : [account.accountNumber]
            accountLastFour = account.lastFour
        case .applePay(let payment), .googlePay(let payment):
            noun = "wallet payment"
            cardLastFour = payment.testCard.map { String($0.number.suffix(4)) }
        case .foreignToken(let token):
            identifying = [token.reference]
        case .offsite, .shopperCard, .cardNumber:
            break
        }
        self.noun = noun
        self.isCard = isCard
        self.identifying = identifying
        self.token = token
        self.cardLastFour = cardLastFour
        self.accountLastFour = accountLastFour
    }

    /// Whether an answer may be about it: nothing that it tells contradicts what was sent.
    func matches(_ method: SpreedlyStoredMethod) -> Bool {
        func agree(_ sent: String?, _ told: String?) -> Bool { sent == nil || told == nil || sent == told }
        return agree(token, method.token) && agree(cardLastFour, method.summary.lastFour)
            && agree(accountLastFour, method.bankAccount?.lastFour)
    }
}
