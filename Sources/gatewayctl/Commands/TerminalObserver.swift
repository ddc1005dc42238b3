import GatewayKitCore

/// Tells a person on stderr what happens to a call, with `-v`.
struct TerminalObserver: GatewayObserver {
    let terminal: Terminal

    let wantsTranscripts = true

    func record(_ event: GatewayEvent) {
        switch event.kind {
        case .callStarted:
            break
        case .requestStarted:
            terminal.detail("--> try \(event.tryNumber) of \(event.operation)")
            if let transcript = event.transcript { terminal.detail(indented(transcript)) }
        case .answerReceived:
            terminal.detail("<-- answer after \(milliseconds(event.duration))")
            if let transcript = event.transcript { terminal.detail(indented(transcript)) }
        case .requestFailed:
            let reach = event.reach.map { ", reach: \($0.rawValue)" } ?? ""
            terminal.detail("<-- no complete answer after \(milliseconds(event.duration))\(reach)")
            terminal.detail("    \(event.outcome ?? ""): \(event.detail?.description ?? "")")
        case .retryDecided:
            let wait = event.outcome == "again" ? "again in \(milliseconds(event.duration))" : "no further try"
            terminal.detail("... \(wait): \(event.detail?.description ?? "")")
        case .callFinished:
            terminal.detail(
                "=== \(event.operation): \(event.outcome ?? "") after \(milliseconds(event.duration)) in all")
        }
    }

    private func indented(_ text: SafeText) -> String {
        text.description.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
            .joined(separator: "\n")
    }

    private func milliseconds(_ duration: Duration?) -> String {
        guard let duration else { return "an unknown time" }
        let (seconds, attoseconds) = duration.components
        let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
