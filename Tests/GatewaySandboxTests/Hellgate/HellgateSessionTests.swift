import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Hellgate's sessions in the sandbox")
struct HellgateSandboxSessionTests {
    @Test("A session is opened with the key, and with a body that is right or absent")
    func open() async throws {
        try await withHellgate { desk, _ in
            for body in [nil, "{}", #"{"bypass_identification":true,"expiration_time":2592000}"#] {
                let reply = desk.keyed("POST", "/tokens/session", body)
                #expect(reply.status == 200)
                let id = try reply.root["session_id"].string()
                #expect(id.utf8.count == 36)
            }
            for body in [
                "[]", "x", #"{"expiration_time":0}"#, #"{"expiration_time":2592001}"#, #"{"expiration_time":"9"}"#,
                #"{"bypass_identification":"yes"}"#, #"{"amount":1}"#,
            ] {
                #expect(desk.keyed("POST", "/tokens/session", body).status == 400, "\(body)")
            }
            for header in ["", "X-API-Key: wrong\r\n", "X-API-Key: \(desk.key)\r\nX-API-Key: \(desk.key)\r\n"] {
                let reply = desk.call("POST", "/tokens/session", header: header)
                #expect(reply.status == 401)
                #expect(reply.text.isEmpty)
            }
            #expect(
                desk.call("POST", "/tokens/session", "{}", header: "X-API-Key: \(desk.key)\r\n", type: "text/plain")
                    .status == 415)
        }
    }

    @Test("Paths, methods and the known words of refusals")
    func routes() async throws {
        try await withHellgate { desk, _ in
            let session = try desk.open()
            let rows: [(String, String, Int)] = [
                ("GET", "/sessions/\(session)", 200), ("POST", "/sessions/\(session)", 405),
                ("GET", "/sessions/\(session)/complete-action", 405), ("GET", "/tokens/session", 405),
                ("GET", "/sessions", 404), ("GET", "/", 404), ("POST", "/guardian/tokenize", 401),
                ("POST", "/basis-theory/tokenize", 401), ("GET", "/guardian/tokenize", 405), ("PUT", "/tokens", 405),
                ("GET", "/tokens", 401), ("GET", "/tokens/x", 401), ("DELETE", "/tokens/x", 401),
                ("POST", "/vault/tokenize", 404),
            ]
            for (method, path, status) in rows {
                #expect(desk.call(method, path).status == status, "\(method) \(path)")
            }
            let missing = desk.call("GET", "/sessions/unknown")
            #expect(missing.text == #"{"code":404,"message":"The session was not found","classifier":"NOT_FOUND"}"#)
            let completion = desk.call("POST", "/sessions/unknown/complete-action", "{}")
            #expect(try completion.root["message"].string() == "The session_context was not found")
        }
    }

    @Test("What an open session hands out, by its kind")
    func handedOut() async throws {
        try await withHellgate { desk, _ in
            let encrypted = try desk.call("GET", "/sessions/\(desk.open())").root
            #expect(try encrypted["next_action"].string() == "tokenize_card")
            #expect(try encrypted["data"]["jwk"]["kty"].string() == "RSA")
            #expect(try encrypted["data"]["jwk"]["e"].string() == "AQAB")
            let origin = "http://127.0.0.1:\(desk.sandbox.port ?? 0)/hellgate/"
            for (kind, path) in [(HellgateSession.Kind.guardian, "guardian"), (.basisTheory, "basis-theory")] {
                let data = try desk.call("GET", "/sessions/\(desk.open(kind))").root["data"]
                #expect(try data["provider"].string() == kind.rawValue)
                #expect(try data["base_url"].string() == origin + path)
                #expect(data["jwk"].present == nil)
            }
        }
    }

    @Test("A completed session is finished at once, or after two looks at it")
    func states() async throws {
        for completion in ["immediate", "waiting"] {
            try await withHellgate(["hellgate.completion": completion]) { desk, _ in
                let session = try desk.open()
                let answer = try desk.complete(session).root
                var words = [try answer["status"].present?.string() ?? answer["next_action"].string()]
                for _ in 0..<4 {
                    let look = try desk.call("GET", "/sessions/\(session)").root
                    words.append(try look["status"].present?.string() ?? look["next_action"].string())
                }
                let ends = completion == "waiting" ? ["wait", "wait", "wait", "success", "success"] : []
                #expect(words == (ends.isEmpty ? Array(repeating: "success", count: 5) : ends))
                let again = desk.call("POST", "/sessions/\(session)/complete-action", HellgateDesk.result("x"))
                #expect(again.status == 409)
            }
        }
    }

    @Test("An open session is gone after a quarter of an hour, a finished one is not")
    func expiry() async throws {
        try await withHellgate { desk, time in
            let (left, used) = (try desk.open(), try desk.open())
            let body = try desk.encrypted(left, HellgateDesk.claims())
            #expect(try desk.complete(used).status == 200)
            time.withLock { $0 = $0.adding(seconds: 899) }
            #expect(desk.call("GET", "/sessions/\(left)").status == 200)
            time.withLock { $0 = $0.adding(seconds: 1) }
            #expect(desk.call("GET", "/sessions/\(left)").status == 404)
            #expect(desk.call("POST", "/sessions/\(left)/complete-action", body).status == 404)
            #expect(desk.call("GET", "/sessions/\(used)").status == 200)
        }
    }

    @Test("An ephemeral token is gone when its time is over")
    func ephemeral() async throws {
        try await withHellgate { desk, time in
            let session = try desk.open(body: #"{"expiration_time":60}"#)
            let token = try desk.complete(session).root["data"]["token_id"].string()
            let shown = try desk.keyed("GET", "/tokens/\(token)").root
            #expect(shown["network_token_status"].present == nil)
            #expect(shown["expires_at"].present != nil)
            time.withLock { $0 = $0.adding(seconds: 60) }
            #expect(desk.keyed("GET", "/tokens/\(token)").status == 404)
        }
    }

    @Test("Choices are told and made over the control address, all or none; an unknown one refuses to start")
    func choices() async throws {
        try await withHellgate { desk, _ in
            func post(_ body: String) -> Int? {
                desk.sandbox.exchange(
                    "POST /_sandbox/choices HTTP/1.1\r\nhost: x\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)")?
                    .status
            }
            for body in ["", "[]", "{}", #"{"hellgate.session":"other"}"#, #"{"hellgate.session":"guardian","x":"y"}"#]
            {
                #expect(post(body) == 400, "\(body)")
            }
            let before = try JSONValue(parsing: desk.sandbox.get("/_sandbox/choices")?.body ?? [])
            #expect(try before["choices"][0]["name"].string() == "hellgate.session")
            #expect(try before["choices"][0]["value"].string() == "encrypted")
            #expect(post(#"{"hellgate.session":"guardian","hellgate.completion":"waiting"}"#) == 200)
            let session = try desk.keyed("POST", "/tokens/session").root["session_id"].string()
            #expect(try desk.call("GET", "/sessions/\(session)").root["data"]["provider"].string() == "guardian")
            #expect(desk.sandbox.get("/_sandbox/choices", method: "PUT")?.status == 405)
        }
        var configuration = SandboxConfiguration()
        configuration.choices = ["hellgate.session": "nonsense"]
        #expect(throws: SandboxError.unknownChoice("hellgate.session")) { try Sandbox(configuration).start() }
    }
}
