import Testing

@testable import GatewayKitCore

@Suite("Retry policy")
struct RetryPolicyTests {
    enum Expected {
        case again(milliseconds: Int, String)
        case stop(String)
    }

    /// A row of the table. Unless it says otherwise: the first of three tries, 30 seconds left, no `Retry-After`, and
    /// the smallest jitter, which is half of the delay (0.5 s, 1 s, ...).
    struct Row: CustomTestStringConvertible {
        let name: String
        let repeatability: WireRequest.Repeatability
        let outcome: RetryPolicy.Outcome
        var tries = 1
        var retryAfter: String?
        var remaining = Duration.seconds(30)
        var cancelled = false
        let expected: Expected

        init(
            _ name: String, _ repeatability: WireRequest.Repeatability, _ outcome: RetryPolicy.Outcome, tries: Int = 1,
            retryAfter: String? = nil, remaining: Duration = .seconds(30), cancelled: Bool = false,
            _ expected: Expected
        ) {
            self.name = name
            self.repeatability = repeatability
            self.outcome = outcome
            self.tries = tries
            self.retryAfter = retryAfter
            self.remaining = remaining
            self.cancelled = cancelled
            self.expected = expected
        }

        var testDescription: String { name }
    }

    /// Wednesday, 2030-05-01T12:00:00Z.
    static let now = WallTime(secondsSince1970: 1_903_867_200)
    static let mayAgain = "and this request may be sent again"
    static let notTwice = "and this request must not be sent twice"
    static let maybeSent = "after the request may have been sent, \(notTwice)"
    static let outlives = "but the wait would outlive the caller's deadline"
    static let usedUp = "but all 3 tries are used up"

    static let unsent: [Row] = [
        Row(
            "name lookup, once", .once, .failed(.nameLookup, .notSent),
            .again(milliseconds: 250, "nameLookup, and nothing was sent")),
        Row(
            "name lookup, keyed", .keyed, .failed(.nameLookup, .notSent),
            .again(milliseconds: 250, "nameLookup, and nothing was sent")),
        Row(
            "name lookup, read", .read, .failed(.nameLookup, .notSent),
            .again(milliseconds: 250, "nameLookup, and nothing was sent")),
        Row(
            "refused, once", .once, .failed(.connect, .notSent),
            .again(milliseconds: 250, "connect, and nothing was sent")),
        Row(
            "refused, second try", .once, .failed(.connect, .notSent), tries: 2,
            .again(milliseconds: 500, "connect, and nothing was sent")),
        Row(
            "refused, third try", .once, .failed(.connect, .notSent), tries: 3,
            .stop("connect, and nothing was sent, \(usedUp)")),
        Row(
            "connect time-out, once", .once, .failed(.connectTimeout, .notSent),
            .again(milliseconds: 250, "connectTimeout, and nothing was sent")),
        Row(
            "lost before a byte left, once", .once, .failed(.connectionLost, .notSent),
            .again(milliseconds: 250, "connectionLost, and nothing was sent")),
        Row(
            "refused proxy tunnel, once", .once, .failed(.proxy, .notSent),
            .again(milliseconds: 250, "proxy, and nothing was sent")),
        Row("TLS, read", .read, .failed(.tls, .notSent), .stop("tls would happen again")),
        Row("TLS, once", .once, .failed(.tls, .notSent), .stop("tls would happen again")),
        Row("deadline before sending, once", .once, .failed(.timeout, .notSent), .stop("timeout would happen again")),
        Row("cancelled before sending", .read, .failed(.cancelled, .notSent), .stop("the call was cancelled")),
        Row(
            "unsendable request", .read, .failed(.invalidRequest, .notSent), .stop("invalidRequest would happen again")),
        Row("host not allowed", .read, .failed(.refusedHost, .notSent), .stop("refusedHost would happen again")),
        Row("dry run", .once, .failed(.dryRun, .notSent), .stop("dryRun would happen again")),
        Row("transport closed", .read, .failed(.closed, .notSent), .stop("closed would happen again")),
        Row("other, unsent", .read, .failed(.other, .notSent), .stop("other would happen again")),
    ]

