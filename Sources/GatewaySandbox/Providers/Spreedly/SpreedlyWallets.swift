import GatewayKitCore

/// Apple Pay and Google Pay (dossier 1.3). What the wallets encrypted cannot be opened here, so only methods with a
/// `test_card_number` from the public list are made, and everything else counts as real.
///
/// Guesses: the data is wanted even with a test number; the data may also be the text of the object (Spreedly's
/// Android SDK sends it so); whatever is wrong inside the data is `errors.invalid` on `payment_data`; a test number
/// that is not on the list is `errors.invalid` on `test_card_number`; names may be missing, and stand beside
/// `apple_pay` and inside `google_pay`, where the street is also called `address_1`; no expiry is shown.
extension SpreedlyCreateForm {
    mutating func readApplePay(_ wallet: JSONValue, _ outer: JSONValue) {
        method.instrument = .applePay
        readData(wallet["payment_data"]) { data in
            // Which key goes with which version is from Apple's "Payment token format reference".
            let key: String? =
                switch try? data["version"].string() {
                case "EC_v1": "ephemeralPublicKey"
                case "RSA_v1": "wrappedKey"
                default: nil
                }
            guard let key else { return false }
            return Self.holdsTexts(data, ["data", "signature"])
                && Self.holdsTexts(data["header"], [key, "publicKeyHash", "transactionId"])
        }
        readTestNumber(wallet["test_card_number"])
        fields.names(outer, allowsBlank: true, into: &method)
    }

    mutating func readGooglePay(_ wallet: JSONValue, _ outer: JSONValue) {
        method.instrument = .googlePay
        readData(wallet["payment_data"]) { data in
            Self.holdsTexts(data, ["signature", "protocolVersion", "signedMessage"])
        }
        readTestNumber(wallet["test_card_number"])
        fields.names(wallet, allowsBlank: true, into: &method)
        for (name, other) in [("address1", "address_1"), ("address2", "address_2")] {
            method.address[name] = fields.text(other, wallet[other])
        }
    }

    private mutating func readData(_ value: JSONValue, isRight: (JSONValue) -> Bool) {
        guard let present = value.present else {
            fields.issues.append(.blank("payment_data"))
            return
        }
        let data = (try? present.string()).flatMap { try? JSONValue(parsing: Array($0.utf8)) } ?? present
        if !isRight(data) { fields.issues.append(.invalid("payment_data")) }
    }

    private static func holdsTexts(_ value: JSONValue, _ names: [String]) -> Bool {
        names.allSatisfy { SpreedlyFields.unlessBlank(try? value[$0].string()) != nil }
    }

    private mutating func readTestNumber(_ value: JSONValue) {
        if let sent = try? value.present?.sensitive() { submitted = SubmittedCard(number: sent) }
        guard let number = fields.text("test_card_number", value) else { return }
        guard Self.isTestNumber(number), let card = try? CardNumber(Sensitive(number))
        else {
            fields.issues.append(.invalid("test_card_number"))
            return
        }
        take(card, digits: number)
        isTest = true
    }
}
