import GatewayKit
import GatewayKitCore

/// `checkout watch`.
enum CheckoutWatch {
    static let command = Command(
        "watch", summary: "Read the proof of a checkout again and again, and print each change",
        discussion: """
            As 'session watch', by the proof of the page: a line for each change, with '--output json' one JSON object per \
            line. It ends when the session does, or after --timeout (10m without it).

            The exit code tells: 0 succeeded, 2 failed or expired, 3 still open, 4 still processing or not known, 5 or 6 \
            when no question was answered.
            """,
        examples: [
            .init("gatewayctl checkout watch -a shop SESSION --timeout 5m", "For five minutes at most:"),
            .init("gatewayctl checkout watch -a shop SESSION -o json | jq -r .phase", "For a script:"),
        ],
        options: AccountChoice.all + CheckoutPageOptions.all
            + [CheckoutConfirm.firstWait, CheckoutConfirm.longestWait, CheckoutConfirm.maximumFailures],
        rules: AccountChoice.rules, positionals: [SessionInput.positional]
    ) { invocation in
        let id = try SessionInput.read(invocation)
        let policy = CheckoutConfirm.policy(invocation, orElse: PollingPolicy().deadline)
        return try await AccountRun.run(invocation, isRead: true) { opened, _, terminal in
            let source = PageProof(
                checkout: try opened.gateway.requireCheckout(),
                page: CheckoutPageOptions.page(invocation, opened.settings, session: id))
            let updates = SessionWatcher(source, opened.runtime).updates(of: source.page.session, policy: policy)
            return await SessionWatch(
                settings: opened.settings, terminal: terminal, schema: "gatewayctl.checkout-watch/1"
            ).run(updates)
        }
    }
}

/// The proof of one page as a source of statuses.
private struct PageProof: SessionStatusSource {
    let checkout: any HostedCheckout
    let page: CheckoutPage

    func status(of session: SessionReference, _ call: CallContext) async throws(GatewayError) -> SessionStatus {
        try await checkout.proof(of: page, call)
    }
}
