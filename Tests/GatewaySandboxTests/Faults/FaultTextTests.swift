import Testing

@testable import GatewaySandbox

@Suite("Faults as text")
struct FaultTextTests {
    @Test("every kind reads back what it prints", arguments: FaultKind.examples)
    func kindRoundTrip(_ kind: FaultKind) throws {
        #expect(try FaultKind(kind.description) == kind)
    }

    @Test("rules print as they are written")
    func canonical() throws {
        let texts = [
            "spreedly.tokenize=reset-before-answer*2", "*=stall*always", "spreedly=status:503+processed@3",
            "*.tokenize=slow:50%25*always", "*=answer-lost", "spreedly.show=status:500+unprocessed%10*4@2",
            "*=rate-limited:date-60", "*=rate-limited:date+60%100*1@0", "*=redirect:302,https://a.example/b",
        ]
        for text in texts { #expect(try FaultRule(text).description == text) }
    }

    @Test("a rule's parts are read")
    func parts() throws {
        let rule = try FaultRule("spreedly.tokenize=status:503+processed%25*3@2")
        #expect(
            rule
                == FaultRule(
                    .status(503), provider: "spreedly", operation: "tokenize", count: 3, after: 2, percent: 25,
                    processing: true))
    }

    @Test("every combination reads back", arguments: UInt64(1)...4)
    func ruleRoundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let tricky: [FaultKind] = [
            .redirect(status: 302, location: "/a*3"), .redirect(status: 307, location: "/a@2%5+processed"),
            .contentType("text/*"), .rateLimited(.date(secondsFromNow: 5)),
        ]
        for kind in FaultKind.examples + tricky {
            let rule = FaultRule(
                kind, provider: Bool.random(using: &generator) ? "spreedly" : nil,
                operation: Bool.random(using: &generator) ? "tokenize" : nil,
                count: [nil, 1, 7].randomElement(using: &generator) ?? nil,
                after: Int.random(in: 0...2, using: &generator),
                percent: Bool.random(using: &generator) ? 100 : 30,
                processing: [nil, true, false].randomElement(using: &generator) ?? nil)
            #expect(try FaultRule(rule.description) == rule)
        }
    }

    @Test(
        "what is no fault is refused with a reason",
        arguments: [
            "", "stall", "=stall", "spreedly.=stall", "Spreedly=stall", "a.b.c=stall", "*=", "*=unheard-of",
            "*=status", "*=status:", "*=status:abc", "*=status:100", "*=stall:3", "*=drip:1", "*=drip:0,1",
            "*=redirect:200,/a", "*=redirect:302,", "*=rate-limited:soon", "*=stall%0", "*=stall%101",
            "*=stall*some", "*=content-type:a\r\nx: y",
        ])
    func refused(_ text: String) {
        #expect(throws: FaultSyntaxError.self) { try FaultRule(text) }
    }

    @Test("a reason never repeats the text")
    func reasonIsSilent() {
        let error = #expect(throws: FaultSyntaxError.self) { try FaultRule("*=sesame-\(SpreedlyCall.visa)") }
        #expect(error?.description.contains("sesame") == false)
    }
}

@Suite("Fault book")
struct FaultBookTests {
    private func book(_ rules: FaultRule..., seed: UInt64 = 7) -> FaultBook { FaultBook(rules: rules, seed: seed) }

    @Test("strikes after so many calls and so many times")
    func counting() {
        let book = book(FaultRule(.stall, provider: "spreedly", count: 2, after: 1))
        let struck = (0..<5).map { _ in book.strike(provider: "spreedly", operation: "tokenize") != nil }
        #expect(struck == [false, true, true, false, false])
        #expect(book.rules.isEmpty)
    }

    @Test("strikes what it names, first rule first")
    func matching() {
        let book = book(
            FaultRule(.garbage, provider: "other"), FaultRule(.stall, operation: "show"),
            FaultRule(.emptyBody, count: nil), FaultRule(.truncated, count: 0))
        #expect(book.strike(provider: "spreedly", operation: "tokenize")?.kind == .emptyBody)
        #expect(book.strike(provider: "spreedly", operation: "show")?.kind == .stall)
        #expect(book.strike(provider: "spreedly", operation: "show")?.kind == .emptyBody)
        #expect(book.strike(provider: "other", operation: "x")?.kind == .garbage)
        #expect(book.rules.map(\.kind) == [.emptyBody])
    }

    @Test("refusals strike connections and nothing else")
    func refusals() {
        let book = book(FaultRule(.refuse, provider: "spreedly", count: 1))
        #expect(book.strike(provider: "spreedly", operation: "tokenize") == nil)
        #expect(book.strikeConnection())
        #expect(!book.strikeConnection())
    }

    @Test("chance comes from the seed")
    func chance() {
        let draw = { (seed: UInt64) in
            let book = self.book(FaultRule(.stall, count: nil, percent: 30), seed: seed)
            return (0..<200).map { _ in book.strike(provider: "a", operation: "b") != nil }
        }
        let first = draw(7)
        #expect(first == draw(7))
        #expect(first != draw(8))
        #expect((30...90).contains(first.filter { $0 }.count))
    }

    @Test("reset brings the configured rules and the same dice back")
    func reset() {
        let book = book(FaultRule(.stall))
        _ = book.strike(provider: "a", operation: "b")
        book.add(.garbage)
        book.reset()
        #expect(book.rules == [FaultRule(.stall)])
    }
}
