import Testing

@testable import GatewayKitCore

@Suite("Events")
struct ObservationTests {
    static let number = TestCard.all[0].number
    static let code = "737"
    static let secrets = [Sensitive(number), Sensitive("account-secret-1"), Sensitive("header-secret-2")]

    /// A request with a card, a code and credentials in every place that can hold one.
    static var request: WireRequest {
        let url = Workbench.base.appending("cards").appending(query: "key", .sensitive(Sensitive("account-secret-1")))
        var request = WireRequest("test.call", .post, url, repeatability: .once)
        request.fields.set("authorization", .sensitive(Sensitive("header-secret-2")))
        request.fields["accept"] = "application/json"
        request.body = WireBody(
            contentType: "application/json",
            bytes: Sensitive(Array(#"{"card":{"n":"\#(number)","v":"\#(code)"},"name":"Ada"}"#.utf8)),
            secrets: [Sensitive(number), Sensitive(code)])
        return request
    }

    static let echo = #"{"token":"tok_1","echo":"\#(number)","key":"account-secret-1","odd":"\#(code)"}"#

    @Test("the events of a call, in order, with the facts that operators need")
    func order() async {
        let recorder = EventRecorder()
        let bench = Workbench([.answer(201, ["X-Request-Id": "req-42"])], observer: recorder)
        let call = bench.pipeline.begin("test.call", CallContext(correlationID: "order-7"))
        _ = try? await bench.pipeline.send(Self.request, in: call)
        bench.clock.advance(by: .seconds(2))
        bench.pipeline.end(call, outcome: "token")
        #expect(recorder.kinds == [.callStarted, .requestStarted, .answerReceived, .callFinished])
        let events = recorder.events
        #expect(Set(events.map(\.callID)).count == 1)
        #expect(events.allSatisfy { $0.correlationID == "order-7" && $0.account.description == "eu" })
        #expect(events.allSatisfy { $0.operation.description == "test.call" })
        #expect(events.map(\.tryNumber) == [0, 1, 1, 0])
        #expect(events.map(\.status) == [nil, nil, 201, nil])
        #expect(events.map(\.requestID) == [nil, nil, "req-42", nil])
        #expect(events.last?.outcome == "token")
        #expect(events.last?.duration == .seconds(2))
    }

    @Test("a failed try tells kind and reach")
    func failure() async {
        let recorder = EventRecorder(wantsTranscripts: true)
        let bench = Workbench([.fail(.timeout, .sent)], observer: recorder)
        _ = await bench.run(Self.request)
        let failed = recorder.events.first { $0.kind == .requestFailed }
        #expect(failed?.outcome == "timeout" && failed?.reach == .sent && failed?.transcript == nil)
        #expect(failed?.detail?.description == "scripted")
    }

    @Test("L2: no transcript unless the observer wants one")
    func noTranscript() async {
        let recorder = EventRecorder()
        let bench = Workbench([.answer(200, ["x-echo": Self.number], Self.echo)], observer: recorder)
        _ = await bench.run(Self.request)
        #expect(recorder.events.allSatisfy { $0.transcript == nil })
        #expect(LeakSearch(Self.secrets).leaks(in: everythingShown(recorder.events)).isEmpty)
    }

    @Test("L1, L3, L9, L13: transcripts hold neither card nor secret, of the request or echoed, and stay readable")
    func transcripts() async throws {
        let recorder = EventRecorder(wantsTranscripts: true)
        let bench = Workbench(
            [.answer(200, ["x-echo": "n=\(Self.number)", "content-type": "application/json"], Self.echo)],
            observer: recorder)
        _ = await bench.run(Self.request)
        #expect(LeakSearch(Self.secrets + [Sensitive(Self.code)]).leaks(in: everythingShown(recorder.events)).isEmpty)
        let request = try #require(recorder.events.first { $0.kind == .requestStarted }?.transcript).description
        #expect(request.hasPrefix("POST https://api.provider.example/v1/cards?key=[FILTERED]"))
        #expect(request.contains("\nauthorization: [FILTERED]"))
        #expect(request.contains("\naccept: application/json"))
        #expect(request.contains("\ncontent-type: application/json"))
        #expect(request.contains("Ada"))
        let answer = try #require(recorder.events.first { $0.kind == .answerReceived }?.transcript).description
        #expect(answer.hasPrefix("HTTP 200"))
        #expect(answer.contains("tok_1"))
    }

    @Test("L3: a provider that puts the card into its request id gives nothing away", arguments: [true, false])
    func requestID(wantsTranscripts: Bool) async {
        let recorder = EventRecorder(wantsTranscripts: wantsTranscripts)
        let bench = Workbench([.answer(200, ["x-request-id": "r-\(Self.number)"])], observer: recorder)
        _ = await bench.run(Self.request)
        #expect(LeakSearch(Self.secrets).leaks(in: everythingShown(recorder.events)).isEmpty)
    }

    @Test("a transport that talks too much is scrubbed by the call's secrets")
    func talkativeTransport() async {
        struct Talkative: HTTPTransport {
            func send(
                _ request: WireRequest, deadline: ContinuousClock.Instant
            ) async throws(TransportError) -> WireResponse {
                throw TransportError(
                    .tls, reach: .notSent, detail: "no peer for account-secret-1 with header-secret-2 and 737")
            }
        }
        let recorder = EventRecorder()
        let pipeline = HTTPPipeline(
            account: .known("eu"), secrets: [Sensitive("account-secret-1")],
            allowedOrigins: [Workbench.base.origin],
            runtime: GatewayRuntime(transport: Talkative(), observer: recorder), timeout: .seconds(1))
        let call = pipeline.begin("test.call", CallContext())
        do throws(TransportError) {
            _ = try await pipeline.send(Self.request, in: call)
            Issue.record("no error")
        } catch {
            let shown = everythingShown(error) + everythingShown(GatewayError(error, in: call))
            #expect(LeakSearch(Self.secrets).leaks(in: shown + everythingShown(recorder.events)).isEmpty)
        }
    }

    @Test("ids of calls are sixteen hexadecimal digits", arguments: [UInt64.min, 1, 0xABC, .max])
    func ids(number: UInt64) {
        let id = RandomSource { number }.nextID()
        #expect(id.count == 16 && UInt64(id, radix: 16) == number)
    }
}
