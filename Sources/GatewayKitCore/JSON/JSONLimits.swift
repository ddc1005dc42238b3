/// What a parser accepts at most, so that a hostile or broken answer costs bounded time and memory.
public struct JSONLimits: Sendable, Hashable {
    /// The most bytes of the whole text, white space included. Never more than 2^31 - 1, whatever is set.
    public var maximumBytes: Int
    /// The deepest nesting of arrays and objects; `[]` has depth 1. Never more than 512, whatever is set.
    public var maximumDepth: Int
    /// The most values and member names together.
    public var maximumNodes: Int
    /// Whether an object may name a member twice. If so, look-up by name finds the last one, as most parsers do.
    ///
    /// Off by default: parsers disagree on which of the two counts, so whoever can add a second member can show two
    /// readers two different documents.
    public var allowsDuplicateNames: Bool

    /// 4 MiB, depth 64, 250,000 nodes, no duplicate names.
    public static let standard = JSONLimits()

    /// Describes limits; values below 0 count as 0.
    public init(
        maximumBytes: Int = 4 << 20, maximumDepth: Int = 64, maximumNodes: Int = 250_000,
        allowsDuplicateNames: Bool = false
    ) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
        self.maximumNodes = maximumNodes
        self.allowsDuplicateNames = allowsDuplicateNames
    }

    /// Offsets are kept in 32 bits.
    var effectiveBytes: Int { min(maximumBytes, Int(Int32.max)) }
    /// Comparing two trees recurses, and must not run out of stack.
    var effectiveDepth: Int { min(maximumDepth, 512) }
}
