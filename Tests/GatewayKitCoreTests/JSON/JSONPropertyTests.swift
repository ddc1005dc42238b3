import Testing

@testable import GatewayKitCore

@Suite struct JSONPropertyTests {
    @Test(arguments: 0..<8)
    func writtenTreesAreReadBack(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        for _ in 0..<150 {
            let tree = RandomTree.container(depth: 5, using: &random)
            var writer = JSONWriter()
            tree.write(to: &writer)
            let bytes = try writer.finish().bytes.withExposed { $0 }
            #expect(ReferenceJSON(try JSONValue(parsing: bytes)) == tree)
            #expect(ReferenceJSON.parse(bytes) == tree)
        }
    }

    /// White space and escapes that our writer never emits, and the range of every value.
    @Test(arguments: 0..<8)
    func noisyTextsAreReadAndRangesFit(seed: UInt64) throws {
        var random = SplitMix64(state: 1_000 + seed)
        for _ in 0..<150 {
            let tree = RandomTree.container(depth: 5, using: &random)
            let bytes = Array(RandomTree.noisyText(of: tree, using: &random).utf8)
            let value = try JSONValue(parsing: bytes)
            #expect(ReferenceJSON(value) == tree)
            try expectRangesToFit(value, in: bytes)
            var writer = JSONWriter()
            tree.write(to: &writer)
            #expect(try JSONValue(parsing: writer.finish().bytes.withExposed { $0 }) == value)
        }
    }

    @Test(arguments: 0..<12)
    func mutatedBytesNeverTrapAndBothReadersAgree(seed: UInt64) throws {
        var random = SplitMix64(state: 2_000 + seed)
        var accepted = 0
        var rejected = 0
        for _ in 0..<60 {
            let tree = RandomTree.container(depth: 4, using: &random)
            let original = Array(RandomTree.noisyText(of: tree, using: &random).utf8)
            for _ in 0..<15 {
                let bytes = mutated(original, using: &random)
                let reference = ReferenceJSON.parse(bytes)
                let value = try? JSONValue(parsing: bytes)
                #expect(value.map { ReferenceJSON($0) } == reference, "\(bytes)")
                if value == nil { rejected += 1 } else { accepted += 1 }
            }
        }
        #expect(accepted > 20 && rejected > 200, "the mutations are too weak or too strong to show anything")
    }

    @Test(arguments: 0..<4)
    func noiseNeverTraps(seed: UInt64) {
        var random = SplitMix64(state: 3_000 + seed)
        let alphabet = Array(#"{}[]",:\u0123dDbBeE+-.tfn "#.utf8) + [0x00, 0x80, 0xC3, 0xE2, 0xF0, 0xFF]
        for _ in 0..<4_000 {
            let bytes = (0..<Int.random(in: 0..<24, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            let value = try? JSONValue(parsing: bytes)
            #expect(value.map { ReferenceJSON($0) } == ReferenceJSON.parse(bytes), "\(bytes)")
        }
    }

    @Test func everyPrefixIsRefused() throws {
        var random = SplitMix64(state: 4_000)
        let tree = RandomTree.container(depth: 5, using: &random)
        let bytes = Array(("[" + RandomTree.noisyText(of: tree, using: &random) + "]").utf8)
        _ = try JSONValue(parsing: bytes)
        for length in 0..<bytes.count {
            #expect(throws: JSONError.self) { try JSONValue(parsing: Array(bytes[..<length])) }
        }
    }

    private func mutated(_ original: [UInt8], using random: inout SplitMix64) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(original[Int.random(in: 0..<original.count, using: &random)], at: index)
            default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
            }
        }
        return bytes
    }

    private func expectRangesToFit(_ value: JSONValue, in bytes: [UInt8]) throws {
        let range = try #require(value.range)
        #expect(value.source == bytes[range])
        #expect(try JSONValue(parsing: Array(bytes[range])) == value)
        switch value.kind {
        case .number: #expect(try Array(value.decimalText().utf8) == Array(bytes[range]))
        case .string: #expect(bytes[range].first == 0x22 && bytes[range].last == 0x22)
        case .array: for element in try value.elements() { try expectRangesToFit(element, in: bytes) }
        case .object: for member in try value.members() { try expectRangesToFit(member.value, in: bytes) }
        case .null, .bool, .absent: break
        }
    }
}

/// Steele, Lea and Flood's generator: small, seeded, the same on every machine.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

enum RandomTree {
    static func container(depth: Int, using random: inout SplitMix64) -> ReferenceJSON {
        let count = Int.random(in: 0..<40, using: &random) == 0 ? 60 : Int.random(in: 0..<6, using: &random)
        guard Bool.random(using: &random) else {
            return .array((0..<count).map { _ in any(depth: depth - 1, using: &random) })
        }
        var members: [ReferenceJSON.Member] = []
        for _ in 0..<count {
            let name = text(using: &random)
            guard !members.contains(where: { $0.name == name }) else { continue }
            members.append(.init(name: name, value: any(depth: depth - 1, using: &random)))
        }
        return .object(members)
    }

