// snippet.hide
// Shown in Docs/Payments.md: a test keeps the two alike.
import GatewayCrypto
import GatewayKit
import GatewayKitCore
import GatewayPayments
import GatewayStoreSQLite

let configuration = try Configuration.load(for: .all)
let runtime = try GatewayRuntime.standard(configuration)
let gateway = try ProviderRegistry.all.gateway(AccountName("eu"), in: configuration, runtime)
let journalKey = SecretBytes(try SecureRandom.bytes(32))
let sealingKey = SecretBytes(try SecureRandom.bytes(32))
let cardToken = "from tokenize"
let keyOfTheCheckoutPage = "press-1"
// snippet.show
let service = PaymentService(
    gateway: gateway, store: try SQLitePaymentStore(path: "/var/lib/shop/journal.sqlite"),
    authenticator: KeyedAuthenticator(key: journalKey),
    sealer: try KeyedSealer(current: .init(id: "2030-06", sealingKey)))

// What is owed once. Its id is yours: asked for again, it gives the payment that there is.
let intent = try PaymentIntent(
    id: "order-1001", amount: Money("49.90", .eur), orderReference: "1001", account: gateway.account)
let outcome = try await service.start(
    intent, PaymentInstruction(.purchase, token: cardToken, key: keyOfTheCheckoutPage))

switch outcome.result {
case .approved(let record): print("paid: \(record.id)", outcome.isPartial ? "in part" : "in full")
case .pending(let action, _): print("send the shopper on, then resume: \(outcome.attempt.id)", action as Any)
case .declined(let decline, _): print("another card may be tried: \(decline.reason)")
case .invalid(let issues): print("correct: \(issues.map(\.field))")
case .unknown(_, let cause): print("not known yet; the reconciler will tell. Do not charge again. \(cause.message)")
}

// From a timer, in any number of processes:
let report = try await Reconciler(service, worker: "shop-1").run()
for entry in report.entries { print(entry.attempt.intentID, entry.result.rawValue, entry.reason) }
