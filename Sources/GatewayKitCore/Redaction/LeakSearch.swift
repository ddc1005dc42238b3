/// Says whether any of some secrets occurs in a text, however it is encoded: the referee of the tests that drive the
/// whole tool and look through everything it wrote.
///
/// It shares no code with ``Redactor``, so that a fault of the redactor cannot hide itself: where the redactor decodes
/// the text, this encodes the secret and looks for the result. It looks for the value itself; in any case; with any
/// separators between its digits; backwards; percent-encoded once and twice; as JSON escapes and XML character
/// references; in hexadecimal; in UTF-16; in base64 at each alignment and in both alphabets, once and twice; and, for
/// text that mixes these, in the text with its escapes undone and its base64 decoded. Of values of 12 to 19 digits the
/// first nine are looked for too.
///
/// Values shorter than six bytes count only where no letter or digit stands beside them. Slow, and meant for tests
/// and audits.
public struct LeakSearch: Sendable {
    /// A secret that was found. Neither the value nor what surrounds it is kept, so a leak may be printed.
    public struct Leak: Sendable, Hashable, CustomStringConvertible {
        /// Which of the secrets, counted from 0 in the order given to ``LeakSearch/init(_:)``.
        public let secret: Int
        /// How it was written, such as `base64`.
        public let encoding: String
        /// Where it begins, in bytes; `nil` when the text had to be decoded first.
        public let offset: Int?

        /// For a test's message.
        public var description: String {
            "secret \(secret) as \(encoding)" + (offset.map { " at byte \($0)" } ?? " after decoding")
        }
    }

    private struct Needle: Sendable {
        let bytes: [UInt8]
        let secret: Int
        let encoding: String
        let standsAlone: Bool
    }

    private var needles: [Needle] = []
    private var byFirstByte: [[Int]] = Array(repeating: [], count: 256)
    /// The needles that make sense in decoded text: the values themselves.
    private var plain: [Needle] = []

    /// Looks for these values; empty ones are ignored.
    public init(_ secrets: [Sensitive<String>]) {
        for (index, secret) in secrets.enumerated() {
            secret.withExposed { add(Array($0.utf8), index) }
        }
    }

    /// The secrets that occur in `text`, one finding for each secret and encoding.
    public func leaks(in text: String) -> [Leak] {
        leaks(in: Array(text.utf8))
    }

    /// The secrets that occur in `bytes`, one finding for each secret and encoding.
    public func leaks(in bytes: [UInt8]) -> [Leak] {
        var found: [Leak] = []
        func note(_ needle: Needle, _ encoding: String, _ offset: Int?) {
            if !found.contains(where: { $0.secret == needle.secret && $0.encoding == encoding }) {
                found.append(Leak(secret: needle.secret, encoding: encoding, offset: offset))
            }
        }
        for (needle, offset) in matches(in: bytes) { note(needle, needle.encoding, offset) }
        var text = bytes
        for _ in 0..<5 {
            for needle in plain where Self.occursSpread(needle, in: text) {
                note(needle, "digits with separators", nil)
            }
            for run in LeakDecoding.base64Runs(text) + LeakDecoding.hexRuns(text) {
                for (needle, _) in matches(in: run) { note(needle, needle.encoding + ", encoded", nil) }
                for needle in plain where Self.occursSpread(needle, in: run) {
                    note(needle, "digits with separators, encoded", nil)
                }
            }
            let next = LeakDecoding.unescaped(text)
            if next == text { break }
            text = next
            for (needle, _) in matches(in: text) { note(needle, needle.encoding + " in escapes", nil) }
        }
        return found
    }

    private mutating func add(_ value: [UInt8], _ secret: Int) {
        guard !value.isEmpty else { return }
        func add(_ bytes: [UInt8], _ encoding: String, standsAlone: Bool = false) {
            guard let first = bytes.first else { return }
            byFirstByte[Int(first)].append(needles.count)
            needles.append(Needle(bytes: bytes, secret: secret, encoding: encoding, standsAlone: standsAlone))
        }
        let isShort = value.count < 6
        plain.append(Needle(bytes: value, secret: secret, encoding: "plain", standsAlone: isShort))
        add(value, "plain", standsAlone: isShort)
        for encoding in LeakEncoding.all { add(encoding.encode(value), encoding.name, standsAlone: isShort) }
        guard !isShort else { return }
        let other = value.map { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) ? $0 ^ 0x20 : $0 }
        if other != value {
            add(Array(String(decoding: value, as: UTF8.self).lowercased().utf8), "lower case")
            add(Array(String(decoding: value, as: UTF8.self).uppercased().utf8), "upper case")
        }
        if value.count >= 8, value != value.reversed() { add(value.reversed(), "backwards") }
        for core in LeakEncoding.base64Cores(value) {
            add(core, "base64")
            for outer in LeakEncoding.base64Cores(core) { add(outer, "base64 twice") }
        }
        if (12...19).contains(value.count), value.allSatisfy({ (0x30...0x39).contains($0) }) {
            add(Array(value.prefix(9)), "first nine digits")
        }
    }

    private func matches(in text: [UInt8]) -> [(Needle, Int)] {
        var result: [(Needle, Int)] = []
        for index in 0..<text.count {
            for candidate in byFirstByte[Int(text[index])] {
                let needle = needles[candidate]
                let end = index + needle.bytes.count
                guard end <= text.count, Self.holds(text, index, needle.bytes) else { continue }
                if needle.standsAlone {
                    let isInWord =
                        index > 0 && Self.isWord(text[index - 1]) || end < text.count && Self.isWord(text[end])
                    if isInWord { continue }
                }
                result.append((needle, index))
            }
        }
        return result
    }

    private static func holds(_ text: [UInt8], _ start: Int, _ value: [UInt8]) -> Bool {
        var offset = 0
        while offset < value.count, text[start + offset] == value[offset] { offset += 1 }
        return offset == value.count
    }

    /// Whether the digits of a number occur in order with nothing but punctuation and white space between them.
    private static func occursSpread(_ needle: Needle, in text: [UInt8]) -> Bool {
        guard needle.bytes.count >= 8, needle.bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        let squeezed = text.filter { isWord($0) || $0 >= 0x80 }
        guard squeezed.count >= needle.bytes.count else { return false }
        return (0...squeezed.count - needle.bytes.count).contains { start in
            holds(squeezed, start, needle.bytes)
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

extension LeakSearch: CustomStringConvertible, CustomReflectable {
    /// Says nothing about the secrets.
    public var description: String { "LeakSearch" }
    /// An empty mirror: `dump` shows nothing of the secrets.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
