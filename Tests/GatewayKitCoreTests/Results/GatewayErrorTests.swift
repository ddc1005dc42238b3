import Testing

@testable import GatewayKitCore

@Suite("Gateway errors")
struct GatewayErrorTests {
    static let pipeline = Workbench([]).pipeline
    static var call: Call { pipeline.begin("test.call", CallContext()) }

    /// What each kind of transport failure is called.
    static let codes: [(TransportError.Kind, GatewayError.Code)] = [
        (.nameLookup, .unreachable), (.connect, .unreachable), (.connectTimeout, .unreachable), (.tls, .tls),
        (.proxy, .proxy), (.timeout, .timedOut), (.cancelled, .cancelled), (.connectionLost, .connectionLost),
        (.truncated, .connectionLost), (.malformedAnswer, .unreadableAnswer), (.answerTooLarge, .unreadableAnswer),
        (.invalidRequest, .invalidInput), (.refusedHost, .refusedHost), (.dryRun, .dryRun), (.closed, .connectionLost),
        (.other, .connectionLost),
    ]

    @Test("N11, N13: every kind has its code", arguments: GatewayErrorTests.codes.indices)
    func code(index: Int) {
        let (kind, code) = Self.codes[index]
        for reach in Reach.allCases {
            let error = GatewayError(TransportError(kind, reach: reach, detail: "what happened"), in: Self.call)
            #expect(error.code == code)
            #expect(error.reach == reach)
            #expect(error.message.description == "What happened.")
            #expect(error.account?.description == "eu" && error.operation?.description == "test.call")
            #expect(error.tries == 1 && error.answer == nil)
        }
    }

    @Test("the table above knows every kind")
    func complete() {
        #expect(Set(Self.codes.map(\.0)) == Set(TransportError.Kind.known))
    }

    @Test("R11: nothing sent is said when it is so, and never otherwise", arguments: TransportError.Kind.known)
    func advice(kind: TransportError.Kind) {
        for reach in Reach.allCases {
            let error = GatewayError(TransportError(kind, reach: reach, detail: "what happened"), in: Self.call)
            let advice = error.advice.description
            if reach == .notSent {
                #expect(advice.hasPrefix("Nothing was sent"))
            } else {
                #expect(!advice.contains("Nothing was sent") && !advice.contains("safe"))
                #expect(advice.contains("look before"))
            }
        }
    }

    @Test("only network troubles that nothing was sent in are called safe to try again")
    func safe() {
        for kind in TransportError.Kind.known {
            let error = GatewayError(TransportError(kind, reach: .notSent, detail: ""), in: Self.call)
            let isPassing = [.nameLookup, .connect, .connectTimeout, .timeout, .connectionLost].contains(kind)
            if isPassing { #expect(error.advice.description.contains("safe to try again"), "\(kind)") }
            if [.refusedHost, .dryRun, .invalidRequest, .cancelled, .closed, .tls].contains(kind) {
                #expect(!error.advice.description.contains("safe"), "\(kind)")
            }
        }
    }

    @Test("the status of an answer that broke off is kept")
    func partial() {
        let error = GatewayError(
            TransportError(.truncated, reach: .answered, detail: "", partialStatus: 201), in: Self.call)
        #expect(error.answer == GatewayError.Answer(status: 201))
    }

    @Test("the description tells every fact on one line")
    func description() throws {
        let answer = GatewayError.Answer(
            status: 429, mediaType: "text/html", requestID: "req-42", providerCode: "too_many",
            providerMessage: "slow down", retryAfter: .seconds(7))
        let error = GatewayError(
            .rateLimited, message: "Too many calls.", advice: "Wait.", reach: .answered, account: .known("eu"),
            operation: "test.call", tries: 3, answer: answer)
        let text = error.description
        for fact in [
            "rateLimited", "test.call", "eu", "Too many calls.", "HTTP 429", "text/html", "req-42", "too_many",
            "slow down", "7.0 seconds", "answered", "3 tries", "Wait.",
        ] { #expect(text.contains(fact), "\(fact)") }
        #expect(!text.contains("\n"))
        #expect(GatewayError(.dryRun, message: "m", advice: "a").description == "dryRun: m Reach: notSent. a")
    }

    @Test("F4, B13: an answer that is no result keeps status, type, request id and wait, never its body")
    func fromAnswer() {
        let number = TestCard.all[0].number
        let now = WallTime(secondsSince1970: 1_903_867_200)
        var fields = HTTPFields()
        fields.append("content-type", .plain("text/html; x=\(number)"))
        fields.append("x-request-id", .plain("r-\(number)"))
        fields.append("retry-after", "9")
        var response = WireResponse(status: 502, fields: fields, body: Array("<p>\(number)</p>".utf8))
        response.tries = 2
        let redactor = Redactor(secrets: [Sensitive(number)])
        let error = GatewayError(
            .providerUnavailable, response, in: Self.call, redactor: redactor, now: now, message: "m", advice: "a",
            providerCode: "c-\(number)", providerMessage: redactor.scrub("card \(number)"))
        #expect(error.reach == .answered && error.tries == 2)
        #expect(error.answer?.status == 502 && error.answer?.mediaType == "text/html")
        #expect(error.answer?.retryAfter == .seconds(9))
        #expect(LeakSearch([Sensitive(number)]).leaks(in: everythingShown(error)).isEmpty)
    }
}

@Suite("Safe text")
struct SafeTextTests {
    @Test("every test card that is interpolated is masked", arguments: TestCard.all)
    func cards(card: TestCard) {
        let spaced = card.number.enumerated().map {
            ($0.offset > 0 && $0.offset % 4 == 0 ? " " : "") + String($0.element)
        }
        .joined()
        for text in [
            "card \(card.number)" as SafeText, "card \(spaced)", "\(Int(card.number) ?? 0)", "\([card.number])",
        ] {
            #expect(!text.description.filter(\.isNumber).contains(card.number))
            // What may show of a number that repeats itself contains its first nine digits by chance.
            guard Set(card.number).count > 2 else { continue }
            #expect(LeakSearch([Sensitive(card.number)]).leaks(in: everythingShown(text)).isEmpty)
        }
    }

    @Test("counts and literals stay as they are")
    func literals() {
        let text: SafeText = "\(count: 4_111_111_111_111_111) of 4111111111111111"
        #expect(text.description == "4111111111111111 of 4111111111111111")
        #expect("a" + "b" as SafeText == "ab")
        #expect(("" as SafeText).isEmpty)
    }

    @Test("guarded values print as guarded")
    func guarded() {
        #expect(("\(Sensitive("s3cret"))" as SafeText).description == "[FILTERED]")
    }
}
