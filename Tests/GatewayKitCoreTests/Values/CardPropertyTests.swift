import Testing

@testable import GatewayKitCore

@Suite("Card reader, random texts")
struct CardPropertyTests {
    private static let scraps: [Character] = [
        " ", "-", "/", ".", ",", "\u{0}", "\n", "\u{A0}", "\u{200E}", "\u{FE0F}", "\u{301}", "①", "½", "٤", "４", "x",
        "é",
        "🙂", "+", "%", "\"",
    ]

    private func everything<Value>(of value: Value) -> String {
        var text = "\(value)\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        return text.withoutAddresses
    }

    @Test("a damaged card is refused without its digits, or read in form and never shown", arguments: UInt64(1)...4)
    func damaged(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let now = try #require(WallTime(year: 2030, month: 6, day: 15, hour: 12))
        var accepted = 0
        var refused = 0
        for _ in 0..<500 {
            let card = TestCard.all[Int.random(in: 0..<TestCard.all.count, using: &numbers)]
            let texts = [card.number, "09/2031", "9876", "Ada Okoro"].map { text in
                var characters = Array(text)
                for _ in 0..<Int.random(in: 0...1, using: &numbers) where !characters.isEmpty {
                    let index = Int.random(in: 0..<characters.count, using: &numbers)
                    let scrap = Self.scraps[Int.random(in: 0..<Self.scraps.count, using: &numbers)]
                    switch Int.random(in: 0...2, using: &numbers) {
                    case 0: characters.remove(at: index)
                    case 1: characters.insert(scrap, at: index)
                    default: characters[index] = scrap
                    }
                }
                return String(characters)
            }
            do throws(InvalidCardInput) {
                let read = try Card.read(
                    number: Sensitive(texts[0]), expiry: texts[1], securityCode: Sensitive(texts[2]), name: texts[3],
                    now: now)
                accepted += 1
                let digits = read.number.withExposed { $0 }
                #expect(
                    CardNumber.lengths.contains(digits.utf8.count)
                        && digits.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 })
                let shown = everything(of: read) + everything(of: read.issues(at: now))
                #expect(!shown.contains(digits) && !shown.contains("9876") && !shown.contains("Ada"))
            } catch {
                refused += 1
                let shown = everything(of: error)
                #expect(!error.issues.isEmpty)
                #expect(!shown.contains(card.number.prefix(6)) && !shown.contains(texts[2]) && !shown.contains("2031"))
            }
        }
        #expect(accepted > 50 && refused > 50)
    }

    @Test("every month of expiry reads from every spelling of it")
    func expiries() throws {
        var numbers = SeededNumbers(seed: 11)
        for _ in 0..<1_000 {
            let present = Int.random(in: 1990...2090, using: &numbers)
            let now = try #require(
                WallTime(year: present, month: Int.random(in: 1...12, using: &numbers), day: 3, hour: 0))
            let year = Int.random(in: present - 20...present + 79, using: &numbers)
            let expiry = try #require(CardExpiry(month: Int.random(in: 1...12, using: &numbers), year: year))
            let (month, short, long) = (expiry.twoDigitMonth, expiry.twoDigitYear, String(year))
            for separator in ["/", "-", ".", " ", " / ", "\u{2013}", ""] {
                for text in [month + separator + short, month + separator + long] {
                    #expect(try CardExpiry.read(text, now: now) == expiry, "\(text) in \(present)")
                }
            }
            #expect(try CardExpiry.read("\(expiry.month)/\(short)", now: now) == expiry)
            #expect(try CardExpiry.read(month: String(expiry.month), year: short, now: now) == expiry)
            #expect(expiry.isExpired(at: now) == !expiry.issues(at: now, yearsAhead: 100).isEmpty)
        }
    }
}
