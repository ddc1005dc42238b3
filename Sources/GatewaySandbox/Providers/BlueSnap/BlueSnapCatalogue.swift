import GatewayKitCore

/// What the merchant of this sandbox takes, and at which rates (dossier 2.1, 7.1).
enum BlueSnapCatalogue {
    static let methods = ["APPLE_PAY", "CC", "PAYPAL", "ECP", "GOOGLE_PAY"]
    static let payPalCurrencies = ["USD", "EUR", "GBP", "CAD"]

    /// In BlueSnap's order, which decides: patterns overlap, and the first that matches wins.
    static let patterns: [(type: String, pattern: String)] = [
        (
            "ELO",
            "^(40117[8-9]|431274|438935|451416|457393|45763[1-2]|504175|506699|5067[0-6][0-9]|50677[0"
                + "-8]|509[0-9][0-9][0-9]|636368|636369|636297|627780).*"
        ),
        ("HIPERCARD", "^(606282|637095).*"),
        ("CENCOSUD", "^603493.*"),
        ("NARANJA", "^589562.*"),
        ("TARJETASHOPPING", "^(603488|(27995[0-9])).*"),
        ("ARGENCARD", "^(501105).*"),
        ("CABAL", "^((627170)|(589657)|(603522)|(604((20[1-9])|(2[1-9][0-9])|(3[0-9]{2})|(400)))).*"),
        ("VISA", "^4.+"),
        (
            "MASTERCARD",
            "^(5(([1-5])|(0[1-5]))|2(([2-6])|(7(1|20)))|6((0(0[2-9]|1[2-9]|2[6-9]|[3-5]))|(2((1(0|2|3"
                + "|[5-9]))|20|7[0-9]|80))|(60|3(0|[3-9]))|(4[0-2]|[6-8]))).+"
        ),
        ("AMEX", "^3(24|4[0-9]|7|56904|379(41|12|13)).+"),
        ("DISCOVER", "^(3[8-9]|(6((01(1|300))|4[4-9]|5))).+"),
        ("DINERS", "^(3(0([0-5]|9|55)|6)).*"),
        ("JCB", "^(2131|1800|35).*"),
        ("CHINA_UNION_PAY", "(^62(([4-6]|8)[0-9]{13,16}|2[2-9][0-9]{12,15}))$"),
        (
            "CARTE_BLEUE",
            "^((3(6[1-4]|77451))|(4(059(?!34)|150|201|561|562|533|556|97))|(5(0[1-4]|13|30066|341[0-1"
                + "]|587[0-2]|6|8))|(6(27244|390|75[1-6]|799999998))).*"
        ),
    ]

    struct Rate {
        let code: String
        let name: String
        let digits: Int
        /// Millionths of it for one dollar of the United States.
        let millionths: Int
        let symbol: String
    }

    /// Made-up rates, in BlueSnap's shape; sorted by code.
    static let rates = [
        Rate(code: "AUD", name: "Australian Dollar", digits: 2, millionths: 1_520_000, symbol: "A$"),
        Rate(code: "BRL", name: "Brazilian Real", digits: 2, millionths: 5_104_200, symbol: "R$"),
        Rate(code: "CAD", name: "Canadian Dollar", digits: 2, millionths: 1_363_500, symbol: "C$"),
        Rate(code: "EUR", name: "Euro", digits: 2, millionths: 921_340, symbol: "€"),
        Rate(code: "GBP", name: "Pound Sterling", digits: 2, millionths: 788_120, symbol: "£"),
        Rate(code: "ILS", name: "Israeli New Shekel", digits: 2, millionths: 3_702_500, symbol: "₪"),
        Rate(code: "JPY", name: "Japanese Yen", digits: 0, millionths: 151_270_000, symbol: "¥"),
        Rate(code: "KWD", name: "Kuwaiti Dinar", digits: 3, millionths: 307_450, symbol: "KD"),
        Rate(code: "PKR", name: "Pakistani Rupee", digits: 2, millionths: 278_450_000, symbol: "Rs"),
        Rate(code: "USD", name: "US Dollar", digits: 2, millionths: 1_000_000, symbol: "$"),
    ]

    static func rate(_ code: String) throws(BlueSnapRefusal) -> Rate {
        guard let rate = rates.first(where: { $0.code == code }) else { throw .unknownCurrency }
        return rate
    }

    /// How much of one currency one of another is, in millionths, rounded half up.
    static func conversion(_ quote: Rate, _ base: Rate) -> Int {
        (quote.millionths * 1_000_000 + base.millionths / 2) / base.millionths
    }

    /// Millionths as a number: `0.92134`, `1.0`.
    static func text(millionths: Int) -> String {
        var fraction = String("\(1_000_000 + millionths % 1_000_000)".dropFirst())
        while fraction.utf8.count > 1, fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(millionths / 1_000_000)." + fraction
    }

    // MARK: - Answers

    static func writeRates(_ base: Rate, to body: inout AnswerWriter) {
        body.set("baseCurrency", base.code)
        body.set("baseCurrencyName", base.name)
        body.array("exchangeRate") { list in
            for quote in rates where quote.code != base.code {
                list.appendObject { entry in
                    entry.set("quoteCurrency", quote.code)
                    entry.set("quoteCurrencyName", quote.name)
                    entry.set("fractionDigits", quote.digits)
                    entry.set("conversionRate", decimal: text(millionths: conversion(quote, base)))
                }
            }
        }
    }

    static func writeMethods(to body: inout AnswerWriter) {
        body.array("paymentMethods") { list in for method in methods { list.append(method) } }
        body.array("paypalCurrencies") { list in for code in payPalCurrencies { list.append(code) } }
        body.array("creditCardBrands") { list in for entry in BlueSnapCard.types { list.append(entry.type) } }
        body.array("creditCardTypes") { list in for kind in ["CREDIT", "DEBIT", "PREPAID"] { list.append(kind) } }
        body.object("creditCardRegex") { list in for entry in patterns { list.set(entry.type, entry.pattern) } }
    }
}

extension AnswerWriter {
    /// An amount: a number with exactly these digits.
    mutating func set(_ name: String, decimal text: String?) {
        if let text { set(foreign: name, source: Array(text.utf8)) }
    }
}
