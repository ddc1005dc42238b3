import GatewayKitCore
import GatewaySandbox
import Testing

/// Every fault of the sandbox over the create call: what the caller is told, against what really happened.
@Suite struct FaultTests {
    /// How a call may end under a fault; the spelling is ``End/name``.
    static func ends(under kind: FaultKind) -> Set<String> {
        switch kind {
        case .closeAfterAnswer, .slow, .drip, .chunked, .contentType, .duplicateDelivery, .extraFields, .echoCard,
            .gzip, .informational, .oddHeader:
            ["token"]
        case .resetBeforeAnswer, .answerLost, .resetInsideAnswer, .closeWithoutAnswer, .stall, .stallInsideBody, .hold,
            .truncated, .truncatedChunked, .emptyBody, .html, .malformedJSON, .garbage, .redirect, .unknownWord,
            .gzipTruncated, .gzipBomb, .hugeHeader, .hugeBody:
            ["unknown"]
        // The reset may overtake the answer that went before it.
        case .resetAfterAnswer: ["token", "unknown"]
        // The reset may come before or after the request was handed to the system: then it cannot be sent again.
        case .refuse: ["token", "unknown"]
        case .status(let status):
            switch status {
            case 401: ["throws credentialsRefused"]
            case 403: ["throws notPermitted"]
            case 404: ["throws notFound"]
            case 429: ["throws rateLimited"]
            case 400, 405, 415: ["throws requestRefused"]
            default: ["unknown"]
            }
        case .rateLimited: ["throws rateLimited"]
        case .basicChallenge: ["throws credentialsRefused"]
        }
    }

    static let kinds = FaultKind.examples + [400, 401, 403, 404, 405, 415, 429].map { .status($0) }

    @Test(
        "F1, L1, L3, L9, L10: the end is a documented one, agrees with what happened and shows no secret",
        arguments: kinds)
    func fault(kind: FaultKind) async throws {
        let sandbox = try Shop.sandbox()
        sandbox.faults.add(kind, provider: "spreedly", operation: "tokenize")
        // Each way to authenticate gets its share of the faults.
        let ways = ["secret", "restricted", "query"]
        let way = ways[kind.description.utf8.reduce(0) { $0 + Int($1) } % ways.count]
        let recorder = Recorder()
        let tokens = try Shop.tokens(Shop.settings(in: sandbox, authentication: way), Shop.runtime(recorder))
        let isEndless = [.stall, .stallInsideBody, .hold].contains(kind)
        let end =
            isEndless
            ? await End.patiently(tokens, try Shop.request()) { sandbox.ledger.count > 0 }
            : await End(of: tokens, try Shop.request())
        try Self.check(end, recorder, sandbox, kind)
        sandbox.stop()
    }

    @Test("The charge that went through although the answer denies it", arguments: [429, 503, 500, 204, 302])
    func processedAllTheSame(status: Int) async throws {
        let sandbox = try Shop.sandbox()
        let kind: FaultKind =
            switch status {
            case 429: .rateLimited(.seconds(1))
            case 302: .redirect(status: 302, location: "/elsewhere")
            default: .status(status)
            }
        sandbox.faults.add(kind, provider: "spreedly", operation: "tokenize", processing: true)
        let recorder = Recorder()
        let end = await End(of: try Shop.tokens(Shop.settings(in: sandbox), Shop.runtime(recorder)), try Shop.request())
        #expect(sandbox.ledger.entries.map(\.outcome) == [.created])
        try Self.check(end, recorder, sandbox, kind)
        sandbox.stop()
    }

    @Test("R8: a fault that lasts does not make a second card", arguments: kinds)
    func lastingFault(kind: FaultKind) async throws {
        guard kind != .duplicateDelivery, ![.stall, .stallInsideBody, .hold].contains(kind) else { return }
        let sandbox = try Shop.sandbox()
        sandbox.faults.add(kind, provider: "spreedly", operation: "tokenize", count: nil)
        let recorder = Recorder()
        let end = await End(of: try Shop.tokens(Shop.settings(in: sandbox), Shop.runtime(recorder)), try Shop.request())
        if kind == .refuse {
            #expect(["unknown", "throws unreachable"].contains(end.name))
        } else {
            try Self.check(end, recorder, sandbox, kind)
        }
        sandbox.stop()
    }

