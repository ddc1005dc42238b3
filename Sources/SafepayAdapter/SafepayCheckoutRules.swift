import GatewayKitCore

/// What the addresses of Safepay's pages mean for one page.
///
/// Pages end below `/checkout/external/` (v1) and `/embedded/external/` (v3); `success` and `failure` there are the ends of
/// the 3-D Secure step and not of the payment. Only v1 signs its redirects: a v1 session's success counts with a valid
/// signature only, wherever it is told.
enum SafepayCheckoutRules {
    /// - Parameter signature: Checks redirects; `nil` where the account has no secret key, and then no v1 address is more
    ///   than a hint that something ended.
    static func rules(
        pages: WireURL, session: SafepaySession, page: CheckoutPage, signature: SafepaySignature?
    ) -> CheckoutURLRules {
        let isOrder = session.generation == .order
        let subscribes = page.surface == .subscription
        let tracker = session.tracker
        return CheckoutURLRules(
            pageBases: [ReportedURL(pages)],
            places: onTheWay + ends(of: "checkout", needSignature: true) + ends(of: "embedded", needSignature: isOrder),
            returnPlace: registered(page.returnURL).map {
                .init($0, subscribes ? .ended : .success, needsSignature: isOrder)
            },
            cancelPlace: registered(page.cancelURL).map { .init($0, .cancelled) },
            // The page of a plan names no tracker.
            session: subscribes ? nil : .init(tracker, in: ["tracker", "beacon"]),
            signature: signature.map { signature in
                .init(in: "sig") { signature.isValid($0, for: tracker) }
            },
            paymentParameter: "tracker")
    }

    /// The words of the rule by which Safepay's page for iOS tells how to watch a web view. Two of them are within others.
    static let keywords = KeywordRule(
        success: ["success", "success/done", "complete", "external/complete", "external/mobile"],
        failure: ["failure", "failed", "not_processed", "external/error"])

    private static let onTheWay: [CheckoutURLRules.Place] = [
        .init(["checkout", "pay"], .nothing), .init(["checkout", "subscribe"], .nothing), .init(["embedded"], .nothing),
    ]

    private static func ends(of page: String, needSignature: Bool) -> [CheckoutURLRules.Place] {
        [
            .init(
                [page, "external", "mobile"], .ended,
                choice: .init("action", ["complete": .success, "cancelled": .cancelled], absent: .ended),
                needsSignature: needSignature),
            .init(
                [page, "external", "complete"], .success,
                choice: .init("action", ["complete": .success], absent: .success), needsSignature: needSignature),
            // What 'action' says beside an error is of no account: it only means that the way is at its end.
            .init([page, "external", "error"], .failure),
            .init([page, "external", "success"], .authenticationDone),
            .init([page, "external", "failure"], .authenticationFailed),
        ]
    }

    private static func registered(_ text: String?) -> ReportedURL? {
        text.flatMap { try? ReportedURL($0) }
    }
}
