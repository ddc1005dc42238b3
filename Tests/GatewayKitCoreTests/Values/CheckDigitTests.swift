import Testing

@testable import GatewayKitCore

@Suite("Check digits")
struct CheckDigitTests {
    private func digits(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// The digits with the last one replaced so that Luhn holds.
    private func completed(_ digits: [UInt8]) -> [UInt8] {
        var digits = digits
        for check in UInt8(0)...9 {
            digits[digits.count - 1] = check
            if CheckDigitRule.luhn.passes(digits) { return digits }
        }
        Issue.record("no digit completes \(digits)")
        return digits
    }

    @Test(
        "Luhn vectors",
        arguments: [
            ("79927398713", true), ("79927398710", false), ("0", true), ("1", false), ("", false),
            ("7992739871x", false),
            ("411111111111", false),
        ])
    func luhn(text: String, passes: Bool) {
        #expect(CheckDigitRule.luhn.passes(digits(text)) == passes)
    }

    @Test("Naranja's own rule or Luhn: the published pair, and no other last digit")
    func naranja() {
        let passing = (UInt8(0)...9).filter { CheckDigitRule.naranjaOrLuhn.passes(digits("589562782345300\($0)")) }
        #expect(passing == [3, 5])
        #expect(!CheckDigitRule.luhn.passes(digits("589562782345300" + "5")))
        #expect(!CheckDigitRule.naranjaOrLuhn.passes(digits("58956278234530")))
    }

    @Test("Creditel's weights")
    func creditel() {
        // 6·5 + 0·4 + 1·3 + 9·2 + 3·1 + 3·9 = 81, so a number of zeros after the prefix ends in 1.
        let passing = (UInt8(0)...9).filter { CheckDigitRule.creditel.passes(digits("601933000000000\($0)")) }
        #expect(passing == [1])
        #expect(CardBrand.mayBeCardNumber(digits("601933000000000" + "1")))
    }

    @Test("brands without a check digit pass with any", arguments: ["384100", "560718", "601030", "505864"])
    func unchecked(prefix: String) throws {
        for check in 0...9 {
            let number = prefix + "000000000\(check)"
            #expect(try CardNumber(Sensitive(number)).passesCheckDigit)
            #expect(CardBrand.mayBeCardNumber(digits(number)))
        }
    }

    @Test("ASCII digits and digit values are the same to every rule")
    func representations() {
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<500 {
            let values = numbers.digits(16)
            let ascii = values.map { $0 + 0x30 }
            for rule in [CheckDigitRule.luhn, .naranjaOrLuhn, .creditel, .unchecked] {
                #expect(rule.passes(values) == rule.passes(ascii))
            }
            #expect(CardBrand.mayBeCardNumber(values) == CardBrand.mayBeCardNumber(ascii))
        }
    }

    @Test("Luhn finds every single wrong digit and every swap of neighbours but 09 and 90")
    func mutations() {
        var numbers = SeededNumbers(seed: 2)
        for _ in 0..<200 {
            let number = completed(numbers.digits(Int.random(in: 12...19, using: &numbers)))
            for index in number.indices {
                var mutated = number
                mutated[index] = (number[index] + UInt8.random(in: 1...9, using: &numbers)) % 10
                #expect(!CheckDigitRule.luhn.passes(mutated))
                guard index > 0, number[index] != number[index - 1] else { continue }
                mutated = number
                mutated.swapAt(index, index - 1)
                let blind = Set([number[index], number[index - 1]]) == [0, 9]
                #expect(CheckDigitRule.luhn.passes(mutated) == blind)
            }
        }
    }

    @Test("the scan agrees with the table: whatever a rule accepts is found")
    func scanFindsWhatTheTableAccepts() {
        var numbers = SeededNumbers(seed: 3)
        for rule in BrandTable.rules {
            for range in rule.ranges {
                for length in rule.lengths {
                    let prefix = String(UInt32.random(in: range, using: &numbers))
                    let start = String(repeating: "0", count: 8 - prefix.count) + prefix
                    var number = start.utf8.map { $0 - 0x30 } + numbers.digits(length - 8)
                    number[length - 1] = 0
                    while !rule.check.passes(number), number[length - 1] < 9 { number[length - 1] += 1 }
                    guard rule.check.passes(number) else { continue }  // a modulus of 11 leaves gaps
                    #expect(CardBrand.mayBeCardNumber(number), "\(rule.brand)")
                }
            }
        }
    }

    @Test("a big brand's number of an unusual length counts, one without check digit does not")
    func unusualLengths() {
        for length in 13...19 {
            for prefix: [UInt8] in [[4], [5, 5], [3, 7], [6, 0, 1, 1], [3, 5, 2, 8], [6, 2], [6, 7], [3, 6]] {
                var number = completed(prefix + Array(repeating: 7, count: length - prefix.count))
                #expect(CardBrand.mayBeCardNumber(number))
                number[length - 1] = (number[length - 1] + 1) % 10
                #expect(!CardBrand.mayBeCardNumber(number))
            }
        }
    }

    @Test("what is no window is no card")
    func noWindow() {
        #expect(!CardBrand.mayBeCardNumber([]))
        #expect(!CardBrand.mayBeCardNumber(completed(Array(repeating: 4, count: 11))))
        #expect(!CardBrand.mayBeCardNumber(completed(Array(repeating: 4, count: 20))))
        #expect(!CardBrand.mayBeCardNumber(digits("4111x11111111111")))
        #expect(!CardBrand.mayBeCardNumber(Array(repeating: 0xFF, count: 16)))
    }

    @Test("millisecond and nanosecond time stamps and zeros are left alone")
    func timeStamps() {
        var numbers = SeededNumbers(seed: 4)
        for _ in 0..<2000 {
            let milliseconds = Int64.random(in: 1_600_000_000_000...1_999_999_999_999, using: &numbers)
            #expect(!CardBrand.mayBeCardNumber(digits(String(milliseconds))))
            #expect(!CardBrand.mayBeCardNumber(digits(String(milliseconds * 1_000_000))))
        }
        #expect(!CardBrand.mayBeCardNumber(Array(repeating: UInt8(0), count: 16)))
    }
}
