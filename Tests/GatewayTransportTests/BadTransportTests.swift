import GatewayKitCore
import GatewayTransport
import GatewayTransportSuite
import Testing

/// The suite itself is tested by transports with one mistake each: the case that is there for it must fail.
@Suite("The fault suite catches")
struct BadTransportTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How the names of the cases begin that must fail.
        let cases: [String]
        let send: @Sendable (any HTTPTransport, WireRequest, ContinuousClock.Instant) async throws -> WireResponse

        init(
            _ description: String, _ cases: String...,
            send:
                @escaping @Sendable (any HTTPTransport, WireRequest, ContinuousClock.Instant) async throws ->
                WireResponse
        ) {
            testDescription = description
            self.cases = cases
            self.send = send
        }
    }

    /// `CurlTransport` with a mistake around it.
    struct Mistaken: HTTPTransport {
        let inner: any HTTPTransport
        let mistake: Mistake

        func send(
            _ request: WireRequest, deadline: ContinuousClock.Instant
        ) async throws(TransportError) -> WireResponse {
            do {
                return try await mistake.send(inner, request, deadline)
            } catch let error as TransportError {
                throw error
            } catch {
                throw TransportError(.other, reach: .sent, detail: "another error")
            }
        }
    }

    static let mistakes: [Mistake] = [
        Mistake("redirects that are followed", "N6: a redirect of each kind") { inner, request, deadline in
            let answer = try await inner.send(request, deadline: deadline)
            guard (300...399).contains(answer.status), answer.fields.contains("location") else { return answer }
            return try await inner.send(request, deadline: deadline)
        },
        Mistake("a Basic challenge that is answered", "N6: 401 with a Basic challenge") { inner, request, deadline in
            let answer = try await inner.send(request, deadline: deadline)
            return answer.status == 401 ? try await inner.send(request, deadline: deadline) : answer
        },
        Mistake(
            "'not sent' of what was sent", "R11: reset without an answer", "R11: it dies once the request was read",
            "R11: cancelled while waiting"
        ) { inner, request, deadline in
            do {
                return try await inner.send(request, deadline: deadline)
            } catch var error as TransportError {
                error.reach = .notSent
                throw error
            }
        },
        Mistake("'sent' of what was not sent", "A refused connection", "Cancelled before the call") {
            inner, request, deadline in
            do {
                return try await inner.send(request, deadline: deadline)
            } catch var error as TransportError {
                if error.reach == .notSent { error.reach = .sent }
                throw error
            }
        },
        Mistake(
            "a second sending", "R11: it dies once the request was read", "R11: it dies with the request unread",
            "R11: reset without an answer"
        ) { inner, request, deadline in
            do {
                return try await inner.send(request, deadline: deadline)
            } catch let error as TransportError where error.kind == .connectionLost {
                return try await inner.send(request, deadline: deadline)
            }
        },
        Mistake(
            "a deadline that is ignored", "A deadline that has passed", "F5: a stall before the answer"
        ) { inner, request, _ in
            try await inner.send(request, deadline: .now + .seconds(30))
        },
        Mistake("a deadline that is taken for shorter", "F5: a stall before the answer") { inner, request, deadline in
            try await inner.send(request, deadline: deadline - .milliseconds(150))
        },
        Mistake("a cancellation that is ignored", "Cancelled before the call", "R11: cancelled while waiting") {
            inner, request, deadline in
            try await Task.detached { try await inner.send(request, deadline: deadline) }.value
        },
        Mistake(
            "a broken answer that is handed out", "R6: a body shorter than its length",
            "R6: chunks without the last one", "N9: gzip whose half is missing"
        ) { inner, request, deadline in
            do {
                return try await inner.send(request, deadline: deadline)
            } catch let error as TransportError where error.kind == .truncated {
                return WireResponse(status: error.partialStatus ?? 200, fields: HTTPFields(), body: [])
            }
        },
        Mistake("fields that are lost", "N5: fields keep their order") { inner, request, deadline in
            let answer = try await inner.send(request, deadline: deadline)
            var fields = HTTPFields()
            for field in answer.fields.list { fields.set(field.name, field.value) }
            return WireResponse(status: answer.status, fields: fields, body: answer.body, exchange: answer.exchange)
        },
        Mistake("errors instead of answers", "N6: every status") { inner, request, deadline in
            let answer = try await inner.send(request, deadline: deadline)
            guard answer.status < 400 else {
                throw TransportError(.other, reach: .answered, detail: "bad status", partialStatus: answer.status)
            }
            return answer
        },
        Mistake("bytes that are handed out compressed", "N9: gzip that was asked for") { inner, request, deadline in
            let answer = try await inner.send(request, deadline: deadline)
            return WireResponse(
                status: answer.status, fields: answer.fields, body: [0x1F, 0x8B] + answer.body,
                exchange: answer.exchange)
        },
    ]

    @Test("What it is for", arguments: mistakes)
    func caught(_ mistake: Mistake) async {
        var subject = TransportSubject("mistaken") {
            Mistaken(inner: try TransportSubject.curl.make($0), mistake: mistake)
        }
        // What must fail may fail soon.
        subject.tolerance = .milliseconds(500)
        for prefix in mistake.cases { await expectFailure(subject, prefix) }
    }

    private func expectFailure(_ subject: TransportSubject, _ prefix: String) async {
        let cases = TransportSuite.cases.filter { $0.name.hasPrefix(prefix) }
        #expect(!cases.isEmpty, "there is no case '\(prefix)'")
        for outcome in await TransportSuite.run(subject, cases) { #expect(outcome.isFailure, "\(outcome)") }
    }

    /// A transport that is made without heeding an option.
    struct Deaf: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let cases: [String]
        let change: @Sendable (inout TransportOptions) -> Void
    }

    @Test(
        "Options that are not heeded",
        arguments: [
            Deaf(testDescription: "proxy", cases: ["N1: a proxy carries"]) { $0.proxy = nil },
            Deaf(testDescription: "no_proxy", cases: ["N1: hosts on the no_proxy list"]) { $0.noProxy = [] },
            Deaf(testDescription: "CA file", cases: ["N11: a private authority"]) { $0.caFile = nil },
            Deaf(testDescription: "HTTP/2 off", cases: ["HTTP/2 is not offered"]) { $0.offersHTTP2 = true },
            Deaf(testDescription: "HTTP/2 on", cases: ["HTTP/2 is offered when it is asked for"]) {
                $0.offersHTTP2 = false
            },
            Deaf(testDescription: "size of a body", cases: ["A body that is too long", "N9: a bomb"]) {
                $0.maximumBodyBytes = nil
            },
            Deaf(testDescription: "size of a head", cases: ["A head that is too long"]) { $0.maximumHeadBytes = nil },
        ])
    func deaf(_ deaf: Deaf) async {
        let subject = TransportSubject("deaf") { options in
            var options = options
            deaf.change(&options)
            return try TransportSubject.curl.make(options)
        }
        for prefix in deaf.cases { await expectFailure(subject, prefix) }
    }
}
