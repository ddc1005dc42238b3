import FuzzSupport
import GatewayKitCore
import GatewaySandbox

/// Card data as the imitated Hellgate reads it, encrypted or not: it is refused or it is a card, and a refusal repeats
/// no digits of what was sent.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSandboxCard(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let isSealed = input.flag()
    let bytes = input.remaining()
    let refusal =
        isSealed
        ? HellgateReading.refusal(ofPayload: String(decoding: bytes, as: UTF8.self))
        : HellgateReading.refusal(ofClaims: bytes)
    if isSealed { require(refusal != nil, "a payload that nobody encrypted for this key was opened") }
    if let refusal {
        let digits = refusal.split { !(0x30...0x39).contains($0) }.map(\.count).max() ?? 0
        require(digits < 4, "a refusal repeats digits")
        require((try? JSONValue(parsing: refusal)) != nil, "a refusal is no JSON")
    }
    return 0
}
