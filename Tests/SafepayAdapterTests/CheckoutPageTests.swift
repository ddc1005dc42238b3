import GatewayKitCore
import Testing

@testable import SafepayAdapter

@Suite("Safepay's pages")
struct CheckoutPageTests {
    private static let back = "https%3A%2F%2Fshop.example%2Fpay%2Freturn"
    private static let away = "https%3A%2F%2Fshop.example%2Fpay%2Fcancel"
    private static let tracker = CheckoutBench.tracker

    private func request(
        _ surface: CheckoutPageRequest.Surface, addresses: Bool = true, order: String? = "A 1"
    ) -> CheckoutPageRequest {
        CheckoutPageRequest(
            returnURL: addresses ? CheckoutBench.returnURL : nil, cancelURL: addresses ? CheckoutBench.cancelURL : nil,
            orderReference: order, surface: surface)
    }

    @Test("the page of an order: parameters in the Node SDK's order, form-encoded, and nothing is sent")
    func hosted() async throws {
        let bench = try CheckoutBench()
        let page = try await bench.checkout.page(
            request(.browser), for: bench.session(CheckoutBench.order), CallContext())
        #expect(
            page.url == "https://sandbox.api.getsafepay.com/checkout/pay?beacon=\(Self.tracker)&cancel_url=\(Self.away)"
                + "&env=sandbox&order_id=A+1&redirect_url=\(Self.back)&source=custom&webhooks=false")
        #expect(page.amount?.minorUnits == 150_000 && page.returnURL == CheckoutBench.returnURL)
        #expect(bench.transport.lines.isEmpty)
    }

    @Test("the page of an order in a web view has no addresses")
    func mobile() async throws {
        let bench = try CheckoutBench()
        let page = try await bench.checkout.page(
            request(.mobile, addresses: false), for: bench.session(CheckoutBench.order), CallContext())
        #expect(
            page.url == "https://sandbox.api.getsafepay.com/checkout/pay?beacon=\(Self.tracker)&env=sandbox"
                + "&order_id=A+1&source=mobile")
    }

    @Test("the page of a tracker: the path's slash, a fresh passport token, the source of its surface")
    func embedded() async throws {
        let token = "6Qw_demo-passport%3D%3D"
        for (surface, source) in [
            (CheckoutPageRequest.Surface.browser, "hosted"), (.mobile, "mobile"), (.embedded, "popup"),
        ] {
            let bench = try CheckoutBench()
            let page = try await bench.checkout.page(
                request(surface), for: bench.session(CheckoutBench.cardSaving), CallContext())
            #expect(
                page.url == "https://sandbox.api.getsafepay.com/embedded/?environment=sandbox&tracker=\(Self.tracker)"
                    + "&tbt=\(token)&source=\(source)&user_id=cus_1&order_id=A+1&cancel_url=\(Self.away)"
                    + "&redirect_url=\(Self.back)")
            #expect(bench.transport.lines == ["POST https://sandbox.api.getsafepay.com/client/passport/v1/token"])
            #expect(!"\(page)\(String(reflecting: page))".contains("6Qw_"))
        }
        let own = try CheckoutBench(key: nil)
        let page = try await own.checkout.page(
            CheckoutPageRequest(surface: .embedded), for: own.session(CheckoutBench.payment), CallContext())
        #expect(
            page.url == "https://sandbox.api.getsafepay.com/embedded/?environment=sandbox&tracker=\(Self.tracker)"
                + "&tbt=own-passport-token%3D%3D&source=popup")
        #expect(own.transport.lines.isEmpty)
    }

    @Test("the page of a plan names the plan and no tracker")
    func subscription() async throws {
        let bench = try CheckoutBench()
        var request = request(.subscription)
        request.planID = "plan_1"
        let page = try await bench.checkout.page(request, for: bench.session(CheckoutBench.subscription), CallContext())
        #expect(
            page.url == "https://sandbox.api.getsafepay.com/checkout/subscribe?plan_id=plan_1"
                + "&auth_token=6Qw_demo-passport%3D%3D&env=sandbox&cancel_url=\(Self.away)&redirect_url=\(Self.back)"
                + "&reference=A+1")
        let back = bench.checkout.verdict(
            on: CheckoutBench.returnURL + "?tracker=" + CheckoutBench.otherTracker, of: page)
        #expect(back.kind == .pending)
        await #expect(throws: GatewayError.self) { _ = try await bench.checkout.proof(of: page, CallContext()) }
    }

    @Test("in production the page is on another host than the API")
    func production() async throws {
        let bench = try CheckoutBench(environment: "live")
        let page = try await bench.checkout.page(
            request(.browser), for: bench.session(CheckoutBench.order.replacing(":sandbox:", with: ":production:")),
            CallContext())
        #expect(page.url.hasPrefix("https://getsafepay.com/checkout/pay?beacon="))
        #expect(page.url.contains("&env=production&"))
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let name: String
        let session: String
        var request: CheckoutPageRequest
        var code = GatewayError.Code.invalidInput
        var words = ""
        var testDescription: String { name }
    }

    static let refused: [Refused] = {
        func page(
            _ surface: CheckoutPageRequest.Surface = .browser, back: String? = CheckoutBench.returnURL,
            away: String? = CheckoutBench.cancelURL
        ) -> CheckoutPageRequest { CheckoutPageRequest(returnURL: back, cancelURL: away, surface: surface) }
        func with(_ request: CheckoutPageRequest, _ change: (inout CheckoutPageRequest) -> Void) -> CheckoutPageRequest
        {
            var request = request
            change(&request)
            return request
        }
        let order = CheckoutBench.order
        let payment = CheckoutBench.payment
        return [
            Refused(
                name: "a query in the return address", session: order,
                request: page(back: "https://shop.example/r?a=b"), words: "query"),
            Refused(
                name: "an empty query in it", session: payment, request: page(back: "https://shop.example/r?"),
                words: "query"),
            Refused(
                name: "a fragment in it", session: order, request: page(back: "https://shop.example/r#a"),
                words: "fragment"),
            Refused(
                name: "a query in the cancel address", session: order,
                request: page(away: "https://shop.example/r?a=b"), words: "query"),
            Refused(name: "http", session: order, request: page(back: "http://shop.example/r"), words: "https"),
            Refused(
                name: "http on this machine outside the sandbox", session: order,
                request: page(back: "http://127.0.0.1/r"), words: "https"),
            Refused(name: "an app's own scheme", session: order, request: page(back: "shop://back"), words: "http"),
            Refused(
                name: "user information", session: order, request: page(back: "https://u@shop.example/r"), words: "user"
            ),
            Refused(
                name: "dot segments", session: order, request: page(back: "https://shop.example/a/../r"), words: "dot"),
            Refused(name: "v1 without a return address", session: order, request: page(back: nil), words: "missing"),
            Refused(name: "v1 without a cancel address", session: order, request: page(away: nil), words: "missing"),
            Refused(name: "v1 in a web view with addresses", session: order, request: page(.mobile), words: "web view"),
            Refused(name: "v1 in a frame", session: order, request: page(.embedded), code: .notSupported),
            Refused(name: "v1 for a plan", session: order, request: page(.subscription), code: .notSupported),
            Refused(
                name: "v3 in a browser without a return address", session: payment, request: page(back: nil),
                words: "no address"),
            Refused(
                name: "another amount", session: payment, request: with(page()) { $0.amount = .zero(.pkr) },
                words: "amount"),
            Refused(
                name: "an amount where none is", session: CheckoutBench.cardSaving,
                request: with(page()) { $0.amount = .zero(.pkr) }, words: "amount"),
            Refused(
                name: "another customer", session: CheckoutBench.cardSaving,
                request: with(page()) { $0.shopperID = "cus_2" }, words: "customer"),
            Refused(
                name: "a customer in v1", session: order, request: with(page()) { $0.shopperID = "cus_1" },
                words: "customer"),
            Refused(
                name: "a customer that is none", session: payment, request: with(page()) { $0.shopperID = "a&b=c" },
                words: "customer"),
            Refused(
                name: "a shipping address", session: payment, request: with(page()) { $0.collectsShipping = true },
                code: .notSupported),
            Refused(
                name: "a plan on another page", session: payment, request: with(page()) { $0.planID = "plan_1" },
                words: "plan"),
            Refused(name: "no plan", session: CheckoutBench.subscription, request: page(.subscription), words: "plan"),
            Refused(
                name: "a plan for a payment's session", session: payment,
                request: with(page(.subscription)) { $0.planID = "plan_1" }, words: "subscription"),
            Refused(name: "no session", session: "track_1", request: page(), words: "session"),
            Refused(
                name: "a session of production", session: order.replacing(":sandbox:", with: ":production:"),
                request: page(), words: "environment"),
        ]
    }()

    @Test("what a page cannot be made of is refused before anything is sent, and told", arguments: refused)
    func refusal(_ row: Refused) async throws {
        let bench = try CheckoutBench()
        do throws(GatewayError) {
            _ = try await bench.checkout.page(row.request, for: bench.session(row.session), CallContext())
            Issue.record("a page was made")
        } catch {
            #expect(error.code == row.code && error.reach == .notSent, "\(error)")
            if !row.words.isEmpty { #expect(error.message.description.contains(row.words), "\(error)") }
        }
        #expect(bench.transport.lines.isEmpty)
    }

    @Test("an address of this machine is taken in GatewayKit's sandbox only")
    func loopback() async throws {
        let bench = try CheckoutBench(environment: "sandbox", baseURL: "http://127.0.0.1:8080/safepay")
        let page = try await bench.checkout.page(
            CheckoutPageRequest(returnURL: "http://127.0.0.1:9090/back", cancelURL: "http://localhost:9090/away"),
            for: bench.session(CheckoutBench.order), CallContext())
        #expect(page.url.hasPrefix("http://127.0.0.1:8080/safepay/checkout/pay?beacon="))
    }

    @Test("form encoding is that of HTML forms")
    func encoding() {
        #expect(SafepayPageAddress.formEncoded("aZ09*-._ ~&=+%/é") == "aZ09*-._+%7E%26%3D%2B%25%2F%C3%A9")
    }

    @Test("the proof of a page whose amount was changed is refused")
    func changedAmount() async throws {
        let bench = try CheckoutBench()
        var page = bench.page()
        page.amount = .zero(.pkr)
        await #expect(throws: GatewayError.self) { _ = try await bench.checkout.proof(of: page, CallContext()) }
        #expect(bench.transport.lines.isEmpty)
    }
}
