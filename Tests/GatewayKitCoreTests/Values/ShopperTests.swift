import Testing

@testable import GatewayKitCore

@Suite("Shopper and address")
struct ShopperTests {
    private let shopper = Shopper(
        name: "Ada Example", email: "ada@shop.example", phone: "+49301234567",
        billingAddress: Address(line1: "1 Sample Street", city: "Karachi", postalCode: "74000", country: " pk "),
        shippingAddress: Address(city: "서울", country: "xx"), shippingName: "Bo Example")

    @Test("descriptions tell which parts are present, not what they are")
    func showsNothing() {
        var text = "\(shopper) \(String(reflecting: shopper))"
        dump(shopper, to: &text)
        dump(shopper.billingAddress, to: &text)
        for part in ["Ada", "ada@", "+49", "Sample", "Karachi", "74000", "PK", "서울", "Bo "] {
            #expect(!text.contains(part))
        }
        #expect(
            "\(shopper)"
                == "Shopper(name, email, phone, shippingName, billing: Address(line1, city, postalCode, country), "
                + "shipping: Address(city, country))")
        #expect("\(Shopper())" == "Shopper()")
    }

    @Test("countries are upper-case codes of ISO 3166-1")
    func countries() {
        #expect(CountryTable.codes.count == 249)
        #expect(shopper.billingAddress?.country == "PK")
        #expect(shopper.issues.map(\.field) == [FieldIssue.Field.country.ofShipping])
        #expect(shopper.issues.map(\.problem) == [.malformed])
        var address = Address(country: "de")
        #expect(address.issues.isEmpty)
        address.country = "gb"
        #expect(address.country == "GB")
        address.country = "Germany"
        #expect(address.issues.map(\.problem) == [.malformed])
        address.country = "  "
        #expect(address.isEmpty)
    }
}
