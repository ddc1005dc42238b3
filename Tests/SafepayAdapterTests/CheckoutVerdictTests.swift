import GatewayKitCore
import Testing

@testable import SafepayAdapter

/// Addresses by which somebody may try to have a checkout taken for paid or failed, and those that Safepay's pages show.
/// `S` stands for the page host, `T1` for the session's tracker, `T2` for another one, `GOOD1` and `GOOD2` for their
/// signatures. A row below `/embedded` is judged for a v3 session, every other for a v1 session.
@Suite("Verdicts on Safepay's addresses")
struct CheckoutVerdictTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let url: String
        let kind: CheckoutVerdict.Kind
        /// What the words say by the keyword rule.
        let keywords: KeywordRule.Reading?

        init(_ name: String, _ url: String, _ kind: CheckoutVerdict.Kind, _ keywords: KeywordRule.Reading? = nil) {
            self.name = name
            self.url = url
            self.kind = kind
            self.keywords = keywords
        }

        var testDescription: String { "\(name): \(url.prefix(120))" }

        func filled() throws -> String {
            let signs = [
                ("GOOD1", try CheckoutBench.signature(CheckoutBench.tracker)),
                ("GOOD2", try CheckoutBench.signature(CheckoutBench.otherTracker)),
                ("T1", CheckoutBench.tracker), ("T2", CheckoutBench.otherTracker),
            ]
            let start = url.hasPrefix("S/") ? "https://sandbox.api.getsafepay.com" + url.dropFirst() : url
            return signs.reduce(start) { $0.replacing($1.0, with: $1.1) }
        }

        var session: String { url.contains("/embedded") ? CheckoutBench.payment : CheckoutBench.order }
    }

    /// The dossier's table, in its order; the last column was computed with the sample app's own words.
    static let table: [Row] = [
        Row(
            "1",
            "S/embedded/?environment=sandbox&tracker=T1&tbt=x&redirect_url=https%3A%2F%2Fshop.example%2Fpay%2Fsuccess",
            .ignore, .success),
        Row(
            "2",
            "S/embedded/?tracker=T1&tbt=x&redirect_url=https%3A%2F%2Fshop.example%2Fok&cancel_url=https%3A%2F%2Fshop.example%2Ffailed",
            .ignore, .failure),
        Row("3", "S/checkout/pay?beacon=T1&env=sandbox&order_id=complete-2026-01", .ignore, .success),
        Row(
            "4",
            "S/checkout/external/mobile?beacon=T1&tracker=T1&order_id=retry-of-failed-77&sig=GOOD1&action=complete",
            .successCandidate, .failure),
        Row("5", "S/checkout/external/mobile?beacon=T1&tracker=T1&sig=BAD&action=complete", .untrusted, .success),
        Row("6", "S/checkout/external/mobile?beacon=T1&tracker=T2&sig=GOOD2&action=complete", .untrusted, .success),
        Row("7", "S/checkout/external/mobile?beacon=T1&tracker=T1&action=cancelled", .cancelled, .success),
        Row("8", "S/checkout/external/mobile?beacon=T1&tracker=T1", .pending, .success),
        Row(
            "9", "S/embedded/external/error?tracker=T1&finalizer_message=nothing&action=complete", .failureHint,
            .failure),
        Row(
            "10",
            "S/embedded/external/complete?tracker=T1&finalizer_message=Earlier%20attempt%20failed%20but%20paid&action=complete",
            .successCandidate, .failure),
        Row(
            "11", "https://sandbox.api.getsafepay.com.evil.example/embedded/external/complete?tracker=T1", .ignore,
            .success),
        Row("12", "https://evil.example/embedded/external/complete?tracker=T1&action=complete", .ignore, .success),
        Row("13", "https://complete-checkout.example/landing", .ignore, .success),
        Row("14", "http://sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore, .success),
        Row(
            "15", "https://sandbox.api.getsafepay.com@evil.example/embedded/external/complete?tracker=T1", .ignore,
            .success),
        Row("16", "https://sandbox.api.getsafepay.com:8443/embedded/external/complete?tracker=T1", .ignore, .success),
        Row("17", "https://getsafepay.com/embedded/external/complete?tracker=T1", .ignore, .success),
        Row("18", "S/checkout/external/success?env=sandbox&beacon=T1&xcomponent=1", .authenticationDone, .success),
        Row("19", "S/checkout/external/failure?env=sandbox&beacon=T1&xcomponent=1", .authenticationFailed, .failure),
        Row("20", "S/embedded/external/Complete?tracker=T1", .ignore, KeywordRule.Reading.none),
        Row("21", "S/embedded/external/%63omplete?tracker=T1", .successCandidate, KeywordRule.Reading.none),
        Row("22", "S/embedded/external/complete/../error?tracker=T1", .ignore, .success),
        Row("23", "S/embedded/external/completed-profile?tracker=T1", .ignore, .success),
        Row("24", "S/embedded/help#external/complete", .ignore, .success),
        Row("25", "S/embedded/?tracker=T1&step=incomplete_address", .ignore, .success),
        Row("26", "https://acs.bank.example/3ds/challenge?status=not_processed", .ignore, .failure),
        Row("27", "https://acs.bank.example/otp/success?next=continue", .ignore, .success),
        Row(
            "28", "https://0merchantacsstag.cardinalcommerce.com/MerchantACSWeb/pareq.jsp?complete=false", .ignore,
            .success),
        Row(
            "29", "https://shop.example/pay/return?order_id=X1&tracker=T1&sig=GOOD1", .successCandidate,
            KeywordRule.Reading.none),
        Row(
            "30", "https://shop.example/pay/return?order_id=X1&tracker=T1&tracker=T2&sig=GOOD2", .untrusted,
            KeywordRule.Reading.none),
        Row(
            "31", "https://shop.example/pay/return?order_id=unsuccessful-1&tracker=T1&sig=GOOD1", .successCandidate,
            .success),
        Row("32", "https://shop.example/pay/cancel?tracker=T1", .cancelled, KeywordRule.Reading.none),
        Row("33", "https://shop.example/pay/return.php?tracker=T1&sig=GOOD1", .ignore, KeywordRule.Reading.none),
        Row("34", "safepaydemo://payment/success?tracker=T1", .ignore, .success),
        Row("35", "S/embedded/external/complete", .pending, .success),
        Row("36", "S/embedded/external/error", .failureHint, .failure),
    ]

    /// What further hostile minds try.
    static let hostile: [Row] = [
        Row(
            "an IDN look-alike host", "https://sandbox.api.getsafep\u{430}y.com/embedded/external/complete?tracker=T1",
            .ignore),
        Row(
            "the same in punycode", "https://sandbox.api.xn--getsafepy-o2g.com/embedded/external/complete?tracker=T1",
            .ignore),
        Row(
            "an upper-case host is the same host",
            "https://SANDBOX.API.GETSAFEPAY.COM/embedded/external/complete?tracker=T1", .successCandidate),
        Row(
            "an upper-case scheme is the same scheme",
            "HTTPS://sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .successCandidate),
        Row(
            "a host with a dot at its end", "https://sandbox.api.getsafepay.com./embedded/external/complete?tracker=T1",
            .ignore),
        Row(
            "the usual port, spelled out",
            "https://sandbox.api.getsafepay.com:443/embedded/external/complete?tracker=T1", .successCandidate),
        Row(
            "the port with a zero", "https://sandbox.api.getsafepay.com:0443/embedded/external/complete?tracker=T1",
            .ignore),
        Row("an empty port", "https://sandbox.api.getsafepay.com:/embedded/external/complete?tracker=T1", .ignore),
        Row("port 80", "https://sandbox.api.getsafepay.com:80/embedded/external/complete?tracker=T1", .ignore),
        Row("an escaped host", "https://sandbox%2eapi.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row(
            "an escaped at sign",
            "https://sandbox.api.getsafepay.com%40evil.example/embedded/external/complete?tracker=T1", .ignore),
        Row(
            "a host behind a password",
            "https://x:sandbox.api.getsafepay.com@evil.example/embedded/external/complete?tracker=T1", .ignore),
        Row(
            "our host behind user information",
            "https://evil.example@sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row(
            "a backslash for the first slash",
            "https://evil.example\\@sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row("backslashes in the path", "S/embedded\\external\\complete?tracker=T1", .ignore),
        Row("escaped backslashes", "S/embedded/external%5Ccomplete?tracker=T1", .ignore),
        Row(
            "an ideographic full stop in the host",
            "https://sandbox\u{3002}api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row(
            "a soft hyphen in the host",
            "https://sandbox.api.get\u{AD}safepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row(
            "the host as a subdomain's label",
            "https://sandbox-api-getsafepay-com.evil.example/embedded/external/complete?tracker=T1", .ignore),
        Row(
            "a subdomain of the page host",
            "https://x.sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row("the parent of the page host", "https://api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row("the www of production", "https://www.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row("no scheme", "//sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row("one slash", "https:/sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row("three slashes", "https:///sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row(
            "javascript",
            "javascript:location='https://sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1'", .ignore),
        Row("data", "data:text/html,/embedded/external/complete?tracker=T1&action=complete", .ignore),
        Row(
            "intent",
            "intent://sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1#Intent;scheme=https;end", .ignore
        ),
        Row("blob", "blob:https://sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row("file", "file:///embedded/external/complete?tracker=T1", .ignore),
        Row("about", "about:blank#https://sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row("web socket", "wss://sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row(
            "an address within an address",
            "https://evil.example/?u=https://sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row("a space before it", " https://sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore),
        Row("a line feed behind it", "S/embedded/external/complete?tracker=T1\n", .ignore),
        Row("a tab in the path", "S/embedded/exter\tnal/complete?tracker=T1", .ignore),
        Row(
            "a tab in the scheme", "ht\ttps://sandbox.api.getsafepay.com/embedded/external/complete?tracker=T1", .ignore
        ),
        Row(
            "NUL behind the host",
            "https://sandbox.api.getsafepay.com\u{0}.evil.example/embedded/external/complete?tracker=T1", .ignore),
        Row("an escaped NUL in the path", "S/embedded/external/complete%00?tracker=T1", .ignore),
        Row("escaped dot segments", "S/embedded/external/x/%2e%2e/complete?tracker=T1", .ignore),
        Row("half-escaped dot segments", "S/embedded/external/x/.%2E/complete?tracker=T1", .ignore),
        Row("a single dot", "S/embedded/./external/complete?tracker=T1", .ignore),
        Row("an escaped slash", "S/embedded/external%2Fcomplete?tracker=T1", .ignore),
        Row("an escape of an escape", "S/embedded/external/%2563omplete?tracker=T1", .ignore),
        Row("an overlong escape", "S/embedded/external/%C1%A3omplete?tracker=T1", .ignore),
        Row("a broken escape", "S/embedded/external/complete%?tracker=T1", .ignore),
        Row("a full-width letter", "S/embedded/external/%EF%BD%83omplete?tracker=T1", .ignore),
        Row("a fraction slash", "S/embedded/external%E2%88%95complete?tracker=T1", .ignore),
        Row("two slashes", "S/embedded//external/complete?tracker=T1", .ignore),
        Row("a slash at the end is the same page", "S/embedded/external/complete/?tracker=T1", .successCandidate),
        Row("a segment too many", "S/embedded/external/complete/now?tracker=T1", .ignore),
        Row("a segment before", "S/x/embedded/external/complete?tracker=T1", .ignore),
        Row("a path parameter", "S/embedded/external/complete;x=1?tracker=T1", .ignore),
        Row("an escaped question mark", "S/embedded/external/complete%3Ftracker=T1", .ignore),
        Row("the other page's family", "S/embed/external/complete?tracker=T1", .ignore),
        Row("an upper-case page", "S/Embedded/external/complete?tracker=T1", .ignore),
        Row(
            "upper-case letters in the v1 page", "S/Checkout/external/mobile?tracker=T1&sig=GOOD1&action=complete",
            .ignore),
        Row("the tracker twice, alike", "S/embedded/external/complete?tracker=T1&tracker=T1", .untrusted),
        Row("the tracker in another case", "S/embedded/external/complete?tracker=T1&Tracker=T2", .untrusted),
        Row("the tracker escaped", "S/embedded/external/complete?tracker=T1&%74racker=T2", .untrusted),
        Row("the tracker escaped twice", "S/embedded/external/complete?tracker=T1&%2574racker=T2", .untrusted),
        Row("the tracker as a list", "S/embedded/external/complete?tracker=T1&tracker%5B%5D=T2", .untrusted),
        Row("the tracker behind a semicolon", "S/embedded/external/complete?a=1;tracker=T2&tracker=T1", .untrusted),
        Row("the tracker with a space", "S/embedded/external/complete?tracker=T1&+tracker=T2", .untrusted),
        Row("the tracker with a NUL", "S/embedded/external/complete?tracker=T1&tracker%00=T2", .untrusted),
        Row("the tracker with a Kelvin sign", "S/embedded/external/complete?tracker=T1&trac%E2%84%AAer=T2", .untrusted),
        Row("beacon and tracker differ", "S/embedded/external/complete?beacon=T2&tracker=T1", .untrusted),
        Row("beacon alone names it", "S/embedded/external/complete?beacon=T1", .successCandidate),
        Row("an empty tracker is none", "S/embedded/external/complete?tracker=", .pending),
        Row("the tracker with something behind it", "S/embedded/external/complete?tracker=T1x", .untrusted),
        Row("the tracker with an escaped NUL behind it", "S/embedded/external/complete?tracker=T1%00", .untrusted),
        Row(
            "the tracker in upper case",
            "S/embedded/external/complete?tracker=TRACK_00000000-0000-4000-8000-000000000001", .untrusted),
        Row("the tracker in the fragment only", "S/embedded/external/complete#?tracker=T1", .pending),
        Row("another tracker in the fragment", "S/embedded/external/complete?tracker=T1#tracker=T2", .successCandidate),
        Row("the tracker in another's value", "S/embedded/external/complete?x=%26tracker%3DT1", .pending),
        Row("an error of another session", "S/embedded/external/error?tracker=T2", .untrusted),
        Row("a 3DS step of another session", "S/checkout/external/success?beacon=T2", .untrusted),
        Row("the opened page of another session", "S/embedded/?tracker=T2&tbt=x", .ignore),
        Row("an action that is none", "S/embedded/external/complete?tracker=T1&action=failed", .pending),
        Row("an action in upper case", "S/checkout/external/mobile?tracker=T1&sig=GOOD1&action=COMPLETE", .pending),
        Row(
            "two actions", "S/checkout/external/mobile?tracker=T1&sig=GOOD1&action=cancelled&action=complete",
            .untrusted),
        Row("an action as an error says nothing", "S/checkout/external/error?action=complete", .failureHint),
        Row("v1 success without a signature", "S/checkout/external/mobile?tracker=T1&action=complete", .pending),
        Row(
            "v1 success with an empty signature", "S/checkout/external/mobile?tracker=T1&action=complete&sig=", .pending
        ),
        Row("v1 success on the other v1 page", "S/checkout/external/complete?tracker=T1&sig=GOOD1", .successCandidate),
        Row(
            "two signatures, the good one first",
            "S/checkout/external/mobile?tracker=T1&action=complete&sig=GOOD1&sig=BAD", .untrusted),
        Row(
            "two signatures, the good one last",
            "S/checkout/external/mobile?tracker=T1&action=complete&sig=BAD&sig=GOOD1", .untrusted),
        Row("a good signature and no tracker", "S/checkout/external/mobile?sig=GOOD1&action=complete", .pending),
        Row(
            "the other's signature and our tracker", "S/checkout/external/mobile?tracker=T1&sig=GOOD2&action=complete",
            .untrusted),
        Row("a signature cut short", "https://shop.example/pay/return?tracker=T1&sig=59345a19", .untrusted),
        Row("a signature with a space", "https://shop.example/pay/return?tracker=T1&sig=GOOD1+", .untrusted),
        Row(
            "a cancelled payment that is signed", "S/checkout/external/mobile?tracker=T1&sig=GOOD1&action=cancelled",
            .cancelled),
        Row(
            "a cancelled payment with a bad signature",
            "S/checkout/external/mobile?tracker=T1&sig=BAD&action=cancelled", .untrusted),
        Row("a return without a signature", "https://shop.example/pay/return?order_id=X1&tracker=T1", .pending),
        Row("a bare return", "https://shop.example/pay/return", .pending),
        Row("a return over http", "http://shop.example/pay/return?tracker=T1&sig=GOOD1", .ignore),
        Row("a return to another port", "https://shop.example:8443/pay/return?tracker=T1&sig=GOOD1", .ignore),
        Row("a return to another host", "https://www.shop.example/pay/return?tracker=T1&sig=GOOD1", .ignore),
        Row("a return in another case", "https://shop.example/Pay/Return?tracker=T1&sig=GOOD1", .ignore),
        Row("a return with a fragment", "https://shop.example/pay/return?tracker=T1&sig=GOOD1#_=_", .successCandidate),
        Row("a return below the registered address", "https://shop.example/pay/return/x?tracker=T1&sig=GOOD1", .ignore),
        Row("giving up without a tracker", "https://shop.example/pay/cancel", .cancelled),
        Row("giving up another session", "https://shop.example/pay/cancel?tracker=T2", .untrusted),
        Row("the page of a plan", "S/checkout/subscribe?plan_id=plan_1&auth_token=x&env=sandbox", .ignore),
        Row("the root of the page host", "https://sandbox.api.getsafepay.com", .ignore),
        Row("very long", "S/embedded/external/complete?tracker=T1&x=" + String(repeating: "a", count: 20_000), .ignore),
        Row(
            "long", "S/embedded/external/complete?tracker=T1&x=" + String(repeating: "a", count: 10_000),
            .successCandidate),
        Row(
            "very many items", "S/embedded/external/complete?tracker=T1&" + String(repeating: "a=b&", count: 3_000),
            .successCandidate),
        Row("very deep", "S/embedded/external/complete" + String(repeating: "/a", count: 5_000), .ignore),
        Row("empty", "", .ignore),
        Row("one word", "success", .ignore),
    ]

    @Test("the dossier's 36 addresses, by procedure and by the sample app's words", arguments: table)
    func dossier(_ row: Row) throws {
        try judge(row)
        #expect(SafepayCheckoutRules.keywords.reading(of: try row.filled()) == row.keywords)
        #expect(Self.table.count == 36)
    }

    @Test("addresses of hostile minds", arguments: hostile)
    func hostileMinds(_ row: Row) throws {
        try judge(row)
    }

    private func judge(_ row: Row) throws {
        let bench = try CheckoutBench()
        let url = try row.filled()
        let page = bench.page(row.session)
        let verdict = bench.checkout.verdict(on: url, of: page)
        #expect(verdict.kind == row.kind, "\(verdict.reason)")
        #expect(bench.checkout.verdict(on: url, of: page) == verdict)
        #expect(!verdict.reason.description.contains("track_"), "a reason repeats nothing of the address")
        if verdict.kind == .successCandidate {
            #expect(verdict.paymentID ?? CheckoutBench.tracker == CheckoutBench.tracker)
        }
    }

    /// The sample's own addresses (iOS). The first is signed with a key that is not known, and says `development` on the
    /// sandbox's host.
    @Test("the four addresses of the sample app")
    func samples() throws {
        let bench = try CheckoutBench()
        let root = "https://sandbox.api.getsafepay.com"
        func judge(_ tracker: String, v1: Bool, _ path: String) -> CheckoutVerdict.Kind {
            let id = (v1 ? "v1:sandbox:payment:-:PKR:150000:-:" : "v3:sandbox:instrument:flex:PKR:-:cus_1:") + tracker
            return bench.checkout.verdict(on: root + path, of: bench.page(id, returnURL: nil, cancelURL: nil)).kind
        }
        let first = "track_fd2fdcd2-b5ca-4c1f-b703-01ccb38b92a1"
        let sample =
            "/checkout/external/mobile?env=development&source=mobile&beacon=\(first)&tracker=\(first)&sig="
        #expect(
            judge(
                first, v1: true,
                sample + "e224792a7fa3f52da74a9cbedae9f58b27e59064d248a7217b61bb13321da431&action=complete")
                == .untrusted, "its key is not ours")
        #expect(
            judge(first, v1: true, sample + (try CheckoutBench.signature(first)) + "&action=complete")
                == .successCandidate)
        #expect(
            judge(first, v1: true, "/checkout/external/error?error=Tracker%20is%20in%20an%20invalid%20state")
                == .failureHint)
        let saved = "track_a7d2bc6d-3b8f-4643-aae5-4f506307075b"
        let token = "6Qw_YaQ304iuB-Ad3UXicBOQwYT33huFj3I1zLYrkbRmpiz3ce2dD2Up3xDWoxeS8mivGmW17g%3D%3D"
        #expect(
            judge(
                saved, v1: false,
                "/embedded/external/complete?environment=sandbox&tbt=\(token)&tracker=\(saved)"
                    + "&finalizer_message=Card%20saved%20successfully&action=complete") == .successCandidate)
        let twice = "track_5e4f5be3-f235-47ef-82a7-8c0c680ea195"
        #expect(
            judge(
                twice, v1: false,
                "/embedded/external/error?environment=sandbox&tbt=\(token)&tracker=\(twice)&finalizer_message=error%20"
                    + "performing%20action%20%27AUTHORIZATION%27%3A%20cannot%20add%20payment%20method%3A%20duplicate%20"
                    + "&action=complete") == .failureHint)
    }

    @Test("a v1 session takes no unsigned success of the v3 page, and without the secret key none at all")
    func downgrade() throws {
        let url = "https://sandbox.api.getsafepay.com/embedded/external/complete?tracker=\(CheckoutBench.tracker)"
        let bench = try CheckoutBench()
        #expect(bench.checkout.verdict(on: url, of: bench.page(CheckoutBench.order)).kind == .pending)
        let keyless = try CheckoutBench(key: nil)
        let signed =
            "https://shop.example/pay/return?tracker=\(CheckoutBench.tracker)"
            + "&sig=\(try CheckoutBench.signature(CheckoutBench.tracker))"
        #expect(keyless.checkout.verdict(on: signed, of: keyless.page()).kind == .pending)
        #expect(keyless.checkout.verdict(on: url, of: keyless.page(CheckoutBench.payment)).kind == .successCandidate)
    }

    @Test("a page of another account, environment or of nobody's session is ignored")
    func foreignPages() throws {
        let bench = try CheckoutBench()
        let url = "https://sandbox.api.getsafepay.com/embedded/external/error"
        var page = bench.page(CheckoutBench.payment)
        #expect(bench.checkout.verdict(on: url, of: page).kind == .failureHint)
        page.session = SessionReference(account: AccountName("other" as ProviderID), id: CheckoutBench.payment)
        #expect(bench.checkout.verdict(on: url, of: page).kind == .ignore)
        for id in ["x", CheckoutBench.payment.replacing(":sandbox:", with: ":production:")] {
            #expect(bench.checkout.verdict(on: url, of: bench.page(id)).kind == .ignore)
        }
    }

    @Test("each environment has its own page host, and GatewayKit's sandbox the account's")
    func hosts() throws {
        let rows = [
            ("live", "production", "https://getsafepay.com"), ("test", "sandbox", "https://sandbox.api.getsafepay.com"),
            ("development", "development", "https://dev.api.getsafepay.com"),
            ("sandbox", "sandbox", "http://127.0.0.1:8080/safepay"),
        ]
        for (environment, word, host) in rows {
            let bench = try CheckoutBench(
                environment: environment, baseURL: environment == "sandbox" ? host : nil)
            let page = bench.page(CheckoutBench.payment.replacing(":sandbox:", with: ":\(word):"))
            for (_, _, other) in rows {
                let url = other + "/embedded/external/complete?tracker=" + CheckoutBench.tracker
                #expect(
                    bench.checkout.verdict(on: url, of: page).kind == (other == host ? .successCandidate : .ignore),
                    "\(environment): \(url)")
            }
        }
    }
}