    static let sent: [Row] = [
        Row(
            "R11 reset after the body was written, once", .once, .failed(.connectionLost, .sent),
            .stop("connectionLost \(maybeSent)")),
        Row(
            "reset after the body was written, keyed", .keyed, .failed(.connectionLost, .sent),
            .again(milliseconds: 250, "connectionLost, \(mayAgain)")),
        Row(
            "reset after the body was written, read", .read, .failed(.connectionLost, .sent),
            .again(milliseconds: 250, "connectionLost, \(mayAgain)")),
        Row("R8 timed out without idempotency", .once, .failed(.timeout, .sent), .stop("timeout \(maybeSent)")),
        Row(
            "F5 timed out, nothing left, read", .read, .failed(.timeout, .sent), remaining: .zero,
            .stop("timeout, \(mayAgain), \(outlives)")),
        Row(
            "F5 timed out, overdrawn, keyed", .keyed, .failed(.timeout, .sent), remaining: .seconds(-1),
            .stop("timeout, \(mayAgain), \(outlives)")),
        Row("truncated, once", .once, .failed(.truncated, .answered), .stop("truncated \(maybeSent)")),
        Row(
            "truncated, keyed", .keyed, .failed(.truncated, .answered),
            .again(milliseconds: 250, "truncated, \(mayAgain)")),
        Row(
            "truncated, read, third try", .read, .failed(.truncated, .answered), tries: 3,
            .stop("truncated, \(mayAgain), \(usedUp)")),
        Row("garbage, once", .once, .failed(.malformedAnswer, .sent), .stop("malformedAnswer \(maybeSent)")),
        Row(
            "garbage, read", .read, .failed(.malformedAnswer, .answered),
            .again(milliseconds: 250, "malformedAnswer, \(mayAgain)")),
        Row("too large, read", .read, .failed(.answerTooLarge, .answered), .stop("answerTooLarge would happen again")),
        Row("too large, once", .once, .failed(.answerTooLarge, .answered), .stop("answerTooLarge would happen again")),
        Row("cancelled under way, keyed", .keyed, .failed(.cancelled, .sent), .stop("the call was cancelled")),
        Row("other, sent, once", .once, .failed(.other, .sent), .stop("other \(maybeSent)")),
        Row("TLS broke after sending, once", .once, .failed(.tls, .sent), .stop("tls \(maybeSent)")),
        Row("proxy broke after sending, once", .once, .failed(.proxy, .sent), .stop("proxy \(maybeSent)")),
        Row("refused by name but sent, once", .once, .failed(.connect, .sent), .stop("connect \(maybeSent)")),
    ]

