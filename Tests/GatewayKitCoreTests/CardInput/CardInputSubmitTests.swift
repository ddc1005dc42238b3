import Testing

@testable import GatewayKitCore

@Suite("Card input, submitting and checking")
struct CardInputSubmitTests {
    /// The eight fields that Hellgate's SDK has, with a text for each.
    static let eight: [(AdditionalField, String)] = [
        (.name, " Ada Okoro "), (.email, "ada@shop.example"), (.line1, "9 Mill Row"), (.line2, "Floor 2"),
        (.line3, "Room 7"), (.postalCode, "EC1A 1BB"), (.city, "London"), (.country, "gb"),
    ]

    static func filled(_ form: CardInputForm = CardInputForm(additional: eight.map(\.0))) throws -> FormBench {
        var bench = try FormBench(form)
        bench.edit(.number, .focus, .type("4111111111111111"))
        bench.edit(.expiry, .focus, .type("0631"))
        bench.edit(.securityCode, .focus, .type("737"))
        for (field, text) in eight where form.additional.contains(field) {
            bench.edit(.additional(field), .focus, .type(text))
        }
        return bench
    }

    @Test("everything that was entered is in the request, and in its place")
    func ready() throws {
        let bench = try Self.filled()
        #expect(bench.input.isReady)
        guard case .ready(let entered) = bench.input.submit(at: bench.now) else {
            Issue.record("not ready: \(bench.problems() ?? [])")
            return
        }
        #expect(entered.card.number.withExposed { $0 } == "4111111111111111")
        #expect(entered.card.expiry == CardExpiry(month: 6, year: 2031))
        #expect(entered.card.securityCode?.withExposed { $0 } == "737")
        #expect(entered.card.holderName == "Ada Okoro")
        let billing = Address(
            line1: "9 Mill Row", line2: "Floor 2", line3: "Room 7", city: "London", postalCode: "EC1A 1BB",
            country: "GB")
        #expect(entered.shopper == Shopper(name: "Ada Okoro", email: "ada@shop.example", billingAddress: billing))
        let request = entered.tokenizationRequest
        guard case .card(let card) = request.instrument else {
            Issue.record("no card in the request")
            return
        }
        #expect(card == entered.card && request.shopper == entered.shopper)
    }

