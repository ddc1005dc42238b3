import GatewayKitCore

/// The options that tell who pays, wherever an instrument is stored or changed.
enum ShopperOptions {
    private static let email = Option.value("email", "ADDRESS", reading: .text, help: "The shopper's e-mail address.")
    private static let phone = Option.value("phone", "NUMBER", reading: .text, help: "The shopper's telephone number.")
    private static let company = Option.value("company", "NAME", reading: .text, help: "The shopper's company.")
    private static let line1 = Option.value("line1", "TEXT", reading: .text, help: "First line of the billing address.")
    private static let line2 = Option.value("line2", "TEXT", reading: .text, help: "Second line of it.")
    private static let line3 = Option.value("line3", "TEXT", reading: .text, help: "Third line of it.")
    private static let city = Option.value("city", "TEXT", reading: .text, help: "City of the billing address.")
    private static let region = Option.value("region", "TEXT", reading: .text, help: "State, province or region of it.")
    private static let postalCode = Option.value("postal-code", "CODE", reading: .text, help: "Postal code of it.")
    private static let country = Option.value(
        "country", "CC", reading: .text, help: "Country of it, two letters (ISO 3166).")

    static let all: [any OptionDeclaration] = [
        email, phone, company, line1, line2, line3, city, region, postalCode, country,
    ]

    /// The shopper, with what the command line says instead of what was read.
    static func apply(_ invocation: Invocation, to shopper: Shopper) -> Shopper {
        var shopper = shopper
        shopper.email = invocation[email] ?? shopper.email
        shopper.phone = invocation[phone] ?? shopper.phone
        shopper.company = invocation[company] ?? shopper.company
        var billing = shopper.billingAddress ?? Address()
        billing.line1 = invocation[line1] ?? billing.line1
        billing.line2 = invocation[line2] ?? billing.line2
        billing.line3 = invocation[line3] ?? billing.line3
        billing.city = invocation[city] ?? billing.city
        billing.region = invocation[region] ?? billing.region
        billing.postalCode = invocation[postalCode] ?? billing.postalCode
        billing.country = invocation[country] ?? billing.country
        shopper.billingAddress = billing.isEmpty ? nil : billing
        return shopper
    }
}

extension Invocation {
    /// A `NAME=VALUE` of an option.
    func pair(_ text: String, _ option: String) throws -> (name: String, value: OptionValue) {
        guard let split = text.firstIndex(of: "="), split != text.startIndex else {
            throw usageError("'\(option)' takes NAME=VALUE")
        }
        return (String(text[..<split]), OptionValue(reading: String(text[text.index(after: split)...])))
    }

    /// The entries that a list option of `KEY=VALUE` gives.
    func metadata(_ option: Option<[String]>) throws -> [TokenizationRequest.Metadata] {
        try self[option].map { text in
            let (key, value) = try pair(text, option.spec.spelling)
            return .init(key: key, value: value)
        }
    }
}
