import Testing

@testable import GatewayKitCore

/// What each field shows and where the caret is, after each of some edits.
@Suite("Card input, format and caret")
struct CardInputFormatTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let field: CardInputField
        let edits: [CardInputEdit]
        let shown: String
        let name: String

        init(_ field: CardInputField, _ name: String, _ edits: [CardInputEdit], _ shown: String) {
            self.field = field
            self.edits = edits
            self.shown = shown
            self.name = name
        }

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        // Grouping by brand.
        Row(.number, "no space behind a group", [.type("4242")], "4242|"),
        Row(.number, "fours", [.type("42424")], "4242 4|"),
        Row(.number, "Visa", [.type("4111111111111111")], "4111 1111 1111 1111|"),
        Row(.number, "Visa of 19 digits", [.type("4444333322221111455")], "4444 3333 2222 1111 455|"),
        Row(.number, "American Express", [.type("378282246310005")], "3782 822463 10005|"),
        Row(.number, "American Express, on its way", [.type("37828")], "3782 8|"),
        Row(.number, "Diners Club", [.type("30569309025904")], "3056 930902 5904|"),
        Row(.number, "Diners Club of 16 digits", [.type("3900000000001234")], "3900 0000 0000 1234|"),
        Row(.number, "JCB", [.type("3569990010030400")], "3569 9900 1003 0400|"),
        Row(.number, "Mastercard", [.type("5555555555554444")], "5555 5555 5555 4444|"),
        Row(.number, "Maestro", [.type("6759000000000000005")], "6759 0000 0000 0000 005|"),
        Row(.number, "unknown", [.type("12341")], "1234 1|"),
        Row(.number, "too long", [.paste("3782822463100050")], "3782 822463 100050|"),
        Row(
            .number, "hyphens, spaces and other scripts", [.paste(" 4111-1111\u{A0}１１１１ ١١١١ ")], "4111 1111 1111 1111|"
        ),
        // Inserting.
        Row(.number, "in the middle", [.type("42424242"), .caret(2), .type("1")], "421|4 2424 2"),
        Row(.number, "at the end of a group", [.type("42424242"), .caret(3), .type("1")], "4241| 2424 2"),
        Row(.number, "before the separator", [.type("42424242"), .caret(4), .type("1")], "4242 1|424 2"),
        Row(.number, "behind the separator", [.type("42424242"), .caret(5), .type("1")], "4242 1|424 2"),
        Row(.number, "over a selection", [.type("42424242"), .select(1..<7), .type("9")], "49|42"),
        Row(
            .number, "the brand appears before the caret", [.type("78282246310005"), .caret(0), .type("3")],
            "3|782 822463 10005"),
        Row(.number, "the brand goes", [.type("378282246310005"), .select(0..<1), .type("4")], "4|782 8224 6310 005"),
        Row(
            .number, "a brand that has not so many digits", [.type("4111111111111111"), .select(0..<2), .type("37")],
            "37|11 111111 111111"),
        Row(.number, "a space is passed over", [.type("4242"), .type(" "), .type("4")], "4242 4|"),
        Row(.number, "a space over a selection too", [.type("4242"), .select(0..<2), .type(" ")], "[42]42"),
        // Deleting.
        Row(.number, "backspace at the end", [.type("42424"), .deleteBackward], "4242|"),
        Row(.number, "backspace behind a separator", [.type("42424"), .caret(5), .deleteBackward], "424|4"),
        Row(.number, "backspace before a separator", [.type("42434"), .caret(4), .deleteBackward], "424|4"),
        Row(.number, "backspace at the beginning", [.type("4242"), .caret(0), .deleteBackward], "|4242"),
        Row(.number, "delete before a separator", [.type("424256"), .caret(4), .deleteForward], "4242| 6"),
        Row(.number, "delete behind a separator", [.type("424256"), .caret(5), .deleteForward], "4242| 6"),
        Row(.number, "delete at the end", [.type("4242"), .deleteForward], "4242|"),
        Row(.number, "a selection", [.type("378282246310005"), .select(3..<13), .deleteBackward], "378|0 005"),
        Row(.number, "a selected separator, backward", [.type("42424"), .select(4..<5), .deleteBackward], "424|4"),
        Row(.number, "a selected separator, forward", [.type("42425"), .select(4..<5), .deleteForward], "4242|"),
        Row(.number, "everything", [.type("4242"), .select(0..<4), .deleteForward], "|"),
        // Moving.
        Row(.number, "a caret far outside", [.type("42424"), .caret(99)], "4242 4|"),
        Row(.number, "a caret before the beginning", [.type("42424"), .select(-5 ..< -1)], "|4242 4"),
        Row(.number, "a selection that is too large", [.type("42424"), .select(2..<Int.max)], "42[42 4]"),
        Row(.number, "both sides of a separator are places", [.type("42424"), .caret(4), .caret(5)], "4242 |4"),
        // Ranges and whole texts, as toolkits tell them.
        Row(.number, "a range is replaced", [.type("42424242"), .put(3..<6, "99")], "4249 9|242"),
        Row(.number, "a range is deleted", [.type("42424242"), .put(3..<6, "")], "424|2 42"),
        Row(.number, "a separator is deleted", [.type("42424"), .put(4..<5, "")], "424|4"),
        Row(.number, "a range that cannot be replaced", [.type("42424"), .caret(1), .put(2..<3, "x")], "4|242 4"),
        Row(.number, "whole text, typed at the end", [.type("4242"), .whole("42425")], "4242 5|"),
        Row(.number, "whole text, typed in the middle", [.type("42425"), .whole("4292 5")], "429|2 5"),
        Row(.number, "whole text, separator deleted", [.type("42425"), .whole("42425")], "424|5"),
        Row(.number, "whole text, the same", [.type("42425"), .caret(1), .whole("4242 5")], "4|242 5"),
        Row(.number, "whole text, filled in", [.whole("4111111111111111"), .focus], "4111 1111 1111 1111|"),
        // Expiry.
        Row(.expiry, "a month below ten", [.type("2")], "02|"),
        Row(.expiry, "one", [.type("1")], "1|"),
        Row(.expiry, "zero", [.type("0")], "0|"),
        Row(.expiry, "zero one", [.type("01")], "01|"),
        Row(.expiry, "three digits", [.type("101")], "10 / 1|"),
        Row(.expiry, "digit by digit", [.type("6"), .type("3"), .type("0")], "06 / 30|"),
        Row(.expiry, "one and a slash", [.type("1"), .type("/"), .type("30")], "01 / 30|"),
        Row(.expiry, "a slash that was typed for nothing", [.type("06"), .type("/"), .type("3")], "06 / 3|"),
        Row(.expiry, "a slash over a selection", [.type("0630"), .select(0..<2), .type("/")], "[06] / 30"),
        Row(.expiry, "one digit, a slash, a year", [.paste("1/3")], "01 / 3|"),
        Row(.expiry, "month and long year", [.paste("06/2030")], "06 / 30|"),
        Row(.expiry, "four digits", [.paste("0630")], "06 / 30|"),
        Row(.expiry, "a year of another century stays", [.paste("06/2130")], "06 / 2130|"),
        Row(.expiry, "the year pasted behind the month", [.type("06"), .paste("2030")], "06 / 2030|"),
        Row(.expiry, "a whole date takes the place of another", [.type("0630"), .paste("07/31")], "07 / 31|"),
        Row(.expiry, "backspace over the separator", [.type("0630"), .caret(5), .deleteBackward], "0|3 / 0"),
        Row(.expiry, "backspace takes the implied zero along", [.type("6"), .deleteBackward], "|"),
        Row(.expiry, "but not that of another month", [.type("01"), .deleteBackward], "0|"),
        Row(.expiry, "the month is corrected", [.type("0630"), .select(0..<1), .type("1")], "1|6 / 30"),
        Row(
            .expiry, "the zero is deleted, ten is typed", [.type("0230"), .caret(0), .deleteForward, .type("1")],
            "1|2 / 30"),
        Row(.expiry, "delete forward over the separator", [.type("0630"), .caret(2), .deleteForward], "06| / 0"),
        // Security code and texts.
        Row(.securityCode, "leading zeros", [.type("007")], "007|"),
        Row(.securityCode, "in the middle", [.type("13"), .caret(1), .type("2")], "12|3"),
        Row(.securityCode, "spaces are passed over", [.paste(" 1 2 3 ")], "123|"),
        Row(.additional(.name), "in the middle", [.type("Ada Okoro"), .caret(3), .type(" B.")], "Ada B.| Okoro"),
        Row(.additional(.name), "a whole character goes", [.type("Zoe\u{308}"), .deleteBackward], "Zo|"),
        Row(
            .additional(.name), "a mark joins the letter before it", [.type("ab"), .caret(1), .type("\u{301}")],
            "a\u{301}|b"),
        Row(.additional(.name), "joined flags", [.type("🇩🇪🇫🇷"), .caret(1), .deleteBackward], "|🇫🇷"),
        Row(.additional(.name), "one line", [.paste("Ada\r\nOkoro\t\u{0}B")], "Ada  Okoro B|"),
        Row(.additional(.name), "a selection", [.type("Ada Okoro"), .select(0..<4), .deleteForward], "|Okoro"),
        Row(.additional(.name), "whole text", [.type("Ada Okoro"), .whole("Ada B. Okoro")], "Ada B. |Okoro"),
        Row(.additional(.name), "cleared", [.type("Ada"), .clear], "|"),
    ]

    @Test("formatted by brand, the caret stays where it was among the digits", arguments: rows)
    func table(_ row: Row) throws {
        var bench = try FormBench(CardInputForm(additional: [.name]))
        bench.edit(row.field, .focus)
        for edit in row.edits { bench.edit(row.field, edit) }
        #expect(bench.shown(row.field) == row.shown)
        let text = bench.input.displayText(of: row.field).withExposed { $0 }
        let masked = bench.input.maskedText(of: row.field)
        #expect(masked.count == text.count)
        #expect(!masked.contains { $0.isLetter || $0.isNumber })
    }

    @Test("a complete number collapses to its last four digits when it is left, and expands when it is entered")
    func collapse() throws {
        var bench = try FormBench()
        bench.edit(.number, .focus, .type("378282246310005"), .caret(6))
        #expect(bench.input.lastFour == nil && !bench.input.isCollapsed)
        bench.edit(.number, .blur)
        #expect(bench.shown(.number) == "•••• 0005|" && bench.input.lastFour == "0005" && bench.input.isCollapsed)
        #expect(bench.input.maskedText(of: .number) == "•••• 0005")
        bench.edit(.number, .focus)
        #expect(bench.shown(.number) == "3782 8|22463 10005")
        bench.edit(.number, .deleteBackward)
        bench.edit(.expiry, .focus)
        #expect(bench.shown(.number) == "3782| 224631 0005", "what is not complete does not collapse")
        #expect(bench.input.lastFour == nil && bench.input.focus == .expiry)
    }

    @Test("a collapsed number is edited as what it stands for")
    func collapsedEdits() throws {
        let rows: [(CardInputEdit, String)] = [
            (.whole("•••• 4444"), "5555 5555 5555 4444|"), (.whole("378282246310005"), "3782 822463 10005|"),
            (.caret(3), "5555 5555 5555 4444|"), (.deleteBackward, "5555 5555 5555 444|"), (.clear, "|"),
            (.put(0..<9, "4"), "4|"), (.whole("•••• 444"), "5555 5555 5555 4444|"),
        ]
        for (edit, shown) in rows {
            var bench = try FormBench()
            bench.edit(.number, .type("5555555555554444"), .focus, .blur)
            #expect(bench.shown(.number) == "•••• 4444|")
            bench.edit(.number, edit, .focus)
            #expect(bench.shown(.number) == shown)
        }
    }

    @Test("digit layouts: places and digits belong together")
    func layouts() {
        let layouts =
            [DigitLayout.plain, .expiry]
            + [CardBrand.americanExpress, .dinersClub, .uatp, .visa, nil].flatMap { brand in
                (0...40).map { DigitLayout.number(brand: brand, count: $0) }
            }
        for layout in layouts {
            for count in 0...40 {
                let text = layout.text(String(repeating: "1", count: count))
                #expect(text.count == layout.width(count))
                #expect(!text.hasSuffix(" "))
                for digits in 0...count { #expect(layout.digits(before: layout.width(digits), of: count) == digits) }
            }
        }
    }
}
