import GatewayKitCore
import Testing

/// What each HTTP status means, whatever the body is (dossier 2.5, 4.3).
@Suite struct StatusTests {
    static let html = "<!DOCTYPE html><html><body><h1>Checking your browser</h1></body></html>"

    private func end(
        _ status: Int, _ body: String = "", type: String? = "application/json", fields: [String] = []
    ) async throws -> End {
        try await Shop.answer(of: try AnswerPeer(status: status, body, type: type, fields: fields))
    }

    static let bodies: [(body: String, type: String?)] = [
        ("", nil), ("", "application/json"), (html, "text/html; charset=utf-8"), ("{}", "application/json"),
        ("plain words", "text/plain"), ("<xml>no</xml>", "text/xml"), (#"{"message":"x"}"#, "application/json"),
        (#"{"errors":[{"key":"errors.key_of_2031","message":"x"}]}"#, "application/json"),
    ]

    @Test(
        "B1, B2, B3, B12: a refusing status is understood whatever its body is",
        arguments: [
            (400, GatewayError.Code.requestRefused), (401, .credentialsRefused), (403, .notPermitted),
            (404, .notFound), (405, .requestRefused), (406, .requestRefused), (411, .requestRefused),
            (413, .requestRefused), (415, .requestRefused), (429, .rateLimited), (431, .requestRefused),
        ])
    func refusing(status: Int, code: GatewayError.Code) async throws {
        for (body, type) in Self.bodies {
            let error = try #require(try await end(status, body, type: type).thrown, "\(status) \(body)")
            #expect(error.code == code)
            #expect(error.reach == .answered)
            #expect(error.tries == 1)
            #expect(error.answer?.status == status)
            #expect(error.operation == "spreedly.tokenize")
            #expect(error.account == AccountName("shop"))
        }
    }

    @Test(
        "F4, B1, B5, N6: every other status leaves the outcome unknown",
        arguments: [
            200, 201, 202, 204, 226, 300, 301, 302, 303, 304, 307, 308, 399, 408, 409, 418, 444, 460, 499, 500, 501,
            502, 503, 504, 520, 522, 599,
        ])
    func unclear(status: Int) async throws {
        for (body, type) in Self.bodies {
            let end = try await end(
                status, status == 204 ? "" : body, type: type,
                fields: (300..<400).contains(status) ? ["location: /v1/elsewhere.json"] : [])
            let cause = try #require(end.unknown, "\(status) \(body)")
            let isUnavailable = status >= 500 || status == 408
            #expect(cause.code == (isUnavailable ? .providerUnavailable : .unreadableAnswer))
            #expect(cause.reach == .answered)
            #expect(cause.tries == 1)
            #expect(cause.answer?.status == status)
        }
    }

    @Test("B13, N5: the error keeps status, media type and request id, never the body")
    func facts() async throws {
        let cause = try #require(
            try await end(200, Self.html, type: "Text/HTML; charset=utf-8", fields: ["X-REQUEST-ID: abc-1"]).unknown)
        #expect(cause.answer?.status == 200)
        #expect(cause.answer?.mediaType == "text/html")
        #expect(cause.answer?.requestID == "abc-1")
        #expect(!everything(of: cause).contains("Checking"))
    }

    @Test("5xx with errors keeps their code and words")
    func circuitBreaker() async throws {
        let body = #"{"errors":[{"key":"errors.circuit_breaker_open","message":"Retry after 30 seconds."}]}"#
        let cause = try #require(try await end(503, body, fields: ["Retry-After: 30"]).unknown)
        #expect(cause.answer?.providerCode == "errors.circuit_breaker_open")
        #expect(cause.answer?.providerMessage?.description == "Retry after 30 seconds.")
        #expect(cause.answer?.retryAfter == .seconds(30))
    }

    @Test("B6: words outside of an errors list are kept too", arguments: ["message", "error"])
    func otherWords(name: String) async throws {
        let error = try #require(try await end(400, "{\"\(name)\":\"Words for \(Shop.number)\"}").thrown)
        #expect(error.answer?.providerMessage?.description == "Words for 411111******1111")
    }

    @Test(
        "R10: Retry-After in both forms",
        arguments: [
            ("7", Duration.seconds(7)), ("0", .zero), ("Sat, 15 Jun 2030 12:00:30 GMT", .seconds(30)),
            ("Sat, 15 Jun 2030 11:00:00 GMT", .zero), ("soon", nil), ("-5", nil), ("", nil), (nil, nil),
        ] as [(String?, Duration?)])
    func retryAfter(text: String?, expected: Duration?) async throws {
        for (body, type) in Self.bodies.prefix(3) {
            let fields = text.map { ["Retry-After: \($0)"] } ?? []
            let error = try #require(try await end(429, body, type: type, fields: fields).thrown)
            #expect(error.code == .rateLimited)
            #expect(error.answer?.retryAfter == expected)
        }
    }

    @Test("A redirect is not followed, not even to the same host", arguments: [301, 302, 303, 307, 308])
    func redirects(status: Int) async throws {
        let peer = try AnswerPeer(status: status, fields: ["location: /v1/payment_methods.json"])
        _ = try await Shop.answer(of: peer)
        #expect(peer.received.count == 1)
    }

    @Test(
        "R6, R11: an answer that breaks off leaves the outcome unknown",
        arguments: [
            "", "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"transaction\"",
            "HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{\"tr", "HTTP/1.1 201 Cre",
            "SSH-2.0-OpenSSH_9\r\n", "HTTP/1.1 422 No\r\ncontent-length: 50\r\n\r\n{\"errors\":[{\"attribute\"",
            "HTTP/1.1 401 No\r\ncontent-length: 50\r\n\r\n{",
        ])
    func broken(bytes: String) async throws {
        let peer = try AnswerPeer(Array(bytes.utf8))
        let end = try await Shop.answer(of: peer)
        let cause = try #require(end.unknown)
        #expect(cause.reach != .notSent)
        #expect(peer.received.count == 1)
    }
}
