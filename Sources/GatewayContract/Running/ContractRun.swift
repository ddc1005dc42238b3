import GatewayKitCore

/// One case being run: makes what it needs, collects what it finds.
final class ContractRun: Sendable {
    /// Ends a case without a finding.
    enum Stop: Error {
        /// It does not apply here, and why.
        case skipped(String)
        /// Something that it needs has not been supplied.
        case owed(String)
        /// A finding that leaves nothing to go on with is noted already.
        case failed
    }

    private struct State {
        var findings: [String] = []
        var observed: [String] = []
        var shown: [String] = []
    }

    let subject: ContractSubject
    let stage: ContractStage
    let wire = WireLog()
    let events = EventLog()
    private let state = Locked(State())

    init(_ subject: ContractSubject, _ stage: ContractStage) {
        self.subject = subject
        self.stage = stage
    }

    var findings: [String] { state.withLock { $0.findings } }
    /// How the calls ended that the case was about, each name once.
    var observed: [String] { state.withLock { $0.observed } }
    var now: WallTime { stage.runtime.wallClock.now() }

    // MARK: - What a case needs

    /// The gateway, watched.
    func gateway() throws -> Gateway {
        try gateway(stage.account)
    }

    /// A gateway for other settings or with another transport, watched.
    func gateway(_ account: AccountSettings, transport: (any HTTPTransport)? = nil) throws(GatewayError) -> Gateway {
        var runtime = stage.runtime
        runtime.observer = events
        runtime.transport = WatchedTransport(inner: transport ?? runtime.transport, log: wire)
        return try ProviderRegistry([subject.provider]).gateway(account, runtime)
    }

    func tokens() throws -> any TokenProvider {
        try gateway().tokens ?? stop(.skipped("the gateway does not offer tokens"))
    }

    func vault() throws -> any Vault {
        try gateway().vault ?? stop(.skipped("the gateway does not offer a vault"))
    }

    func sessions() throws -> any SessionStatusSource {
        try gateway().sessions ?? stop(.skipped("the gateway does not offer sessions"))
    }

    func controls() throws -> ContractControls {
        try stage.controls ?? stop(.skipped("only an imitation shows it"))
    }

    /// A fact of the provider's test data; the case ends where it is not known.
    func fact<Value>(_ fact: ProviderTestData.Fact<Value>, _ name: String) throws -> Value {
        switch fact {
        case .known(let value): return value
        case .none(let reason): throw Stop.skipped(reason.description)
        case .owed: throw Stop.owed("\(subject.provider.id)'s test data do not tell \(name)")
        }
    }

    /// A request with this test card, as a shopper with a valid card would make it.
    func request(
        _ name: String, isExpired: Bool = false, securityCode: String? = nil, checksLocally: Bool = true
    ) throws -> TokenizationRequest {
        guard let test = TestCard.named(name) else {
            throw Stop.owed("\(subject.provider.id)'s test data name a test card that does not exist: \(name)")
        }
        let year = now.utcDate.year + (isExpired ? -2 : 2)
        let code = securityCode ?? (test.brand == .americanExpress ? "7373" : Self.securityCode)
        let card = try Card.read(
            number: Sensitive(test.number), month: "9", year: String(year), securityCode: Sensitive(code),
            name: "Ada Okoro", now: now)
        return TokenizationRequest(.card(card), checksLocally: checksLocally)
    }

    static let securityCode = "737"

    // MARK: - What a case finds

    func note(_ finding: String) {
        state.withLock { $0.findings.append(finding) }
    }

    func expect(_ isSo: Bool, _ words: @autoclosure () -> String) {
        if !isSo { note(words()) }
    }

    func equal<Value: Equatable>(_ what: String, _ found: Value, _ wanted: Value) {
        if found != wanted { note("\(what): \(found) instead of \(wanted)") }
    }

    /// Ends the case, in an expression.
    func stop<Value>(_ stop: Stop) throws -> Value {
        throw stop
    }

    /// What the case is about: it is told in the table of capabilities.
    func observe(_ name: String) {
        state.withLock { if !$0.observed.contains(name) { $0.observed.append(name) } }
    }

    /// Takes part in the search for card data and credentials.
    @discardableResult
    func see(_ end: ContractEnd) -> ContractEnd {
        state.withLock { $0.shown.append(end.shown) }
        return end
    }

    /// The secrets of which nothing may show.
    private var secrets: [Sensitive<String>] {
        let facts = [subject.testData.approvedCard.value, subject.testData.declinedCard.value]
        let cards = facts + [subject.testData.invalidInput.value?.card, subject.testData.payments.value?.declinedCard]
        let numbers = Set(cards.compactMap { $0.flatMap(TestCard.named)?.number }).sorted()
        return numbers.map { Sensitive($0) } + [Sensitive(Self.securityCode), Sensitive("7373")]
            + stage.account.secrets
    }

    /// Looks through everything that callers and observers were given so far, once.
    func searchForLeaks(_ context: String = "") {
        let shown = state.withLock { state in
            let shown = state.shown
            state.shown = []
            return shown
        }
        let search = LeakSearch(secrets)
        let prefix = context.isEmpty ? "" : context + ": "
        for leak in search.leaks(in: shown.joined(separator: "\n")) { note("\(prefix)a result shows \(leak)") }
        for leak in search.leaks(in: events.shown) { note("\(prefix)an event shows \(leak)") }
    }
}