    static let answered: [Row] = [
        Row("R10 429, keyed", .keyed, .answered(429), .again(milliseconds: 250, "status 429, \(mayAgain)")),
        Row(
            "R10 429, read, Retry-After 7", .read, .answered(429), retryAfter: "7",
            .again(milliseconds: 7_000, "status 429, \(mayAgain)")),
        Row("429, once", .once, .answered(429), .stop("status 429, \(notTwice)")),
        Row("429, once, Retry-After 0", .once, .answered(429), retryAfter: "0", .stop("status 429, \(notTwice)")),
        Row(
            "429, Retry-After 0 keeps the back-off", .read, .answered(429), retryAfter: "0",
            .again(milliseconds: 250, "status 429, \(mayAgain)")),
        Row(
            "503, Retry-After as a date", .read, .answered(503), retryAfter: "Wed, 01 May 2030 12:00:09 GMT",
            .again(milliseconds: 9_000, "status 503, \(mayAgain)")),
        Row(
            "503, Retry-After as an old date form", .read, .answered(503),
            retryAfter: "Wednesday, 01-May-30 12:00:09 GMT", .again(milliseconds: 9_000, "status 503, \(mayAgain)")),
        Row(
            "503, Retry-After as a C date", .read, .answered(503), retryAfter: "Wed May  1 12:00:09 2030",
            .again(milliseconds: 9_000, "status 503, \(mayAgain)")),
        Row(
            "503, Retry-After in the past", .read, .answered(503), retryAfter: "Wed, 01 May 2030 11:00:00 GMT",
            .again(milliseconds: 250, "status 503, \(mayAgain)")),
        Row(
            "503, Retry-After is garbage", .read, .answered(503), retryAfter: "soon",
            .again(milliseconds: 250, "status 503, \(mayAgain)")),
        Row(
            "503, Retry-After is negative", .read, .answered(503), retryAfter: "-5",
            .again(milliseconds: 250, "status 503, \(mayAgain)")),
        Row(
            "503, Retry-After beyond the deadline", .read, .answered(503), retryAfter: "31",
            .stop("status 503, \(mayAgain), \(outlives)")),
        Row(
            "503, Retry-After just at the deadline", .read, .answered(503), retryAfter: "30",
            .stop("status 503, \(mayAgain), \(outlives)")),
        Row(
            "503, Retry-After just before the deadline", .read, .answered(503), retryAfter: "29",
            .again(milliseconds: 29_000, "status 503, \(mayAgain)")),
        Row(
            "503, Retry-After date beyond the deadline", .keyed, .answered(503),
            retryAfter: "Wed, 01 May 2030 13:00:00 GMT", .stop("status 503, \(mayAgain), \(outlives)")),
        Row(
            "503, Retry-After overflows", .keyed, .answered(503), retryAfter: "99999999999999999999999",
            .stop("status 503, \(mayAgain), \(outlives)")),
        Row("503 on the third try", .keyed, .answered(503), tries: 3, .stop("status 503, \(mayAgain), \(usedUp)")),
        Row(
            "503 on a try beyond the last", .keyed, .answered(503), tries: 4,
            .stop("status 503, \(mayAgain), \(usedUp)")),
        Row(
            "back-off just at the deadline", .read, .answered(503), remaining: .milliseconds(250),
            .stop("status 503, \(mayAgain), \(outlives)")),
        Row(
            "back-off just before the deadline", .read, .answered(503), remaining: .milliseconds(251),
            .again(milliseconds: 250, "status 503, \(mayAgain)")),
        Row(
            "R3 409 while the same key is in progress", .keyed, .answered(409),
            .again(milliseconds: 250, "status 409, \(mayAgain)")),
        Row("409 on a read", .read, .answered(409), .stop("status 409 is the provider's answer")),
        Row("409 without a key", .once, .answered(409), .stop("status 409 is the provider's answer")),
        Row("408, keyed", .keyed, .answered(408), .again(milliseconds: 250, "status 408, \(mayAgain)")),
        Row("408, once", .once, .answered(408), .stop("status 408, \(notTwice)")),
        Row("425, read", .read, .answered(425), .again(milliseconds: 250, "status 425, \(mayAgain)")),
        Row("500, keyed", .keyed, .answered(500), .again(milliseconds: 250, "status 500, \(mayAgain)")),
        Row("500, once", .once, .answered(500), .stop("status 500, \(notTwice)")),
        Row("502, read", .read, .answered(502), .again(milliseconds: 250, "status 502, \(mayAgain)")),
        Row("504, once", .once, .answered(504), .stop("status 504, \(notTwice)")),
        Row("501, read", .read, .answered(501), .stop("status 501 is the provider's answer")),
        Row("505, keyed", .keyed, .answered(505), .stop("status 505 is the provider's answer")),
        Row("400, read", .read, .answered(400), .stop("status 400 is the provider's answer")),
        Row("401, read", .read, .answered(401), .stop("status 401 is the provider's answer")),
        Row("402, keyed", .keyed, .answered(402), .stop("status 402 is the provider's answer")),
        Row("404, read", .read, .answered(404), .stop("status 404 is the provider's answer")),
        Row("422, once", .once, .answered(422), .stop("status 422 is the provider's answer")),
        Row("a status beyond the standard", .read, .answered(999), .stop("status 999 is the provider's answer")),
        Row("cancelled, whatever happened", .read, .answered(503), cancelled: true, .stop("the caller has cancelled")),
        Row(
            "cancelled, nothing sent", .once, .failed(.connect, .notSent), cancelled: true,
            .stop("the caller has cancelled")),
    ]

    @Test("each row of the table", arguments: unsent + sent + answered)
    func table(_ row: Row) {
        let situation = RetryPolicy.Situation(
            row.repeatability, row.outcome, tryNumber: row.tries,
            retryAfter: row.retryAfter.flatMap { RetryAfter.read($0, now: Self.now) }, remaining: row.remaining,
            isCancelled: row.cancelled)
        switch (RetryPolicy().decide(situation), row.expected) {
        case (.again(let wait, let reason), .again(let milliseconds, let text)):
            #expect(wait == .milliseconds(milliseconds))
            #expect(reason.description == text)
        case (.stop(let reason), .stop(let text)):
            #expect(reason.description == text)
        case (let decision, _):
            Issue.record("expected \(row.expected), got \(decision)")
        }
    }

