import GatewayKitCore
import Testing

@Suite("Redactor: planted values, judged by the independent search")
struct RedactionPropertyTests {
    @Test("L1, L3, L9: no planted card number or secret survives, whole or in pieces", arguments: 0..<8)
    func planted(_ seed: Int) {
        var random = Planter(seed: UInt64(seed))
        for round in 0..<25 {
            let secrets = random.secrets()
            let text = random.text(planting: secrets)
            let redactor = Redactor(
                secrets: secrets.filter { !$0.isCard || round.isMultiple(of: 2) }.map { Sensitive($0.value) })
            let search = LeakSearch(secrets.map { Sensitive($0.value) })
            #expect(!search.leaks(in: text).isEmpty, "plants nothing: \(text) \(secrets)")
            let shown = redactor.redact(text)
            #expect(search.leaks(in: shown).isEmpty, "seed \(seed), round \(round): \(text) became \(shown)")

            var stream = RedactingStream(redactor)
            var joined = ""
            for chunk in random.chunks(of: Array(text.utf8)) { joined += stream.push(chunk) }
            joined += stream.finish()
            #expect(joined == shown)
        }
    }

    @Test("a long stream leaks nothing at any cut, and needs no more than bounded memory", arguments: 0..<4)
    func longStream(_ seed: Int) {
        var random = Planter(seed: 1000 + UInt64(seed))
        let secrets = random.secrets()
        let search = LeakSearch(secrets.map { Sensitive($0.value) })
        let redactor = Redactor(secrets: secrets.map { Sensitive($0.value) })
        var text = ""
        while text.utf8.count < 60_000 { text += random.text(planting: secrets) + "\n" }
        var stream = RedactingStream(redactor)
        var joined = ""
        var longestWait = 0
        var waiting = 0
        for chunk in random.chunks(of: Array(text.utf8)) {
            let shown = stream.push(chunk)
            waiting = shown.isEmpty ? waiting + chunk.count : 0
            longestWait = max(longestWait, waiting)
            joined += shown
        }
        joined += stream.finish()
        #expect(search.leaks(in: joined).isEmpty)
        #expect(longestWait < 40_000)
        #expect(joined.utf8.count > text.utf8.count / 4)
    }
}

/// Writes texts with secrets planted in them.
struct Planter {
    struct Secret {
        let value: String
        let isCard: Bool
    }

    private var random: SeededNumbers

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    mutating func secrets() -> [Secret] {
        var key = ""
        for _ in 0..<Int.random(in: 8...40, using: &random) { key.append(pick(Array("abcXYZ0189-_/+=.:%&\"<ö "))) }
        // Neither end may be white space, which the redactor trims and a form may drop.
        return [
            Secret(value: pick(testNumbers), isCard: true), Secret(value: "k" + key + "Q", isCard: false),
            Secret(value: String(Int.random(in: 100...9999, using: &random)), isCard: false),
            Secret(value: String(Int.random(in: 10_000_000...99_999_999_999, using: &random)), isCard: false),
        ]
    }

    mutating func text(planting secrets: [Secret]) -> String {
        var text = filler()
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let secret = pick(secrets)
            let (before, after) = pick(Self.surroundings)
            text += before + encoded(secret) + after + filler()
        }
        return text
    }

    mutating func chunks(of bytes: [UInt8]) -> [[UInt8]] {
        let longest = pick([1, 7, 64, 5000])
        var chunks: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: 1...longest, using: &random))
            chunks.append(Array(chunk))
            rest = rest.dropFirst(chunk.count)
        }
        return chunks
    }

    private static let surroundings = [
        (" ", " "), ("\"x\":\"", "\","), ("&a=", "&b=1"), ("<v>", "</v>"), ("(", ")"), ("\n", "\n"), (" 12/30 ", " ok"),
        ("%20", "%20"), ("\\\"", "\\\""), ("id=", ";"),
    ]

    private mutating func filler() -> String {
        let words = [
            "status 422 ", "{\"a\":1} ", "https://x.example/v1?q=%20 ", "2026-03-02T10:11:12Z ", "déjà vu ", "=== ",
            "\\n\\u00e9 ",
            "amount=1000&", "<a b=\"c\"/> ", "AbCdEfGhIjKlMnOpQrStUvWx ", "00-11-22 ",
        ]
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in pick(words) }.joined() + ";"
    }

    private mutating func encoded(_ secret: Secret) -> String {
        var text = secret.value
        let isNumber = text.count >= 8 && text.allSatisfy(\.isNumber)
        if isNumber, Bool.random(using: &random) {
            let separator = pick([" ", "-", ".", "  ", " - "])
            let size = pick([1, 4, 5])
            text = text.enumerated().map { $0 > 0 && $0 % size == 0 ? separator + String($1) : String($1) }.joined()
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) { text = encodedOnce(text) }
        return text
    }

    private mutating func encodedOnce(_ text: String) -> String {
        let bytes = Array(text.utf8)
        func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return bytes.map { "%" + hex($0) }.joined()
        case 1: return bytes.map { isUnreserved($0) ? String(UnicodeScalar($0)) : "%" + hex($0).uppercased() }.joined()
        case 2: return text.utf16.map { "\\u00" + hex(UInt8(truncatingIfNeeded: $0)) }.joined()
        case 3: return text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("/", with: "\\/")
        case 4: return text.unicodeScalars.map { "&#\($0.value);" }.joined()
        case 5: return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
        case 6: return base64(Array((pick(["", "u:", "ab:", "{\"n\":\""]) + text + pick(["", ":", "\"}"])).utf8))
        case 7: return base64(bytes, urlSafe: true)
        case 8: return bytes.map(hex).joined()
        default: return text
        }
    }

    private func isUnreserved(_ byte: UInt8) -> Bool {
        byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }
}

/// Base64 as a form of its own, so that the tests lean on no code of the library.
func base64(_ bytes: [UInt8], urlSafe: Bool = false) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + (urlSafe ? "-_" : "+/"))
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = (Array(group) + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
        for position in 0...group.count { text.append(alphabet[bits >> (18 - 6 * position) & 63]) }
        if !urlSafe { text += String(repeating: "=", count: 3 - group.count) }
    }
    return text
}
