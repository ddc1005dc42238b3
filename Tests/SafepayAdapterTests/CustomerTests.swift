import GatewayKitCore
import Testing

@testable import SafepayAdapter

/// Customers.
@Suite struct SafepayCustomerTests {
    private static let shopper = Shopper(
        name: "Ada Mae Okoro", email: "ada@shop.example", phone: "+922100000000",
        billingAddress: Address(country: "pk"))

    private static func create(
        _ reply: ScriptedSafepay.Reply, _ shopper: Shopper = shopper
    ) async throws -> (name: String, peer: ScriptedSafepay, result: CustomerResult?) {
        let peer = ScriptedSafepay(["create-customer": [reply]])
        let customers = try Shop.gateway(peer).requireCustomers()
        do throws(GatewayError) {
            let result = try await customers.create(shopper)
            return (result.outcomeName, peer, result)
        } catch {
            return ("throws " + error.code.description, peer, nil)
        }
    }

    @Test("The last word is the last name; the request goes out once, to the path with a slash at its end")
    func request() async throws {
        let (_, peer, result) = try await Self.create(.data(#"{"token":"\#(Shop.customer)"}"#, status: 201))
        #expect(result == .created(id: Shop.customer))
        #expect(peer.lines == ["POST \(Shop.base)/user/customers/v1/"])
        #expect(
            peer.bodies == [
                """
                {"first_name":"Ada Mae","last_name":"Okoro","email":"ada@shop.example",\
                "phone_number":"+922100000000","country":"PK"}
                """
            ])
    }

    @Test("What is missing or too long is found before anything is sent")
    func local() async throws {
        for (shopper, field) in [
            (Shopper(), FieldIssue.Field.lastName), (Shopper(name: "Ada O", email: "a@b.example"), .lastName),
            (Shopper(name: String(repeating: "a", count: 41) + " Okoro"), .firstName),
            (Shopper(name: "Ada Okoro"), .phone),
        ] {
            let (_, peer, result) = try await Self.create(.data("{}"), shopper)
            guard case .invalid(let issues)? = result else { return #expect(Bool(false)) }
            #expect(issues.contains { $0.field == field } && peer.sent.isEmpty)
        }
    }

    @Test("Answers: the provider's fields, refusals, and what may have been stored")
    func answers() async throws {
        let number = "phone_number: the phone number supplied is not a number"
        let rows: [(ScriptedSafepay.Reply, String)] = [
            (.refusal(number), "invalid"), (.refusal(number, status: 200), "invalid"),
            (.access(), "throws credentialsRefused"), (.refusal("no", status: 400), "throws requestRefused"),
            (.data("{}"), "unknown"), (.lost, "unknown"), (.answer(status: 500, body: ""), "unknown"),
            (.notSent, "throws unreachable"),
        ]
        for (reply, name) in rows { #expect(try await Self.create(reply).name == name) }
    }
}
