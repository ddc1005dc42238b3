import FuzzSupport
import GatewayKitCore

/// The JSON reader: no input traps, and what is accepted can be written again, value by value, and reads as equal.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let allowsDuplicates = input.byte() % 4 == 3
    let bytes = input.remaining()
    var limits = JSONLimits()
    limits.allowsDuplicateNames = allowsDuplicates
    let value: JSONValue
    do throws(JSONError) {
        value = try JSONValue(parsing: bytes, limits: limits)
    } catch {
        _ = everything(of: error)
        return 0
    }
    guard let range = value.range else {
        require(false, "an accepted document has no range")
        return 0
    }
    require(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a range lies outside the source")
    require(everything(of: value).utf8.count < 200, "printing shows more than the kind")
    readEveryWay(value)
    checkVerbatim(value, bytes, limits)
    // The writer refuses a name twice, rightly.
    if !allowsDuplicates { checkRewritten(value) }
    return 0
}

/// Typed readings of the whole tree: they may fail, and must not trap.
private func readEveryWay(_ value: JSONValue) {
    _ = try? value.string()
    _ = try? value.sensitive()
    _ = try? value.bool()
    _ = try? value.scalarText()
    if let number = try? value.integer(), let text = try? value.decimalText() {
        require(Int(text).map { $0 == number } ?? true, "an integer is not what its text says")
    }
    for item in (try? value.elements()) ?? [] { readEveryWay(item) }
    for member in (try? value.members()) ?? [] {
        _ = value[member.name].kind
        readEveryWay(member.value)
    }
}

private func checkVerbatim(_ value: JSONValue, _ bytes: [UInt8], _ limits: JSONLimits) {
    guard let source = value.source else { return }
    let again = try? JSONValue(parsing: Array(source), limits: limits)
    require(again == value, "the source of a value does not read as the value")
}

private func checkRewritten(_ value: JSONValue) {
    var writer = JSONWriter()
    writer.array { rewrite(value, into: &$0) }
    guard let body = try? writer.finish() else {
        require(false, "an accepted value cannot be written")
        return
    }
    let again = body.bytes.withExposed { bytes in
        try? JSONValue(parsing: bytes, limits: JSONLimits(maximumBytes: 64 << 20, maximumDepth: 66))
    }
    require(again?[0] == value, "a rewritten value does not read as equal")
}

private func rewrite(_ value: JSONValue, into array: inout JSONArrayWriter) {
    switch value.kind {
    case .absent: break
    case .null: array.appendNull()
    case .bool: array.append((try? value.bool()) ?? false)
    case .number: array.append(number: (try? value.scalarText()) ?? "")
    case .string: array.append((try? value.string()) ?? "")
    case .array: array.array { inner in for item in (try? value.elements()) ?? [] { rewrite(item, into: &inner) } }
    case .object:
        array.object { inner in
            for member in (try? value.members()) ?? [] { rewrite(member, into: &inner) }
        }
    }
}

private func rewrite(_ member: JSONValue.Member, into object: inout JSONObjectWriter) {
    let value = member.value
    switch value.kind {
    case .absent: break
    case .null: object.setNull(member.name)
    case .bool: object.set(member.name, try? value.bool())
    case .number: object.set(member.name, number: try? value.scalarText())
    case .string: object.set(member.name, try? value.string())
    case .array:
        object.array(member.name) { inner in for item in (try? value.elements()) ?? [] { rewrite(item, into: &inner) } }
    case .object:
        object.object(member.name) { inner in
            for next in (try? value.members()) ?? [] { rewrite(next, into: &inner) }
        }
    }
}
