import Testing

@testable import GatewayKitCore

/// The kinds of instrument beside cards: what is wrong with them, and what they show.
@Suite("Instruments")
struct InstrumentTests {
    private static func account(_ routing: String, _ number: String = "9876543210") -> BankAccount {
        BankAccount(
            routingNumber: Sensitive(routing), accountNumber: Sensitive(number), type: .savings, holderType: .business,
            holderName: "Ada Okoro")
    }

    @Test("every single wrong digit of a routing number is found")
    func routingDigits() {
        let good = Array("021000021".utf8)
        #expect(Self.account("021000021").issues.isEmpty)
        for place in good.indices {
            for digit in UInt8(0x30)...0x39 where digit != good[place] {
                var changed = good
                changed[place] = digit
                let issues = Self.account(String(decoding: changed, as: UTF8.self)).issues
                #expect(issues.map(\.problem) == [.checkDigit])
            }
        }
    }

    @Test("typed numbers are brought into one form")
    func normalised() {
        let account = Self.account(" 0210-0002 1", "９８７６ 543210")
        #expect(account.issues.isEmpty)
        #expect(account.routingNumber.withExposed { $0 } == "021000021")
        #expect(account.accountNumber.withExposed { $0 } == "9876543210")
        #expect(account.lastFour == "3210")
        #expect(account == Self.account("021000021"))
    }

    @Test("a Canadian routing number has no check digit, and nine digits")
    func canada() {
        var account = Self.account("000312346")
        #expect(account.issues.map(\.problem) == [.checkDigit])
        account.country = .canada
        #expect(account.issues.isEmpty)
        account.routingNumber = Sensitive("12345-003")
        #expect(account.issues.map(\.problem) == [.malformed])
    }

    @Test("payloads of wallets are asked for what the wallet always gives")
    func wallets() {
        func issues(_ wallet: WalletPayment.Wallet, _ payload: String) -> [String] {
            WalletPayment(payload: Sensitive(Array(payload.utf8))).issues(of: wallet).map(\.message.description)
        }
        let ecHeader = #""header":{"ephemeralPublicKey":"a","publicKeyHash":"b","transactionId":"c"}"#
        let rsaHeader = #""header":{"wrappedKey":"a","publicKeyHash":"b","transactionId":"c"}"#
        let rest = #"{"version":"EC_v1","data":"d","signature":"s","#
        #expect(issues(.applePay, rest + ecHeader + "}").isEmpty)
        #expect(issues(.applePay, rest + rsaHeader + "}").isEmpty)
        #expect(issues(.applePay, rest + #""header":[]}"#).count == 3)
        #expect(issues(.applePay, rest + #""header":{"publicKeyHash":7}}"#).count == 3)
        #expect(issues(.googlePay, #"{"signature":"s","protocolVersion":"ECv1","signedMessage":"m"}"#).isEmpty)
        #expect(issues(.googlePay, rest + ecHeader + "}").count == 2)
        #expect(issues(.googlePay, "\u{FEFF}{}").count == 1)
    }

    @Test("nothing secret is shown by any of them")
    func shown() throws {
        let secrets = ["021000021", "9876543210", "c2VjcmV0UGF5bG9hZA==", "secret-reference-0001", "739"]
        let instruments: [PaymentInstrument] = [
            .bankAccount(Self.account("021000021")),
            .applePay(WalletPayment(payload: Sensitive(Array(#"{"data":"c2VjcmV0UGF5bG9hZA=="}"#.utf8)))),
            .foreignToken(ForeignToken(vault: "test", reference: Sensitive("secret-reference-0001"))),
            .storedCard(StoredCard(token: "t", securityCode: try SecurityCode(Sensitive("739")))),
        ]
        for instrument in instruments {
            var text = "\(instrument) \(String(reflecting: instrument))"
            dump(instrument, to: &text)
            text = text.withoutAddresses
            #expect(LeakSearch(secrets.map { Sensitive($0) }).leaks(in: text).isEmpty, "\(text)")
            #expect(!text.contains("739") && !text.contains("Okoro"), "\(text)")
        }
        #expect(instruments.map(\.isRaw) == [true, false, false, true])
        #expect(instruments.map(\.kindName) == ["bankAccount", "applePay", "foreignToken", "storedCard"])
    }

    @Test("a summary of an account holds no more than may be shown")
    func summary() {
        let whole = BankAccountSummary(lastFour: "9876543210", routingPrefix: "021000021")
        #expect(whole.lastFour == nil && whole.routingPrefix == nil)
        #expect(BankAccountSummary(type: "checking", lastFour: "3210").description == "checking account ending 3210")
        #expect(BankAccountSummary(lastFour: "32*0").lastFour == nil)
    }

    @Test("a guarded JSON value is written as it is, and its texts are masked")
    func writer() throws {
        var writer = JSONWriter()
        let source = #"{ "a" : [1.0, {"b":"a text of some length"}], "c":"short" }"#
        writer.object { $0.set("payload", json: Sensitive(Array(source.utf8))) }
        let body = try writer.finish()
        #expect(body.bytes.withExposed { String(decoding: $0, as: UTF8.self) } == "{\"payload\":\(source)}")
        #expect(body.secrets.map { $0.withExposed { $0 } } == ["a text of some length"])
        #expect(Self.refusal("{") { try $0.finish().secrets.count } == .notOneValue)
        #expect(Self.refusal("{}") { try $0.finishText().count } == .secretInText)
    }

    private static func refusal(
        _ json: String, _ finish: (consuming JSONWriter) throws -> Int
    ) -> JSONError.Kind? {
        var writer = JSONWriter()
        writer.object { $0.set("payload", json: Sensitive(Array(json.utf8))) }
        do {
            _ = try finish(writer)
            return nil
        } catch {
            return (error as? JSONError)?.kind
        }
    }
}