    private static func check(
        _ end: End, _ recorder: Recorder, _ sandbox: Sandbox, _ kind: FaultKind
    ) throws {
        #expect(ends(under: kind).contains(end.name), "\(kind): \(end.name)")
        let created = sandbox.ledger.entries.filter { $0.outcome == .created }
        #expect(sandbox.ledger.count <= (kind == .duplicateDelivery ? 2 : 1), "delivered once")
        let isEndless = [.stall, .stallInsideBody, .hold].contains(kind)
        if kind != .refuse, !isEndless { #expect(recorder.count(.requestStarted) == 1, "tried once") }

        if let token = end.token {
            #expect(created.last?.token == token.id, "who has a token has one that exists")
            #expect(token.card == created.last?.card)
        }
        if !created.isEmpty {
            #expect(end.decline == nil && end.issues == nil, "what was stored is not told as refused")
            #expect(end.thrown?.reach != .notSent, "what was stored is not told as not sent")
        }
        if let cause = end.unknown { #expect(cause.reach != .notSent) }

        let secrets =
            [Shop.number, Shop.securityCode] + (sandbox.credentials(for: "spreedly")?.items.map(\.value) ?? [])
        let search = LeakSearch(secrets.map { Sensitive($0) })
        #expect(search.leaks(in: end.shown).isEmpty, "\(kind)")
        #expect(search.leaks(in: recorder.shown).isEmpty, "\(kind)")
        #expect(recorder.events.last?.kind == .callFinished)
        #expect(recorder.events.last?.outcome == end.thrown?.code.description ?? end.name)
    }

    @Test("Without a fault: a token that exists, with the card's own summary")
    func undisturbed() async throws {
        let sandbox = try Shop.sandbox()
        for card in TestCard.all {
            let number = try CardNumber(Sensitive(card.number))
            let code = number.brand == .americanExpress ? "1234" : "737"
            let request = try Shop.request(Shop.card(card.name, code: code))
            let end = await End(of: try Shop.tokens(Shop.settings(in: sandbox)), request)
            let entry = try #require(sandbox.ledger.entries.last)
            #expect(end.token?.id == entry.token, "\(card.name)")
            #expect(end.token?.card?.brand == number.brand, "\(card.name)")
            #expect(end.token?.card?.lastFour == number.lastFour)
            #expect(end.token?.isTest == true)
            let search = LeakSearch([number.sensitive])
            #expect(search.leaks(in: end.shown).isEmpty)
        }
        #expect(sandbox.ledger.count == TestCard.all.count)
        sandbox.stop()
    }

    @Test(
        "Wrong credentials are told as such, in each way to authenticate", arguments: ["secret", "restricted", "query"])
    func wrongCredentials(authentication: String) async throws {
        let sandbox = try Shop.sandbox()
        let baseURL = try #require(sandbox.baseURL(for: "spreedly"))
        let settings = try Shop.settings(baseURL, authentication: authentication)
        let end = await End(of: try Shop.tokens(settings), try Shop.request())
        #expect(end.thrown?.code == .credentialsRefused)
        #expect(end.thrown?.answer?.status == 401)
        #expect(end.leaks.isEmpty)
        sandbox.stop()
    }

    @Test("A card off the test list is declined as the account's, not the card's, fault")
    func realCard() async throws {
        let sandbox = try Shop.sandbox()
        // A number that is nobody's on the test list: a listed one with two digits changed so that Luhn still holds.
        let number = try CardNumber(Sensitive(String(Shop.number.prefix(13)) + "129"))
        try #require(!TestCard.contains(number.withExposed { $0 }))
        let card = Card(
            number: number, expiry: CardExpiry(month: 9, year: 2031), holderName: "Ada Okoro")
        let end = await End(
            of: try Shop.tokens(Shop.settings(in: sandbox)), try Shop.request(card, checksLocally: false))
        #expect(end.name == (number.passesCheckDigit ? "declined" : "invalid"))
        #expect(LeakSearch([number.sensitive]).leaks(in: end.shown).isEmpty)
        sandbox.stop()
    }
}
