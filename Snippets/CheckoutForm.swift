// snippet.hide
// Shown in Docs/Checkout.md: a test keeps the two alike.
// snippet.show
import GatewayKit
import GatewayKitCore

let configuration = try Configuration.load(for: .all)
let runtime = try GatewayRuntime.standard(configuration)
let gateway = try ProviderRegistry.all.gateway(AccountName("shop"), in: configuration, runtime)

// What can be offered, and who is back.
let session = try await gateway.requireTokens().openSession(SessionRequest(shopperID: "31009922"))
let profile = try await gateway.requireProfiles().profile(in: session, base: .usd, CallContext())
let form = profile.shopper(knowing: Shopper(email: "rita@shop.example"))
let brands = BrandRules(profile.brands)
print(brands.brand(of: Sensitive("4111"))?.providerWord ?? "not known yet")

// What is still missing.
let price = try Price(amount: Money("25.00", .usd), tax: Money("1.52", .usd))
var checkout = CheckoutRequirements(.payment(price), wantsFullBilling: true, wantsShipping: true)
try checkout.check(against: profile, of: gateway.account)
for issue in checkout.issues(with: form) { print("\(issue.field): \(issue.message)") }

// The shopper moves, and looks at the price in another currency.
var moved = form
moved.shippingAddress = Address(country: "CA")
checkout = try checkout.shipping(to: moved.shippingAddress, insteadOf: form.shippingAddress) { country, _, price in
    Money(minorUnits: country == "CA" ? 130 : 0, currency: price.currency)
}
if let rates = profile.rates {
    print(try checkout.changing(to: .eur, by: rates, from: checkout.price).price?.total ?? price.total)
}

// One id for the app's collector and for the card.
let fraud = FraudSession(collectorMerchantID: profile.fraudMerchantID, random: runtime.random)
print("collector \(fraud.collectorMerchantID ?? "-"), session \(fraud.id)")
