import GatewayKitCore

/// Sends nothing: ends every request as "not sent, on purpose".
struct DryRunTransport: HTTPTransport {
    func send(
        _ request: WireRequest, deadline: ContinuousClock.Instant
    ) async throws(TransportError) -> WireResponse {
        throw TransportError(.dryRun, reach: .notSent, detail: "This is a dry run: the request was built, not sent.")
    }
}

/// Keeps the redacted text of the request that would have been sent.
final class DryRunObserver: GatewayObserver {
    private let kept = Locked<SafeText?>(nil)

    let wantsTranscripts = true

    var request: SafeText? { kept.withLock { $0 } }

    func record(_ event: GatewayEvent) {
        guard event.kind == .requestStarted, let transcript = event.transcript else { return }
        kept.withLock { $0 = transcript }
    }
}
