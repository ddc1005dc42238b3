import GatewayKitCore
import Testing

@Suite("Leak search")
struct LeakSearchTests {
    static let search = LeakSearch(["4111111111111111", "737", "sk-live/Key+1", ""].map { Sensitive($0) })

    @Test(
        "finds a value in every encoding",
        arguments: [
            ("a 4111111111111111 b", 0), ("4111 1111 1111 1111", 0), ("4111-1111\n1111--1111", 0),
            ("4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", 0),
            ("n=%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31", 0), ("n=%2534111111111111111", 0),
            (#"\u0034111111111111111"#, 0), ("&#52;111111111111111", 0), ("&#x34;111111111111111", 0),
            ("34313131313131313131313131313131", 0), ("NDExMTExMTExMTExMTExMQ==", 0), ("eNDExMTExMTExMTExMTExMQ", 0),
            ("eyJuIjoiNDExMTExMTExMTExMTExMSJ9", 0), ("TkRFeE1URXhNVEV4TVRFeE1URXhNUT09", 0), ("1111111111111114", 0),
            ("411111111***1111", 0), ("４１１１１１１１１１１１１１１１", 0), ("cvv 737", 1), ("\"737\"", 1), ("%37%33%37", 1),
            ("NzM3", 1),
            ("eyJjIjoiNzM3In0=", 1), ("%37%33%37", 1), ("373337", 1), ("sk-live/Key+1", 2), ("sk-live%2FKey%2B1", 2),
            ("SK-LIVE/KEY+1", 2),
            (#"sk-live\/Key+1"#, 2), ("c2stbGl2ZS9LZXkrMTo=", 2), ("YTpzay1saXZlL0tleSsx", 2), ("1+yeK/evil-ks", 2),
            ("736b2d6c6976652f4b65792b31", 2), ("736B2D6C6976652F4B65792B31", 2),
        ])
    func finds(_ text: String, _ secret: Int) {
        let leaks = Self.search.leaks(in: text)
        #expect(leaks.contains { $0.secret == secret })
        #expect(!leaks.map(\.description).joined().contains("4111"))
    }

    @Test(
        "is quiet about what may show",
        arguments: [
            "411111******1111", "4111 11** **** 1111", "amount 73700, order 1737, x737y", "[FILTERED]", "",
            "status 422",
            "\"first_six_digits\":\"411111\",\"last_four_digits\":\"1111\"", "5555555555554444",
        ])
    func quiet(_ text: String) {
        #expect(Self.search.leaks(in: text).isEmpty)
    }
}
