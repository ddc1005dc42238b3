/// One search of one text: everything that must be masked, as ranges of the source.
struct RedactionScan {
    /// Digits of card numbers, each shown as `*`.
    private(set) var digits: [Range<Int>] = []
    /// Shown as `[FILTERED]`.
    private(set) var filtered: [Range<Int>] = []
    /// Shown as `[BLANK]`.
    private(set) var blank: [Range<Int>] = []
    /// Where a secret field's value begins that is not finished where the text ends.
    private(set) var open: Int?

    /// What to look for.
    struct Rules: Sendable {
        var secrets = SecretPatterns()
        /// Off for values of an id type: card numbers and fields are not looked for, exact secrets are.
        var patterns = true
    }

    /// Base64 inside base64 is looked into this often.
    static let encodings = 2

    private var isEmpty: Bool { digits.isEmpty && filtered.isEmpty }
    /// Whether the text can be shown as it is.
    var isClean: Bool { isEmpty && blank.isEmpty }

    /// Searches `source`, each of its decoded layers, and what looks like base64 or hexadecimal in these.
    init(_ source: [UInt8], _ rules: Rules, encodings: Int = RedactionScan.encodings) {
        var known: Set<Int> = []
        for layer in DecodedText.layers(of: source) {
            let found = DigitWindows.hits(in: layer.bytes, cards: rules.patterns, secrets: rules.secrets.digits)
            digits += found.digits.map { layer.source($0..<$0 + 1) }
            filtered += found.ranges.map(layer.source)
            filtered += rules.secrets.ranges(in: layer.bytes).map(layer.source)
            if rules.patterns { addFields(of: layer, known: &known) }
            if encodings > 0 { addEncoded(of: layer, rules, encodings) }
        }
    }

    /// Values that an outer layer has read from quote to quote are not read again with their inner quotes undone, which
    /// would find another end.
    private mutating func addFields(of layer: DecodedText, known: inout Set<Int>) {
        let fields = FieldScanner.hits(in: layer.bytes)
        filtered += fields.filtered.map(layer.source).filter { !known.contains($0.lowerBound) }
        blank += fields.blank.map(layer.source).filter { !known.contains($0.lowerBound) }
        if let start = fields.open {
            let position = layer.source(start..<start).lowerBound
            if !known.contains(position) { open = min(open ?? position, position) }
        }
        known.formUnion(fields.delimited.map { layer.source($0..<$0).lowerBound })
    }

    private mutating func addEncoded(of layer: DecodedText, _ rules: Rules, _ encodings: Int) {
        // Twelve digits need sixteen characters of base64; a secret needs as many bytes of text as it has.
        let textBytes = min(rules.secrets.shortest ?? 12, 12)
        let shortest = (textBytes * 4 + 2) / 3
        let shortestNumber = rules.secrets.digits.reduce(Int.max) { min($0, $1.count) }
        EncodedRuns.readings(
            in: layer.bytes, shortest: shortest, textBytes: textBytes,
            isWorthALook: {
                rules.patterns || Self.mayHold(rules.secrets, $0, numbersFrom: shortestNumber, runsFrom: shortest)
            }
        ) { reading in
            // The many small stretches of text that noise has by chance are too short to hold anything encoded.
            if reading.bytes.count < min(4, shortestNumber), rules.secrets.ranges(in: reading.bytes).isEmpty {
                return false
            }
            guard !RedactionScan(reading.bytes, rules, encodings: encodings - 1).isEmpty else { return false }
            filtered.append(layer.source(reading.range))
            return true
        }
    }

    /// Whether an exact value can be in a part of what was decoded from an id: as it is, in digits that stand in groups, or
    /// behind an escape or another encoding. Ids decode to noise that nearly always has none of these, and a quick look
    /// at it is much less work than a search of each readable stretch.
    private static func mayHold(
        _ secrets: SecretPatterns, _ bytes: [UInt8], numbersFrom shortestNumber: Int, runsFrom shortestRun: Int
    ) -> Bool {
        var digits = 0
        var run = 0
        for byte in bytes {
            if 0x30...0x39 ~= byte { digits += 1 }
            run = EncodedRuns.sextet(byte) == nil ? 0 : run + 1
            if digits >= shortestNumber || run >= shortestRun { return true }
        }
        return secrets.stands(in: bytes) || DecodedText.holdsEscape(bytes)
    }
}
