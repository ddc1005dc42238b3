import GatewayKitCore
import Testing

@testable import SafepayAdapter

/// Addresses of the tables, changed at random places by what attackers and careless programs put there.
@Suite("Changed addresses")
struct CheckoutPropertyTests {
    /// SplitMix64.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static let pieces = [
        "%", "%2e", "%2F", "%00", "%5C", "%25", "..", "/", "//", "\\", "@", ":", ":443", ":8443", "?", "#", "&", ";",
        "=",
        "tracker=", "beacon=", "sig=", "action=complete", "action=cancelled", "Tracker=", "complete", "error", "\u{0}",
        "\t",
        "\n", " ", "\u{212A}", "\u{FF0F}", "é", ".evil.example", "https://", "embedded/external/",
        CheckoutBench.otherTracker,
    ]

    private static func changed(_ text: String, _ numbers: inout Numbers) -> String {
        var text = text
        for _ in 0..<Int.random(in: 1...4, using: &numbers) {
            let place = text.index(text.startIndex, offsetBy: Int.random(in: 0...text.count, using: &numbers))
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0:
                let end = text.index(place, offsetBy: Int.random(in: 1...8, using: &numbers), limitedBy: text.endIndex)
                text.removeSubrange(place..<(end ?? text.endIndex))
            case 1:
                let other = text.index(text.startIndex, offsetBy: Int.random(in: 0...text.count, using: &numbers))
                text.insert(contentsOf: text[min(place, other)..<max(place, other)], at: place)
            default: text.insert(contentsOf: pieces.randomElement(using: &numbers) ?? "", at: place)
            }
        }
        return text
    }

    /// A second opinion that knows nothing of the reader: how an address must begin that may say anything.
    private static func isOnAnOrigin(_ url: String) -> Bool {
        let bytes = Array(url.lowercased().utf8)
        return ["https://sandbox.api.getsafepay.com", "https://shop.example"].contains { origin in
            guard bytes.starts(with: origin.utf8) else { return false }
            var rest = bytes.dropFirst(origin.utf8.count)
            if rest.starts(with: ":443".utf8) { rest = rest.dropFirst(4) }
            return rest.first.map { "/?#".utf8.contains($0) } ?? true
        }
    }

    @Test(
        "no change brings success: other origins say nothing, a v1 success is signed, no address alone decides",
        arguments: 0..<150)
    func mutations(_ seed: Int) throws {
        var numbers = Numbers(state: UInt64(seed))
        let bench = try CheckoutBench()
        let signature = try CheckoutBench.signature(CheckoutBench.tracker)
        let rows = CheckoutVerdictTests.table + CheckoutVerdictTests.hostile.filter { $0.url.utf8.count < 1_000 }
        for _ in 0..<20 {
            let row = try #require(rows.randomElement(using: &numbers))
            let url = Self.changed(try row.filled(), &numbers)
            let page = bench.page(row.session)
            let verdict = bench.checkout.verdict(on: url, of: page)
            #expect(bench.checkout.verdict(on: url, of: page) == verdict, "\(url)")
            if verdict.kind != .ignore { #expect(Self.isOnAnOrigin(url), "\(url): \(verdict)") }
            if verdict.kind == .successCandidate {
                let text = url.lowercased().utf8
                #expect(verdict.paymentID.map { $0 == CheckoutBench.tracker } ?? true)
                if row.session == CheckoutBench.order, !text.contains(UInt8(ascii: "%")) {
                    #expect(url.lowercased().contains(signature), "\(url)")
                }
            }
            var confirmation = CheckoutConfirmation(PollingPolicy(deadline: .seconds(5)), now: .now)
            let start = ContinuousClock.now
            _ = confirmation.take(.verdict(verdict), now: start, random: 0)
            _ = confirmation.take(
                .proof(SessionStatus(reference: page.session, phase: .open)), now: start, random: 0)
            _ = confirmation.take(.woke, now: start.advanced(by: .seconds(10)), random: 0)
            #expect(confirmation.outcome?.kind.isFinal != true, "\(url)")
        }
    }
}
