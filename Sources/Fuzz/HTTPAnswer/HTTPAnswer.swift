import FuzzSupport
import GatewayKitCore
import GatewayTransport

private let headLimit = 600
private let bodyLimit = 100_000

/// The transport's reader of answers, as libcurl feeds it: head lines, then the body in pieces, compressed or not. The
/// limits hold, and the pieces make no difference.
///
/// The input is a head, an empty line, and the body.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPAnswer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let sizes = input.bytes(4).map { Int($0) + 1 }
    var rest = input.remaining()[...]
    var head = AnswerHead()
    var taken = 0
    while !head.isComplete, !rest.isEmpty {
        let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
        let line = Array(rest[..<end])
        rest = rest[end...]
        guard line.withUnsafeBufferPointer({ head.take($0, limit: headLimit) }) else {
            require(taken + line.count > headLimit, "a head within the limit is refused")
            return 0
        }
        taken += line.count
        require(taken <= headLimit, "a head beyond the limit is taken")
    }
    if let status = head.status { require((200...999).contains(status), "a final status of \(status)") }
    let fields = head.fields()
    require(head.isComplete || head.status == nil || fields.list.count <= taken, "fields out of nothing")
    for field in fields.list {
        let name = field.name.description
        require(!name.utf8.contains { (0x41...0x5A).contains($0) || $0 == 0x3A || $0 == 0x0A }, "an odd name")
        require(field.value.withExposed { !$0.utf8.contains(0x0A) }, "a line end in a value")
        _ = fields[field.name]
    }
    let whole = read(rest, fields, [max(1, rest.count)])
    let pieces = read(rest, fields, sizes.isEmpty ? [1] : sizes)
    require(whole.fault == pieces.fault, "pieces fail otherwise than the whole")
    require(whole.fault != nil || whole.bytes == pieces.bytes, "pieces read otherwise than the whole")
    return 0
}

private func read(
    _ body: ArraySlice<UInt8>, _ fields: HTTPFields, _ sizes: [Int]
) -> (bytes: [UInt8], fault: AnswerBody.Fault?) {
    var reader = AnswerBody()
    var rest = body
    var round = 0
    while !rest.isEmpty {
        let chunk = Array(rest.prefix(sizes[round % sizes.count]))
        rest = rest.dropFirst(chunk.count)
        round += 1
        let fault = chunk.withUnsafeBufferPointer { reader.take($0, fields: fields, limit: bodyLimit) }
        require(reader.bytes.count <= bodyLimit, "a body beyond the limit is kept")
        if let fault { return (reader.bytes, fault) }
    }
    return (reader.bytes, reader.faultAtEnd())
}
