import Testing

@testable import GatewayKitCore

/// The table of Hellgate's iOS SDK, row by row. Where that SDK is wrong, or knows fewer kinds of cards, the row says
/// "corrected".
@Suite("Card input, states")
struct CardInputStateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let number: String
        let field: CardInputField
        let text: String
        let state: String
        var brandDigits = ""
        var year = 2030
        var month = 6

        init(
            _ number: String, _ field: CardInputField, _ text: String, _ state: String, on brandDigits: String = "",
            _ year: Int = 2030, _ month: Int = 6
        ) {
            self.number = number
            self.field = field
            self.text = text
            self.state = state
            self.brandDigits = brandDigits
            self.year = year
            self.month = month
        }

        var testDescription: String { number }
    }

    static let rows: [Row] = [
        Row("1 empty number", .number, "", "blank"),
        Row("2 unknown brand, short", .number, "1234", "incomplete"),
        Row("3 Visa, short", .number, "4", "incomplete"),
        Row("4 Diners Club, one digit short of any length", .number, "3900000000001", "incomplete"),
        Row("5 Diners Club of 16 digits", .number, "39000000" + "00001235", "complete"),
        Row("6 Diners Club, check digit", .number, "3900000000001234", "invalid checkDigit"),
        Row("7 Visa", .number, "4242424242424242", "complete"),
        Row("8 Visa, check digit", .number, "4242424242424241", "invalid checkDigit"),
        Row("9 Visa of 17 digits", .number, "42424242424242424", "invalid malformed"),
        Row("9 corrected: 17 digits that pass Luhn are invalid, not blank", .number, passing(17), "invalid malformed"),
        Row("9 corrected: 18 digits that pass Luhn are invalid, not blank", .number, passing(18), "invalid malformed"),
        Row("9 corrected: Visa has numbers of 19 digits", .number, "4444333322221111455", "complete"),
        Row("9 corrected: 20 digits are invalid, not blank", .number, passing(20), "invalid tooLong"),
        Row("10 corrected: American Express has 15 digits", .number, "378282246310005", "complete"),
        Row("10 corrected: American Express, short", .number, "37828224631000", "incomplete"),
        Row("10 corrected: American Express, check digit", .number, "378282246310004", "invalid checkDigit"),
        Row("10 corrected: American Express has no 16 digits", .number, "3782822463100050", "invalid tooLong"),
        Row("11 Diners Club of 14 digits", .number, "36227206" + "271667", "complete"),
        Row(
            "12 corrected: 30 digits are invalid at once, whatever the brand", .number,
            String(repeating: "1", count: 30), "invalid tooLong"),
        Row("13 empty code", .securityCode, "", "blank", on: "4"),
        Row("13 code, short", .securityCode, "12", "incomplete", on: "4"),
        Row("13 code", .securityCode, "123", "complete", on: "4"),
        Row("13 leading zeros are kept", .securityCode, "007", "complete", on: "4"),
        Row("13 code while the brand is open", .securityCode, "123", "complete"),
        Row("14 code of four digits, short", .securityCode, "123", "incomplete", on: "37"),
        Row("14 code of four digits", .securityCode, "1234", "complete", on: "37"),
        Row("14 code of four digits while the brand is open", .securityCode, "1234", "complete"),
        Row("15 corrected: a code that is too long is invalid", .securityCode, "1234", "invalid tooLong", on: "4"),
        Row("16 empty expiry", .expiry, "", "blank"),
        Row("17 only a whole date is judged", .expiry, "14", "incomplete"),
        Row("17 three digits", .expiry, "123", "incomplete"),
        Row("18 month 14", .expiry, "1430", "invalid malformed"),
        Row("18 month 13", .expiry, "13/30", "invalid malformed"),
        Row("19 month 0", .expiry, "0030", "invalid malformed"),
        Row("20 past", .expiry, "1210", "invalid expired", 2011, 1),
        Row("20 this month", .expiry, "0111", "complete", 2011, 1),
        Row("20 twenty years ahead", .expiry, "1231", "complete", 2011, 1),
        Row("20 corrected: no card is issued for so long", .expiry, "1232", "invalid tooFarAhead", 2011, 1),
        Row("20 corrected: in 2011, 99 is 1999", .expiry, "1299", "invalid expired", 2011, 1),
        Row("22 empty text", .additional(.name), "", "blank"),
        Row("22 any text", .additional(.name), "김 철수", "complete"),
        Row("22 one word", .additional(.name), "James", "complete"),
        Row("22 corrected: a space alone is no name", .additional(.name), " ", "blank"),
        Row(
            "22 corrected: a card number is no name", .additional(.name), "4111 1111 1111 1111", "invalid notAccepted"),
        Row(
            "22 corrected: nor in full-width digits", .additional(.line1),
            "４１１１−１１１１−１１１１−１１１１", "invalid notAccepted"),
        Row("22 a telephone number may look like one", .additional(.phone), "+49 4111 1111 1111 1111", "complete"),
        Row("22 corrected: a country, short", .additional(.country), "g", "incomplete"),
        Row("22 a country", .additional(.country), "gb", "complete"),
        Row("22 corrected: no country", .additional(.country), "xq", "invalid malformed"),
        Row("22 corrected: e-mail, short", .additional(.email), "ada@", "incomplete"),
        Row("22 e-mail", .additional(.email), "ada@shop.example", "complete"),
        Row("22 corrected: no e-mail", .additional(.email), "ada okoro@shop.example", "invalid malformed"),
        Row("UnionPay of 19 digits, on its way", .number, "6200000000000000", "invalid checkDigit"),
        Row("Maestro of 19 digits", .number, "6759000000000000005", "complete"),
        Row("Mastercard, one digit too many", .number, "555555555555" + "44440", "invalid tooLong"),
    ]

    /// A Visa number of that many digits whose last digit is right: of a length that Visa does not have.
    static func passing(_ count: Int) -> String {
        let head = "4" + String(repeating: "2", count: count - 2)
        return (0...9).map { head + String($0) }.first { CheckDigitRule.luhn.passes(Array($0.utf8)) } ?? ""
    }

    @Test("rows 1 to 20 and 22 of the table of states, with our corrections", arguments: rows)
    func table(_ row: Row) throws {
        var bench = try FormBench(CardInputForm(additional: AdditionalField.all), year: row.year, month: row.month)
        bench.edit(.number, .paste(row.brandDigits))
        bench.edit(row.field, .paste(row.text))
        #expect(bench.state(row.field) == row.state)
        #expect(bench.input.state(of: row.field).description == String(row.state.prefix { $0 != " " }))
    }

    @Test("C2, row 21 corrected: a card that expires this month is complete to the month's end, everywhere on Earth")
    func presentMonth() throws {
        for (month, day, hour, state) in [
            (5, 31, 0, "complete"), (6, 1, 0, "complete"), (6, 15, 12, "complete"), (6, 30, 23, "complete"),
            (7, 1, 11, "complete"), (7, 1, 12, "invalid expired"),
        ] {
            var bench = try FormBench()
            bench.now = try #require(WallTime(year: 2030, month: month, day: day, hour: hour))
            for text in ["0630", "06/30", "06/2030", "6/30", "062030", "06-30", " 06 / 30 ", "٠٦/٣٠"] {
                bench.edit(.expiry, .clear, .paste(text))
                #expect(bench.state(.expiry) == state, "\(text) on \(month)-\(day)")
                #expect(bench.shown(.expiry) == "06 / 30|", "\(text)")
            }
        }
    }

    @Test("time passes in an open form")
    func advance() throws {
        var bench = try FormBench()
        bench.edit(.expiry, .type("0630"))
        let later = try #require(WallTime(year: 2030, month: 7, day: 1, hour: 12))
        let events = bench.input.advance(to: later)
        #expect(events.count == 1)
        #expect(bench.state(.expiry) == "invalid expired" && bench.input.now == later)
        #expect(bench.input.submit(at: bench.now).problems == ["number missing", "securityCode missing"])
    }

    @Test("typing refuses what cannot belong to the field; pasting shows it")
    func refusals() throws {
        let rows: [(CardInputField, before: String, typed: String, problem: String)] = [
            (.number, "378282246310005", "0", "tooLong"), (.number, "5555555555554444", "1", "tooLong"),
            (.number, "4444333322221111455", "1", "tooLong"),
            (.number, "", String(repeating: "1", count: 30), "tooLong"),
            (.number, "41", "x", "malformed"), (.number, "41", "4/2", "malformed"),
            (.expiry, "0630", "1", "tooLong"), (.expiry, "06", "x", "malformed"),
            (.securityCode, "123", "4", "tooLong"), (.securityCode, "", "1-2", "malformed"),
            (.additional(.name), "", String(repeating: "a", count: 256), "tooLong"),
            (
                .additional(.name), "", String(repeating: "e" + String(repeating: "\u{301}", count: 40), count: 30),
                "tooLong"
            ),
            (.additional(.city), "", "x", "notAccepted"),
        ]
        for (field, before, typed, problem) in rows {
            var bench = try FormBench(CardInputForm(additional: [.name]))
            if field == .securityCode { bench.edit(.number, .type("4")) }
            bench.edit(field, .type(before))
            let shown = bench.shown(field)
            bench.events = []
            bench.edit(field, .type(typed))
            #expect(bench.shown(field) == shown)
            guard case .refused(field, let issue) = bench.events.first, bench.events.count == 1 else {
                Issue.record("\(field) takes it: \(bench.events)")
                continue
            }
            #expect(issue.problem.description == problem)
        }
        for (field, text, problem) in [
            (CardInputField.number, String(repeating: "4", count: 41), "tooLong"), (.expiry, "123456789", "tooLong"),
            (.securityCode, "123456789", "tooLong"), (.number, "Card: 4111", "malformed"),
            (.expiry, "June 2030", "malformed"),
        ] {
            var bench = try FormBench()
            bench.edit(field, .paste(text))
            guard case .refused(field, let issue) = bench.events.first else {
                Issue.record("\(field) takes it")
                continue
            }
            #expect(issue.problem.description == problem && bench.shown(field) == "|")
        }
    }

    @Test("the security code is judged anew when the brand changes")
    func brandChanges() throws {
        var bench = try FormBench()
        bench.edit(.securityCode, .type("1234"))
        #expect(bench.state(.securityCode) == "complete")
        bench.edit(.number, .type("4"))
        #expect(bench.state(.securityCode) == "invalid tooLong")
        bench.events = []
        bench.edit(.number, .deleteBackward, .type("37"))
        #expect(bench.state(.securityCode) == "complete")
        #expect(bench.events.contains(.brandChanged(.americanExpress)))
        #expect(bench.events.contains(.stateChanged(.securityCode, .complete)))
        bench.edit(.securityCode, .deleteBackward)
        #expect(bench.state(.securityCode) == "incomplete")
        bench.edit(.number, .clear, .type("5555555555554444"))
        #expect(bench.state(.securityCode) == "complete")
    }

    @Test("while it has the focus, a number of a rare length is on its way to a usual one")
    func rareLengths() throws {
        var bench = try FormBench()
        let short = (0...9).map { "422222222222" + String($0) }.first { CheckDigitRule.luhn.passes(Array($0.utf8)) }
        bench.edit(.number, .focus, .type(try #require(short)))
        #expect(bench.state(.number) == "incomplete" && bench.input.lastFour == nil)
        bench.edit(.number, .blur)
        #expect(bench.state(.number) == "complete" && bench.input.lastFour != nil)
        bench.edit(.number, .focus, .clear, .type("36227206" + "271667"))
        #expect(bench.state(.number) == "complete")
        bench.edit(.number, .clear, .type("30569309025905"))
        #expect(bench.state(.number) == "incomplete")
        bench.edit(.expiry, .focus)
        #expect(bench.state(.number) == "invalid checkDigit")
    }

    @Test("every test card is complete when it has been typed digit by digit, and at no time blank or too long")
    func testCards() throws {
        for card in TestCard.all {
            var bench = try FormBench()
            bench.edit(.number, .focus)
            for (place, digit) in card.number.enumerated() {
                bench.edit(.number, .type(String(digit)))
                #expect(place == card.number.count - 1 || bench.input.state(of: .number).description != "blank")
            }
            #expect(bench.state(.number) == "complete", "\(card.name)")
            #expect(bench.input.brand == card.brand && bench.input.brandCandidates.contains(card.brand), "\(card.name)")
            #expect(bench.events.allSatisfy { if case .refused = $0 { false } else { true } }, "\(card.name)")
        }
    }

    @Test("brand candidates while typing")
    func candidates() throws {
        var bench = try FormBench()
        #expect(bench.input.brandCandidates.isEmpty && bench.input.brand == nil)
        bench.edit(.number, .type("3"))
        #expect(bench.input.brand == nil)
        for brand in [CardBrand.americanExpress, .dinersClub, .jcb] {
            #expect(bench.input.brandCandidates.contains(brand))
        }
        bench.edit(.number, .type("4"))
        #expect(bench.input.brandCandidates == [.americanExpress] && bench.input.brand == .americanExpress)
    }
}

extension CardSubmission {
    /// The problems that are told; none when the form is ready.
    var problems: [String] {
        guard case .invalid(let issues) = self else { return [] }
        return issues.map { "\($0.field) \($0.problem)" }
    }
}
