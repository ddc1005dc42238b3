import GatewayCrypto
import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// The signed way in (dossier 1.1): checked against a signature made here, and not by the adapter.
@Suite("Spreedly: signed sets")
struct SpreedlySignedSetTests {
    private static func credentials(_ desk: SpreedlyDesk) throws -> SandboxCredentials {
        try #require(desk.sandbox.credentials(for: "spreedly"))
    }

    private static func sign(_ desk: SpreedlyDesk, _ text: String) throws -> String {
        let key = try RSAPrivateKey(pem: try #require(credentials(desk)["signingKey"]))
        return GatewayCrypto.Base64.standard.encode(try key.signature(for: Array(text.utf8)))
    }

    /// A create call with a set; `changes` replaces members, `nil` leaves one out.
    private static func call(
        _ desk: SpreedlyDesk, nonce: String = "n-1", _ changes: [String: String?] = [:],
        path: String = "/payment_methods/restricted.json", payment: String? = nil
    ) throws -> SpreedlyAnswer {
        let credentials = try credentials(desk)
        let token = try #require(credentials["certificateToken"])
        let members: [(String, String)] = [
            ("environment_key", "\"\(try #require(credentials["environmentKey"]))\""), ("nonce", "\"\(nonce)\""),
            ("timestamp", "1907755200"), ("certificate_token", "\"\(token)\""),
            ("signature", "\"\(try sign(desk, nonce + "1907755200" + token))\""),
        ]
        let written = members.compactMap { name, value -> String? in
            let value = changes[name] ?? value
            return value.map { "\"\(name)\":\($0)" }
        }
        let rest = payment ?? String(SpreedlyCall.card().dropFirst())
        return desk.call("POST", path, "{" + written.joined(separator: ",") + "," + rest, header: "")
    }

    @Test("a right set is taken once; the next needs a nonce of its own")
    func once() async throws {
        try await withSpreedly { desk in
            #expect(try Self.call(desk).status == 201)
            let again = try Self.call(desk)
            #expect(again.status == 401)
            #expect(try again.errors == ["- errors.invalid_enhanced_authentication_params"])
            #expect(try Self.call(desk, nonce: "n-2").status == 201)
            #expect(try Self.call(desk, nonce: "n-3", ["timestamp": "\"1907755200\""]).status == 201)
            desk.sandbox.reset()
            #expect(try Self.call(desk).status == 201)
        }
    }

    @Test("a set that is not whole and right is refused and uses nothing up")
    func wrong() async throws {
        try await withSpreedly { desk in
            let other = try Self.sign(desk, "something else")
            let rows: [[String: String?]] =
                ["nonce", "timestamp", "certificate_token", "signature"].flatMap { name -> [[String: String?]] in
                    [[name: nil], [name: "null"], [name: "\"\""], [name: "[]"], [name: "\"x\""]]
                } + [
                    ["timestamp": "1907755201"], ["timestamp": "1907755200.5"], ["timestamp": "\"1907755200 \""],
                    ["nonce": "\"n-2\""], ["signature": "\"\(other)\""], ["signature": "\"\(other)=\""],
                ]
            for changes in rows {
                let answer = try Self.call(desk, changes)
                #expect(answer.status == 401, "\(changes)")
                #expect(try answer.errors == ["- errors.invalid_enhanced_authentication_params"], "\(changes)")
            }
            #expect(try Self.call(desk, ["environment_key": "\"other\""]).status == 401)
            #expect(try Self.call(desk).status == 201, "none of them used the nonce up")
        }
    }

    @Test("a set that is used on a card with a fault is used up")
    func faulty() async throws {
        try await withSpreedly { desk in
            let wrong = try Self.call(desk, payment: String(SpreedlyCall.card(month: "13").dropFirst()))
            #expect(wrong.status == 422)
            #expect(try Self.call(desk).status == 401)
        }
    }

    @Test("a fresh security code may come with a set too")
    func recache() async throws {
        try await withSpreedly { desk in
            let token = try desk.retained()
            let path = "/payment_methods/\(token)/recache.json"
            let code = #""payment_method":{"credit_card":{"verification_value":"415"}}}"#
            #expect(try Self.call(desk, path: path, payment: code).status == 200)
            #expect(try Self.call(desk, path: path, payment: code).status == 401)
        }
    }

    @Test("the key that is handed out is one line, and stays within the process")
    func key() async throws {
        try await withSpreedly { desk in
            let key = try #require(Self.credentials(desk)["signingKey"])
            #expect(!key.contains("\n") && key.contains("\\n"))
            #expect(Sandbox().credentials(for: "spreedly")?["signingKey"] == key)
            #expect(try RSAPrivateKey(pem: key).bitCount == 2048)
        }
    }
}
