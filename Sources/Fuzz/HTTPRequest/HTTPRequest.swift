import FuzzSupport
import GatewaySandbox

/// The sandbox's reader of requests: the same steps for every way to cut the bytes, and limits that hold.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPRequest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let sizes = input.bytes(4).map { Int($0 % 32) + 1 }
    let bytes = input.remaining()

    var whole = RequestParser()
    whole.append(bytes)
    var expected: [RequestParser.Step] = []
    drain(&whole, into: &expected)

    var parser = RequestParser()
    var steps: [RequestParser.Step] = []
    var rest = bytes[...]
    var round = 0
    while !rest.isEmpty {
        let size = sizes.isEmpty ? 1 : sizes[round % sizes.count]
        parser.append(rest.prefix(size))
        rest = rest.dropFirst(size)
        round += 1
        drain(&parser, into: &steps)
    }
    require(steps == expected, "pieces give other steps than the whole")
    return 0
}

/// Everything that can be had now, without `needMore`, up to the first refusal.
private func drain(_ parser: inout RequestParser, into steps: inout [RequestParser.Step]) {
    while true {
        let step = parser.next()
        if step == .needMore { return }
        if case .refused = step {
            if steps.last != step { steps.append(step) }
            return
        }
        steps.append(step)
    }
}
