import GatewayCrypto
import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Safepay's pages in the sandbox")
struct SafepayPageTests {
    private static let target = "redirect_url=https%3A%2F%2Fshop.example%2Fpay%2Freturn"
    private static let cancel = "cancel_url=https%3A%2F%2Fshop.example%2Fpay%2Fcancel"

    private static func hosted(_ token: String, _ more: String = "source=custom&webhooks=false") -> String {
        "/checkout/pay?beacon=\(token)&\(cancel)&env=sandbox&order_id=A-1&\(target)&\(more)"
    }

    private static func pay(_ number: String = SafepayDesk.visa) -> String { "card=\(number)&outcome=pay" }

    @Test("The older page goes back with tracker, signature, reference and order, and pays once")
    func hosted() async throws {
        try await withSafepay { desk, _ in
            let token = try desk.order().data["token"].string()
            let path = Self.hosted(token)
            let page = desk.call("GET", path)
            #expect(page.status == 200 && page.header["content-type"] == "text/html; charset=utf-8")
            #expect(page.text.contains("PKR 1000.5") && page.text.contains("name=\"outcome\" value=\"cancel\""))
            #expect(desk.movements.isEmpty)
            let paid = desk.form(path, Self.pay())
            #expect(paid.status == 303)
            let order = try desk.call("GET", "/order/v1/\(token)").data
            #expect(try order["state"].string() == "TRACKER_ENDED")
            let reference = try order["transaction"]["reference"].string()
            let key = MessageAuthentication(.sha256, key: SecretBytes(Array(desk.secret.utf8)))
            let sig = try key.code(for: Array(token.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(
                paid.location
                    == "https://shop.example/pay/return?order_id=A-1&sig=\(sig)&reference=\(reference)&tracker=\(token)"
            )
            let again = desk.form(path, Self.pay())
            #expect(
                again.location == "/safepay/checkout/external/error?error=Tracker%20is%20in%20an%20invalid%20state")
            #expect(desk.call("GET", path).location == again.location)
            #expect(desk.movements == ["purchase 100050"])
        }
    }

    @Test("The older page in an app, with webhooks, without an address, and with an address that has a query")
    func hostedEnds() async throws {
        try await withSafepay { desk, _ in
            func paid(_ query: (String) -> String) throws -> (String, String) {
                let token = try desk.order().data["token"].string()
                return (token, desk.form(query(token), Self.pay()).location)
            }
            let (mobile, inApp) = try paid { "/checkout/pay?env=sandbox&source=mobile&beacon=\($0)" }
            #expect(
                inApp.hasPrefix(
                    "/safepay/checkout/external/mobile?env=sandbox&source=mobile&beacon=\(mobile)&tracker=\(mobile)&sig="
                ))
            #expect(inApp.hasSuffix("&action=complete"))
            #expect(desk.call("GET", String(inApp.dropFirst(8))).status == 200)
            let (hooked, short) = try paid { Self.hosted($0, "source=custom&webhooks=true") }
            #expect(short == "https://shop.example/pay/return?order_id=A-1&tracker=\(hooked)")
            let (_, bare) = try paid { "/checkout/pay?beacon=\($0)&env=sandbox" }
            #expect(bare.hasPrefix("/safepay/checkout/external/complete?beacon="))
            let (_, mangled) = try paid {
                "/checkout/pay?beacon=\($0)&redirect_url=https%3A%2F%2Fshop.example%2F%3Fa%3D1"
            }
            #expect(mangled.hasPrefix("https://shop.example/?a=1?order_id="))
            let (_, script) = try paid { "/checkout/pay?beacon=\($0)&redirect_url=javascript%3Aalert(1)" }
            #expect(script.hasPrefix("/safepay/checkout/external/complete?"))
        }
    }

    @Test("Choices: back by a form, or not at all")
    func hostedChoices() async throws {
        try await withSafepay { desk, _ in
            for (name, value, words) in [
                ("safepay.return", "form", "<input type=\"hidden\" name=\"sig\""),
                ("safepay.custom-page", "stays", "You can close this window."),
            ] {
                desk.sandbox.choose(value, for: name)
                let token = try desk.order().data["token"].string()
                let paid = desk.form(Self.hosted(token), Self.pay())
                #expect(paid.status == 200 && paid.text.contains(words))
                #expect(try desk.call("GET", "/order/v1/\(token)").data["state"].string() == "TRACKER_ENDED")
            }
            #expect(desk.movements.count == 2)
        }
    }

