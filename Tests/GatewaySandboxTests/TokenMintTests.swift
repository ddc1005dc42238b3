import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Names that a provider hands out")
struct TokenMintTests {
    @Test("SipHash-2-4 gives its authors' test value")
    func sipHash() {
        let key: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
        #expect(SipHash.hash(Array(0..<15), key: key) == 0xA129_CA61_49BE_45E5)
        #expect(SipHash.hash([], key: key) == 0x726F_DB47_DD0E_0E31)
    }

    @Test(
        "base 64 as in RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ])
    func base64(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
    }

    @Test("no name holds eleven digits in a row, hyphens not counted")
    func noCardLookalikes() {
        var mint = TokenMint(seed: 5, purpose: 1)
        let fingerprint = KeyedFingerprint(mint: &mint)
        for index in 0..<2000 {
            let names = [
                mint.ulid(at: WallTime(secondsSince1970: Int64(index) * 1_000_000)), mint.unorderedToken(), mint.uuid(),
                mint.secret(64), fingerprint.of("\(index)"),
            ]
            #expect(names.map(\.count) == [26, 26, 36, 64, 36])
            for name in names {
                let runs = name.filter { $0 != "-" }.split { !$0.isASCII || !$0.isNumber }
                #expect(runs.allSatisfy { $0.count < 11 })
            }
        }
    }

    @Test("ULIDs sort by time")
    func ulidOrder() {
        var mint = TokenMint(seed: 5, purpose: 1)
        let early = mint.ulid(at: WallTime(secondsSince1970: 1_785_000_000))
        let late = mint.ulid(at: WallTime(secondsSince1970: 1_785_000_001))
        #expect(early < late)
        #expect(early.hasPrefix("01K"))
    }
}
