import GatewayKitCore
import SpreedlyAdapter
import Testing

/// What a provider echoes of cards and credentials shows nowhere.
@Suite struct PaymentLeakTests {
    /// Members that are words of the provider, each with a secret in it.
    private static let echoes: [[String: String?]] = [Shop.number, Shop.accessSecret, "4111 1111 1111 1111"].flatMap {
        secret -> [[String: String?]] in
        let text = "\"said \(secret) here\""
        let response =
            #"{"success":false,"message":\#(text),"error_code":\#(text),"avs_code":\#(text),"cvv_code":\#(text)}"#
        let method = """
            {"token":"\(Till.token)","storage_state":\(text),"payment_method_type":\(text),"fingerprint":\(text),
            "errors":[{"attribute":\(text),"key":\(text),"message":\(text)}]}
            """
        return [
            ["message": text], ["state": text], ["message_key": text], ["transaction_type": text],
            ["response": response], ["payment_method": method], ["order_id": text], ["reference_token": text],
            ["token": "\"\(secret.filter { $0 != " " })\""], ["payment_method": method, "state": "\"failed\""],
        ]
    }

    @Test("L3, L5: words, codes and ids that echo card or secret are scrubbed in every end of a payment")
    func echoed() async throws {
        for change in Self.echoes {
            for (status, text) in [
                (200, TransactionText.answer(.purchase, change)), (422, TransactionText.declined(.purchase, change)),
                (500, TransactionText.answer(.purchase, change)),
            ] {
                let recorder = Recorder()
                let till = try Till.scripted(status, text, recorder)
                var shown = [await MoneyVerb.purchase.make(till).shown, await till.resume(Till.paymentID).shown]
                do throws(GatewayError) {
                    shown.append(everything(of: try await till.find(Till.paymentID)))
                } catch {
                    shown.append(everything(of: error))
                }
                for text in shown + [recorder.shown] {
                    #expect(secretSearch.leaks(in: text).isEmpty, "\(secretSearch.leaks(in: text)) \(change)")
                }
            }
        }
    }

    @Test("L3: a list and a refusal that echo card or secret show neither")
    func listed() async throws {
        for change in Self.echoes where change["token"] == nil {
            let list = #"{"transactions":[\#(TransactionText.of(.purchase, change))]}"#
            let page = try await Till.scripted(200, list).payments.lookup?.page(after: nil, CallContext())
            #expect(secretSearch.leaks(in: everything(of: page)).isEmpty, "\(change)")
            guard let text = change["message"] ?? nil else { continue }
            for status in [400, 401, 402, 403, 404, 422, 429, 500] {
                let body =
                    #"{"errors":[{"attribute":\#(text),"key":\#(text),"message":\#(text)},{"message":\#(text)}]}"#
                let end = await MoneyVerb.purchase.make(try Till.scripted(status, body))
                #expect(secretSearch.leaks(in: end.shown).isEmpty, "\(status)")
            }
        }
    }
}
