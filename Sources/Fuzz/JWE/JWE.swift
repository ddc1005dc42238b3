import FuzzSupport
import GatewayCrypto

/// The key of this run. Made once: libFuzzer calls from one thread, and a static is initialized once.
private let key = try? RSAPrivateKey.generate()

private let content = Array("{\"sub\":\"zQ7kContentXw\"}".utf8)

/// A text that opens, which the inputs change.
private let sound: [UInt8] =
    key.flatMap { key in (try? CompactJWE.encrypt(SecretBytes(content), for: key.publicKey)).map { Array($0.utf8) } }
    ?? []

/// The reader of compact JWE: no input traps, a change of a sound text never opens, and nothing shows the content.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJWE(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    switch input.byte() % 4 {
    case 0: check(input.text())
    case 1: checkHeader(input.remaining())
    case 2: checkChanged(&input)
    default: checkTexts(input.text())
    }
    return 0
}

private func check(_ text: String) {
    do throws(CryptoError) {
        let message = try CompactJWE(reading: text)
        require(message.header.algorithm == CompactJWE.algorithm, "another algorithm is accepted")
        require(message.header.encryption == CompactJWE.encryption, "another encryption is accepted")
        require(!holds(everything(of: message), "zQ7kContentXw"), "a message shows its content")
        guard let key else { return }
        let opened = try message.open(with: key)
        opened.withExposed { require($0 == content && Array(text.utf8) == sound, "a message opens that nobody sealed") }
    } catch {
        require(!everything(of: error).isEmpty, "a refusal without words")
    }
}

/// A header of the input's own before sound parts.
private func checkHeader(_ header: [UInt8]) {
    let parts = sound.split(separator: 0x2E).dropFirst()
    check(([Base64.url.encode(header)] + parts.map { String(decoding: $0, as: UTF8.self) }).joined(separator: "."))
}

/// Up to four bytes of a sound text changed.
private func checkChanged(_ input: inout FuzzInput) {
    var text = sound
    for _ in 0..<4 {
        let place = input.number(below: text.count)
        let byte = input.byte()
        guard text.indices.contains(place) else { return }
        if byte != 0 { text[place] = byte }
    }
    check(String(decoding: text, as: UTF8.self))
}

/// What is accepted has one spelling only, and keys read as themselves.
private func checkTexts(_ text: String) {
    for kind in [Base64.standard, .url] {
        guard let bytes = try? kind.decode(text) else { continue }
        require(kind.encode(bytes) == text, "two texts stand for the same bytes")
    }
    if let key = try? RSAPublicKey(pem: text) { require(key.bitCount >= 2048, "a short key is accepted") }
    if let key = try? RSAPrivateKey(pem: text) { require(key.bitCount >= 2048, "a short key is accepted") }
    if let key = try? RSAPublicKey(jwkModulus: text, exponent: "AQAB") {
        require(key.bitCount >= 2048, "a short key is accepted")
    }
}
