import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Spreedly: methods that are kept")
struct SpreedlyVaultTests {
    @Test("show answers what creating answered, to those with the secret")
    func show() async throws {
        try await withSpreedly { desk in
            let created = desk.call("POST", "/payment_methods.json", SpreedlyCall.card())
            let token = try created.transaction["payment_method"]["token"].string()
            let shown = desk.call("GET", "/payment_methods/\(token).json")
            #expect(shown.status == 200)
            #expect(try shown.method == created.transaction["payment_method"])
            #expect(desk.call("GET", "/payment_methods/\(token)", header: "").status == 401)
        }
    }

    static let pathsOfMethods: [(String, String, String?)] = [
        ("GET", "", nil), ("PUT", "", #"{"payment_method":{"email":"a@b.example"}}"#), ("PUT", "/retain", nil),
        ("PUT", "/redact", nil), ("PUT", "/update_gratis", #"{"payment_method":{"managed":true}}"#),
    ]

    @Test("an unknown method is not found", arguments: pathsOfMethods)
    func unknown(method: String, path: String, body: String?) async throws {
        try await withSpreedly { desk in
            for suffix in ["", ".json"] {
                let answer = desk.call(method, "/payment_methods/01KNOBODY\(path)\(suffix)", body)
                #expect(answer.status == 404)
                let errors = try answer.errors
                #expect(errors == ["- errors.payment_method_not_found"])
                let denied = desk.call(method, "/payment_methods/01KNOBODY\(path)\(suffix)", body, header: "")
                #expect(denied.status == 401)
                #expect(try denied.errors == ["- errors.access_denied"])
            }
        }
    }

    @Test(
        "other HTTP methods are told which ones are right",
        arguments: [
            ("", "GET, POST"), ("/restricted", "POST"), ("/abc", "GET, PUT"), ("/abc/retain", "PUT"),
            ("/abc/redact.json", "PUT"), ("/abc/update_gratis", "PUT"),
        ])
    func wrongMethod(path: String, allowed: String) async throws {
        try await withSpreedly { desk in
            let answer = desk.call("PATCH", "/payment_methods" + path)
            #expect(answer.status == 405)
            #expect(answer.header["allow"] == allowed)
        }
    }

    @Test("paths that do not exist", arguments: ["/abc/retain/x", "/abc/burn", "/a-b", "/", "/abc/retain.xml"])
    func noSuchPath(path: String) async throws {
        try await withSpreedly { desk in
            #expect(desk.call("PUT", "/payment_methods" + path).status == 404)
            let errors = try desk.call("GET", "/payment_methods" + path).errors
            #expect(errors == ["- errors.dispatch_not_found"])
        }
    }

    // MARK: - States

    @Test("cached, retained, redacted, and no way back")
    func states() async throws {
        try await withSpreedly { desk in
            let token = try desk.create()
            let path = "/payment_methods/\(token)"
            let retain = desk.call("PUT", path + "/retain.json")
            #expect(retain.status == 200)
            #expect(try retain.transaction["transaction_type"].string() == "RetainPaymentMethod")
            #expect(try retain.transaction["retained"].bool() && retain.transaction["succeeded"].bool())
            #expect(try retain.transaction["payment_method"]["storage_state"].string() == "retained")
            #expect(desk.call("PUT", path + "/retain.json", "{}").status == 200)

            let redact = desk.call("PUT", path + "/redact.json")
            #expect(redact.status == 200)
            let method = try redact.transaction["payment_method"]
            #expect(try redact.transaction["transaction_type"].string() == "RedactPaymentMethod")
            #expect(try method["storage_state"].string() == "redacted")
            #expect(try method["number"].string() == "" && method["verification_value"].string() == "")
            #expect(try method["first_name"].string() == "Ada" && method["last_four_digits"].string() == "1111")

            let again = desk.call("PUT", path + "/retain.json")
            #expect(again.status == 422)
            #expect(try !again.transaction["succeeded"].bool() && again.transaction["state"].string() == "failed")
            #expect(
                try again.transaction["message_key"].string()
                    == "messages.unable_to_retain_a_redacted_payment_method")
            #expect(try again.transaction["payment_method"]["storage_state"].string() == "redacted")
            let update = desk.call("PUT", path, #"{"payment_method":{"email":"a@b.example"}}"#)
            #expect(update.status == 422)
            #expect(try update.errors == ["- errors.payment_method_redacted"])
            #expect(desk.call("PUT", path + "/redact").status == 200)
            #expect(try desk.call("GET", path).method["storage_state"].string() == "redacted")
            #expect(
                desk.sandbox.ledger.entries.map(\.operation) == [
                    "tokenize", "retain", "retain", "redact", "retain", "update", "redact", "show",
                ])
            #expect(
                desk.sandbox.ledger.entries.map(\.outcome) == [
                    .created, .changed, .changed, .changed, .refused, .refused, .changed, .read,
                ])
        }
    }

