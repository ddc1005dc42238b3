/// One value or member name: where it stands in the source, and where the next one after it and its contents stands in
/// the list. An array is followed by its elements, an object by its members, each a name and a value.
struct JSONNode: Sendable {
    enum Kind: UInt8, Sendable {
        case null, `true`, `false`, number, string, array, object
    }
    let kind: Kind
    /// Of a text: whether it holds a backslash.
    let isEscaped: Bool
    let start: UInt32
    var end: UInt32
    var next: UInt32

    var range: Range<Int> { Int(start)..<Int(end) }
    /// What stands between the quotes of a text.
    var content: Range<Int> { Int(start) + 1..<Int(end) - 1 }
}

/// The source and its nodes. Values refer to it; texts are decoded when they are asked for.
final class JSONDocument: Sendable {
    let bytes: [UInt8]
    let nodes: [JSONNode]
    private let hasUniqueNames: Bool

    init(parsing bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
        nodes = try JSONParser.parse(bytes, limits: limits)
        self.bytes = bytes
        hasUniqueNames = !limits.allowsDuplicateNames
    }

    /// The children of an array, or the names of an object's members (each value follows its name).
    func children(of container: Int) -> [Int] {
        let isObject = nodes[container].kind == .object
        var result: [Int] = []
        var child = container + 1
        while child < Int(nodes[container].next) {
            result.append(child)
            child = Int(nodes[isObject ? child + 1 : child].next)
        }
        return result
    }

    /// The value of the member of this name, the last one if there are several.
    func member(_ name: String, of object: Int) -> Int? {
        var name = name
        return name.withUTF8 { wanted in
            var found: Int?
            var child = object + 1
            while child < Int(nodes[object].next) {
                if isText(child, equalTo: wanted) {
                    found = child + 1
                    if hasUniqueNames { break }
                }
                child = Int(nodes[child + 1].next)
            }
            return found
        }
    }

    func element(_ index: Int, of array: Int) -> Int? {
        guard index >= 0 else { return nil }
        var child = array + 1
        var position = 0
        while child < Int(nodes[array].next) {
            if position == index { return child }
            position += 1
            child = Int(nodes[child].next)
        }
        return nil
    }

    func text(_ node: Int) -> String {
        if nodes[node].isEscaped { return String(decoding: unescaped(node), as: UTF8.self) }
        return bytes.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[nodes[node].content]), as: UTF8.self)
        }
    }

    func source(_ node: Int) -> String {
        bytes.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[nodes[node].range]), as: UTF8.self)
        }
    }

    private func isText(_ node: Int, equalTo wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        if nodes[node].isEscaped { return unescaped(node).elementsEqual(wanted) }
        let content = nodes[node].content
        guard content.count == wanted.count else { return false }
        return bytes.withUnsafeBufferPointer { $0[content].elementsEqual(wanted) }
    }

    private func unescaped(_ node: Int) -> [UInt8] {
        bytes.withUnsafeBufferPointer { JSONGrammar(bytes: $0).unescaped(nodes[node].content) }
    }
}

extension JSONDocument {
    /// Whether two values mean the same: numbers as written, texts by their scalars, members in any order.
    static func areEqual(_ left: JSONDocument, _ leftNode: Int, _ right: JSONDocument, _ rightNode: Int) -> Bool {
        let kind = left.nodes[leftNode].kind
        guard kind == right.nodes[rightNode].kind else { return false }
        switch kind {
        case .null, .true, .false:
            return true
        case .number:
            return left.bytes[left.nodes[leftNode].range] == right.bytes[right.nodes[rightNode].range]
        case .string:
            return left.scalars(leftNode) == right.scalars(rightNode)
        case .array:
            let leftChildren = left.children(of: leftNode)
            let rightChildren = right.children(of: rightNode)
            return leftChildren.count == rightChildren.count
                && zip(leftChildren, rightChildren).allSatisfy { areEqual(left, $0, right, $1) }
        case .object:
            let leftMembers = left.sortedMembers(of: leftNode)
            let rightMembers = right.sortedMembers(of: rightNode)
            return leftMembers.count == rightMembers.count
                && zip(leftMembers, rightMembers).allSatisfy {
                    $0.name == $1.name && areEqual(left, $0.value, right, $1.value)
                }
        }
    }

    /// `String` compares by canonical equivalence, JSON does not.
    private func scalars(_ node: Int) -> [UInt8] {
        nodes[node].isEscaped ? unescaped(node) : Array(bytes[nodes[node].content])
    }

    private func sortedMembers(of object: Int) -> [(name: [UInt8], value: Int)] {
        children(of: object).map { (scalars($0), $0 + 1) }.sorted {
            $0.name == $1.name ? $0.value < $1.value : $0.name.lexicographicallyPrecedes($1.name)
        }
    }
}
