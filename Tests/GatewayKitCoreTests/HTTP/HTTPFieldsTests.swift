import Testing

@testable import GatewayKitCore

@Suite("Header fields")
struct HTTPFieldsTests {
    @Test(
        "N5: names compare without case", arguments: ["content-type", "Content-Type", "CONTENT-TYPE", "cOnTeNt-TyPe"])
    func caseless(name: String) {
        var fields = HTTPFields()
        fields.append("Content-TYPE", "text/html")
        #expect(fields[HTTPFieldName(name)] == "text/html")
        #expect(fields.contains(HTTPFieldName(name)))
        #expect(fields.values(of: HTTPFieldName(name)) == ["text/html"])
        #expect(HTTPFieldName(name).hashValue == HTTPFieldName("content-type").hashValue)
        fields[HTTPFieldName(name)] = nil
        #expect(fields.list.isEmpty)
    }

    @Test("N5: the media type is found and lowered, its parameters are left out")
    func mediaType() {
        for (name, value, expected) in [
            ("Content-Type", "Application/JSON; charset=utf-8", "application/json"),
            ("content-type", " text/html ", "text/html"), ("CONTENT-TYPE", "application/json;", "application/json"),
        ] {
            var fields = HTTPFields()
            fields.append(HTTPFieldName(name), .plain(value))
            #expect(WireResponse(status: 200, fields: fields, body: []).mediaType == expected)
        }
        #expect(WireResponse(status: 200, fields: HTTPFields(), body: []).mediaType == nil)
    }

    @Test("only ASCII letters are lowered")
    func otherScripts() {
        #expect(HTTPFieldName("X-\u{212A}").description == "x-\u{212A}")
        #expect(HTTPFieldName("X-\u{212A}") != "x-k")
        #expect(HTTPFieldName("X_Ä").description == "x_Ä")
    }

    @Test(
        "names that can be sent are tokens",
        arguments: [
            ("Accept", true), ("x-request-id", true), ("!#$%&'*+-.^_`|~09az", true), ("", false), ("a b", false),
            ("a:b", false), ("a\r\nb", false), ("a\u{0}", false), ("Ä", false), ("a(b)", false), ("\"a\"", false),
            ("a/b", false), ("a\u{7F}", false), ("a@b", false),
        ])
    func sendable(name: String, isSendable: Bool) {
        #expect(HTTPFieldName(name).isSendable == isSendable)
    }

    @Test("order and repetition are kept, setting replaces all")
    func order() {
        var fields = HTTPFields()
        fields.append("a", "1")
        fields.append("b", "2")
        fields.append("A", "3")
        #expect(fields.values(of: "a") == ["1", "3"])
        #expect(fields["a"] == "1")
        fields["A"] = "4"
        #expect(fields.list.map(\.name.description) == ["b", "a"])
        #expect(fields.values(of: "a") == ["4"])
    }

    @Test("a sensitive value is for the wire alone")
    func sensitive() {
        var fields = HTTPFields()
        fields.set("authorization", .sensitive(Sensitive("top-secret-value")))
        #expect(fields["Authorization"] == nil)
        #expect(fields.values(of: "authorization").isEmpty)
        #expect(fields.contains("AUTHORIZATION"))
        #expect(!everythingShown(fields).contains("top-secret"))
        #expect(fields.list.first?.value.withExposed { $0 } == "top-secret-value")
    }

    @Test("fields of an answer that echoes a card print their names and masked values")
    func echo() {
        let number = TestCard.all[0].number
        var fields = HTTPFields()
        fields.append("x-echo", .plain("card=\(number)"))
        fields.append("set-cookie", .plain("session=abc123def456"))
        let shown = everythingShown(fields) + everythingShown(fields.list) + everythingShown(fields.list[0].value)
        #expect(!shown.contains(number))
        #expect(!shown.contains("abc123def456"))
        #expect(shown.contains("x-echo"))
    }
}
