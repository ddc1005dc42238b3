import GatewayKitCore

/// A card as it is kept: without its number, and with what payments with it come to.
struct BlueSnapCard: Sendable, Equatable {
    /// In BlueSnap's spelling, such as `VISA`.
    var type: String
    var lastFour: String
    var firstSix: String?
    var expiry: CardExpiry?
    /// Of the issuer, in lower case.
    var country: String
    /// Whether a code came with it.
    var hasCode = false
    /// The name of the decline that payments with it end in (dossier 8.2).
    var decline: String?

    /// The brands that this merchant takes, in the order in which `sdk-init` lists them.
    static let types: [(type: String, brand: CardBrand)] = [
        ("AMEX", .americanExpress), ("CABAL", .cabal), ("CHINA_UNION_PAY", .unionPay), ("DINERS", .dinersClub),
        ("DISCOVER", .discover), ("ELO", .elo), ("JCB", .jcb), ("MASTERCARD", .mastercard), ("NARANJA", .naranja),
        ("VISA", .visa),
    ]

    var brand: CardBrand? { Self.types.first { $0.type == type }?.brand }

    var summary: CardSummary {
        CardSummary(brand: brand, lastFour: lastFour, firstSix: firstSix, expiry: expiry)
    }

    /// BlueSnap's word for the brand; `nil` for one that this merchant does not take. Maestro's numbers are
    /// Mastercard's by BlueSnap's patterns (dossier 7.1).
    static func type(_ brand: CardBrand?) -> String? {
        let meant = brand == .maestro ? .mastercard : brand
        return types.first { $0.brand == meant }?.type
    }

    /// Reads the number of a public test card; every other number is refused. White space is not: the SDK removes it.
    ///
    /// That a number is told to be wrong before its brand, its date and its code is a guess.
    static func read(
        number: String, type: String?, expiry: CardExpiry?, code: String?, now: WallTime
    ) throws(BlueSnapRefusal) -> BlueSnapCard {
        guard number.utf8.count <= 21, number.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), TestCard.contains(number),
            let read = try? CardNumber(Sensitive(number))
        else { throw .cardNumber }
        guard let found = Self.type(read.brand), type == nil || type == found else { throw .brand }
        if let expiry, expiry.isExpired(at: now) { throw .expiry }
        if let code {
            guard code.utf8.count == (found == "AMEX" ? 4 : 3), code.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                throw .securityCode
            }
        }
        return BlueSnapCard(
            type: found, lastFour: read.lastFour, firstSix: read.firstSix, expiry: expiry,
            country: country(of: number, found), hasCode: code != nil, decline: decline(number, expiry))
    }

    private static func country(of number: String, _ type: String) -> String {
        switch (TestCard.all.first { $0.number == number }?.name, type) {
        case ("bluesnap-visa-brazil", _), (_, "ELO"): "br"
        case (_, "CABAL"), (_, "NARANJA"): "ar"
        case (_, "CHINA_UNION_PAY"): "cn"
        default: "us"
        }
    }

    /// Numbers and months of a third-party client's tests (dossier 8.2). Which name a general decline has is a guess.
    private static func decline(_ number: String, _ expiry: CardExpiry?) -> String? {
        switch (TestCard.all.first { $0.number == number }?.name, expiry?.month) {
        case ("bluesnap-visa-by-month", 1): "PROCESSING_GENERAL_DECLINE"
        case ("bluesnap-visa-by-month", 4): "EXPIRED_CARD"
        case ("bluesnap-visa-by-month", 5): "INSUFFICIENT_FUNDS"
        case ("bluesnap-visa-by-month", 8): "INVALID_CARD_NUMBER"
        case ("amex", _), ("bluesnap-discover-refused", _), ("bluesnap-jcb-refused", _): "INCORRECT_INFORMATION"
        default: nil
        }
    }

    /// `MM/YYYY`; `nil` for anything else.
    static func expiry(_ text: String) -> CardExpiry? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let month = parts.first, let year = parts.last else { return nil }
        return expiry(month: month, year: year)
    }

    static func expiry(month: Substring, year: Substring) -> CardExpiry? {
        guard (1...2).contains(month.utf8.count), year.utf8.count == 4,
            (month + year).utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let month = Int(month), let year = Int(year)
        else { return nil }
        return CardExpiry(month: month, year: year)
    }
}
