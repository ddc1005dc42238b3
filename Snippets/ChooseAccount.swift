// snippet.hide
// The example of README.md: a test keeps the two alike.
// snippet.show
import GatewayKit
import GatewayKitCore

let configuration = try Configuration.load(for: .all)  // gatewaykit.json and the environment
let runtime = try GatewayRuntime.standard(configuration)  // one per program: it keeps connections open
let gateway = try ProviderRegistry.all.gateway(AccountName("eu"), in: configuration, runtime)

let card = try Card.read(
    number: Sensitive("4111 1111 1111 1111"), expiry: "12/30", securityCode: Sensitive("123"),
    name: "Ada Okoro", now: WallClock.system.now())
switch try await gateway.requireTokens().tokenize(TokenizationRequest(.card(card))) {
case .token(let token): print("keep \(token.id), show \(token.card?.lastFour ?? "")")
case .invalid(let issues): print("ask the shopper again:", issues.map { "\($0.field): \($0.message)" })
case .declined(let decline): print("refused: \(decline.reason), \(decline.message)")
case .actionRequired(let action): print("send the shopper on: \(action)")
case .sessionUnusable: print("open a new session")
case .unknown(_, let cause): print("may have been stored, do not send it again: \(cause)")
}
