import FuzzSupport
import GatewayKitCore

/// `Retry-After`: from nothing to a day, whatever the header says and whatever the time is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRetryAfter(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let moments: [Int64] = [1_907_755_200, 0, -1, 784_111_777, 253_402_300_799, .max, .min]
    let now = WallTime(secondsSince1970: input.pick(moments) ?? 0)
    if let wait = RetryAfter.read(input.text(), now: now) {
        require(wait >= .zero && wait <= .seconds(86_400), "a wait of \(wait)")
    }
    return 0
}
