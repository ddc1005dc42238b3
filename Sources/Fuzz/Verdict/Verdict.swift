import FuzzSupport
import GatewayKitCore
import SafepayAdapter

/// What addresses say of a checkout: nothing traps, the same address has the same verdict, only the exact origins of the
/// page and of the shop say anything, and no address alone ever ends in success.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVerdict(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    guard let session = input.pick(Bench.sessions), let beginning = input.pick(Bench.beginnings),
        let end = input.pick(Bench.ends), let checkout = Bench.checkout
    else { return 0 }
    let page = Bench.page(session)
    for line in input.lines(1) {
        let url = beginning + line + end
        let verdict = checkout.verdict(on: url, of: page)
        require(checkout.verdict(on: url, of: page) == verdict, "a verdict differs from itself")
        require(!holds(everything(of: verdict.reason), Bench.tracker), "a reason repeats the address")
        if verdict.kind != .ignore {
            require(Bench.isOnAnOrigin(url), "another origin says something")
        }
        if verdict.kind == .successCandidate, session.hasPrefix("v1"), !holds(url, "%") {
            require(holds(url.lowercased(), Bench.signature), "an order's success without its signature")
        }
        alone(verdict)
        if let rule = checkout.keywordRule {
            alone(rule.verdict(of: rule.reading(of: url)))
        }
        read(url)
    }
    return 0
}

/// No verdict without proof decides, and none with a proof that says "open" is success or a final failure.
private func alone(_ verdict: CheckoutVerdict) {
    for proof in [nil, SessionStatus(reference: Bench.page("").session, phase: .open)] {
        var now = Bench.start
        var confirmation = CheckoutConfirmation(PollingPolicy(deadline: .seconds(30)), now: now)
        var step = confirmation.take(.verdict(verdict), now: now, random: 0)
        for _ in 0..<200 {
            switch step {
            case .end(let outcome):
                require(!outcome.kind.isFinal, "an address alone decided")
                return
            case .read:
                let event = proof.map { CheckoutConfirmation.Event.proof($0) } ?? .proofFailed(Bench.failure)
                step = confirmation.take(event, now: now, random: 0)
            case .wait(let until):
                now = until
                step = confirmation.take(.woke, now: now, random: 0)
            case .awaitProof: require(false, "it waits for a read that nobody began")
            }
        }
        require(false, "the confirmation does not end")
    }
}

private func read(_ text: String) {
    guard let url = try? ReportedURL(text) else { return }
    require(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }, "an odd byte was taken")
    require(text.utf8.count <= ReportedURL.maximumLength, "an address that is too long was taken")
    require(url.isSamePlace(as: url), "an address is not where it is")
    for segment in url.segments {
        require(!segment.isEmpty && segment != "." && segment != "..", "a dot segment was taken")
        require(!segment.utf8.contains { $0 < 0x20 || $0 == 0x2F || $0 == 0x5C }, "a slash hides in a segment")
    }
    _ = everything(of: url)
}

private enum Bench {
    static let tracker = "track_00000000-0000-4000-8000-000000000001"
    /// Of that tracker, with the key below.
    static let signature = "59345a19c0b314f03a8eda2091bb295ba3e71fbcaab338f4f9278b6f8cf63b7b"
    static let start = ContinuousClock.now
    static let failure = GatewayError(.timedOut, message: "Scripted.", advice: "None.")
    static let sessions = [
        "v1:sandbox:payment:-:PKR:150000:-:" + tracker, "v3:sandbox:payment:flex:PKR:150000:-:" + tracker,
        "v3:sandbox:subscription:flex:PKR:150000:cus_1:" + tracker,
    ]
    static let beginnings = [
        "", "https://sandbox.api.getsafepay.com", "https://sandbox.api.getsafepay.com/embedded/external/",
        "https://sandbox.api.getsafepay.com/checkout/external/mobile?tracker=" + tracker,
        "https://shop.example/pay/return?tracker=" + tracker + "&sig=" + signature,
    ]
    static let ends = ["", "&action=complete", "?tracker=" + tracker, "/embedded/external/complete?tracker=" + tracker]

    static let checkout: (any HostedCheckout)? = {
        let provider = SafepayProvider()
        guard let environment = provider.environments.first(where: { $0.name == "test" }) else { return nil }
        let account = AccountSettings(
            name: AccountName(provider.id), provider: provider.id, environment: environment,
            values: ["apiKey": .plain("sec_demo"), "secretKey": .secret(Sensitive("gatewaykit-demo-secret"))])
        return try? provider.makeGateway(account, GatewayRuntime(transport: NoTransport())).checkout
    }()

    static func page(_ session: String) -> CheckoutPage {
        CheckoutPage(
            session: SessionReference(account: AccountName(SafepayProvider().id), id: session), url: "",
            surface: session.contains("subscription") ? .subscription : .browser,
            returnURL: "https://shop.example/pay/return", cancelURL: "https://shop.example/pay/cancel")
    }

    /// A second opinion that knows nothing of the reader: how the address must begin.
    static func isOnAnOrigin(_ url: String) -> Bool {
        let lowered = url.lowercased()
        for origin in ["https://sandbox.api.getsafepay.com", "https://shop.example"] {
            guard lowered.hasPrefix(origin) else { continue }
            let rest = lowered.dropFirst(origin.count)
            if rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") || rest.hasPrefix("#") { return true }
            if rest.hasPrefix(":443/") || rest.hasPrefix(":443?") || rest.hasPrefix(":443#") || rest == ":443" {
                return true
            }
        }
        return false
    }
}

/// Judging sends nothing.
private struct NoTransport: HTTPTransport {
    func send(_ request: WireRequest, deadline: ContinuousClock.Instant) async throws(TransportError) -> WireResponse {
        require(false, "judging sent something")
        throw TransportError(.other, reach: .notSent, detail: "never")
    }
}
