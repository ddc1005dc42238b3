import FuzzSupport
import GatewayKitCore

/// The redactor for text in pieces: however the text is cut, nothing planted shows.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRedactingStream(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let planted = Planted(&input)
    // Long enough that the stream gives out text before its end.
    let repetitions = input.number(below: 300)
    let pieces = input.bytes(8).map { Int($0) * Int($0) + 1 }
    let filling = input.bytes(input.number(below: 48))
    let first = input.bytes(input.number(below: 200))
    let second = input.bytes(input.number(below: 200))
    var text: [UInt8] = []
    for _ in 0..<repetitions { text += filling }
    text += first + planted.spelling.utf8 + second + planted.secret.utf8
    for _ in 0..<repetitions { text += filling }
    text += input.remaining()

    var stream = RedactingStream(Redactor(secrets: [Sensitive(planted.secret)]))
    var shown = ""
    var rest = text[...]
    var round = 0
    while !rest.isEmpty {
        let size = pieces.isEmpty ? 100 : pieces[round % pieces.count]
        shown += stream.push(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
        round += 1
    }
    shown += stream.finish()
    planted.mustNotShow(in: shown, "the stream's output")
    require(shown.utf8.count <= 12 * text.count + 64, "\(text.count) bytes became \(shown.utf8.count)")
    return 0
}
