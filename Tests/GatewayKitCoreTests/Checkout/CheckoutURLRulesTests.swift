import Testing

@testable import GatewayKitCore

/// Rules of an invented provider whose page comes back with the number of an invoice that nobody knows before.
@Suite("Rules for reported addresses")
struct CheckoutURLRulesTests {
    private static func rules() throws -> CheckoutURLRules {
        CheckoutURLRules(
            pageBases: [try ReportedURL("https://pay.example/v2")],
            places: [
                .init(["end"], .success), .init(["sad"], .failure), .init(["way"], .nothing),
                .init(
                    ["choose"], .ended, choice: .init("how", ["well": .success, "badly": .failure], absent: .nothing)),
                .init(["signed"], .success, needsSignature: true),
            ],
            returnPlace: .init(try ReportedURL("https://shop.example/back"), .success),
            cancelPlace: .init(try ReportedURL("https://shop.example/away"), .cancelled),
            signature: .init(in: "sig") { $0 == "good" }, decisiveParameters: ["INVOICE_ID"],
            paymentParameter: "INVOICE_ID")
    }

    static let rows: [(url: String, kind: CheckoutVerdict.Kind, payment: String?)] = [
        ("https://shop.example/back?INVOICE_ID=77", .successCandidate, "77"),
        ("https://shop.example/back", .successCandidate, nil),
        ("https://shop.example/back?INVOICE_ID=", .successCandidate, nil),
        ("https://shop.example/back?INVOICE_ID=7%0A7", .successCandidate, nil),
        ("https://shop.example/back?INVOICE_ID=77&INVOICE_ID=78", .untrusted, nil),
        ("https://shop.example/back?INVOICE_ID=77&invoice_id=78", .untrusted, nil),
        ("https://shop.example/back?INVOICE_ID=77&INVOICE.ID=78", .untrusted, nil),
        ("https://shop.example/back?sig=bad", .untrusted, nil),
        ("https://shop.example/away?INVOICE_ID=77", .cancelled, "77"),
        ("https://shop.example/Back", .ignore, nil),
        ("https://shop.example/back/more", .ignore, nil),
        ("http://shop.example/back", .ignore, nil),
        ("https://shop.example:8443/back", .ignore, nil),
        ("https://pay.example/v2/end", .successCandidate, nil),
        ("https://pay.example/end", .ignore, nil),
        ("https://pay.example/v2/End", .ignore, nil),
        ("https://pay.example/v2/way?sig=bad", .ignore, nil),
        ("https://pay.example/v2/sad", .failureHint, nil),
        ("https://pay.example/v2/choose", .ignore, nil),
        ("https://pay.example/v2/choose?how=well", .successCandidate, nil),
        ("https://pay.example/v2/choose?how=badly", .failureHint, nil),
        ("https://pay.example/v2/choose?how=Well", .pending, nil),
        ("https://pay.example/v2/choose?how=well&how=badly", .untrusted, nil),
        ("https://pay.example/v2/signed", .pending, nil),
        ("https://pay.example/v2/signed?sig=good", .successCandidate, nil),
        ("https://pay.example/v2/signed?sig=bad", .untrusted, nil),
    ]

    @Test("each address has its verdict", arguments: rows)
    func verdict(_ row: (url: String, kind: CheckoutVerdict.Kind, payment: String?)) throws {
        let verdict = try Self.rules().verdict(on: row.url)
        #expect(verdict.kind == row.kind && verdict.paymentID == row.payment, "\(row.url): \(verdict.reason)")
        #expect(try Self.rules().verdict(on: row.url) == verdict)
    }

    @Test("one address for coming back and for giving up says only that the shopper is back")
    func sameAddress() throws {
        var rules = try Self.rules()
        rules.cancelPlace = .init(try ReportedURL("https://shop.example/back"), .cancelled)
        #expect(rules.verdict(on: "https://shop.example/back").kind == .pending)
    }

    @Test("without rules everything is ignored")
    func noRules() {
        #expect(CheckoutURLRules().verdict(on: "https://shop.example/back").kind == .ignore)
    }
}
