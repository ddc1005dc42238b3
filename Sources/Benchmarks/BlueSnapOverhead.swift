import GatewayKitCore

/// What GatewayKit itself costs per submission to a token of BlueSnap's that was opened before: one request.
enum BlueSnapOverhead {
    static func measure(seconds: Int, into report: inout Report) async throws(BenchmarkFailure) {
        let tokens = try Subject.tokens(
            baseURL: "http://127.0.0.1:9/bluesnap", credentials: [:], transport: RecordedSubmission(),
            provider: "bluesnap")
        let request = try Subject.request()
        let open: PaymentSession
        do throws(GatewayError) {
            open = try tokens.attach(
                SessionReference(
                    account: AccountName("bluesnap" as ProviderID),
                    id: String(repeating: "7a10c2e9f4b8d635", count: 4) + "_"))
        } catch {
            throw BenchmarkFailure("the token is not taken up")
        }
        let run = await Overhead.sample(seconds: Double(seconds) * 0.25) {
            if case .token? = try? await tokens.tokenize(request, in: open) { true } else { false }
        }
        guard run.failures == 0 else { throw BenchmarkFailure("\(run.failures) recorded submissions gave no token") }
        report.sections.append(
            Report.Section(
                key: "overheadBlueSnap", title: "Overhead per submission to a token of BlueSnap's, without a network",
                notes: ["A transport that answers at once. The token was opened before."],
                rows: [Overhead.row("card (1 request)", run)]))
        for (name, share, limit) in [("p50", 0.5, 0.05), ("p99", 0.99, 0.2)] {
            report.aims.append(
                Report.Aim(
                    name: "overhead at BlueSnap \(name)", limit: limit,
                    measured: run.samples.milliseconds(atShare: share), unit: "ms"))
        }
    }
}

/// A token that takes a card, again and again.
private struct RecordedSubmission: HTTPTransport {
    private let answer: WireResponse = {
        var fields = HTTPFields()
        fields.append("content-type", "application/json")
        let body = #"{"ccType":"VISA","last4Digits":"1111","issuingCountry":"us"}"#
        return WireResponse(status: 200, fields: fields, body: Array(body.utf8), exchange: .init())
    }()

    func send(_ request: WireRequest, deadline: ContinuousClock.Instant) async throws(TransportError) -> WireResponse {
        answer
    }
}
