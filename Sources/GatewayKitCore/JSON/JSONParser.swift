/// Turns bytes into the flat list of nodes of a ``JSONDocument``. It keeps its own stack, so nesting costs no stack of
/// the thread, and it copies nothing: texts and numbers stay in the source.
struct JSONParser {
    private let grammar: JSONGrammar
    private let limits: JSONLimits
    private var offset = 0
    private var nodes: [JSONNode] = []
    /// The arrays and objects that are not closed yet, as indices of `nodes`.
    private var open: [Int] = []

    private enum Expectation {
        case value, firstElement, firstName, name, separator, end
    }

    static func parse(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> [JSONNode] {
        guard bytes.count <= limits.effectiveBytes else {
            throw JSONError(.tooLarge, at: max(0, limits.effectiveBytes))
        }
        return try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) -> [JSONNode] in
            var parser = JSONParser(buffer, limits: limits)
            try parser.run()
            return parser.nodes
        }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        grammar = JSONGrammar(bytes: bytes)
        self.limits = limits
        nodes.reserveCapacity(min(bytes.count / 12 + 4, max(0, limits.maximumNodes)))
    }

    private mutating func run() throws(JSONError) {
        if grammar.byte(0) == 0xEF, grammar.byte(1) == 0xBB, grammar.byte(2) == 0xBF {
            throw JSONError(.byteOrderMark, at: 0)
        }
        var expectation = Expectation.value
        while true {
            offset = grammar.endOfWhiteSpace(offset)
            guard offset < grammar.bytes.count else {
                guard expectation == .end else { throw JSONError(.unexpectedEnd, at: offset) }
                return
            }
            let byte = grammar.byte(offset)
            switch expectation {
            case .firstElement where byte == UInt8(ascii: "]"), .firstName where byte == UInt8(ascii: "}"):
                expectation = try close()
            case .value, .firstElement:
                expectation = try value(byte)
            case .firstName, .name:
                guard byte == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: offset) }
                try string()
                offset = grammar.endOfWhiteSpace(offset)
                guard grammar.byte(offset) == UInt8(ascii: ":") else { throw unexpected() }
                offset += 1
                expectation = .value
            case .separator:
                expectation = try separator(byte)
            case .end:
                throw JSONError(.trailingBytes, at: offset)
            }
        }
    }

    private mutating func value(_ byte: UInt8) throws(JSONError) -> Expectation {
        switch byte {
        case UInt8(ascii: "\""):
            try string()
        case UInt8(ascii: "{"):
            try begin(.object)
            return .firstName
        case UInt8(ascii: "["):
            try begin(.array)
            return .firstElement
        case UInt8(ascii: "t"): try literal("true", .true)
        case UInt8(ascii: "f"): try literal("false", .false)
        case UInt8(ascii: "n"): try literal("null", .null)
        case UInt8(ascii: "-"), 0x30...0x39: try number()
        case UInt8(ascii: "+"), UInt8(ascii: "."): throw JSONError(.invalidNumber, at: offset)
        default: throw JSONError(.unexpectedByte, at: offset)
        }
        return open.isEmpty ? .end : .separator
    }

    private mutating func separator(_ byte: UInt8) throws(JSONError) -> Expectation {
        guard let container = open.last else { throw JSONError(.trailingBytes, at: offset) }
        let isObject = nodes[container].kind == .object
        if byte == UInt8(ascii: ",") {
            offset += 1
            return isObject ? .name : .value
        }
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            throw JSONError(.unexpectedByte, at: offset)
        }
        return try close()
    }

    private mutating func begin(_ kind: JSONNode.Kind) throws(JSONError) {
        guard open.count < limits.effectiveDepth else { throw JSONError(.tooDeep, at: offset) }
        open.append(nodes.count)
        try append(kind, end: offset + 1)
    }

    private mutating func close() throws(JSONError) -> Expectation {
        guard let container = open.popLast() else { throw JSONError(.unexpectedByte, at: offset) }
        offset += 1
        nodes[container].end = UInt32(offset)
        nodes[container].next = UInt32(nodes.count)
        if nodes[container].kind == .object, !limits.allowsDuplicateNames { try refuseDuplicates(in: container) }
        return open.isEmpty ? .end : .separator
    }

    private mutating func string() throws(JSONError) {
        let (end, isEscaped) = try grammar.endOfString(offset)
        try append(.string, end: end, isEscaped: isEscaped)
    }

    private mutating func number() throws(JSONError) {
        guard let end = grammar.endOfNumber(offset) else { throw JSONError(.invalidNumber, at: offset) }
        switch grammar.byte(end) {
        case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"):
            throw JSONError(.invalidNumber, at: offset)
        default:
            try append(.number, end: end)
        }
    }

    private mutating func literal(_ word: StaticString, _ kind: JSONNode.Kind) throws(JSONError) {
        let start = offset
        let mismatch = word.withUTF8Buffer { letters in
            letters.indices.first { grammar.byte(start + $0) != letters[$0] }
        }
        if let mismatch {
            offset += mismatch
            throw unexpected()
        }
        try append(kind, end: offset + word.utf8CodeUnitCount)
    }

    private func unexpected() -> JSONError {
        JSONError(offset < grammar.bytes.count ? .unexpectedByte : .unexpectedEnd, at: offset)
    }

    @inline(__always)
    private mutating func append(_ kind: JSONNode.Kind, end: Int, isEscaped: Bool = false) throws(JSONError) {
        guard nodes.count < limits.maximumNodes else { throw JSONError(.tooManyNodes, at: offset) }
        nodes.append(
            JSONNode(
                kind: kind, isEscaped: isEscaped, start: UInt32(offset), end: UInt32(end),
                next: UInt32(nodes.count + 1)))
        offset = end
    }
}

