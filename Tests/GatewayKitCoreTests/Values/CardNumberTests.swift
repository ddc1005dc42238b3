import Testing

@testable import GatewayKitCore

@Suite("Card numbers")
struct CardNumberTests {
    private func read(_ text: String) throws(InvalidCardInput) -> CardNumber { try CardNumber(Sensitive(text)) }

    private func digits(_ number: CardNumber) -> String { number.withExposed { $0 } }

    @Test(
        "C12: a number with separators or other scripts' digits is normalised once",
        arguments: [
            "4111 1111 1111 1111", "4111-1111-1111-1111", "  4111111111111111\n",
            "4111\u{A0}1111\u{2009}1111\u{202F}1111",
            "4111\u{2013}1111\u{2011}1111\u{2014}1111", "4111\u{2212}1111 1111\t1111",
            "\u{202A}4111111111111111\u{202C}\u{FEFF}", "４１１１　１１１１　１１１１　１１１１", "٤١١١١١١١١١١١١١١١",
            "۴۱۱۱۱۱۱۱۱۱۱۱۱۱۱۱", "४१११ ११११ ११११ ११११", "𝟒𝟏𝟏𝟏 1111 1111 1111",
        ])
    func normalisation(text: String) throws {
        let number = try read(text)
        #expect(digits(number) == "4111111111111111")
        #expect(number.brand == .visa)
        #expect(number.length == 16)
        #expect(try read(digits(number)) == number)
    }

    @Test(
        "text that is no number tells its problem and never its value",
        arguments: [
            ("", .missing), ("   ", .missing), (" - - ", .missing), ("\u{200B}", .missing), ("abcd", .malformed),
            ("4111 1111 1111 111x", .malformed), ("4111.1111.1111.1111", .malformed),
            ("①111 1111 1111 1111", .malformed),
            ("4111²1111 1111 1111", .malformed), ("+4111 1111 1111 1111", .malformed), ("4", .tooShort),
            ("4" + String(repeating: "1", count: 10), .tooShort), ("4" + String(repeating: "1", count: 19), .tooLong),
        ] as [(String, FieldIssue.Problem)])
    func problems(text: String, problem: FieldIssue.Problem) {
        let error = #expect(throws: InvalidCardInput.self) { try CardNumber(Sensitive(text)) }
        #expect(error?.issues.map(\.problem) == [problem])
        #expect(error?.issues.map(\.field) == [.number])
        let shown = "\(error as Any) \(error?.description ?? "")"
        if text.count > 5 { #expect(!shown.contains(text.trimmingSpaces)) }
        #expect(!shown.contains("411"))
    }

    @Test("normalisation is idempotent, whatever stands between the digits")
    func idempotent() throws {
        var numbers = SeededNumbers(seed: 5)
        let separators = ["", " ", "-", "\u{A0}", "\u{2009}", "\u{2013}", "\u{200E}", "  "]
        for _ in 0..<500 {
            let plain = numbers.digits(Int.random(in: 12...19, using: &numbers)).map { String($0) }
            let text = plain.map { $0 + (separators.randomElement(using: &numbers) ?? "") }.joined()
            let once = try read(text)
            #expect(digits(once) == plain.joined())
            #expect(try read(digits(once)) == once)
        }
    }

    @Test("no more than the first six and the last four digits show")
    func shows() throws {
        let number = try read("4111 1111 1111 1111")
        #expect(number.lastFour == "1111")
        #expect(number.firstSix == "411111")
        #expect("\(number)" == "visa ending 1111")
        #expect(String(reflecting: number) == "visa ending 1111")
        var dumped = ""
        dump(number, to: &dumped)
        dump([number as Any], to: &dumped)
        #expect(!dumped.contains("411111"))
        #expect(try read("9" + String(repeating: "0", count: 11)).firstSix == nil)
        #expect(try read("9" + String(repeating: "0", count: 12)).firstSix == "900000")
        #expect("\(try read("9" + String(repeating: "0", count: 12)))" == "card ending 0000")
    }

    @Test("a mistyped number, a number of the wrong length, an unknown brand")
    func issues() throws {
        let mistyped = try read("411111111111111" + "2")
        #expect(!mistyped.passesCheckDigit)
        #expect(mistyped.issues.map(\.problem) == [.checkDigit])
        #expect(mistyped.issues.allSatisfy { $0.origin == .local && !$0.message.description.contains("411") })

        let short = "3782" + String(repeating: "0", count: 10)
        #expect(try read(short).issues.map(\.problem) == [.tooShort])
        #expect(try read(short + "00").issues.map(\.problem) == [.tooLong])
        #expect(
            try read(short).issues.first?.message == "American Express numbers do not have 14 digits: check the number."
        )
        #expect(try read("4" + String(repeating: "0", count: 13)).issues.map(\.problem) == [.malformed])

        let unknown = "9" + String(repeating: "0", count: 14)
        let passing = try (0...9).map { try read(unknown + "\($0)") }.filter(\.passesCheckDigit)
        #expect(passing.count == 1)
        #expect(passing.allSatisfy { $0.brand == nil && $0.issues.isEmpty })
    }

    @Test("equality is of the digits")
    func equality() throws {
        #expect(try read("4111 1111 1111 1111") == read("4111111111111111"))
        #expect(try read("4111111111111111") != read("4012888888881881"))
    }
}

extension String {
    fileprivate var trimmingSpaces: String { filter { $0 != " " } }
}
