import GatewayCrypto

/// An example digest of FIPS 180-4 or of the empty message.
struct DigestVector: Sendable {
    var hash: HashFunction
    var message: String
    var digest: String

    static let published = [
        DigestVector(
            hash: .sha256, message: "",
            digest: """
                e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                """),
        DigestVector(
            hash: .sha256, message: "abc",
            digest: """
                ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
                """),
        DigestVector(
            hash: .sha256, message: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            digest: """
                248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1
                """),
        DigestVector(
            hash: .sha384, message: "",
            digest: """
                38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da
                274edebfe76f65fbd51ad2f14898b95b
                """),
        DigestVector(
            hash: .sha384, message: "abc",
            digest: """
                cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed
                8086072ba1e7cc2358baeca134c825a7
                """),
        DigestVector(
            hash: .sha512, message: "",
            digest: """
                cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce
                47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
                """),
        DigestVector(
            hash: .sha512, message: "abc",
            digest: """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
                2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                """),
    ]
}

/// A test case of RFC 4231.
struct CodeVector: Sendable {
    var key: [UInt8]
    var message: [UInt8]
    var sha256: String
    var sha512: String

    private static func repeated(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }

    static let published = [
        CodeVector(
            key: repeated(0x0b, 20), message: Array("Hi There".utf8),
            sha256: """
                b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7
                """,
            sha512: """
                87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde
                daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854
                """),
        CodeVector(
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            sha256: """
                5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843
                """,
            sha512: """
                164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554
                9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737
                """),
        CodeVector(
            key: repeated(0xaa, 20), message: repeated(0xdd, 50),
            sha256: """
                773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe
                """,
            sha512: """
                fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39
                bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb
                """),
        CodeVector(
            key: Array(1...25), message: repeated(0xcd, 50),
            sha256: """
                82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b
                """,
            sha512: """
                b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3db
                a91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd
                """),
        CodeVector(
            key: repeated(0xaa, 131), message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            sha256: """
                60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54
                """,
            sha512: """
                80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352
                6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598
                """),
    ]
}
