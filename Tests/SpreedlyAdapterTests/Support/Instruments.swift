import GatewayKitCore
import SpreedlyAdapter
import Testing

/// One instrument of each kind, made of public test data and made-up text, and the secrets in it.
enum Instruments {
    static let routingNumber = "021000021"
    static let accountNumber = "9876543210"
    static let applePayload = """
        {"version":"EC_v1","data":"QXBwbGVEYXRhT2ZUZXN0c09ubHk=","signature":"QXBwbGVTaWduYXR1cmVPZlRlc3Rz", \
        "header":{"ephemeralPublicKey":"RXBoZW1lcmFsS2V5T2ZUZXN0cw==","publicKeyHash":"SGFzaE9mVGhlVGVzdHNLZXk=",\
        "transactionId":"a1b2c3d4e5f6a1b2c3d4e5f6"}}
        """
    static let googlePayload = """
        {"signature":"R29vZ2xlU2lnbmF0dXJlT2ZUZXN0cw==","protocolVersion":"ECv1",\
        "signedMessage":"{\\"encryptedMessage\\":\\"R29vZ2xlTWVzc2FnZU9mVGVzdHM=\\"}"}
        """
    static let reference = "vault-reference-of-tests-0001"
    static let storedToken = "01KZZ4M2Q8S6T1V0X9Y3B5D7FH"

    static func applePay(_ payload: String = applePayload, testCard: String? = "visa") -> PaymentInstrument {
        .applePay(wallet(payload, testCard))
    }

    static func googlePay(_ payload: String = googlePayload, testCard: String? = "visa") -> PaymentInstrument {
        .googlePay(wallet(payload, testCard))
    }

    private static func wallet(_ payload: String, _ testCard: String?) -> WalletPayment {
        WalletPayment(payload: Sensitive(Array(payload.utf8)), testCard: testCard.flatMap { TestCard.named($0) })
    }

    static func account(
        _ number: String = accountNumber, routing: String = routingNumber, holder: String? = "Ada Okoro",
        bank: String? = "First Bank of Tests", country: BankAccount.Country = .unitedStates
    ) -> BankAccount {
        BankAccount(
            routingNumber: Sensitive(routing), accountNumber: Sensitive(number), type: .checking,
            holderType: .personal, holderName: holder, bankName: bank, country: country)
    }

    static let foreign = PaymentInstrument.foreignToken(
        ForeignToken(vault: "test", reference: Sensitive(reference)))

    static func stored(_ token: String = storedToken) throws -> PaymentInstrument {
        .storedCard(StoredCard(token: token, securityCode: try SecurityCode(Sensitive(Shop.securityCode))))
    }

    /// Every kind that is sent by a call.
    static func all() throws -> [PaymentInstrument] {
        [.card(try Shop.card()), try stored(), applePay(), googlePay(), .bankAccount(account()), foreign]
    }

    static let search = LeakSearch(
        [
            Shop.number, Shop.accessSecret, Shop.environmentKey, routingNumber, accountNumber, reference,
            "QXBwbGVEYXRhT2ZUZXN0c09ubHk=", "QXBwbGVTaWduYXR1cmVPZlRlc3Rz", "R29vZ2xlU2lnbmF0dXJlT2ZUZXN0cw==",
            "R29vZ2xlTWVzc2FnZU9mVGVzdHM=",
        ].map { Sensitive($0) })

    static func request(
        _ instrument: PaymentInstrument, shopper: Shopper = Shopper(), retain: Bool? = nil,
        options: [String: OptionValue] = [:], checksLocally: Bool = true
    ) -> TokenizationRequest {
        TokenizationRequest(
            instrument, shopper: shopper, retain: retain, options: options, checksLocally: checksLocally)
    }

    /// What becomes of a request that is sent to `peer`, with a search of all that is shown for all secrets.
    static func answer(
        of peer: AnswerPeer, _ request: TokenizationRequest, authentication: String = "secret",
        search: LeakSearch? = search
    ) async throws -> End {
        let recorder = Recorder(transcripts: search != nil)
        let settings = try Shop.settings(peer.baseURL, authentication: authentication)
        let end = await End(of: try Shop.tokens(settings, Shop.runtime(recorder)), request)
        #expect(peer.received.count <= 1, "must not be sent twice")
        guard let search else { return end }
        let isForm = end.name == "actionRequired"
        #expect(isForm || search.leaks(in: end.shown).isEmpty, "\(search.leaks(in: end.shown)) \(end.shown)")
        #expect(search.leaks(in: recorder.shown).isEmpty, "\(search.leaks(in: recorder.shown)) \(recorder.shown)")
        return end
    }
}
