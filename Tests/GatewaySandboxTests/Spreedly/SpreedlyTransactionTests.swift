import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Spreedly: transactions of the vault")
struct SpreedlyTransactionTests {
    @Test("every change of a method is a transaction that is found again")
    func history() async throws {
        try await withSpreedly { desk in
            let other = try desk.call("POST", "/payment_methods", SpreedlyCall.card()).transaction["token"].string()
            let created = desk.call("POST", "/payment_methods", SpreedlyCall.card())
            let token = try created.transaction["payment_method"]["token"].string()
            let path = "/payment_methods/\(token)"
            let calls = [
                created, desk.call("PUT", path + "/retain"),
                desk.call(
                    "PUT", path + "/recache", #"{"payment_method":{"credit_card":{"verification_value":"415"}}}"#),
                desk.call("PUT", path + "/redact"), desk.call("PUT", path + "/retain"),
            ]
            let made = try calls.map { try $0.transaction["token"].string() }
            let history = desk.call("GET", path + "/transactions.json")
            #expect(history.status == 200)
            #expect(try history.tokens("transactions") == made)
            #expect(
                try history.root["transactions"].elements().map { try $0["transaction_type"].string() } == [
                    "AddPaymentMethod", "RetainPaymentMethod", "RecacheSensitiveData", "RedactPaymentMethod",
                    "RetainPaymentMethod",
                ])
            #expect(try desk.call("GET", "/transactions.json").tokens("transactions") == [other] + made)
            #expect(
                try desk.call("GET", "/transactions?since_token=\(other)&count=1").tokens("transactions")
                    == [made[0]])
            #expect(try desk.call("GET", "/transactions?order=desc&count=1").tokens("transactions") == [made[4]])
            #expect(try desk.call("GET", "/transactions?state=failed").tokens("transactions") == [made[4]])
            #expect(
                try desk.call("GET", path + "/transactions?state=succeeded").tokens("transactions")
                    == Array(made.prefix(4)))
            let shown = desk.call("GET", "/transactions/\(made[4]).json")
            #expect(shown.status == 200)
            #expect(try shown.transaction == calls[4].transaction)
            let first = try desk.call("GET", "/transactions/\(made[0])").transaction
            #expect(try first["created_at"].string() == created.transaction["created_at"].string())
            #expect(try first["payment_method"]["storage_state"].string() == "redacted")
        }
    }

    @Test("the status is for everybody, and tells no more than it must")
    func status() async throws {
        try await withSpreedly { desk in
            let token = try desk.call("POST", "/payment_methods", SpreedlyCall.card()).transaction["token"].string()
            let path = "/transactions/\(token)/status.json"
            let key = desk.sandbox.credentials(for: "spreedly")?["environmentKey"] ?? ""
            for answer in [
                desk.call("GET", path, header: ""), desk.call("GET", path),
                desk.call("GET", path + "?environment_key=\(key)", header: ""),
                desk.call("GET", path, header: "spreedly-environment-key: \(key)\r\n"),
            ] {
                #expect(answer.status == 200)
                #expect(try answer.transaction["state"].string() == "succeeded")
                #expect(try answer.transaction["succeeded"].bool())
                #expect(try answer.transaction["token"].string() == token)
                #expect(answer.text.contains("payment_method") == false)
            }
            #expect(desk.call("GET", path, header: "authorization: Basic YTpi\r\n").status == 401)
            #expect(desk.call("GET", path + "?environment_key=other", header: "").status == 401)
        }
    }

    @Test(
        "unknown ones, wrong methods and wrong parameters",
        arguments: [
            ("GET", "/transactions/01KNOBODY.json", 404, "- errors.transaction_not_found"),
            ("GET", "/transactions/01KNOBODY/status", 404, "- errors.transaction_not_found"),
            ("GET", "/payment_methods/01KNOBODY/transactions", 404, "- errors.payment_method_not_found"),
            ("GET", "/transactions/01KNOBODY/other", 404, "- errors.dispatch_not_found"),
            ("GET", "/transactions?count=101", 422, "count errors.invalid"),
            ("GET", "/transactions?state=retained", 422, "state errors.invalid"),
            ("GET", "/transactions?since_token=x", 422, "since_token errors.invalid"),
        ])
    func refusals(method: String, path: String, status: Int, error: String) async throws {
        try await withSpreedly { desk in
            let answer = desk.call(method, path)
            let errors = try answer.errors
            #expect(answer.status == status)
            #expect(errors == [error])
            if error.contains("transaction_not_found") { #expect(answer.text.contains("01KNOBODY")) }
            let wrong = desk.call("PATCH", path.hasSuffix("other") ? "/transactions" : path)
            #expect(wrong.status == 405 && wrong.header["allow"] == "GET")
        }
    }

    @Test("reading transactions wants the secret", arguments: ["", "/abc", "/abc/transactions"])
    func access(path: String) async throws {
        try await withSpreedly { desk in
            let base = path.hasSuffix("s") ? "/payment_methods" : "/transactions"
            let answer = desk.call("GET", base + path, header: "")
            let errors = try answer.errors
            #expect(answer.status == 401)
            #expect(errors == ["- errors.access_denied"])
        }
    }

    @Test("the list is limited to 30 calls per minute by the sandbox's clock")
    func rateLimit() async throws {
        let clock = Locked(WallTime(secondsSince1970: 1_785_000_000, nanoseconds: 500_000_000))
        try await withSpreedly(now: { clock.withLock { $0 } }) { desk in
            let wait = { (seconds: Int64) in clock.withLock { $0 = $0.adding(seconds: seconds) } }
            let list = { desk.call("GET", "/transactions.json") }
            #expect(desk.call("GET", "/transactions.json", header: "").status == 401)
            #expect(list().status == 200)
            wait(10)
            #expect((0..<29).map { _ in list().status }.allSatisfy { $0 == 200 })
            let limited = list()
            #expect(limited.status == 429)
            #expect(limited.header["retry-after"] == "50")
            #expect(limited.body.isEmpty)
            let token = try desk.create()
            #expect(desk.call("GET", "/payment_methods/\(token)/transactions").status == 200)
            wait(49)
            #expect(list().header["retry-after"] == "1")
            wait(1)
            #expect(list().status == 200)
            #expect(list().header["retry-after"] == "10")
            wait(10)
            #expect(list().status == 200)
            wait(-3600)
            #expect(list().status == 200)
            desk.sandbox.reset()
            #expect((0..<30).map { _ in list().status }.allSatisfy { $0 == 200 })
            #expect(list().status == 429)
        }
    }

    @Test("a part of a second is rounded up")
    func rounding() {
        var limit = SpreedlyRateLimit()
        let start = WallTime(secondsSince1970: 100, nanoseconds: 5)
        for _ in 0..<30 { #expect(limit.admit(at: start) == nil) }
        #expect(limit.admit(at: WallTime(secondsSince1970: 100, nanoseconds: 4)) == nil)
        var other = SpreedlyRateLimit()
        for _ in 0..<30 { _ = other.admit(at: start) }
        #expect(other.admit(at: WallTime(secondsSince1970: 159, nanoseconds: 900_000_000)) == 1)
        #expect(other.admit(at: WallTime(secondsSince1970: 160, nanoseconds: 4)) == 1)
        #expect(other.admit(at: WallTime(secondsSince1970: 160, nanoseconds: 5)) == nil)
    }

    @Test(
        "every call can be made to fail",
        arguments: [
            ("recache", "POST", "/payment_methods/abc/recache"),
            ("delete-metadata", "DELETE", "/payment_methods/abc/metadata"),
            ("method-transactions", "GET", "/payment_methods/abc/transactions"), ("list", "GET", "/payment_methods"),
            ("list-transactions", "GET", "/transactions"), ("show-transaction", "GET", "/transactions/abc"),
            ("transaction-status", "GET", "/transactions/abc/status"),
        ])
    func faults(operation: String, method: String, path: String) async throws {
        try await withSpreedly { desk in
            let rule = try FaultRule("spreedly.\(operation)=status:503")
            desk.sandbox.faults.add(rule.kind, provider: rule.provider, operation: rule.operation)
            #expect(desk.call(method, path).status == 503)
            #expect(desk.call(method, path).status != 503)
        }
    }
}
