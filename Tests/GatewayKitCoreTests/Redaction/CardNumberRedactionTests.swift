import GatewayKitCore
import Testing

@Suite("Redactor: card numbers by value")
struct CardNumberRedactionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let input: String
        let expected: String
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "L3: echoed under a name that the request did not have", input: "{\"echo\":\"4111111111111111\"}",
            expected: "{\"echo\":\"411111******1111\"}"),
        Row(name: "L5: spaces", input: "4111 1111 1111 1111", expected: "4111 11** **** 1111"),
        Row(name: "L5: hyphens", input: "card 4111-1111-1111-1111.", expected: "card 4111-11**-****-1111."),
        Row(name: "L5: mixed separators", input: "4111 - 1111-1111 1111", expected: "4111 - 11**-**** 1111"),
        Row(
            name: "no-break spaces", input: "4111\u{A0}1111\u{A0}1111\u{A0}1111",
            expected: "4111\u{A0}11**\u{A0}****\u{A0}1111"),
        Row(name: "en dashes", input: "4111–1111–1111–1111", expected: "4111–11**–****–1111"),
        Row(name: "dots", input: "4111.1111.1111.1111", expected: "4111.11**.****.1111"),
        Row(name: "L6: form", input: "a=1&n=4111+1111+1111+1111&b=2", expected: "a=1&n=4111+11**+****+1111&b=2"),
        Row(name: "L6: percent", input: "n=4111%201111%201111%201111", expected: "n=4111%2011**%20****%201111"),
        Row(
            name: "L6: every digit percent-encoded", input: "%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31",
            expected: "%34%31%31%31%31%31******%31%31%31%31"),
        Row(
            name: "L6: percent twice", input: "4111%25201111%25201111%25201111",
            expected: "4111%252011**%2520****%25201111"),
        Row(
            name: "L6: JSON escapes", input: #"\u0034111111111111\u0031\u0031\u0031"#,
            expected: #"\u003411111******1\u0031\u0031\u0031"#),
        Row(
            name: "L6: XML references", input: "&#52;&#x31;11111111111111", expected: "&#52;&#x31;1111******1111"),
        Row(
            name: "L6: XML element", input: "<x>5555555555554444</x>", expected: "<x>555555******4444</x>"),
        Row(name: "full-width digits", input: "４１１１１１１１１１１１１１１１", expected: "４１１１１１******１１１１"),
        Row(name: "Arabic-Indic digits", input: "٤١١١١١١١١١١١١١١١", expected: "٤١١١١١******١١١١"),
        Row(name: "15 digits keep the last four", input: "378282246310005", expected: "***********0005"),
        Row(name: "14 digits keep the last four", input: "30569309025904", expected: "**********5904"),
        Row(name: "19 digits", input: "4444333322221111455", expected: "444433*********1455"),
        Row(name: "between letters", input: "x4111111111111111y", expected: "x411111******1111y"),
        Row(
            name: "L14: a short number directly before the card", input: "order 12 4111111111111111",
            expected: "order 12 411111******1111"),
        Row(name: "base64 of a body", input: "body eyJuIjoiNDExMTExMTExMTExMTExMSJ9!", expected: "body [FILTERED]!"),
        Row(name: "hexadecimal", input: "0x34313131313131313131313131313131;", expected: "0x[FILTERED];"),
        Row(name: "not a card", input: "4111111111111112", expected: "4111111111111112"),
    ]

    @Test("a card number shows its first six and last four at most", arguments: rows)
    func masks(_ row: Row) {
        #expect(Redactor.standard.redact(row.input) == row.expected)
    }

    @Test("L14: whatever digits stand directly before and after the card")
    func shifted() {
        for before in ["1", "12", "123", "7 ", "42-", "2026 ", "99999", "0000 0000 "] {
            for after in ["", "1", " 12", "-737", "0000"] {
                for pan in testNumbers {
                    let shown = Redactor.standard.redact(before + pan + after)
                    #expect(!shown.contains(pan))
                    #expect(shown.filter { $0 == "*" }.count >= min(6, pan.count - 10), "\(before)…\(after)")
                    #expect(!shown.contains(pan.dropFirst(4).dropLast(3)))
                }
            }
        }
    }

    @Test("redacting twice changes nothing more", arguments: rows)
    func idempotent(_ row: Row) {
        let once = Redactor.standard.redact(row.input)
        #expect(Redactor.standard.redact(once) == once)
    }

    @Test(
        "L13: what operators need stays readable",
        arguments: [
            "status 422 code gateway_processing_failed", "token 01KZZ4M2Q8S6T1V0X9Y3B5D7FH",
            "transaction_token=1bGmVUxZqWZkYwUvDTJDqbPpEZL",
            #"{"token":"56wyNnSmuA6CWYP7w0MiYCVIbW6","state":"succeeded","amount":1000,"message":"Succeeded!"}"#,
            "id 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "at 2026-03-02T10:11:12.345Z", "2026-03-02 10:11:12",
            #""last_four_digits":"1111","first_six_digits":"411111""#, "amount 1234567 JPY, 79.10 EUR",
            #"{"number":"XXXX-XXXX-XXXX-1111","verification_value":"","month":9,"year":2030}"#.replacing(
                "\"\"", with: "\"XXX\""),
            "x-request-id: 8f2c1f0b7d3e4a55", "HTTP/1.1 422 Unprocessable Entity", "phone_number=+49 30 123456",
            #"{"errors":[{"attribute":"number","key":"errors.blank","message":"Number can't be blank"}]}"#,
            #"{"cvv_result":"M","avs_code":"Y","order_number":"2026-0042"}"#, "card 411111******1111, exp 09/2030",
            "https://core.example/v1/payment_methods/56wyNnSmuA6CWYP7w0MiYCVIbW6.json?page=2",
            "number: is invalid", "the card number must have 16 digits", "retry after 30 s; took 1.234 ms",
            "account_number *3210", "Content-Length: 1234", "",
        ])
    func readable(_ text: String) {
        #expect(Redactor.standard.redact(text) == text)
    }

    @Test("values of an id type keep their digits")
    func identifier() {
        #expect(Redactor.standard.redact(identifier: "4111111111111111") == "4111111111111111")
        let redactor = Redactor(secrets: [Sensitive("4111111111111111"), Sensitive("k-secret-1")])
        #expect(redactor.redact(identifier: "pm_4111111111111111") == "pm_411111******1111")
        #expect(redactor.redact(identifier: "a/k-secret-1/b") == "a/[FILTERED]/b")
        #expect(redactor.redact(identifier: "5555555555554444") == "5555555555554444")
    }
}

/// Public test numbers of all lengths.
let testNumbers = [
    "4111111111111111", "4012888888881881", "4444333322221111455", "5555555555554444", "2223003122003222",
    "378282246310005", "6011111111111117", "30569309025904", "3569990010030400", "6759000000000000005",
    "5019717010103742", "6035227716427021",
]
