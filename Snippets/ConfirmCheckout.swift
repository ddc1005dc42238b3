// snippet.hide
// Shown in Docs/HostedCheckout.md: a test keeps the two alike.
// snippet.show
import GatewayKit
import GatewayKitCore

let configuration = try Configuration.load(for: .all)
let runtime = try GatewayRuntime.standard(configuration)
let gateway = try ProviderRegistry.all.gateway(AccountName("shop"), in: configuration, runtime)
let checkout = try gateway.requireCheckout()

// A page on which a known shopper stores a card. (One that takes money is opened through PaymentService.)
let session = try await gateway.requireTokens().openSession(
    SessionRequest(.storeInstrument, entry: .hostedPage, shopperID: "cus_1"))
let page = try await checkout.page(
    CheckoutPageRequest(returnURL: "https://shop.example/back", cancelURL: "https://shop.example/away"),
    for: session, CallContext())
// Send the shopper to page.url, and keep the page (it is Codable) for the request that comes back.

// The browser is back. Its address proves nothing: it is judged, and the proof is read.
let outcome = await checkout.confirm(
    page, reported: "https://shop.example/back?tracker=track_1", policy: PollingPolicy(deadline: .seconds(20)),
    clock: runtime.clock, random: runtime.random)
switch outcome.kind {
case .succeeded: print("done: keep \(outcome.status?.token?.id ?? "the session")")
case .failed: print("the provider says no: \(outcome.status?.providerWord ?? "-")")
case .unconfirmedFailure, .abandoned: print("not done yet: the shopper may try again in the same session")
case .undecided: print("nobody knows yet: confirm again later, decline nothing")
}
