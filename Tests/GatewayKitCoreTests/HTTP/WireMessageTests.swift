import Testing

@testable import GatewayKitCore

@Suite("Requests and answers show nothing")
struct WireMessageTests {
    static let number = TestCard.all[0].number
    static let search = LeakSearch([Sensitive(number), Sensitive("account-secret-1"), Sensitive("header-secret-2")])

    static var request: WireRequest {
        let url = WireURL.known("https://api.provider.example/v1")
            .appending(query: "environment_key", .sensitive(Sensitive("account-secret-1")))
        var request = WireRequest("test.call", .post, url, repeatability: .once)
        request.fields.set("authorization", .sensitive(Sensitive("header-secret-2")))
        request.body = WireBody(
            contentType: "application/json", bytes: Sensitive(Array(#"{"number":"\#(number)"}"#.utf8)),
            secrets: [Sensitive(number)])
        return request
    }

    @Test("printing, debugging and dumping a request")
    func request() {
        let shown = everythingShown(Self.request) + everythingShown(Optional(Self.request) as Any)
        #expect(Self.search.leaks(in: shown).isEmpty)
        #expect(Self.request.description.hasPrefix("POST https://api.provider.example/v1"))
    }

    @Test("its parts as well")
    func parts() {
        let request = Self.request
        let shown =
            everythingShown(request.fields) + everythingShown(request.url) + everythingShown(request.body as Any)
            + everythingShown(request.secrets)
        #expect(Self.search.leaks(in: shown).isEmpty)
    }

    @Test("a request knows every secret in it")
    func secrets() {
        let secrets = Set(Self.request.secrets.map { $0.withExposed { $0 } })
        #expect(secrets == [Self.number, "account-secret-1", "header-secret-2"])
    }

    @Test("B13, L3: an answer that echoes the card shows status, media type and size only")
    func response() {
        var fields = HTTPFields()
        fields.append("content-type", "text/html")
        fields.append("x-echo", .plain(Self.number))
        let response = WireResponse(status: 502, fields: fields, body: Array("<p>\(Self.number)</p>".utf8))
        #expect(response.description == "502 text/html, \(Self.number.count + 7) bytes")
        #expect(Self.search.leaks(in: everythingShown(response)).isEmpty)
    }
}
