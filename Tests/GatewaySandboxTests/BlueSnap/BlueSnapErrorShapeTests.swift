import GatewayKitCore
import Testing

@testable import GatewaySandbox

/// The shapes in which BlueSnap refuses (dossier 1.5, 5.1).
@Suite("BlueSnap: shapes of errors in the sandbox") struct BlueSnapErrorShapeTests {
    @Test(
        "one refusal in every shape",
        arguments: [
            (
                "string-code",
                #"{"message":[{"errorName":"TOKEN_NOT_FOUND","code":"14041","description":"Token is not found"}]}"#
            ),
            (
                "numeric-code",
                #"{"message":[{"errorName":"TOKEN_NOT_FOUND","code":14041,"description":"Token is not found"}]}"#
            ),
            (
                "flat",
                #"{"errorCode":"14041","errorDescription":"Token is not found","errorName":"TOKEN_NOT_FOUND"}"#
            ),
            ("text", #""TOKEN_NOT_FOUND""#),
        ])
    func shapes(form: String, text: String) async throws {
        try await withBlueSnap(["bluesnap.errors": form]) { desk, _ in
            let answer = desk.submit("none")
            #expect(answer.status == 400)
            #expect(answer.text == text)
        }
    }

    @Test("as a page it tells its status alone")
    func page() async throws {
        try await withBlueSnap(["bluesnap.errors": "html"]) { desk, _ in
            let answer = desk.submit("none")
            #expect(answer.status == 400 && answer.text.hasPrefix("<!doctype html>"))
            #expect(!answer.text.contains("TOKEN_NOT_FOUND"))
        }
    }

    @Test("a wrong member is named, and never its value")
    func property() async throws {
        try await withBlueSnap { desk, _ in
            let answer = try desk.submit(desk.open(), BlueSnapDesk.card(more: #","email":"nonsense""#))
            #expect(
                answer.text == #"{"message":[{"errorName":"VALIDATION_GENERAL_FAILURE","code":"10001","#
                    + #""description":"This value is missing or wrong","#
                    + #""invalidProperty":{"name":"email","messageValue":""}}]}"#)
        }
    }

    @Test("nothing that could be a card's number is repeated in a refusal")
    func numbers() async throws {
        try await withBlueSnap { desk, _ in
            let number = BlueSnapDesk.visa
            let member = try desk.submit(desk.open(), #"{"\#(number)":"x"}"#)
            let path = desk.server("GET", "/transactions/" + number)
            let query = desk.server("POST", "/payment-fields-tokens?\(number)=1")
            for answer in [member, path, query] {
                #expect(answer.status >= 400 && !answer.text.contains(number))
            }
        }
    }

    @Test(
        "what comes with a status from elsewhere",
        arguments: [
            (401, "HTTP Status 401"), (403, "is not authorized to perform this action."),
            (409, "A request with this idempotency key is still running."), (429, "Client request rate is too high"),
            (500, "SERVER_GENERAL_FAILURE"), (502, "HTTP Status 502"), (503, "Service is temporarily unavailable"),
        ])
    func statuses(status: Int, words: String) async throws {
        try await withBlueSnap { desk, _ in
            desk.sandbox.faults.add(try FaultRule("bluesnap.open-session=status:\(status)"))
            let answer = desk.server("POST", "/payment-fields-tokens")
            #expect(answer.status == status)
            #expect(answer.text.contains(words))
            #expect(answer.header["retry-after"] == nil)
        }
    }
}
