import Foundation
import Testing

@testable import GatewayKitCore

@Suite("Cards")
struct CardTests {
    private let now = WallTime(secondsSince1970: 1_785_585_600)  // 2026-08-01T12:00:00Z
    private let visa = Sensitive("4111 1111 1111 1111")

    @Test("a card is read from texts")
    func reads() throws {
        let card = try Card.read(
            number: visa, month: "2", year: "31", securityCode: Sensitive(" 012 "), name: "  Ada Example ", now: now)
        #expect(card.number.brand == .visa)
        #expect(card.expiry == CardExpiry(month: 2, year: 2031))
        #expect(card.securityCode?.withExposed { $0 } == "012")
        #expect(card.holderName == "Ada Example")
        #expect(card.issues(at: now).isEmpty)
        #expect(try Card.read(number: visa, expiry: "02/2031", now: now).expiry == card.expiry)
        #expect(try Card.read(number: visa, now: now).issues(at: now).isEmpty)
    }

    @Test("C4: a holder of one word, or of none", arguments: ["James", "", "   ", "김 철수", "🙂"])
    func names(name: String) throws {
        let card = try Card.read(number: visa, name: name, now: now)
        #expect(card.holderName == (name.allSatisfy(\.isWhitespace) ? nil : name))
    }

    @Test("everything that is wrong is told at once")
    func allAtOnce() {
        let error = #expect(throws: InvalidCardInput.self) {
            try Card.read(
                number: Sensitive("4111x"), month: "13", year: "", securityCode: Sensitive("12"), now: now)
        }
        #expect(error?.issues.map(\.field) == [.number, .expiryMonth, .expiryYear, .securityCode])
        #expect(error?.issues.map(\.problem) == [.malformed, .malformed, .missing, .tooShort])
    }

    @Test("readable but doubtful parts are told beside unreadable ones")
    func doubtfulToo() {
        let error = #expect(throws: InvalidCardInput.self) {
            try Card.read(
                number: Sensitive("411111111111111" + "2"), expiry: "06/26", securityCode: Sensitive("abc"), now: now)
        }
        #expect(error?.issues.map(\.field) == [.securityCode, .number, .expiryMonth])
        #expect(error?.issues.map(\.problem) == [.malformed, .checkDigit, .expired])
    }

    @Test("a well-formed card with a wrong check digit is read, so that it can be sent to a sandbox on purpose")
    func wellFormedButWrong() throws {
        let card = try Card.read(
            number: Sensitive("411111111111111" + "2"), expiry: "06/26", securityCode: Sensitive("1234"), now: now)
        #expect(card.issues(at: now).map(\.field) == [.number, .expiryMonth, .securityCode])
        #expect(card.issues(at: now).map(\.problem) == [.checkDigit, .expired, .tooLong])
    }

    @Test("the expiry date in two ways, and no number")
    func twice() {
        let error = #expect(throws: InvalidCardInput.self) {
            try Card.read(number: nil, month: "1", expiry: "01/31", now: now)
        }
        #expect(error?.issues.map(\.problem) == [.missing, .notAccepted])
    }

    @Test(
        "security codes are normalised; blank, letters and lengths are told apart",
        arguments: [
            ("", .missing), (" ", .missing), ("abc", .malformed), ("12-3", .malformed), ("12", .tooShort),
            ("12345", .tooLong),
        ] as [(String, FieldIssue.Problem)])
    func securityCodes(text: String, problem: FieldIssue.Problem) {
        let error = #expect(throws: InvalidCardInput.self) { try SecurityCode(Sensitive(text)) }
        #expect(error?.issues.map(\.problem) == [problem])
        #expect(error?.issues.map(\.field) == [.securityCode])
    }

    @Test(
        "security code length by brand",
        arguments: [
            ("378282246310005", "123", .tooShort), ("378282246310005", "1234", nil),
            ("4111111111111111", "1234", .tooLong),
            ("4111111111111111", "１２３", nil), ("6759000000000000005", "123", nil),
        ] as [(String, String, FieldIssue.Problem?)])
    func securityCodeByBrand(number: String, code: String, problem: FieldIssue.Problem?) throws {
        let card = try Card.read(number: Sensitive(number), securityCode: Sensitive(code), now: now)
        #expect(card.issues(at: now).map(\.problem) == [problem].compactMap { $0 })
        #expect(try SecurityCode(Sensitive("1234")).issues(for: nil).isEmpty)
        #expect(try SecurityCode(Sensitive("1234")).issues(for: CardBrand(id: "new_brand")).isEmpty)
    }

    @Test("nothing secret shows in descriptions, dumps and mirrors")
    func showsNothing() throws {
        let card = try Card.read(
            number: visa, expiry: "02/31", securityCode: Sensitive("987"), name: "Ada Example", now: now)
        var text = "\(card) \(String(reflecting: card)) \(card.securityCode as Any) \(card.number) \(card.summary)"
        dump(card, to: &text)
        dump(card.securityCode, to: &text)
        dump(card.summary, to: &text)
        for secret in ["4111111111", "1111 1111", "987", "Ada"] {
            #expect(!text.withoutAddresses.contains(secret))
        }
        #expect("\(card)" == "visa ending 1111, expires 02/2031")
    }

    @Test("a summary holds what may be shown and goes through JSON")
    func summary() throws {
        let summary = try Card.read(number: visa, expiry: "02/31", now: now).summary
        let data = try JSONEncoder().encode(summary)
        #expect(try JSONDecoder().decode(CardSummary.self, from: data) == summary)
        #expect(!String(decoding: data, as: UTF8.self).contains("4111111"))
        #expect(summary.firstSix == "411111")
        #expect(CardSummary(lastFour: "4111111111111111", firstSix: "41111111").lastFour == nil)
        #expect(CardSummary(lastFour: "4111111111111111", firstSix: "41111111").firstSix == nil)
        #expect("\(CardSummary())" == "card")
        for text in [
            #"{"brand":"4111111111111111"}"#, #"{"expiry":{"month":13,"year":2031}}"#, #"{"expiry":{"month":1}}"#,
        ] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(CardSummary.self, from: Data(text.utf8))
            }
        }
    }
}
