import GatewayKitCore

/// What the answer of a submission tells. Every member may be missing. Names are those of BlueSnap's SDKs; `ccBin` and
/// `exp` come from its browser library, whose answers the raw call may give too.
struct BlueSnapSubmittedCard {
    let type: String?
    let lastFour: String?
    let issuingCountry: String?
    let bin: String?
    let accountNumber: String?

    init(_ json: JSONValue?) {
        type = json?["ccType"].nonEmptyText
        lastFour = json?["last4Digits"].nonEmptyText
        issuingCountry = json?["issuingCountry"].nonEmptyText
        bin = json?["ccBin"].nonEmptyText
        accountNumber = json?["ecpAccountNumber"].nonEmptyText
    }

    var tellsOfACard: Bool { type != nil || lastFour != nil }

    /// Whether nothing that is told contradicts what was sent.
    func agrees(with subject: BlueSnapSubject) -> Bool {
        func agree(_ sent: String?, _ told: String?) -> Bool { sent == nil || told == nil || sent == told }
        // Echoed account numbers may be masked, but not to other digits.
        let account = accountNumber.map { String($0.suffix(4)) }
        let accountDigits = account.flatMap { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? $0 : nil }
        return (!subject.isCard || agree(subject.card?.lastFour, lastFour))
            && agree(subject.bankAccount?.lastFour, accountDigits)
    }

    /// The card's summary: what BlueSnap tells, and beside it what the caller knows.
    func summary(beside own: CardSummary?) -> CardSummary? {
        let summary = CardSummary(
            brand: Self.brand(type) ?? own?.brand, lastFour: lastFour ?? own?.lastFour,
            firstSix: own?.firstSix ?? bin.map { String($0.prefix(6)) }, expiry: own?.expiry,
            issuingCountry: issuingCountry)
        return summary == CardSummary() ? nil : summary
    }

    /// A brand by BlueSnap's word for it, in any case.
    static func brand(_ type: String?) -> CardBrand? {
        guard let type else { return nil }
        return BlueSnapErrors.brands[type.uppercased()] ?? CardBrand(id: type.lowercased())
    }
}
