import Testing

@testable import BlueSnapAdapter

@Suite("BlueSnap's token texts") struct TokenTextTests {
    static let digits = String(repeating: "0123456789abcdef", count: 4)

    @Test("the last character names the server", arguments: zip(["_", "1", "2"], BlueSnapToken.Server.allCases))
    func server(suffix: String, server: BlueSnapToken.Server) throws {
        let token = try BlueSnapToken(Self.digits + suffix, servers: Set(BlueSnapToken.Server.allCases))
        #expect(token.server == server)
        #expect(token.isTest == (suffix == "_"))
    }

    @Test(
        "what is no token is refused, an illegal suffix by name",
        arguments: [
            ("", .malformed), ("_", .malformed), (digits, .malformed), (digits + "3", .illegalSuffix),
            (digits + "/", .illegalSuffix), (digits.uppercased() + "_", .malformed), (digits + "__", .malformed),
            (digits.dropLast() + "é", .malformed), (digits.dropLast() + "g_", .malformed),
            (digits + "1", .otherEnvironment),
        ] as [(String, BlueSnapToken.Refusal)])
    func refusals(text: String, refusal: BlueSnapToken.Refusal) {
        #expect(throws: refusal) { try BlueSnapToken(text, servers: [.sandbox]) }
    }
}
