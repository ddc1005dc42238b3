import GatewayKitCore

/// What GatewayKit itself costs per tokenization in a tracker of Safepay's that was opened before: one request.
enum SafepayOverhead {
    static func measure(seconds: Int, into report: inout Report) async throws(BenchmarkFailure) {
        let run = try await run(Double(seconds) * 0.25)
        report.sections.append(
            Report.Section(
                key: "overheadSafepay", title: "Overhead per tokenization in a tracker of Safepay's, without a network",
                notes: ["A transport that answers at once. The tracker was opened before; the card is set up in it."],
                rows: [Overhead.row("card set up (1 request)", run)]))
        for (name, share, limit) in [("p50", 0.5, 0.05), ("p99", 0.99, 0.2)] {
            report.aims.append(
                Report.Aim(
                    name: "overhead at Safepay \(name)", limit: limit,
                    measured: run.samples.milliseconds(atShare: share), unit: "ms"))
        }
    }

    private static func run(_ seconds: Double) async throws(BenchmarkFailure) -> Overhead.Run {
        let tokens = try Subject.tokens(
            baseURL: "http://127.0.0.1:9/safepay",
            credentials: ["secretKey": "5a3b1e000000000000000000000000000000000000000000000000000000c7d9"],
            transport: RecordedSetUp(), provider: "safepay")
        let request = try Subject.request()
        let open: PaymentSession
        do throws(GatewayError) {
            open = try tokens.attach(
                SessionReference(
                    account: AccountName("safepay" as ProviderID),
                    id: "v3:sandbox:payment:raw:PKR:150000:-:\(RecordedSetUp.tracker)"))
        } catch {
            throw BenchmarkFailure("the tracker is not taken up")
        }
        let run = await Overhead.sample(seconds: seconds) {
            if case .token? = try? await tokens.tokenize(request, in: open) { true } else { false }
        }
        guard run.failures == 0 else { throw BenchmarkFailure("\(run.failures) recorded answers gave no token") }
        return run
    }
}

/// A card that is set up, again and again.
private struct RecordedSetUp: HTTPTransport {
    static let tracker = "track_2c7f31b0-9f0e-4a53-8d4e-6a1f0b8a7c55"

    private let answer: WireResponse

    init() {
        var fields = HTTPFields()
        fields.append("content-type", "application/json; charset=utf-8")
        answer = WireResponse(
            status: 200, fields: fields,
            body: Array(
                """
                {"data":{"tracker":{"token":"\(Self.tracker)","client":"sec_sample","environment":"sandbox",\
                "state":"TRACKER_STARTED","payment_method_kind":"card","intent":"CYBERSOURCE","mode":"payment",\
                "entry_mode":"raw","next_actions":{"CYBERSOURCE":{"kind":"PAYER_AUTH_ENROLLMENT","request_id":"req_1"},\
                "MPGS":{"kind":"NOOP"},"PAYFAST":{"kind":"NOOP"},"RAAST":{"kind":"NOOP"}},"purchase_totals":\
                {"quote_amount":{"currency":"PKR","amount":150000},"base_amount":{"currency":"PKR","amount":150000}},\
                "metadata":{}},"action":{"token":"act_1","payment_method":{"token":"pm_0d9f8f1e-7a0c-4f6a-9a53",\
                "expiration_month":"12","expiration_year":"2039","card_type_code":"001","card_type":"Visa",\
                "bin_number":"411111","last_four":"1111"},"payer_authentication_setup":{"access_token":\
                "c2FtcGxl.c2FtcGxl.c2FtcGxl","device_data_collection_url":"https://collect.example/V1/Cruise/Collect"}}},\
                "status":{"errors":[],"message":"success"}}
                """.utf8), exchange: .init())
    }

    func send(_ request: WireRequest, deadline: ContinuousClock.Instant) async throws(TransportError) -> WireResponse {
        answer
    }
}
