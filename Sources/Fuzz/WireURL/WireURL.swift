import FuzzSupport
import GatewayKitCore

/// The reader of addresses: what is accepted has one spelling, and that spelling reads as the same address.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWireURL(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let segment = String(decoding: input.bytes(Int(input.byte() % 16)), as: UTF8.self)
    let text = input.text()
    let url: WireURL
    do throws(WireURL.Refusal) {
        url = try WireURL(base: text)
    } catch {
        _ = everything(of: error)
        return 0
    }
    let origin = try? WireURL(base: url.origin.description)
    require(origin?.origin == url.origin, "a printed origin reads as another one")
    let wire = url.wireText.withExposed { $0 }
    require(wire.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "odd bytes on the wire")
    require((try? WireURL(base: wire)) == url, "an address does not read as itself")
    require((1...65_535).contains(url.origin.port), "an impossible port")
    require(!url.origin.host.isEmpty && url.origin.host == url.origin.host.lowercased(), "a host in two spellings")
    require(!url.origin.host.utf8.contains { Array("@/\\?#%".utf8).contains($0) }, "a host that another reader splits")

    let deeper = url.appending(segment).appending(query: segment, .plain(segment))
    require(deeper.origin == url.origin, "a segment changes the origin")
    let slashes = deeper.path.utf8.count { $0 == 0x2F }
    require(slashes == url.path.utf8.count { $0 == 0x2F } + 1, "a segment becomes two")
    require(deeper.wireText.withExposed { $0.utf8.count { $0 == 0x3F } } == 1, "a segment opens a query")
    return 0
}
