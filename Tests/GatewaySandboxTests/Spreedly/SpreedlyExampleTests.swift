import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// Requests as Spreedly's documents and published clients write them; none may be refused.
@Suite("Spreedly: requests as others write them")
struct SpreedlyExampleTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var method = "POST"
        /// `TOKEN` is a retained card's.
        var path = "/payment_methods.json"
        /// Neither secret nor key is sent in the header when the body or the query has the key.
        var isOpen = false
        /// `ENVKEY` is the environment key.
        var body: String
        var status = 201

        init(_ name: String, _ body: String) {
            self.init(name, "POST", "/payment_methods.json", status: 201, body)
        }

        init(
            _ name: String, _ method: String, _ path: String, isOpen: Bool = false, status: Int = 201, _ body: String
        ) {
            testDescription = name
            self.method = method
            self.path = path
            self.isOpen = isOpen
            self.body = body
            self.status = status
        }
    }

    private static let fullCard = """
        {
          "payment_method": {
            "credit_card": {
              "first_name": "Ada", "last_name": "Okoro",
              "number": "4111111111111111", "verification_value": "737",
              "month": "9", "year": "2031",
              "company": "Kite Ltd",
              "address1": "9 Mill Row", "address2": "Unit 2", "city": "Leeds", "state": "LDS",
              "zip": "LS1 4AB", "country": "GB", "phone_number": "441130000000",
              "shipping_address1": "1 Dock St", "shipping_city": "Leeds", "shipping_zip": "LS9 1AA",
              "shipping_country": "GB"
            },
            "email": "ada@example.com",
            "metadata": { "cart": "c-771", "visits": 3, "vip": true },
            "retained": false,
            "allow_blank_name": false,
            "allow_expired_date": false,
            "allow_blank_date": false,
            "eligible_for_card_updater": true,
            "provision_network_token": false
          }
        }
        """

    static let examples: [Example] = [
        Example("the full card", fullCard),
        Example(
            "the full card with the key in the query", "POST", "/payment_methods.json?environment_key=ENVKEY",
            isOpen: true, fullCard),
        Example(
            "the first iOS SDK: text only", "POST", "/payment_methods.json?environment_key=ENVKEY", isOpen: true,
            #"{"payment_method":{"credit_card":{"first_name":"Ada","last_name":"Okoro","number":"4111111111111111","verification_value":"737","month":"09","year":"2031"}}}"#
        ),
        Example(
            "the second iOS SDK: flags at both levels, empty email and metadata", "POST",
            "/payment_methods/restricted.json", isOpen: true,
            #"{"environment_key":"ENVKEY","platform-meta":"eyJ2IjoiMSJ9","payment_method":{"credit_card":{"full_name":"Ada Okoro","number":"4111111111111111","verification_value":"737","month":9,"year":2031,"allow_blank_name":true},"allow_blank_name":true,"allow_expired_date":false,"allow_blank_date":false,"email":"","metadata":{},"retained":false}}"#
        ),
        Example(
            "email inside the card",
            #"{"payment_method":{"credit_card":{"number":"5555555555554444","month":9,"year":2031,"first_name":"Ada","last_name":"Okoro","email":"ada@example.com"},"data":{"a":"b"}}}"#
        ),
        Example(
            "Apple Pay",
            #"{"payment_method":{"apple_pay":{"payment_data":{"version":"EC_v1","data":"ZA==","signature":"cw==","header":{"ephemeralPublicKey":"aw==","publicKeyHash":"aA==","transactionId":"7f3a"}},"test_card_number":"4111111111111111"}}}"#
        ),
        Example(
            "Google Pay",
            #"{"payment_method":{"google_pay":{"payment_data":{"signature":"cw==","protocolVersion":"ECv1","signedMessage":"{}"},"test_card_number":"4111111111111111","first_name":"Ada","last_name":"Okoro","address_1":"9 Mill Row"}}}"#
        ),
        Example(
            "bank account",
            #"{"payment_method":{"bank_account":{"bank_routing_number":"021000021","bank_account_number":"9876543210","bank_account_type":"checking","bank_account_holder_type":"personal","first_name":"Ada","last_name":"Okoro","bank_name":"Kite Bank"},"email":"ada@example.com"}}"#
        ),
        Example(
            "third party token",
            #"{"payment_method":{"payment_method_type":"third_party_token","reference":"vault-77","gateway_type":"test"}}"#
        ),
        Example("offsite", #"{"payment_method":{"payment_method_type":"sprel"}}"#),
        Example(
            "recache with the key", "POST", "/payment_methods/TOKEN/recache.json", isOpen: true, status: 200,
            #"{"environment_key":"ENVKEY","payment_method":{"credit_card":{"verification_value":"415"},"allow_blank_name":false}}"#
        ),
        Example(
            "recache with Basic", "PUT", "/payment_methods/TOKEN/recache.json", status: 200,
            #"{"payment_method":{"credit_card":{"verification_value":"415"}}}"#),
        Example(
            "update gratis", "PUT", "/payment_methods/TOKEN/update_gratis.json", status: 200,
            #"{"payment_method":{"managed":true}}"#),
        Example(
            "update", "PUT", "/payment_methods/TOKEN.json", status: 200,
            #"{"payment_method":{"email":"eve@example.com","first_name":"Eve","month":"10","metadata":{"cart":"c-772"}}}"#
        ),
        Example("retain without body", "PUT", "/payment_methods/TOKEN/retain.json", status: 200, ""),
        Example("redact without body", "PUT", "/payment_methods/TOKEN/redact.json", status: 200, ""),
        Example(
            "redact at a gateway too", "PUT", "/payment_methods/TOKEN/redact.json", status: 200,
            #"{"transaction":{"remove_from_gateway":"GwTok001","remove_personal_data":true}}"#),
        Example("delete metadata", "DELETE", "/payment_methods/TOKEN/metadata.json", status: 200, #"{"keys":["k"]}"#),
        Example(
            "list", "GET",
            "/payment_methods.json?since_token=TOKEN&order=asc&count=20&state=retained&metadata[cart]=c-771",
            status: 200, ""),
        Example("transactions of a method", "GET", "/payment_methods/TOKEN/transactions.json", status: 200, ""),
        Example("transactions", "GET", "/transactions.json?order=desc&count=100&state=succeeded", status: 200, ""),
    ]

    @Test("is accepted", arguments: examples)
    func accepted(_ example: Example) async throws {
        try await withSpreedly { desk in
            let token = try desk.retained()
            let key = desk.sandbox.credentials(for: "spreedly")?["environmentKey"] ?? ""
            let fill = { (text: String) in text.replacing("TOKEN", with: token).replacing("ENVKEY", with: key) }
            let answer = desk.call(
                example.method, fill(example.path), example.body.isEmpty ? nil : fill(example.body),
                header: example.isOpen ? "" : nil)
            #expect(answer.status == example.status, "\(answer.text)")
        }
    }
}

@Suite("Spreedly: forms that browsers post")
struct SpreedlyRedirectTests {
    private static let card =
        "credit_card%5Bnumber%5D=4111111111111111&credit_card[month]=9&credit_card[year]=2031"
        + "&credit_card[first_name]=Ada&credit_card[last_name]=Ok%C3%B3ro+B&credit_card[verification_value]=737"

    private static func post(
        _ desk: SpreedlyDesk, _ form: String, path: String = "/payment_methods", header: String = ""
    )
        -> SpreedlyAnswer
    {
        let key = desk.sandbox.credentials(for: "spreedly")?["environmentKey"] ?? ""
        return desk.call(
            "POST", path, form.replacing("ENVKEY", with: key), header: header,
            type: "application/x-www-form-urlencoded; charset=utf-8")
    }

    @Test(
        "the browser goes on to the shop with a token",
        arguments: [
            ("https%3A%2F%2Fshop.example%2Fdone", "https://shop.example/done?token=", ""),
            ("https://shop.example/done?cart%3D7", "https://shop.example/done?cart=7&token=", ""),
            ("http://127.0.0.1:8080/%23end", "http://127.0.0.1:8080/?token=", "#end"),
        ])
    func redirects(target: String, prefix: String, suffix: String) async throws {
        try await withSpreedly { desk in
            let answer = Self.post(
                desk,
                "environment_key=ENVKEY&redirect_url=\(target)&\(Self.card)&email=a%40b.example&metadata[cart]=7"
                    + "&eligible_for_card_updater=false&utf8=%E2%9C%93&other[x]=1")
            #expect(answer.status == 302)
            let location = try #require(answer.header["location"])
            #expect(location.hasPrefix(prefix) && location.hasSuffix(suffix))
            let token = location.dropFirst(prefix.count).dropLast(suffix.count)
            let method = try desk.call("GET", "/payment_methods/\(token)").method
            #expect(try method["full_name"].string() == "Ada Okóro B")
            #expect(try method["email"].string() == "a@b.example")
            #expect(try method["metadata"]["cart"].string() == "7")
            #expect(try !method["eligible_for_card_updater"].bool())
            #expect(try method["last_four_digits"].string() == "1111")
        }
    }

    @Test("an offsite method")
    func offsite() async throws {
        try await withSpreedly { desk in
            let answer = Self.post(
                desk, "payment_method_type=sprel&environment_key=ENVKEY&redirect_url=https://shop.example/")
            let token = try #require(answer.header["location"]?.split(separator: "=").last)
            let method = try desk.call("GET", "/payment_methods/\(token)").method
            #expect(try method["payment_method_type"].string() == "sprel")
        }
    }

    static let wrong: [(String, Int, String)] = [
        ("redirect_url=https://shop.example/", 401, "- errors.environment_key_parameter_required"),
        ("environment_key=other&redirect_url=https://shop.example/", 401, "- errors.invalid_environment_key_parameter"),
        ("environment_key=ENVKEY", 422, "redirect_url errors.blank"),
        ("environment_key=ENVKEY&redirect_url=/done", 422, "redirect_url errors.invalid"),
        ("environment_key=ENVKEY&redirect_url=javascript:alert(1)", 422, "redirect_url errors.invalid"),
        ("environment_key=ENVKEY&redirect_url=https://", 422, "redirect_url errors.invalid"),
        ("environment_key=ENVKEY&redirect_url=https://a.example/%0d%0ax:1", 422, "redirect_url errors.invalid"),
        ("environment_key=ENVKEY&redirect_url=https://a.example&retained=true", 422, "retained errors.invalid"),
        ("environment_key=ENVKEY&email=1&email=2", 400, "- errors.invalid_request_body"),
        ("environment_key=ENVKEY&email=%zz", 400, "- errors.invalid_request_body"),
    ]

    @Test("forms that are wrong are not sent on", arguments: wrong)
    func refused(form: String, status: Int, error: String) async throws {
        try await withSpreedly { desk in
            let answer = Self.post(desk, form + "&" + Self.card)
            let errors = try answer.errors
            #expect(answer.status == status)
            #expect(errors == [error])
            #expect(answer.header["location"] == nil)
        }
    }

    @Test("a card that is wrong is told as in JSON; other paths take no forms")
    func others() async throws {
        try await withSpreedly { desk in
            let form = "environment_key=ENVKEY&redirect_url=https://shop.example/&" + Self.card
            let wrong = Self.post(desk, form.replacing("month]=9", with: "month]=13"))
            let errors = try wrong.errors
            #expect(wrong.status == 422 && errors == ["month errors.invalid"])
            #expect(Self.post(desk, form.replacing("4111111111111111", with: "343")).status == 402)
            #expect(Self.post(desk, form, header: "authorization: Basic YTpi\r\n").status == 401)
            #expect(
                Self.post(desk, form, path: "/payment_methods.json", header: SpreedlyCall.basic(desk.sandbox)).status
                    == 415)
            #expect(Self.post(desk, form, path: "/payment_methods/restricted").status == 415)
        }
    }
}
