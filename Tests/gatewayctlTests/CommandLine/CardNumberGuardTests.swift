import Testing

@testable import gatewayctl

@Suite struct CardNumberGuardTests {
    /// The public test numbers of the providers' documents.
    static let numbers = """
        4111111111111111 4012888888881881 4444333322221111455 4917610000000000003 5555555555554444 5105105105105100
        2223003122003222 2720992720992729 378282246310005 371449635398431 6011111111111117 6011000990139424
        30569309025904 30207712915383 3569990010030400 3528327757705979 6759000000000000005 6799990100000000019
        4556761029983886 4024007101934890 4217651111111119 5019717010103742 5067310000000010 5067705232092752
        6035227716427021 5062280000000002 5895627823453005 6060690000000002 5186001700008785 5120350100064537
        4622943127011022 373708623186001 6011208800050000 5111220000000009 5222220000000005 5248481111200179
        4000000000000002 4000000000000101 4242424242424242
        """.split { $0 == " " || $0 == "\n" }.map(String.init)

    /// `text` in groups of four with `separator` between.
    static func grouped(_ text: String, _ separator: String) -> String {
        stride(from: 0, to: text.count, by: 4).map { String(text.dropFirst($0).prefix(4)) }
            .joined(separator: separator)
    }

    static func inDigits(from zero: UInt32, _ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.compactMap { $0 == " " ? $0 : Unicode.Scalar(zero + $0.value - 0x30) }))
    }

    /// Every way that somebody might put a number on a command line.
    static func spellings(_ number: String) -> [[String]] {
        let spaced = grouped(number, " ")
        let words = spaced.split(separator: " ").map(String.init)
        return [
            [number], [spaced], [grouped(number, "-")], [grouped(number, "  ")], [grouped(number, ".")],
            [grouped(number, "\u{A0}")], [grouped(number, "\u{2011}")], [grouped(number, "_")],
            [grouped(number, "\u{200B}")], [grouped(number, "+")], [grouped(number, "%20")],
            [inDigits(from: 0xFF10, number)], [inDigits(from: 0x660, number)], [inDigits(from: 0xFF10, spaced)],
            ["--number=" + number], ["--number=" + spaced], ["--number", number], ["--number", grouped(number, "-")],
            ["-n" + number], ["-n", spaced], ["card", "inspect"] + words, ["--number"] + words,
            ["--number=" + (words.first ?? "")] + words.dropFirst(), ["--", number], ["card=" + number + ";"],
            ["{\"number\":\"\(number)\"}"], ["https://pay.example/?n=\(number)&x=1"], ["visa:" + number],
            ["tok_" + number], [" " + number + "\n"], ["help", "x" + number + "y"],
            [number, "12/29", "123"], ["-v", number + " 12/29 123"],
        ]
    }

    @Test(arguments: numbers) func isRefusedInEverySpelling(_ number: String) {
        for arguments in Self.spellings(number) {
            #expect(CardNumberGuard.refuses(arguments), "\(arguments.count) arguments in a spelling of one number")
        }
    }

    @Test(arguments: numbers) func isNotRepeated(_ number: String) async {
        let talkative = [[], ["--output", "json"], ["--help"], ["-v"]]
        for (place, arguments) in Self.spellings(number).enumerated() {
            let device = BufferDevice()
            let all = talkative[place % talkative.count] + arguments
            #expect(await Program(tree: Example.tree).run(.test(device, all)) == .usage)
            let said = device.output + device.talk
            #expect(said.contains("--card-stdin") && said.contains("--test-card"))
            #expect(!said.filter(\.isNumber).contains(number.prefix(6)))
            #expect(!said.contains(number.suffix(4)))
        }
    }

    /// A number of a known brand is found with its CVV or expiry attached.
    @Test func isFoundWithSomethingAttached() {
        for number in ["4111111111111111", "5555555555554444", "378282246310005", "30569309025904"] {
            #expect(CardNumberGuard.refuses([number + "123"]))
            #expect(CardNumberGuard.refuses([number + "1229" + "123"]))
            #expect(CardNumberGuard.refuses(["99" + number]))
        }
    }

    @Test(arguments: [
        ["tokenize", "--provider", "spreedly", "--test-card", "visa"],
        ["--timeout", "30", "serve", "--port", "8080"],
        ["--amount", "1099", "--currency", "EUR"],
        ["550e8400-e29b-41d4-a716-446655440000"],
        ["--key=550e8400-e29b-41d4-a716-446655440000"],
        ["--bind", "192.168.100.200"],
        ["--phone", "+4917012345678"], ["--phone=+4917012345671"], ["--phone=+49 170 1234567 4"],
        ["2026-11-30", "12:00:00"],
        ["--order", "4111111"], ["0000000000000000"], ["000000000000"], [""], ["--", "-"], [],
        ["1", "2", "3", "4"],
    ]) func ordinaryArgumentsPass(_ arguments: [String]) {
        #expect(!CardNumberGuard.refuses(arguments))
    }

    @Test func numbersWithAWrongCheckDigitPass() {
        // Made here: every last digit but the right one.
        for last in 0...9 where last != 1 {
            #expect(!CardNumberGuard.refuses(["411111111111111" + String(last)]))
        }
    }

    @Test func lengthsAreTwelveToNineteen() {
        for length in 8...24 {
            let body = Array(repeating: UInt8(7), count: length - 1)
            let check = (0...9).map(UInt8.init).first { CardNumberGuard.passesLuhn(body + [$0]) }
            let digits = (body + [check ?? 0]).map { String($0) }.joined()
            #expect(CardNumberGuard.refuses([digits]) == (12...19).contains(length), "\(length) digits")
        }
    }

    /// Every start is tried, and each try ends after 19 digits.
    @Test func isFoundAtTheEndOfALongLine() {
        let noise = Array(repeating: "7", count: 500) + ["x", String(repeating: "3 ", count: 500)]
        #expect(!CardNumberGuard.refuses(Array(repeating: "0", count: 500)))
        #expect(CardNumberGuard.refuses(noise + ["--", "4111-1111-1111-1111"]))
    }
}
