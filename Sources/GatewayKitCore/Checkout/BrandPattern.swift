/// A provider's regular expression over card numbers, matched in bounded time.
///
/// The text comes from a server, so it is not handed to a regular-expression engine that goes back: an unlucky or a
/// hostile pattern would run for ever on the shopper's digits. All positions are followed at once instead (Thompson's
/// construction), in time proportional to pattern times digits.
///
/// Understood are literal digits, `.`, `\d`, classes such as `[2-46]` and `[^4]`, groups, `|`, `^`, `$`, `?`, `*`, `+`,
/// `{n}`, `{n,}`, `{n,m}`, and looking ahead, `(?=…)` and `(?!…)`, one level deep. Anything else, and any pattern beyond
/// the limits below, is not understood: such a brand is not detected, and nothing else is wrong with it.
///
/// A match begins at the first digit, whether the pattern says `^` or not: a pattern without it would find a brand in the
/// middle of a number. It need not go to the last digit unless the pattern says `$`.
public struct BrandPattern: Sendable {
    private let program: PatternProgram

    /// The longest pattern understood, in bytes. The longest one of BlueSnap's list has 218.
    public static let longest = 1_024

    /// Reads a pattern; `nil` when it is not understood.
    public init?(_ text: String) {
        var parser = PatternParser(text)
        guard let program = parser.program() else { return nil }
        self.program = program
    }

    /// Whether the number, or the beginning of one that is being typed, is of this pattern. Spaces and dashes do not
    /// count; other characters, no digit at all, and more than 24 digits match nothing.
    public func matches(_ number: Sensitive<String>) -> Bool {
        number.withExposed { text in
            guard case .digits(let digits) = DigitText.normalise(text), digits.utf8.count <= 24 else { return false }
            return program.matchesPrefix(of: Array(digits.utf8))
        }
    }
}

/// A compiled pattern.
struct PatternProgram: Sendable {
    /// How many steps a pattern may have once its repetitions are written out.
    static let longest = 8_192

    enum Step: Sendable {
        /// One digit of a set: bit 0 stands for `0`.
        case digit(UInt16)
        /// On at both places.
        case split(Int, Int)
        case jump(Int)
        case begin
        case end
        /// Whether what follows is (or is not) of another program.
        case ahead(Int, isWanted: Bool)
        case match
    }

    var steps: [Step] = []
    /// What is looked for ahead; these look for nothing themselves.
    var aheads: [PatternProgram] = []

    func matchesPrefix(of digits: [UInt8], from start: Int = 0) -> Bool {
        var isReached = [Bool](repeating: false, count: steps.count)
        var reached: [Int] = []
        var stack = [0]
        for place in start...digits.count {
            // Everything that is reached without a further digit.
            while let step = stack.popLast() {
                guard step < steps.count, !isReached[step] else { continue }
                isReached[step] = true
                reached.append(step)
                switch steps[step] {
                case .digit: break
                case .split(let first, let second): stack += [second, first]
                case .jump(let target): stack.append(target)
                case .begin: if place == 0 { stack.append(step + 1) }
                case .end: if place == digits.count { stack.append(step + 1) }
                case .ahead(let program, let isWanted):
                    guard program < aheads.count else { continue }
                    if aheads[program].matchesPrefix(of: digits, from: place) == isWanted { stack.append(step + 1) }
                case .match: return true
                }
            }
            guard place < digits.count else { return false }
            let digit = UInt16(1) << UInt16(digits[place] & 0x0F)
            for step in reached {
                isReached[step] = false
                if case .digit(let set) = steps[step], set & digit != 0 { stack.append(step + 1) }
            }
            if stack.isEmpty { return false }
            reached.removeAll(keepingCapacity: true)
        }
        return false
    }
}
