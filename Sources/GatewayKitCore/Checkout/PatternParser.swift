/// Reads the regular expressions of ``BrandPattern``, by descent.
struct PatternParser {
    /// What a pattern is made of, before its steps are laid out.
    private indirect enum Node {
        case empty
        case digit(UInt16)
        case begin
        case end
        case sequence([Node])
        case either([Node])
        case repeated(Node, least: Int, most: Int?)
        case ahead(Node, isWanted: Bool)
    }

    private let bytes: [UInt8]
    private var place = 0
    private var failed = false

    private static let deepest = 24
    private static let mostRepetitions = 64
    private static let anyDigit: UInt16 = 0x3FF

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func program() -> PatternProgram? {
        guard !bytes.isEmpty, bytes.count <= BrandPattern.longest else { return nil }
        let node = alternatives(depth: 0, isAhead: false)
        guard !failed, place == bytes.count else { return nil }
        var program = PatternProgram()
        guard Self.lay(node, into: &program) else { return nil }
        program.steps.append(.match)
        return program
    }

    // MARK: - Reading

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ character: Character) -> Bool {
        guard let byte = next, byte == character.asciiValue else { return false }
        place += 1
        return true
    }

    private mutating func take(word: StaticString) -> Bool {
        let wanted = word.withUTF8Buffer { Array($0) }
        guard bytes[place...].starts(with: wanted) else { return false }
        place += wanted.count
        return true
    }

    private mutating func fail() -> Node {
        failed = true
        return .empty
    }

    private mutating func alternatives(depth: Int, isAhead: Bool) -> Node {
        guard depth <= Self.deepest else { return fail() }
        var branches = [sequence(depth: depth, isAhead: isAhead)]
        while !failed, take("|") { branches.append(sequence(depth: depth, isAhead: isAhead)) }
        return branches.count == 1 ? branches.first ?? .empty : .either(branches)
    }

    private mutating func sequence(depth: Int, isAhead: Bool) -> Node {
        var nodes: [Node] = []
        while !failed, let byte = next, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            let atom = atom(depth: depth, isAhead: isAhead)
            nodes.append(repeated(atom))
        }
        return .sequence(nodes)
    }

    private mutating func atom(depth: Int, isAhead: Bool) -> Node {
        if take(word: "(?!") || take(word: "(?=") {
            let isWanted = bytes[place - 1] == UInt8(ascii: "=")
            guard !isAhead else { return fail() }
            let inner = alternatives(depth: depth + 1, isAhead: true)
            return take(")") ? .ahead(inner, isWanted: isWanted) : fail()
        }
        if take(word: "(?:") || take("(") {
            guard next != UInt8(ascii: "?") else { return fail() }
            let inner = alternatives(depth: depth + 1, isAhead: isAhead)
            return take(")") ? inner : fail()
        }
        if take("^") { return .begin }
        if take("$") { return .end }
        if take(".") || take(word: "\\d") { return .digit(Self.anyDigit) }
        if take("[") { return set() }
        guard let byte = next, (0x30...0x39).contains(byte) else { return fail() }
        place += 1
        return .digit(1 << UInt16(byte & 0x0F))
    }

    private mutating func set() -> Node {
        let isExcluding = take("^")
        var set: UInt16 = 0
        while !take("]") {
            guard let low = digit() else { return fail() }
            var high = low
            if take("-") {
                guard let digit = digit(), digit >= low else { return fail() }
                high = digit
            }
            for digit in low...high { set |= 1 << UInt16(digit) }
        }
        guard set != 0 else { return fail() }
        return .digit(isExcluding ? Self.anyDigit & ~set : set)
    }

    private mutating func digit() -> Int? {
        guard let byte = next, (0x30...0x39).contains(byte) else { return nil }
        place += 1
        return Int(byte & 0x0F)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = digit() {
            let sum = (value ?? 0) * 10 + digit
            guard sum <= Self.mostRepetitions else { return nil }
            value = sum
        }
        return value
    }

    private mutating func repeated(_ atom: Node) -> Node {
        guard !failed, let byte = next, "*+?{".utf8.contains(byte) else { return atom }
        place += 1
        var least = 0
        var most: Int?
        switch byte {
        case UInt8(ascii: "*"): break
        case UInt8(ascii: "+"): least = 1
        case UInt8(ascii: "?"): most = 1
        default:
            guard let number = number() else { return fail() }
            least = number
            most = number
            if take(",") { most = next == UInt8(ascii: "}") ? nil : self.number() ?? -1 }
            guard take("}"), most.map({ $0 >= least }) ?? true else { return fail() }
        }
        // Lazy and possessive forms, and repetitions of repetitions, are no part of such lists.
        guard next.map({ !"*+?{".utf8.contains($0) }) ?? true else { return fail() }
        switch atom {
        case .begin, .end, .ahead: return fail()
        default: return .repeated(atom, least: least, most: most)
        }
    }

    // MARK: - Laying out

    /// Writes the steps of a node behind those that are there; `false` when there are too many.
    private static func lay(_ node: Node, into program: inout PatternProgram) -> Bool {
        guard program.steps.count < PatternProgram.longest else { return false }
        switch node {
        case .empty: return true
        case .digit(let set): program.steps.append(.digit(set))
        case .begin: program.steps.append(.begin)
        case .end: program.steps.append(.end)
        case .sequence(let nodes):
            for node in nodes {
                guard lay(node, into: &program) else { return false }
            }
        case .either(let branches): return lay(branches, into: &program)
        case .repeated(let node, let least, let most): return lay(node, least, most, into: &program)
        case .ahead(let node, let isWanted):
            var inner = PatternProgram()
            guard lay(node, into: &inner) else { return false }
            inner.steps.append(.match)
            program.steps.append(.ahead(program.aheads.count, isWanted: isWanted))
            program.aheads.append(inner)
            // Each one is tried at every digit: a few are enough for any list of brands.
            guard program.aheads.count <= 16 else { return false }
        }
        return true
    }

    private static func lay(_ branches: [Node], into program: inout PatternProgram) -> Bool {
        var exits: [Int] = []
        for (index, branch) in branches.enumerated() {
            let isLast = index == branches.count - 1
            let fork = program.steps.count
            if !isLast { program.steps.append(.split(fork + 1, fork + 1)) }
            guard lay(branch, into: &program) else { return false }
            if !isLast {
                exits.append(program.steps.count)
                program.steps.append(.jump(0))
                program.steps[fork] = .split(fork + 1, program.steps.count)
            }
        }
        for exit in exits { program.steps[exit] = .jump(program.steps.count) }
        return true
    }

    private static func lay(_ node: Node, _ least: Int, _ most: Int?, into program: inout PatternProgram) -> Bool {
        for _ in 0..<least {
            let before = program.steps.count
            guard lay(node, into: &program) else { return false }
            // What lays no step is the same however often, and nested it would be laid without end.
            if program.steps.count == before { break }
        }
        guard let most else {
            let fork = program.steps.count
            program.steps.append(.split(fork + 1, fork + 1))
            guard lay(node, into: &program) else { return false }
            program.steps.append(.jump(fork))
            program.steps[fork] = .split(fork + 1, program.steps.count)
            return true
        }
        var forks: [Int] = []
        for _ in least..<most {
            forks.append(program.steps.count)
            program.steps.append(.split(program.steps.count + 1, 0))
            guard lay(node, into: &program) else { return false }
        }
        for fork in forks { program.steps[fork] = .split(fork + 1, program.steps.count) }
        return true
    }
}
