import FuzzSupport
import GatewayKitCore

/// The guard of gatewayctl's command line: a card number among the arguments is refused, whatever else they are. The
/// guard's file is linked here, because a program cannot be imported.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArgumentGuard(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let planted = Planted(&input)
    let place = input.number(below: 8)
    // Letters end a run of digits, as the name of an option does.
    let prefix = input.pick(["", "--number=", "n:", "x"]) ?? ""
    var arguments = input.lines(1).map { $0 + "x" }
    _ = CardNumberGuard.refuses(arguments)
    arguments.insert(prefix + planted.spelling, at: min(place, arguments.count))
    require(CardNumberGuard.refuses(arguments), "a card number passes")
    return 0
}
