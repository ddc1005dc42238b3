import GatewayKitCore

/// A payment as it is kept and shown (dossier 4.3).
struct BlueSnapTransaction: Sendable {
    enum Kind: String, Sendable {
        case authCapture = "AUTH_CAPTURE"
        case authOnly = "AUTH_ONLY"
        case capture = "CAPTURE"
        case reversal = "AUTH_REVERSAL"
    }

    enum Source: Sendable {
        /// With the wallet that it came from.
        case card(BlueSnapCard, wallet: String?)
        case bank(BlueSnapBank)
        case payPal

        var card: BlueSnapCard? {
            if case .card(let card, _) = self { card } else { nil }
        }
    }

    struct Refund: Sendable {
        let id: String
        let amount: Money
        let date: WallTime
    }

    /// What becomes of a bank debit shows after this time; a guess.
    static let clearing: Int64 = 24 * 60 * 60

    let id: String
    var kind: Kind
    /// What is authorized, or, once it was captured, what was captured.
    var amount: Money
    let source: Source
    let createdAt: WallTime
    var shopper: String?
    var ownReference: String?
    var descriptor: String?
    var recurring: String?
    var holder: [String: String] = [:]
    /// Instead of `success`.
    var status: String?
    var refunds: [Refund] = []

    var isMoney: Bool {
        switch kind {
        case .authCapture, .capture: status == nil
        case .authOnly, .reversal: false
        }
    }

    /// What is left of it to refund.
    var left: Int64 { refunds.reduce(amount.minorUnits) { $0 - $1.amount.minorUnits } }

    func status(at now: WallTime) -> String? {
        if case .bank = source, now < createdAt.adding(seconds: Self.clearing) { return "PENDING" }
        return status
    }

    /// - Parameter success: The word for success: its letters vary (dossier 4.3).
    func write(to body: inout AnswerWriter, success: String, now: WallTime) {
        let isCard = source.card != nil
        if isCard { body.set("cardTransactionType", kind.rawValue) }
        body.set("transactionId", id)
        body.set("merchantTransactionId", ownReference)
        body.set("softDescriptor", descriptor.map { "BLS*" + $0 })
        body.set("amount", decimal: amount.decimalText)
        if isCard {
            body.set("openToCapture", decimal: kind == .authOnly ? amount.decimalText : "0")
        }
        body.set("currency", amount.currency.code)
        let date = createdAt.utcDate
        body.set("transactionApprovalDate", "\(Self.two(date.month))/\(Self.two(date.day))/\(date.year)")
        body.set("transactionApprovalTime", String(createdAt.rfc3339.dropFirst(11).prefix(8)))
        body.set("recurringTransaction", recurring)
        if let shopper { body.set("vaultedShopperId", Int(shopper) ?? 0) }
        if !holder.isEmpty {
            body.object(isCard ? "cardHolderInfo" : "payerInfo") { info in
                for name in BlueSnapShopper.fields { info.set(name, holder[name]) }
            }
        }
        writeSource(to: &body)
        body.object("processingInfo") { info in
            info.set("processingStatus", status(at: now) ?? success)
            guard let card = source.card else { return }
            info.set("cvvResponseCode", card.hasCode ? "MA" : "NP")
            info.set("authorizationCode", "A" + String(id.suffix(5)))
            for name in ["avsResponseCodeZip", "avsResponseCodeAddress", "avsResponseCodeName"] { info.set(name, "U") }
            info.set("networkTransactionId", "MCC" + String(id.suffix(9)))
        }
        body.object("fraudResultInfo") { _ in }
        writeRefunds(to: &body)
    }

    private func writeSource(to body: inout AnswerWriter) {
        switch source {
        case .card(let card, let wallet):
            if let wallet { body.object("wallet") { $0.set("walletType", wallet) } }
            body.object("creditCard") { entry in
                BlueSnapShopper.write(card, to: &entry)
                entry.set("cardCategory", "CLASSIC")
                entry.set("binCategory", "CONSUMER")
                entry.set("binNumber", card.firstSix)
                entry.set("cardRegulated", "N")
                entry.set("issuingBank", "DEMO BANK")
                entry.set("issuingCountryCode", card.country)
            }
        case .bank(let bank):
            body.object("ecpTransaction") { entry in
                entry.set("publicAccountNumber", bank.publicAccount)
                entry.set("publicRoutingNumber", String(bank.routing.suffix(5)))
                entry.set("accountType", bank.type)
            }
        case .payPal:
            body.object("paypalTransaction") { $0.set("transactionType", "SET_ORDER") }
        }
    }

    /// The shape of this list is a guess.
    private func writeRefunds(to body: inout AnswerWriter) {
        guard !refunds.isEmpty else { return }
        body.object("refunds") { list in
            list.set("balanceAmount", decimal: Money(minorUnits: left, currency: amount.currency).decimalText)
            list.array("refund") { entries in
                for refund in refunds {
                    entries.appendObject { entry in
                        entry.set("refundTransactionId", Int(refund.id) ?? 0)
                        entry.set("amount", decimal: refund.amount.decimalText)
                        entry.set("currency", refund.amount.currency.code)
                        entry.set("date", Self.shortDate(refund.date))
                    }
                }
            }
        }
    }

    /// `20-Nov-31`, in which BlueSnap's dates of plans and refunds are.
    static func shortDate(_ time: WallTime) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = time.utcDate
        let month = months.dropFirst(date.month - 1).first ?? ""
        return "\(two(date.day))-\(month)-\(two(date.year % 100))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
