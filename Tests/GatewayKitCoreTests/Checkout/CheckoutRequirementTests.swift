import Testing

@testable import GatewayKitCore

@Suite("Checkout requirements")
struct CheckoutRequirementTests {
    private static let boston = Address(
        line1: "1 Made Up St", city: "Boston", region: "MA", postalCode: "02110", country: "US")
    private static let rita = Shopper(
        name: "Rita Quill", email: "rita@shop.example", billingAddress: boston, shippingAddress: boston)
    private static func price(_ amount: String = "25.00", _ tax: String = "1.52") throws -> Price {
        try Price(amount: Money(amount, .usd), tax: Money(tax, .usd))
    }

    private static func spelled(_ issues: [FieldIssue]) -> [String] {
        issues.map { "\($0.field) \($0.problem)" }
    }

    @Test("a whole shopper satisfies everything")
    func whole() throws {
        let all = CheckoutRequirements(.payment(try Self.price()), wantsFullBilling: true, wantsShipping: true)
        #expect(all.issues(with: Self.rita).isEmpty)
    }

    @Test("what is missing is told all at once, in the order of a form")
    func allAtOnce() throws {
        let payment = CheckoutRequirements.Purpose.payment(try Self.price())
        #expect(
            Self.spelled(CheckoutRequirements(payment).issues(with: Shopper()))
                == ["name missing", "email missing", "country missing", "postalCode missing"])
        #expect(
            Self.spelled(CheckoutRequirements(payment, wantsEmail: false).issues(with: Shopper()))
                == ["name missing", "country missing", "postalCode missing"])
        let all = CheckoutRequirements(.shopperConfiguration, wantsFullBilling: true, wantsShipping: true)
        #expect(
            Self.spelled(all.issues(with: Shopper()))
                == [
                    "name missing", "email missing", "country missing", "postalCode missing", "city missing",
                    "line1 missing", "shipping.name missing", "shipping.country missing", "shipping.postalCode missing",
                    "shipping.city missing", "shipping.line1 missing", "consent missing",
                ])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout Shopper) -> Void
        let minimal: [String]
        let full: [String]
        init(_ name: String, minimal: [String], full: [String], _ change: @escaping @Sendable (inout Shopper) -> Void) {
            testDescription = name
            self.change = change
            self.minimal = minimal
            self.full = full
        }
    }

    static let rows: [Row] = [
        Row("no state in the United States", minimal: [], full: ["region missing"]) { $0.billingAddress?.region = nil },
        Row("an unknown state", minimal: ["region malformed"], full: ["region malformed"]) {
            $0.billingAddress?.region = "ZZ"
        },
        Row("no state in Germany", minimal: [], full: []) {
            $0.billingAddress?.region = nil
            $0.billingAddress?.country = "DE"
        },
        Row("no postal code in the Emirates", minimal: [], full: []) {
            $0.billingAddress?.postalCode = nil
            $0.billingAddress?.region = nil
            $0.billingAddress?.country = "AE"
        },
        Row("no postal code in Ireland", minimal: ["postalCode missing"], full: ["postalCode missing"]) {
            $0.billingAddress?.postalCode = nil
            $0.billingAddress?.region = nil
            $0.billingAddress?.country = "IE"
        },
        Row("no such country", minimal: ["country malformed"], full: ["country malformed"]) {
            $0.billingAddress?.country = "XQ"
        },
        Row("a country's name", minimal: ["country malformed"], full: ["country malformed"]) {
            $0.billingAddress?.country = "Germany"
        },
        Row("one word", minimal: ["name malformed"], full: ["name malformed"]) { $0.name = "Rita" },
        Row("a wrong address for mail", minimal: ["email malformed"], full: ["email malformed"]) { $0.email = "rita@" },
        Row("no city", minimal: [], full: ["city missing"]) { $0.billingAddress?.city = " " },
        Row("a city of one letter", minimal: ["city tooShort"], full: ["city tooShort"]) {
            $0.billingAddress?.city = "B"
        },
        Row("no street", minimal: [], full: ["line1 missing"]) { $0.billingAddress?.line1 = nil },
        Row("no shipping where nothing is shipped", minimal: [], full: []) { $0.shippingAddress = nil },
    ]

    @Test("minimal and full billing", arguments: rows)
    func billing(row: Row) throws {
        var shopper = Self.rita
        row.change(&shopper)
        let minimal = CheckoutRequirements(.payment(try Self.price()))
        let full = CheckoutRequirements(.payment(try Self.price()), wantsFullBilling: true)
        #expect(Self.spelled(minimal.issues(with: shopper)) == row.minimal)
        #expect(Self.spelled(full.issues(with: shopper)) == row.full)
    }

    @Test("shipping wants everything but a telephone; its issues name its fields")
    func shipping() throws {
        let requirements = CheckoutRequirements(.payment(try Self.price()), wantsShipping: true)
        var shopper = Self.rita
        shopper.shippingName = "Ida"
        shopper.shippingAddress = Address(postalCode: "1", country: "CA")
        #expect(
            Self.spelled(requirements.issues(with: shopper))
                == [
                    "shipping.name malformed", "shipping.region missing", "shipping.postalCode tooShort",
                    "shipping.city missing", "shipping.line1 missing",
                ])
    }

    @Test("the name on the card stands for the shopper's, where there is one")
    func cardHolder() throws {
        let requirements = CheckoutRequirements(.payment(try Self.price()))
        #expect(Self.spelled(requirements.issues(with: Self.rita, cardHolder: "Rita")) == ["name malformed"])
        var nameless = Self.rita
        nameless.name = nil
        #expect(requirements.issues(with: nameless, cardHolder: "Rita Quill").isEmpty)
    }

    @Test(
        "consent is demanded for a new card in shopper configuration and subscriptions, and is free otherwise",
        arguments: ["payment", "subscription", "shopper"], CheckoutRequirements.Method.allCases)
    func consent(purpose: String, method: CheckoutRequirements.Method) throws {
        let requirements = CheckoutRequirements(
            purpose == "payment"
                ? .payment(try Self.price()) : purpose == "subscription" ? .subscription(nil) : .shopperConfiguration,
            hidesStoreCardSwitch: true)
        let isDemanded = purpose != "payment" && method == .newCard
        #expect(requirements.needsConsent(paying: method) == isDemanded)
        #expect(
            Self.spelled(requirements.issues(with: Self.rita, paying: method))
                == (isDemanded ? ["consent missing"] : []))
        #expect(requirements.issues(with: Self.rita, paying: method, consentToStore: true).isEmpty)
        #expect(requirements.storeSwitch(for: method) == (isDemanded ? .demanded : .absent))
        var shown = requirements
        shown.hidesStoreCardSwitch = false
        #expect(shown.storeSwitch(for: method) == (isDemanded ? .demanded : method == .newCard ? .offered : .absent))
    }

    @Test("a wallet brings contact and addresses: nothing is demanded")
    func wallets() throws {
        let all = CheckoutRequirements(.payment(try Self.price()), wantsFullBilling: true, wantsShipping: true)
        #expect(all.issues(with: Shopper(), paying: .wallet).isEmpty)
        #expect(Self.spelled(all.issues(with: Shopper(email: "x"), paying: .wallet)) == ["email malformed"])
    }

    @Test("the tax is asked for when the country or the state to ship to is another one, and only then")
    func tax() throws {
        let price = try Self.price()
        let requirements = CheckoutRequirements(.payment(price), wantsShipping: true)
        var asked: [String] = []
        func move(_ requirements: CheckoutRequirements, _ new: Address?, from old: Address?) throws -> Price? {
            try requirements.shipping(to: new, insteadOf: old) { country, state, price in
                asked.append("\(country) \(state ?? "-") \(price.amount)")
                return Money(minorUnits: 300, currency: price.currency)
            }.price
        }
        var street = Self.boston
        street.line1 = "2 Made Up St"
        street.region = " ma "
        #expect(try move(requirements, street, from: Self.boston) == price)
        var state = Self.boston
        state.region = "NY"
        let taxed = try Price(amount: price.amount, tax: Money("3.00", .usd))
        #expect(try move(requirements, state, from: Self.boston) == taxed)
        let germany = Address(country: "de")
        #expect(try move(requirements, germany, from: state) == taxed)
        #expect(try move(requirements, germany, from: nil) == taxed)
        #expect(try move(requirements, nil, from: germany) == price)
        #expect(asked == ["US NY 25.00 USD", "DE - 25.00 USD", "DE - 25.00 USD"])

        var unshipped = requirements
        unshipped.wantsShipping = false
        #expect(try move(unshipped, germany, from: nil) == price)
        #expect(try move(CheckoutRequirements(.shopperConfiguration, wantsShipping: true), germany, from: nil) == nil)
        #expect(asked.count == 3)
        #expect(throws: MoneyError.differentCurrencies(.usd, .eur)) {
            try requirements.shipping(to: germany, insteadOf: nil) { _, _, _ in .zero(.eur) }
        }
    }

    @Test("the currency changes where the checkout allows it; without a price there is nothing to change")
    func currency() throws {
        let rates = CurrencyRates(base: .usd, rates: [.init(.eur, "0.5")])
        var requirements = CheckoutRequirements(.subscription(try Self.price()))
        #expect(try requirements.changing(to: .eur, by: rates).price?.description == "12.50 EUR and 0.76 EUR tax")
        #expect(throws: RateError.noRate(.jpy)) { try requirements.changing(to: .jpy, by: rates) }
        requirements.allowsCurrencyChange = false
        #expect(throws: RateError.notAllowed) { try requirements.changing(to: .eur, by: rates) }
        #expect(try requirements.changing(to: .usd, by: rates) == requirements)
        let plan = CheckoutRequirements(.subscription(nil))
        #expect(try plan.changing(to: .eur, by: rates) == plan)
    }

    @Test("a profile that cannot give what is wanted is refused by name")
    func profile() throws {
        let account = AccountName(ProviderID(reading: "bluesnap"))
        var profile = CheckoutProfile(session: PaymentSession(reference: SessionReference(account: account, id: "s")))
        let wanting = CheckoutRequirements(.payment(try Self.price()), wantsAuthentication: true)
        #expect(throws: GatewayError.self) { try wanting.check(against: profile, of: account) }
        profile.authenticates = true
        try wanting.check(against: profile, of: account)
        let configuring = CheckoutRequirements(.shopperConfiguration)
        let error = #expect(throws: GatewayError.self) { try configuring.check(against: profile, of: account) }
        #expect(error?.code == .invalidInput)
        profile.shopper = CheckoutProfile.ReturningShopper(id: "1")
        try configuring.check(against: profile, of: account)
    }

    @Test("no message shows what the shopper typed")
    func messages() throws {
        let all = CheckoutRequirements(.payment(try Self.price()), wantsFullBilling: true, wantsShipping: true)
        let odd = "Zaphod\u{1}42"
        let address = Address(line1: odd, city: odd, region: odd, postalCode: odd, country: "US")
        let issues = all.issues(
            with: Shopper(name: odd, email: odd, billingAddress: address, shippingAddress: address))
        #expect(!issues.isEmpty)
        #expect(issues.allSatisfy { !$0.message.description.contains("Zaphod") })
    }
}
