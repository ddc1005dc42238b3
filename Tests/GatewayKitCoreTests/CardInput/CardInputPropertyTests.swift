import Testing

@testable import GatewayKitCore

/// Whatever a person, a toolkit or an attacker does in whatever order.
@Suite("Card input, random edits")
struct CardInputPropertyTests {
    private static let scraps = [
        "", " ", "4", "37", "6", "0", "1", "/", "-", "12", "06/30", "0631", "13/30", "06/2130", "2030", "x",
        "•••• 1111",
        "１２", "٤", "🙂", "e\u{301}", "\u{301}", "\u{200D}", "🇩", "Ada Okoro", "ada@shop.example", "gb", "\r\n", "\u{0}",
        String(repeating: "9", count: 23), String(repeating: "7", count: 60), String(repeating: "Zoë ", count: 70),
    ]

    private static func text(_ numbers: inout SeededNumbers) -> String {
        switch Int.random(in: 0...3, using: &numbers) {
        case 0: TestCard.all.randomElement(using: &numbers)?.number ?? ""
        case 1: String(Int.random(in: 0...9, using: &numbers))
        default: scraps.randomElement(using: &numbers) ?? ""
        }
    }

    private static func range(_ numbers: inout SeededNumbers) -> Range<Int> {
        let places = [Int.min, -1, 0, 1, 2, 4, 5, 7, 11, 16, 19, 22, 300, Int.max]
        let ends = [places.randomElement(using: &numbers) ?? 0, places.randomElement(using: &numbers) ?? 0]
        return (ends.min() ?? 0)..<(ends.max() ?? 0)
    }

    private static func edit(_ numbers: inout SeededNumbers) -> CardInputEdit {
        switch Int.random(in: 0...15, using: &numbers) {
        case 0...4: .type(text(&numbers))
        case 5: .paste(text(&numbers))
        case 6: .put(range(&numbers), text(&numbers))
        case 7: .whole(text(&numbers))
        case 8, 9: .deleteBackward
        case 10: .deleteForward
        case 11, 12: .select(range(&numbers))
        case 13: .focus
        case 14: .blur
        default: Bool.random(using: &numbers) ? .clear : .focus
        }
    }

    @Test(
        "places stay in the text, what is shown is what is held, and states depend on nothing else",
        arguments: UInt64(1)...4)
    func random(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let form = CardInputForm(additional: [.name, .email, .country], required: [.name], checksNumber: true)
        let fields = form.fields
        var bench = try FormBench(form)
        var told = Dictionary(uniqueKeysWithValues: fields.map { ($0, CardInputState.blank) })
        var seen: Set<String> = []
        for _ in 0..<250 {
            let field = fields.randomElement(using: &numbers) ?? .number
            let target = Int.random(in: 0...30, using: &numbers) == 0 ? .additional(.phone) : field
            let edit = Self.edit(&numbers)
            let before = fields.map { bench.input.displayText(of: $0).withExposed { $0 } }
            let events = bench.input.apply(edit, to: target, at: bench.now)
            for event in events {
                switch event {
                case .stateChanged(let field, let state): told[field] = state
                case .refused:
                    #expect(fields.map { bench.input.displayText(of: $0).withExposed { $0 } } == before)
                case .willCheck(let check): _ = bench.input.finish(check.id, with: .passed, at: bench.now)
                default: break
                }
            }
            for field in fields {
                #expect(told[field] == bench.input.state(of: field), "the events tell every change")
                try check(bench, field)
                seen.insert("\(field) \(bench.input.state(of: field))")
            }
            try checkSubmission(bench)
        }
        #expect(seen.count >= 15, "\(seen.sorted())")
    }

    /// What holds for one field at any time.
    private func check(_ bench: FormBench, _ field: CardInputField) throws {
        let input = bench.input
        let shown = input.displayText(of: field).withExposed { $0 }
        let selection = input.selection(of: field)
        #expect(selection.lowerBound >= 0 && selection.upperBound <= shown.count)
        #expect(input.maskedText(of: field).count == shown.count)
        let state = input.state(of: field)
        #expect((state == .blank) == shown.allSatisfy(\.isWhitespace))
        guard field != .number || !input.isCollapsed else { return }
        let digits = shown.filter(\.isNumber)
        switch field {
        case .number:
            #expect(
                shown.allSatisfy { ("0"..."9").contains($0) || $0 == " " } && digits.count <= NumberEntry.mostPasted)
            if digits.count > 19 { #expect(state.issue?.problem == .tooLong) }
            if digits.count < 12, !digits.isEmpty { #expect(state == .incomplete) }
            #expect(input.brand == CardBrand.detect(digits))
        case .expiry: #expect(digits.count <= ExpiryEntry.mostPasted)
        case .securityCode: #expect(shown == digits && digits.count <= SecurityCodeEntry.mostPasted)
        case .additional: #expect(shown.count <= TextEntry.mostCharacters)
        }
        if state == .complete { try checkValue(digits, field, bench.now, input.brand) }
    }

    /// Core's own readers agree that a complete field is right.
    private func checkValue(_ digits: String, _ field: CardInputField, _ now: WallTime, _ brand: CardBrand?) throws {
        switch field {
        case .number: #expect(try CardNumber(Sensitive(digits)).issues.isEmpty)
        case .expiry: #expect(try CardExpiry.read(digits, now: now).issues(at: now).isEmpty)
        case .securityCode: #expect(try SecurityCode(Sensitive(digits)).issues(for: brand).isEmpty)
        case .additional: break
        }
    }

    /// A fresh form into which the same texts are pasted tells the same, and gives the same card.
    private func checkSubmission(_ bench: FormBench) throws {
        // Deleting the zero of a month leaves digits that cannot be typed in order, for the zero is implied.
        if bench.input.displayText(of: .expiry).withExposed({ ("2"..."9").contains($0.prefix(1)) }) {
            #expect(!bench.input.isReady && bench.input.state(of: .expiry) != .complete)
            return
        }
        var fresh = try FormBench(bench.input.form)
        var open = bench
        // Only to read the whole number: focus may change its state.
        open.edit(.number, .focus)
        for field in bench.input.form.fields {
            fresh.edit(field, .paste(open.input.displayText(of: field).withExposed { $0 }))
        }
        if let focus = bench.input.focus { fresh.edit(focus, .focus) }
        for field in bench.input.form.fields {
            #expect(fresh.input.state(of: field) == bench.input.state(of: field), "\(field) \(bench.shown(field))")
        }
        #expect(fresh.problems() == bench.problems())
        let allComplete = bench.input.form.fields.allSatisfy { field in
            let state = bench.input.state(of: field)
            return state == .complete || (state == .blank && field != .additional(.name) && field.isAdditional)
        }
        if case .ready(let entered) = bench.input.submit(at: bench.now) {
            guard case .ready(let again) = fresh.input.submit(at: bench.now) else {
                Issue.record("only one of the two is ready")
                return
            }
            #expect(entered == again)
            #expect(entered.card.issues(at: bench.now).isEmpty)
        } else {
            #expect(!allComplete)
        }
    }
}

extension CardInputField {
    fileprivate var isAdditional: Bool {
        if case .additional = self { true } else { false }
    }
}