    @Test("Cancelling, failing and declined amounts on the older page move no money")
    func hostedRefused() async throws {
        try await withSafepay { desk, _ in
            let cancelled = try desk.order().data["token"].string()
            #expect(
                desk.form(Self.hosted(cancelled), "outcome=cancel").location
                    == "https://shop.example/pay/cancel?order_id=A-1&tracker=\(cancelled)")
            #expect(try desk.call("GET", "/order/v1/\(cancelled)").data["state"].string() == "TRACKER_CANCELLED")
            let app = try desk.order().data["token"].string()
            #expect(
                desk.form("/checkout/pay?beacon=\(app)&source=mobile", "outcome=cancel").location
                    == "/safepay/checkout/external/mobile?beacon=\(app)&source=mobile&tracker=\(app)&action=cancelled")
            let failed = try desk.order().data["token"].string()
            let end = desk.form(Self.hosted(failed), "outcome=fail").location
            #expect(end == "/safepay/checkout/external/error?error=the%20card%20was%20declined")
            #expect(desk.call("GET", String(end.dropFirst(8))).text.contains("the card was declined"))
            let poor = try desk.order("4051").data["token"].string()
            let declined = desk.form(Self.hosted(poor), Self.pay())
            #expect(declined.status == 200 && declined.text.contains("insufficient funds"))
            #expect(desk.form(Self.hosted(failed), "outcome=other").status == 400)
            #expect(desk.form(Self.hosted(failed), Self.pay("4000")).status == 400)
            #expect(desk.movements.isEmpty)
            let other = try desk.tracker()
            #expect(desk.call("GET", Self.hosted(other)).location.hasSuffix("invalid%20state"))
            #expect(desk.call("GET", Self.hosted("track_x")).location.hasSuffix("tracker%20not%20found"))
        }
    }

    @Test("The 3-D Secure leg on both pages: its end is not the payment's")
    func leg() async throws {
        try await withSafepay { desk, _ in
            let order = try desk.order().data["token"].string()
            let tracker = try desk.tracker(entry: "flex")
            let embedded = "/embedded/?environment=sandbox&tracker=\(tracker)&tbt=\(try desk.passport())&source=mobile"
            for (path, leg) in [
                (Self.hosted(order), "/safepay/checkout/external/success?env=sandbox&beacon=\(order)&xcomponent=1"),
                (embedded, "/safepay/embedded/external/success?environment=sandbox&tracker=\(tracker)&xcomponent=1"),
            ] {
                let asked = desk.form(path, Self.pay(SafepayDesk.challenged))
                #expect(asked.status == 200 && asked.text.contains("Test Bank"))
                #expect(desk.form(path, "outcome=authenticated").location.contains("external/error"))
                let jwt = try Self.field("JWT", asked.text)
                let answered = desk.form("/cruise/answer", "JWT=\(jwt)&outcome=success")
                #expect(answered.location == leg)
                let before = desk.movements.count
                let sending = desk.call("GET", String(leg.dropFirst(8)))
                #expect(sending.text.contains("value=\"authenticated\""))
                #expect(desk.movements.count == before)
                let done = desk.form(path, "outcome=authenticated")
                #expect(done.status == 303)
                #expect(desk.movements.count == before + 1)
                #expect(desk.form(path, "outcome=authenticated").location.contains("invalid%20state"))
            }
            let refused = try desk.order().data["token"].string()
            let asked = desk.form(Self.hosted(refused), Self.pay(SafepayDesk.challenged))
            let failed = desk.form("/cruise/answer", "JWT=\(try Self.field("JWT", asked.text))&outcome=failure")
            #expect(
                failed.location == "/safepay/checkout/external/failure?env=sandbox&beacon=\(refused)&xcomponent=1")
            #expect(desk.form(Self.hosted(refused), Self.pay("4000000000000101")).location == failed.location)
            #expect(desk.movements.count == 2)
        }
    }

    private static func field(_ name: String, _ html: String) throws -> String {
        let start = try #require(html.split(separator: "name=\"\(name)\" value=\"").dropFirst().first)
        return String(start.prefix { $0 != "\"" })
    }

    @Test("The newer page pays once and goes back without a signature; an app ends on the page's own address")
    func embedded() async throws {
        try await withSafepay { desk, _ in
            let tbt = try desk.passport()
            func path(_ token: String, _ more: String) -> String {
                "/embedded/?environment=sandbox&tbt=\(tbt.replacing("=", with: "%3D"))&tracker=\(token)\(more)"
            }
            let token = try desk.tracker(entry: "flex")
            let web = path(token, "&source=hosted&order_id=A-1&\(Self.target)")
            #expect(desk.call("GET", web).text.contains("PKR 1500"))
            #expect(
                desk.form(web, Self.pay()).location
                    == "https://shop.example/pay/return?order_id=A-1&tracker=\(token)")
            #expect(try desk.state(token) == "TRACKER_ENDED")
            #expect(try desk.report(token)["charge"]["amount"]["amount"].integer() == 150_000)
            let again = desk.form(web, Self.pay()).location
            #expect(again.hasPrefix("/safepay/embedded/external/error?environment=sandbox&"))
            #expect(again.hasSuffix("&finalizer_message=Tracker%20is%20in%20an%20invalid%20state&action=complete"))
            let app = try desk.tracker(entry: "flex")
            let end = desk.form(path(app, "&source=mobile"), Self.pay()).location
            #expect(end.hasPrefix("/safepay/embedded/external/complete?environment=sandbox&tbt="))
            #expect(end.hasSuffix("&tracker=\(app)&finalizer_message=Payment%20successful&action=complete"))
            #expect(desk.movements == ["purchase 150000", "purchase 150000"])
            let gone = try desk.tracker(entry: "flex")
            #expect(
                desk.form(path(gone, "&\(Self.cancel)"), "outcome=cancel").location
                    == "https://shop.example/pay/cancel?tracker=\(gone)")
            #expect(try desk.state(gone) == "TRACKER_CANCELLED")
        }
    }

    @Test("The newer page wants a token that is good, and a payment that is open; a decline ends on the error page")
    func embeddedRefused() async throws {
        try await withSafepay { desk, time in
            let tbt = try desk.passport()
            let poor = try desk.tracker(400_300, entry: "flex")
            let missing = desk.call("GET", "/embedded?tracker=\(poor)")
            #expect(missing.status == 401 && missing.text.contains("Missing authorization credentials"))
            let path = "/embedded?tracker=\(poor)&tbt=\(tbt)"
            #expect(desk.call("GET", path).status == 200)
            let declined = desk.form(path, Self.pay()).location
            #expect(declined.contains("finalizer_message=error%20performing%20action%20%27AUTHORIZATION%27%3A%20"))
            #expect(try desk.state(poor) == "TRACKER_ENROLLED")
            let order = try desk.order().data["token"].string()
            #expect(desk.call("GET", "/embedded?tracker=\(order)&tbt=\(tbt)").location.contains("not%20found"))
            time.withLock { $0 = $0.adding(seconds: 3_600) }
            #expect(desk.call("GET", path).location.contains("finalizer_message=Unauthorized%20access"))
            #expect(desk.form(path, Self.pay()).location.contains("Unauthorized%20access"))
            #expect(desk.movements.isEmpty)
        }
    }

    @Test("Saving a card on the page: once, and a second time it is a duplicate")
    func saving() async throws {
        try await withSafepay { desk, _ in
            let customer = try desk.customer()
            func save() throws -> String {
                let token = try desk.tracker(nil, entry: "flex", more: #","mode":"instrument""#)
                let tbt = try desk.passport()
                return desk.form(
                    "/embedded/?environment=sandbox&tbt=\(tbt)&tracker=\(token)&user_id=\(customer)&source=mobile",
                    Self.pay()
                ).location
            }
            #expect(try save().contains("external/complete?"))
            let second = try save()
            #expect(second.contains("/safepay/embedded/external/error?"))
            #expect(
                second.hasSuffix(
                    "&finalizer_message=error%20performing%20action%20%27AUTHORIZATION%27%3A%20cannot%20add%20payment"
                        + "%20method%3A%20duplicate%20&action=complete"))
            let wallet = try desk.server("GET", "/user/customers/v1/\(customer)/wallet/").data
            #expect(try wallet["count"].integer() == 1)
            #expect(desk.movements.isEmpty)
        }
    }

    @Test("A form that is sent from many sides at once pays once")
    func race() async throws {
        try await withSafepay { desk, _ in
            let order = try desk.order().data["token"].string()
            let tracker = try desk.tracker(entry: "flex")
            let tbt = try desk.passport()
            for path in [Self.hosted(order), "/embedded/?environment=sandbox&tracker=\(tracker)&tbt=\(tbt)"] {
                let body = Self.pay()
                let request =
                    "POST /safepay\(path) HTTP/1.1\r\nhost: 127.0.0.1\r\n"
                    + "content-type: application/x-www-form-urlencoded\r\ncontent-length: \(body.utf8.count)\r\n\r\n"
                    + body
                let clients = (0..<8).map { _ in RawClient(port: desk.sandbox.port) }
                for client in clients { client.send(request) }
                let places = clients.compactMap { $0.answer()?.value("location") }
                #expect(places.count == 8)
                #expect(places.filter { !$0.contains("external/error") }.count == 1)
            }
            #expect(desk.movements == ["purchase 100050", "purchase 150000"])
        }
    }

    @Test("What comes from outside is shown as text")
    func escaping() async throws {
        try await withSafepay { desk, _ in
            let end = desk.call("GET", "/checkout/external/error?error=%3Cscript%3Ealert(1)%3C%2Fscript%3E")
            #expect(end.text.contains("&lt;script&gt;alert(1)") && !end.text.contains("<script>"))
            let token = try desk.order().data["token"].string()
            let page = desk.call("GET", "/checkout/pay?beacon=\(token)&order_id=%22%3E%3Cb%3E")
            #expect(!page.text.contains("\"><b>"))
            #expect(desk.call("GET", "/checkout/external/other").status == 404)
            #expect(desk.call("PUT", "/checkout/pay").status == 405)
        }
    }
}
