import FuzzSupport
import GatewayKitCore

/// The redactor: whatever stands around a planted card number and a planted secret, neither shows; the output is
/// bounded by the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRedactor(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let planted = Planted(&input)
    let first = input.bytes(input.number(below: 200))
    let second = input.bytes(input.number(below: 200))
    let text = first + planted.spelling.utf8 + second + planted.secret.utf8 + input.remaining()
    let redactor = Redactor(secrets: [Sensitive(planted.secret)])

    let shown = redactor.redact(bytes: text)
    planted.mustNotShow(in: shown, "the text")
    // A one-byte value becomes [FILTERED], a byte that is no UTF-8 three bytes.
    require(shown.utf8.count <= 12 * text.count + 64, "\(text.count) bytes became \(shown.utf8.count)")

    let decoded = String(decoding: text, as: UTF8.self)
    planted.mustNotShow(in: redactor.scrub(decoded).description, "a scrubbed text")
    require(!holds(redactor.redact(identifier: decoded), planted.secret), "the secret shows in an identifier")
    planted.mustNotShow(in: redactor.redact(shown), "a text redacted twice")
    return 0
}