    @Test("a used method cannot be retained, a cached one can be redacted")
    func storage() throws {
        var vault = SpreedlyVault(mint: TokenMint(seed: 1, purpose: 2), limit: 9, standardGateway: "gateway")
        let now = WallTime(secondsSince1970: 1_785_000_000)
        var (method, _) = vault.create(SpreedlyMethod(), at: now)
        method.storage = .used
        vault.replace(method)
        let (kept, transaction) = try vault.retain(method.token, at: now)
        #expect(kept.storage == .used && transaction.failure == .used && transaction.status == 422)
        let (redacted, _) = try vault.redact(method.token, removingPersonalData: false, at: now)
        #expect(redacted.storage == .redacted)
    }

    struct Redaction: Sendable {
        var body: String
        var status = 200
        var keepsName = true
        var errors: [String] = []
    }

    @Test(
        "redacting, with what may be asked for",
        arguments: [
            Redaction(
                body: #"{"transaction":{"remove_from_gateway":"GwTok001","remove_personal_data":true}}"#,
                keepsName: false),
            Redaction(body: #"{"transaction":{"remove_personal_data":false}}"#), Redaction(body: "{}"),
            Redaction(body: #"{"transaction":{"later":[1]}}"#),
            Redaction(
                body: #"{"transaction":{"remove_personal_data":"yes"}}"#, status: 422,
                errors: ["remove_personal_data errors.invalid"]),
            Redaction(
                body: #"{"transaction":{"remove_from_gateway":7}}"#, status: 422,
                errors: ["remove_from_gateway errors.invalid"]),
            Redaction(body: #"{"transaction":[]}"#, status: 422, errors: ["transaction errors.invalid"]),
            Redaction(body: "[]", status: 400, errors: ["- errors.invalid_request_body"]),
        ])
    func redaction(_ redaction: Redaction) async throws {
        try await withSpreedly { desk in
            let token = try desk.create()
            let answer = desk.call("PUT", "/payment_methods/\(token)/redact.json", redaction.body)
            #expect(answer.status == redaction.status)
            #expect(try answer.errors == redaction.errors)
            let method = try desk.call("GET", "/payment_methods/\(token)").method
            #expect(try method["storage_state"].string() == (redaction.status == 200 ? "redacted" : "cached"))
            #expect((method["first_name"].kind == .string) == redaction.keepsName)
        }
    }

    // MARK: - Updates

    struct Update: Sendable, CustomTestStringConvertible {
        var members: String
        var errors: [String] = []
        /// Members of the method afterwards, as they are written; nothing else may have changed.
        var after: [String: String] = [:]
        var testDescription: String { members }
    }

    static let updates: [Update] = [
        Update(members: #""email":"b@example.com""#, after: ["email": #""b@example.com""#]),
        Update(members: #""email":null"#, after: ["email": "null"]),
        Update(
            members: #""zip":"LS2","shipping_city":"York","phone_number":"44113""#,
            after: [
                "zip": #""LS2""#, "shipping_city": #""York""#, "phone_number": #""44113""#,
            ]),
        Update(members: #""first_name":"Eve""#, after: ["first_name": #""Eve""#, "full_name": #""Eve Okoro""#]),
        Update(
            members: #""full_name":"Eve Moss""#,
            after: [
                "first_name": #""Eve""#, "last_name": #""Moss""#, "full_name": #""Eve Moss""#,
            ]),
        Update(members: #""first_name":" ""#, errors: ["first_name errors.blank"]),
        Update(
            members: #""first_name":"","allow_blank_name":true"#,
            after: [
                "first_name": "null", "full_name": #""Okoro""#,
            ]),
        Update(members: #""month":"12","year":2032"#, after: ["month": "12", "year": "2032"]),
        Update(members: #""month":13"#, errors: ["month errors.invalid"]),
        Update(members: #""year":"31""#, errors: ["year errors.invalid"]),
        Update(members: #""year":2020"#, errors: ["year errors.expired"]),
        Update(members: #""year":2020,"allow_expired_date":true"#, after: ["year": "2020"]),
        Update(
            members: #""eligible_for_card_updater":false,"managed":false"#,
            after: [
                "eligible_for_card_updater": "false", "managed": "false",
            ]),
        Update(
            members: #""metadata":{"cart":"c-2","new":1}"#, after: ["metadata": #"{"cart":"c-2","vip":true,"new":1}"#]),
        Update(members: #""metadata":{"a\"b":2.50}"#, after: ["metadata": #"{"cart":"c-1","vip":true,"a\"b":2.50}"#]),
        Update(members: #""metadata":{"a":null}"#, errors: ["metadata errors.invalid"]),
        Update(
            members: "\"metadata\":{\((0..<24).map { "\"k\($0)\":1" }.joined(separator: ","))}",
            errors: ["metadata errors.invalid"]),
        Update(members: #""data":{"a":[1]}"#, after: ["data": #"{"a":[1]}"#]),
        Update(members: #""nickname":{}"#),
        Update(members: "\"number\":\"\(SpreedlyCall.visa)\"", errors: ["number errors.invalid"]),
        Update(members: #""verification_value":"123""#, errors: ["verification_value errors.invalid"]),
        Update(members: #""credit_card":{"zip":"LS2"}"#, errors: ["credit_card errors.invalid"]),
        Update(members: #""zip":1,"email":[]"#, errors: ["zip errors.invalid", "email errors.invalid"]),
    ]

    @Test("updates change what they name and nothing else", arguments: updates)
    func update(_ update: Update) async throws {
        try await withSpreedly { desk in
            let token = try desk.create(
                SpreedlyCall.card(outer: #","email":"a@example.com","metadata":{"cart":"c-1","vip":true}"#))
            let path = "/payment_methods/\(token).json"
            let before = try desk.call("GET", path).method
            let answer = desk.call("PUT", path, "{\"payment_method\":{\(update.members)}}")
            #expect(try answer.errors == update.errors)
            #expect(answer.status == (update.errors.isEmpty ? 200 : 422))
            let after = try desk.call("GET", path).method
            if update.errors.isEmpty { #expect(try answer.method == after) }
            for member in try before.members() {
                let expected = update.after[member.name] ?? String(decoding: member.value.source ?? [], as: UTF8.self)
                let found = String(decoding: after[member.name].source ?? [], as: UTF8.self)
                #expect(found == expected, "\(member.name)")
            }
        }
    }

    @Test("an update is seen in its time stamp")
    func timeStamps() async throws {
        let clock = Locked(WallTime(secondsSince1970: 1_785_000_000))
        try await withSpreedly(now: { clock.withLock { $0 } }) { desk in
            let token = try desk.create()
            clock.withLock { $0 = $0.adding(seconds: 5) }
            let method = try desk.call("PUT", "/payment_methods/\(token)", #"{"payment_method":{"zip":"1"}}"#).method
            #expect(try method["created_at"].string() == "2026-07-25T17:20:00.000Z")
            #expect(try method["updated_at"].string() == "2026-07-25T17:20:05.000Z")
        }
    }

    @Test("the wrappers and the content type of an update are checked")
    func updateWrapper() async throws {
        try await withSpreedly { desk in
            let path = "/payment_methods/\(try desk.create())"
            #expect(try desk.call("PUT", path, "{}").errors == ["payment_method errors.blank"])
            #expect(try desk.call("PUT", path, #"{"payment_method":7}"#).errors == ["payment_method errors.invalid"])
            #expect(desk.call("PUT", path).status == 415)
            #expect(desk.call("PUT", path, "a=b", type: "application/x-www-form-urlencoded").status == 415)
            let gratis = desk.call("PUT", path + "/update_gratis.json", #"{"payment_method":{"managed":false}}"#)
            #expect(try gratis.status == 200 && gratis.method["managed"].bool() == false)
            #expect(try desk.call("PUT", path + "/update_gratis", "{}").errors == ["managed errors.blank"])
        }
    }

    // MARK: - Lists

    @Test("lists by cursor, in both orders, 20 at a time and 100 at most")
    func list() async throws {
        try await withSpreedly { desk in
            let all = try (0..<23).map { _ in try desk.create() }
            let tokens = { (query: String) in
                try desk.call("GET", "/payment_methods.json" + query).tokens("payment_methods")
            }
            #expect(try tokens("") == Array(all.prefix(20)))
            #expect(try tokens("?since_token=\(all[19])") == Array(all.suffix(3)))
            #expect(try tokens("?since_token=\(all[22])") == [])
            #expect(try tokens("?count=100") == all)
            #expect(try tokens("?order=asc&count=2&since_token=\(all[3])") == [all[4], all[5]])
            #expect(try tokens("?order=desc&count=2") == [all[22], all[21]])
            #expect(try tokens("?order=desc&since_token=\(all[1])&later=1") == [all[0]])
        }
    }

    @Test("lists by state and metadata")
    func filters() async throws {
        try await withSpreedly { desk in
            let first = try desk.create(SpreedlyCall.card(outer: #","metadata":{"cart":"c-1","n":1}"#))
            let second = try desk.retained(SpreedlyCall.card(outer: #","metadata":{"cart":"c-1","n":2,"vip":true}"#))
            let third = try desk.create()
            _ = desk.call("PUT", "/payment_methods/\(third)/redact")
            let tokens = { (query: String) in
                try desk.call("GET", "/payment_methods" + query).tokens("payment_methods")
            }
            #expect(try tokens("?state=cached") == [first])
            #expect(try tokens("?state=retained") == [second])
            #expect(try tokens("?state=redacted") == [third])
            #expect(try tokens("?state=used") == [])
            #expect(try tokens("?metadata[cart]=c-1") == [first, second])
            #expect(try tokens("?metadata%5Bcart%5D=c-1&metadata[n]=2") == [second])
            #expect(try tokens("?metadata[vip]=true") == [second])
            #expect(try tokens("?metadata[cart]=c-9") == [])
        }
    }

    @Test(
        "wrong parameters of a list",
        arguments: [
            ("count=0", "count"), ("count=101", "count"), ("count=x", "count"), ("count=", "count"),
            ("count=1&count=1", "count"), ("order=up", "order"), ("state=new", "state"),
            ("since_token=01KNOBODY", "since_token"), ("since_token=", "since_token"),
        ])
    func wrongParameters(query: String, attribute: String) async throws {
        try await withSpreedly { desk in
            let answer = desk.call("GET", "/payment_methods.json?" + query)
            #expect(answer.status == 422)
            let errors = try answer.errors
            #expect(errors == ["\(attribute) errors.invalid"])
        }
    }

    @Test(
        "every call can be made to fail",
        arguments: [
            ("show", "GET", ""), ("update", "PUT", ""), ("retain", "PUT", "/retain"), ("redact", "PUT", "/redact"),
            ("update-gratis", "PUT", "/update_gratis"),
        ])
    func faults(operation: String, method: String, path: String) async throws {
        try await withSpreedly { desk in
            let token = try desk.create()
            desk.sandbox.faults.add(.status(503), provider: "spreedly", operation: operation)
            #expect(desk.call(method, "/payment_methods/\(token)\(path)", "{}").status == 503)
            #expect(desk.call("GET", "/payment_methods/\(token)").status == 200)
        }
    }
}
