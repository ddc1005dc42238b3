// snippet.hide
// Shown in Docs/Sessions.md: a test keeps the two alike.
// snippet.show
import GatewayKit
import GatewayKitCore

let configuration = try Configuration.load(for: .all)
let runtime = try GatewayRuntime.standard(configuration)
let gateway = try ProviderRegistry.all.gateway(AccountName("eu"), in: configuration, runtime)

// The backend opens a session and hands its reference to whoever has the card.
let session = try await gateway.requireTokens().openSession()

// It sees what becomes of the session. Nothing is thrown here: failures are updates like any other.
let watcher = SessionWatcher(try gateway.requireSessions(), runtime)
let policy = PollingPolicy(firstWait: .seconds(1), longestWait: .seconds(15), deadline: .seconds(600))
for await update in watcher.updates(of: session.reference, policy: policy) {
    switch update {
    case .status(let status, isChange: true):
        print("now \(status.phase), by the provider's word \(status.providerWord ?? "-")")
    case .status: break
    case .pollFailed(let error): print("not answered: \(error)")
    case .ended(let end):
        switch (end.reason, end.status?.phase) {
        case (.finished, .succeeded?): print("keep \(end.status?.token?.id ?? "the session: it names no token")")
        case (.finished, _): print("no token will come: open another session")
        case (.permanentFailure, _): print("asking again cannot help: \(end.failure?.message.description ?? "")")
        case (.deadline, _), (.tooManyFailures, _), (.cancelled, _): print("still pending: watch it again later")
        }
    }
}