    static func any(depth: Int, using random: inout SplitMix64) -> ReferenceJSON {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2, 3: .number(number(using: &random))
        case 4, 5: .text(text(using: &random))
        default: container(depth: depth, using: &random)
        }
    }

    static func number(using random: inout SplitMix64) -> String {
        var result = Bool.random(using: &random) ? "-" : ""
        result += String(UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0..<64, using: &random))
        if Bool.random(using: &random) { result += "." + String(Int.random(in: 0..<1_000, using: &random)) + "0" }
        if Int.random(in: 0..<4, using: &random) == 0 {
            result += ["e", "E", "e+", "E-"].randomElement(using: &random) ?? "e"
            result += String(Int.random(in: 0..<400, using: &random))
        }
        return result
    }

    static func text(using random: inout SplitMix64) -> [Unicode.Scalar] {
        (0..<Int.random(in: 0..<9, using: &random)).map { _ in
            let ranges: [ClosedRange<UInt32>] = [
                0x20...0x7E, 0x61...0x7A, 0x00...0x1F, 0x22...0x22, 0x5C...0x5C, 0x80...0x7FF, 0x300...0x30F,
                0x800...0xD7FF, 0xE000...0xFFFF, 0x10000...0x10FFFF,
            ]
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            return Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "?"
        }
    }

    static func noisyText(of tree: ReferenceJSON, using random: inout SplitMix64) -> String {
        let core: String
        switch tree {
        case .null: core = "null"
        case .bool(let bool): core = String(bool)
        case .number(let text): core = text
        case .text(let scalars): core = noisyString(scalars, using: &random)
        case .array(let elements):
            core =
                "[" + elements.map { noisyText(of: $0, using: &random) }.joined(separator: ",") + space(&random) + "]"
        case .object(let members):
            core =
                "{"
                + members.map {
                    space(&random) + noisyString($0.name, using: &random) + space(&random) + ":"
                        + noisyText(of: $0.value, using: &random)
                }.joined(separator: ",") + space(&random) + "}"
        }
        return space(&random) + core + space(&random)
    }

    private static func space(_ random: inout SplitMix64) -> String {
        ["", "", "", " ", "\n", "\t \r\n"].randomElement(using: &random) ?? ""
    }

    private static func noisyString(_ scalars: [Unicode.Scalar], using random: inout SplitMix64) -> String {
        var result = "\""
        for scalar in scalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || Int.random(in: 0..<4, using: &random) == 0 {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension ReferenceJSON {
    /// What our parser says, in the reference's terms.
    init(_ value: JSONValue) {
        switch value.kind {
        case .absent, .null: self = .null
        case .bool: self = .bool((try? value.bool()) ?? false)
        case .number: self = .number((try? value.decimalText()) ?? "")
        case .string: self = .text(Array(((try? value.string()) ?? "").unicodeScalars))
        case .array: self = .array(((try? value.elements()) ?? []).map { ReferenceJSON($0) })
        case .object:
            self = .object(
                ((try? value.members()) ?? []).map {
                    Member(name: Array($0.name.unicodeScalars), value: ReferenceJSON($0.value))
                })
        }
    }

    /// Writes an array or object.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .array(let elements): writer.array { $0.append(contentsOf: elements) }
        case .object(let members): writer.object { $0.set(members) }
        case .null, .bool, .number, .text: break
        }
    }

    static func string(_ scalars: [Unicode.Scalar]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }
}

extension JSONArrayWriter {
    mutating func append(contentsOf elements: [ReferenceJSON]) {
        for element in elements {
            switch element {
            case .null: appendNull()
            case .bool(let bool): append(bool)
            case .number(let text): append(number: text)
            case .text(let scalars): append(ReferenceJSON.string(scalars))
            case .array(let inner): array { $0.append(contentsOf: inner) }
            case .object(let members): object { $0.set(members) }
            }
        }
    }
}

extension JSONObjectWriter {
    mutating func set(_ members: [ReferenceJSON.Member]) {
        for member in members {
            let name = ReferenceJSON.string(member.name)
            switch member.value {
            case .null: setNull(name)
            case .bool(let bool): set(name, bool)
            case .number(let text): set(name, number: text)
            case .text(let scalars): set(name, Sensitive(ReferenceJSON.string(scalars)))
            case .array(let inner): array(name) { $0.append(contentsOf: inner) }
            case .object(let members): object(name) { $0.set(members) }
            }
        }
    }
}