    @Test("what is missing, short or wrong is told all at once, in the order of the fields")
    func problems() throws {
        var bench = try FormBench(
            CardInputForm(additional: [.name, .email, .country, .city], required: [.name, .phone]))
        #expect(
            bench.problems() == ["number missing", "expiryMonth missing", "securityCode missing", "name missing"])
        bench.edit(.number, .type("4111"))
        bench.edit(.expiry, .type("06"))
        bench.edit(.securityCode, .type("7"))
        bench.edit(.additional(.email), .type("ada"))
        bench.edit(.additional(.country), .type("x"))
        #expect(
            bench.problems() == [
                "number tooShort", "expiryMonth malformed", "securityCode tooShort", "name missing", "email malformed",
                "country malformed",
            ])
        bench.edit(.number, .clear, .type("378282246310004"))
        bench.edit(.expiry, .clear, .type("0530"))
        bench.edit(.securityCode, .type("37"))
        bench.edit(.additional(.name), .type("4111 1111 1111 1111"))
        #expect(
            bench.problems() == [
                "number checkDigit", "expiryMonth expired", "securityCode tooShort", "name notAccepted",
                "email malformed", "country malformed",
            ])
        #expect(!bench.input.isReady)
    }

    @Test("only what the form asks for is needed")
    func forms() throws {
        var bench = try FormBench(CardInputForm(asksForExpiry: false, asksForSecurityCode: false))
        bench.edit(.number, .type("5555555555554444"))
        #expect(bench.input.isReady && bench.input.form.fields == [.number])
        bench.edit(.expiry, .type("0631"))
        #expect(bench.state(.expiry) == "blank")

        var maestro = try FormBench()
        maestro.edit(.number, .type("6759000000000000005"))
        maestro.edit(.expiry, .type("0631"))
        #expect(maestro.input.isReady, "a Maestro card may lack the code")

        var long = try FormBench(CardInputForm(yearsAhead: 40))
        long.edit(.expiry, .type("0665"))
        #expect(long.state(.expiry) == "complete")

        let twice = CardInputForm(additional: [.city, .name, .city])
        #expect(twice.fields == [.number, .expiry, .securityCode, .additional(.city), .additional(.name)])
        for field in AdditionalField.all {
            #expect(AdditionalField(field.description) == field)
            #expect(CardInputField(field.description) == .additional(field))
            #expect(field.issueField.description == field.description)
        }
        #expect(AdditionalField("pin") == nil && CardInputField("pin") == nil && CardInputField("number") == .number)
    }

    @Test("a cleared form is blank")
    func clear() throws {
        var bench = try Self.filled()
        bench.input.clear(at: bench.now)
        #expect(bench.input.form.fields.allSatisfy { bench.input.state(of: $0) == .blank })
        #expect(bench.input.form.fields.allSatisfy { bench.shown($0) == "|" })
        #expect(bench.input.focus == nil && bench.input.brand == nil && bench.input.lastFour == nil)
    }

    private static func check(in events: [CardInputEvent]) -> NumberCheck? {
        for case .willCheck(let check) in events { return check }
        return nil
    }

    @Test("a complete number is to be checked, once, and the verdict becomes its state")
    func verdicts() throws {
        var bench = try FormBench(CardInputForm(checksNumber: true))
        bench.edit(.number, .focus, .type("411111111111111"))
        #expect(Self.check(in: bench.events) == nil && !bench.input.isChecking)
        bench.edit(.number, .type("1"))
        let check = try #require(Self.check(in: bench.events))
        #expect(check.number.withExposed { $0 } == "4111111111111111" && bench.input.isChecking)
        bench.events = []
        bench.edit(.number, .caret(2), .blur, .focus)
        bench.edit(.expiry, .type("0631"))
        #expect(Self.check(in: bench.events) == nil)

        let issue = FieldIssue(.number, .notAccepted, origin: .provider, message: "no")
        #expect(
            bench.input.finish(check.id, with: .failed, at: bench.now) == [.checkFailed(check.id)])
        #expect(bench.state(.number) == "complete" && !bench.input.isChecking)
        #expect(
            bench.input.finish(check.id, with: .refused(issue), at: bench.now) == [
                .didCheck(check.id, passed: false), .stateChanged(.number, .invalid(issue)),
            ])
        #expect(bench.problems() == ["number notAccepted", "securityCode missing"])
        #expect(
            bench.input.finish(check.id, with: .passed, at: bench.now) == [
                .didCheck(check.id, passed: true), .stateChanged(.number, .complete),
            ])
    }

    @Test("a verdict on a number that has been edited since is ignored")
    func staleVerdicts() throws {
        var bench = try FormBench(CardInputForm(checksNumber: true))
        bench.edit(.number, .type("4111111111111111"))
        let first = try #require(Self.check(in: bench.events))
        bench.events = []
        bench.edit(.number, .deleteBackward)
        #expect(!bench.input.isChecking)
        bench.edit(.number, .type("1"))
        let second = try #require(Self.check(in: bench.events))
        #expect(first.id != second.id)
        let refusal = NumberCheck.Verdict.refused(FieldIssue(.number, .notAccepted, message: "no"))
        #expect(bench.input.finish(first.id, with: refusal, at: bench.now).isEmpty)
        #expect(bench.state(.number) == "complete" && bench.input.isChecking)
        var unchecked = try FormBench()
        unchecked.edit(.number, .type("4111111111111111"))
        #expect(unchecked.events.count == 2 && !unchecked.input.isChecking, "nobody asked for checks")
    }

    @Test("nothing that printing shows of a form holds what was entered")
    func redaction() throws {
        var bench = try Self.filled(CardInputForm(additional: Self.eight.map(\.0), checksNumber: true))
        let edits: [CardInputEdit] = [
            .type("4111111111111111"), .paste("737"), .put(0..<3, "9 Mill Row"), .whole("ada@shop.example"), .caret(3),
        ]
        bench.edit(.additional(.phone), edits[0])
        let submission = bench.input.submit(at: bench.now)
        guard case .ready(let entered) = submission else {
            Issue.record("not ready")
            return
        }
        bench.edit(.additional(.name), .clear, .type("4111 1111 1111 1111"))
        let failed = bench.input.submit(at: bench.now)
        let values: [Any] = [
            bench.input, bench.input.form, edits, bench.events, submission, failed, entered,
            entered.tokenizationRequest,
            bench.input.displayText(of: .number), bench.input.displayText(of: .securityCode),
            bench.input.form.fields.map(bench.input.maskedText), bench.input.form.fields.map(bench.input.state),
        ]
        let search = LeakSearch(
            ["4111111111111111", "737", "Ada Okoro", "ada@shop.example", "9 Mill Row", "EC1A 1BB"].map { Sensitive($0) }
        )
        for value in values {
            var text = "\(value)\n\(String(reflecting: value))\n"
            dump(value, to: &text)
            #expect(search.leaks(in: text).isEmpty, "\(type(of: value))")
        }
        #expect("\(bench.input)".hasPrefix("CardInput(number: complete, expiry: complete, securityCode: complete"))
        #expect("\(edits[0])" == "insert" && String(reflecting: edits[2]) == "replace")
    }
}