extension JSONParser {
    /// Small objects, which are nearly all, are compared name by name where a filter of 256 bits cannot rule it out;
    /// large ones by hash, so that an answer made of many names cannot cost quadratic time. `Hasher` is seeded per
    /// process, so nobody can choose colliding names.
    private func refuseDuplicates(in object: Int) throws(JSONError) {
        var name = object + 1
        var seen = 0
        var filter = SIMD4<UInt64>()
        while name < nodes.count {
            guard seen < 64 else { return try refuseDuplicatesByHash(in: object) }
            let sum = checksum(name)
            let word = Int(sum >> 6 & 3)
            let bit = UInt64(1) << (sum & 63)
            if filter[word] & bit != 0 {
                var earlier = object + 1
                while earlier < name {
                    if haveSameName(earlier, name) { throw JSONError(.duplicateName, at: Int(nodes[name].start)) }
                    earlier = Int(nodes[earlier + 1].next)
                }
            }
            filter[word] |= bit
            seen += 1
            name = Int(nodes[name + 1].next)
        }
    }

    /// The same for the same name, however it is escaped.
    private func checksum(_ name: Int) -> UInt64 {
        func sum(_ bytes: some Collection<UInt8>) -> UInt64 {
            let sum = bytes.reduce(UInt64(bytes.count)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
            return sum ^ sum >> 32
        }
        return nodes[name].isEscaped ? sum(grammar.unescaped(nodes[name].content)) : sum(content(name))
    }

    private func refuseDuplicatesByHash(in object: Int) throws(JSONError) {
        var hashes: [(hash: Int, name: Int)] = []
        var name = object + 1
        while name < nodes.count {
            var hasher = Hasher()
            if nodes[name].isEscaped {
                grammar.unescaped(nodes[name].content).withUnsafeBytes { hasher.combine(bytes: $0) }
            } else {
                hasher.combine(bytes: UnsafeRawBufferPointer(content(name)))
            }
            hashes.append((hasher.finalize(), name))
            name = Int(nodes[name + 1].next)
        }
        hashes.sort { ($0.hash, $0.name) < ($1.hash, $1.name) }
        // The order of hashes differs from run to run, the error must not: it tells the first name that repeats one.
        var first: Int?
        for (index, later) in hashes.enumerated() where later.name < first ?? .max {
            for earlier in hashes[..<index].reversed() {
                guard earlier.hash == later.hash else { break }
                if haveSameName(earlier.name, later.name) {
                    first = later.name
                    break
                }
            }
        }
        if let first { throw JSONError(.duplicateName, at: Int(nodes[first].start)) }
    }

    private func haveSameName(_ left: Int, _ right: Int) -> Bool {
        if nodes[left].isEscaped || nodes[right].isEscaped {
            return grammar.unescaped(nodes[left].content) == grammar.unescaped(nodes[right].content)
        }
        let (left, right) = (content(left), content(right))
        return left.count == right.count && left.elementsEqual(right)
    }

    @inline(__always)
    private func content(_ node: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: grammar.bytes[nodes[node].content])
    }
}
