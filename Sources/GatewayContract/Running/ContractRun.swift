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
        /// The numbers of the cards in use, and the search for them and for all other secrets.
        var numbers: [String] = []
        var search: LeakSearch?
        /// Lines in which nothing is left to be found.
        var searched: Set<String> = []
    }

    let subject: ContractSubject
    let stage: ContractStage
    let wire = WireLog()
    let events = EventLog()
    private let state = Locked(State())

    /// The run of which this is a part: its preparations are made once.
    private let whole: ContractRun?

    init(_ subject: ContractSubject, _ stage: ContractStage, partOf whole: ContractRun? = nil) {
        self.subject = subject
        self.stage = stage
        self.whole = whole
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
        use(test.number)
        let year = now.utcDate.year + (isExpired ? -2 : 2)
        let code = securityCode ?? (test.brand == .americanExpress ? Self.longSecurityCode : Self.securityCode)
        let card = try Card.read(
            number: Sensitive(test.number), month: "9", year: String(year), securityCode: Sensitive(code),
            name: "Ada Okoro", now: now)
        return TokenizationRequest(.card(card), checksLocally: checksLocally)
    }

    static let securityCode = "737"
    /// As American Express has them.
    static let longSecurityCode = "7373"

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

    private func use(_ number: String) {
        whole?.use(number)
        state.withLock { state in
            guard !state.numbers.contains(number) else { return }
            state.numbers.append(number)
            state.search = nil
            state.searched = []
        }
    }

    /// Making the search is costly, so that of the whole run is used by its parts where the credentials are the same.
    private func search() -> LeakSearch {
        let credentials = stage.account.secrets
        if let whole {
            let known = whole.stage.account.secrets
            if credentials.allSatisfy(known.contains) { return whole.search() }
        }
        return state.withLock { state in
            if let search = state.search { return search }
            let codes = [Self.securityCode, Self.longSecurityCode]
            let search = LeakSearch((state.numbers + codes).map { Sensitive($0) } + credentials)
            state.search = search
            return search
        }
    }

    /// Looks through everything that callers and observers were given so far, once.
    func searchForLeaks() {
        let shown = state.withLock { state in
            let shown = state.shown
            state.shown = []
            return shown
        }
        let search = search()
        for leak in search.leaks(in: unsearched(shown.joined(separator: "\n"))) { note("a result shows \(leak)") }
        for leak in search.leaks(in: unsearched(events.shown)) { note("an event shows \(leak)") }
    }

    /// The lines that were not searched before: most of what a walk gives to see is the same for every fault.
    private func unsearched(_ text: String) -> String {
        if let whole { return whole.unsearched(text) }
        let lines = text.split(separator: "\n")
        return state.withLock { state in
            lines.filter { state.searched.insert(String($0)).inserted }.joined(separator: "\n")
        }
    }
}
