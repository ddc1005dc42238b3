import GatewayKitCore

/// What is checked before anything is sent.
extension BlueSnapTokens {
    /// Refuses unknown options, and what a submission has no place for.
    func checkPlace(_ request: TokenizationRequest) throws(GatewayError) {
        for (name, value) in request.options.sorted(by: { $0.key < $1.key }) {
            guard BlueSnapOption(rawValue: name) != nil else {
                let known = BlueSnapOption.allCases.map(\.rawValue).joined(separator: ", ")
                throw client.invalid("BlueSnap has no option '\(name)'.", "Its options are: \(known).")
            }
            guard case .text = value else {
                throw client.invalid("The option '\(name)' must be a text.", "Correct its value.")
            }
        }
        var isWallet = false
        var takesConsent = false
        switch request.instrument {
        case .card, .shopperCard: takesConsent = true
        case .applePay, .googlePay: isWallet = true
        case .cardNumber, .bankAccount: break
        case .storedCard:
            throw client.notSupported(
                "BlueSnap knows a stored card by its shopper, not by a token.",
                "Nothing was sent. Open a session of the shopper and choose the card there.")
        case .foreignToken, .offsite:
            throw client.notSupported(
                "BlueSnap's tokens take no \(request.instrument.kindName).",
                "Nothing was sent. Use a card, a wallet or a bank account.")
        }
        guard isWallet || request.options.isEmpty else {
            throw client.invalid("BlueSnap's options are about wallets.", "Nothing was sent. Leave them out.")
        }
        if case .bankAccount(let account) = request.instrument, account.country != .unitedStates {
            throw client.notSupported(
                "BlueSnap takes bank accounts in the United States only.", "Nothing was sent. Use a card.")
        }
        guard request.metadata.isEmpty else {
            throw client.notSupported(
                "BlueSnap stores no metadata beside a token.", "Nothing was sent. Send it with the payment.")
        }
        guard takesConsent || request.retain != true else {
            throw client.notSupported(
                "BlueSnap takes the consent to store for cards only.", "Nothing was sent. Leave retain out.")
        }
    }

    /// Our own checks, plus what BlueSnap cannot do without or is known to refuse.
    func localIssues(_ request: TokenizationRequest, wantsSecurityCode: Bool = true) -> [FieldIssue] {
        var issues = request.instrument.issues(at: client.wallClock.now())
        if case .card(let card) = request.instrument {
            if card.expiry == nil {
                issues.append(
                    FieldIssue(.expiryMonth, .missing, message: "BlueSnap needs the month and year of expiry."))
            }
            if card.securityCode == nil, wantsSecurityCode {
                issues.append(FieldIssue(.securityCode, .missing, message: "BlueSnap needs the card's security code."))
            }
        }
        issues += request.shopper.issues
        issues += BlueSnapCountry.stateIssues(request.shopper)
        if let id = request.fraudSessionID, !FraudSession.isWellFormed(id) {
            issues.append(
                FieldIssue(
                    .option, .malformed, message: "The id of a fraud session has 1 to 32 plain characters."))
        }
        return issues
    }
}

extension BlueSnapCountry {
    /// Names of states break BlueSnap's 3-D Secure (bigcommerce/checkout-sdk-js#2157): it wants the code.
    static func stateIssues(_ shopper: Shopper) -> [FieldIssue] {
        stateIssues(shopper.billingAddress, .region) + stateIssues(shopper.shippingAddress, .region.ofShipping)
    }

    private static func stateIssues(_ address: Address?, _ field: FieldIssue.Field) -> [FieldIssue] {
        guard hasStates(address), let state = address?.region else { return [] }
        let isCode = state.utf8.count == 2 && state.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
        guard !isCode else { return [] }
        return [FieldIssue(field, .malformed, message: "BlueSnap wants the state's code of two letters, such as MA.")]
    }
}

/// What a wallet tells of its card besides the payload: BlueSnap's envelopes have places for it.
enum BlueSnapOption: String, CaseIterable {
    case walletDisplayName, walletNetwork, walletCardType

    var description: OptionDescription {
        switch self {
        case .walletDisplayName:
            OptionDescription(rawValue, .text, help: "The card's name in the wallet, such as Visa 1111.")
        case .walletNetwork:
            OptionDescription(rawValue, .text, help: "The card's network as the wallet names it, such as Visa.")
        case .walletCardType:
            OptionDescription(
                rawValue, .text, help: "The card's kind as the wallet names it: debit, or CREDIT at Google Pay.")
        }
    }

    /// The options by their meaning.
    struct Wallet {
        let displayName: String?
        let network: String?
        let cardType: String?

        init(_ options: [String: OptionValue]) {
            func text(_ option: BlueSnapOption) -> String? {
                if case .text(let text)? = options[option.rawValue] { text } else { nil }
            }
            displayName = text(.walletDisplayName)
            network = text(.walletNetwork)
            cardType = text(.walletCardType)
        }

        var isEmpty: Bool { displayName == nil && network == nil && cardType == nil }
    }
}