    @Test("the table is as long as it should be and says each thing once")
    func tableIsComplete() {
        let names = (Self.unsent + Self.sent + Self.answered).map(\.name)
        #expect(names.count >= 60)
        #expect(Set(names).count == names.count)
    }

    @Test("never is one try for everything")
    func never() {
        for kind in TransportError.Kind.known {
            for reach in Reach.allCases {
                let situation = RetryPolicy.Situation(
                    .read, .failed(kind, reach), tryNumber: 1, remaining: .seconds(600))
                if case .again = RetryPolicy.never.decide(situation) { Issue.record("\(kind) \(reach) is repeated") }
            }
        }
        #expect(RetryPolicy(maximumTries: -3).maximumTries == 1)
    }

    static let properties = 20_000

    @Test("no situation breaks the laws of repeating")
    func laws() {
        var numbers = SeededNumbers(seed: 3)
        for _ in 0..<Self.properties {
            let policy = RetryPolicy(
                maximumTries: Int.random(in: -1...6, using: &numbers),
                firstDelay: .milliseconds(Int.random(in: 0...2_000, using: &numbers)),
                longestDelay: .milliseconds(Int.random(in: 0...8_000, using: &numbers)))
            let situation = Self.situation(&numbers)
            guard case .again(let wait, let reason) = policy.decide(situation) else { continue }
            #expect(!situation.isCancelled)
            #expect(!reason.isEmpty)
            #expect(wait >= .zero && wait < situation.remaining)
            #expect(wait >= situation.retryAfter ?? .zero)
            #expect(situation.tryNumber < policy.maximumTries)
            if situation.repeatability == .once {
                guard case .failed(_, .notSent) = situation.outcome else {
                    Issue.record("sent twice: \(situation)")
                    continue
                }
            }
            if situation.retryAfter == nil { #expect(wait <= policy.longestDelay) }
        }
    }

    @Test("jitter stays between half of the delay and the whole", arguments: 1...8)
    func jitter(tries: Int) {
        let policy = RetryPolicy(maximumTries: 100, firstDelay: .milliseconds(100), longestDelay: .seconds(3))
        let whole = min(Duration.milliseconds(100 * (1 << (tries - 1))), .seconds(3))
        var numbers = SeededNumbers(seed: UInt64(tries))
        var waits: Set<Duration> = []
        for random in [UInt64.min, .max] + (0..<200).map({ _ in numbers.next() }) {
            let decision = policy.decide(
                .init(.read, .answered(503), tryNumber: tries, remaining: .seconds(60), random: random))
            guard case .again(let wait, _) = decision else {
                Issue.record("no repeat")
                continue
            }
            #expect(wait >= whole / 2 && wait <= whole)
            waits.insert(wait)
        }
        #expect(waits.count > 100)
    }

    @Test("odd settings neither trap nor take for ever")
    func oddSettings() {
        let huge = Duration(secondsComponent: .max, attosecondsComponent: 0)
        for (first, longest) in [(Duration.zero, Duration.seconds(5)), (.seconds(-5), .seconds(5)), (huge, huge)] {
            for tries in [0, -5, 1, 70, Int.max - 1] {
                let policy = RetryPolicy(maximumTries: .max, firstDelay: first, longestDelay: longest)
                _ = policy.decide(
                    .init(.read, .answered(503), tryNumber: tries, remaining: .seconds(60), random: .max))
            }
        }
    }

    private static func situation(_ numbers: inout SeededNumbers) -> RetryPolicy.Situation {
        let statuses = [200, 301, 400, 401, 402, 404, 408, 409, 422, 425, 429, 500, 501, 502, 503, 504, 599]
        let outcome: RetryPolicy.Outcome =
            Bool.random(using: &numbers)
            ? .answered(statuses.randomElement(using: &numbers) ?? 500)
            : .failed(
                TransportError.Kind.known.randomElement(using: &numbers) ?? .other,
                Reach.allCases.randomElement(using: &numbers) ?? .sent)
        return RetryPolicy.Situation(
            [.read, .keyed, .once].randomElement(using: &numbers) ?? .once, outcome,
            tryNumber: Int.random(in: 0...7, using: &numbers),
            retryAfter: Bool.random(using: &numbers) ? nil : .seconds(Int.random(in: 0...90, using: &numbers)),
            remaining: .milliseconds(Int.random(in: -100...60_000, using: &numbers)),
            isCancelled: Int.random(in: 0..<10, using: &numbers) == 0, random: numbers.next())
    }
}
