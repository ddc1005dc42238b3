import GatewayKitCore
import Testing

@testable import GatewaySandbox

@Suite("Safepay's payment actions in the sandbox")
struct SafepayActionTests {
    @Test("Raw set-up: the card becomes a method, the payment waits for the enrolment")
    func setUp() async throws {
        try await withSafepay { desk, _ in
            let token = try desk.tracker()
            let answer = desk.act(
                token, #"{"action":"PAYER_AUTH_SETUP","entry_mode":"raw",\#(SafepayDesk.card().dropFirst())"#)
            #expect(answer.status == 200)
            let method = try answer.action["payment_method"]
            #expect(try method["token"].string().hasPrefix("pm_"))
            #expect(try method["last_four"].string() == "1111")
            #expect(try method["bin_number"].string() == "411111")
            #expect(try method["card_type_code"].string() == "001")
            #expect(try method["expiration_month"].string() == "09")
            let setUp = try answer.action["payer_authentication_setup"]
            #expect(try setUp["device_data_collection_url"].string().hasSuffix("/safepay/cruise/collect"))
            #expect(setUp["cardinal_jwt"].present == nil)
            let next = try answer.data["tracker"]["next_actions"]["CYBERSOURCE"]
            #expect(try next["kind"].string() == "PAYER_AUTH_ENROLLMENT")
            #expect(try next["request_id"].string().hasPrefix("req_"))
            #expect(!answer.text.contains("4111111111111111"))
            let again = desk.setUp(token)
            #expect(again.status == 400)
            #expect(try again.error == "Tracker is in an invalid state")
            #expect(desk.server("PUT", "/order/payments/v3/\(token)", "{}").status == 200)
            #expect(desk.setUp(token).status == 200)
            let entries = desk.sandbox.ledger.entries.filter { $0.operation == "tokenize" }
            #expect(entries.map(\.outcome) == [.created, .refused, .created])
            #expect(entries[1].card?.lastFour == "1111")
        }
    }

    @Test("What is wrong with a card is told by the member's name; only public test numbers are taken")
    func cards() async throws {
        try await withSafepay { desk, _ in
            let token = try desk.tracker()
            let rows: [(String, String)] = [
                (SafepayDesk.card("4111111111111112"), "card_number"), (SafepayDesk.card("4111"), "card_number"),
                (SafepayDesk.card("4111 1111 1111 1111"), "card_number"),
                (SafepayDesk.card("4111111111111111111"), "card_number"),
                (SafepayDesk.card("60110000" + "00000012"), "card_number"),
                (SafepayDesk.card(month: "13"), "expiration_month"), (SafepayDesk.card(year: "31"), "expiration_year"),
                (SafepayDesk.card(year: "2020"), "card has expired"), (SafepayDesk.card(code: "12"), "cvv"),
                (SafepayDesk.card(code: "1234"), "cvv"), (SafepayDesk.card("378282246310005"), "cvv"),
                (#"{"payload":{"payment_method":{"card":{"card_number":4111111111111111}}}}"#, "card_number"),
            ]
            for (body, word) in rows {
                let refused = desk.act(token, body)
                #expect(refused.status == 400, "\(word)")
                let text = try refused.error
                #expect(
                    text.hasPrefix("error performing action 'PAYER_AUTH_SETUP': ") && text.contains(word), "\(text)")
                #expect(!refused.text.contains("41111111"))
            }
            #expect(try desk.state(token) == "TRACKER_STARTED")
            #expect(desk.act(token, SafepayDesk.card("378282246310005", code: "1234")).status == 200)
        }
    }

    @Test("A frictionless card is authorized, then captured; or both at once")
    func frictionless() async throws {
        try await withSafepay { desk, _ in
            let token = try desk.tracker()
            #expect(desk.authorize(token).status == 400)
            _ = desk.setUp(token)
            #expect(desk.authorize(token).status == 400)
            let enrolled = desk.enrol(token)
            let answer = try enrolled.action["payer_authentication_enrollment"]
            #expect(try answer["authentication_status"].string() == "FRICTIONLESS")
            #expect(answer["step_up_url"].present == nil)
            #expect(try enrolled.data["tracker"]["state"].string() == "TRACKER_ENROLLED")
            let authorized = desk.authorize(token, capture: false)
            #expect(try authorized.data["tracker"]["state"].string() == "TRACKER_AUTHORIZED")
            #expect(try desk.report(token)["charge"].present == nil)
            #expect(try desk.act(token, "{}").data["tracker"]["state"].string() == "TRACKER_ENDED")
            #expect(desk.act(token, "{}").status == 400)
            #expect(desk.authorize(token).status == 400)
            #expect(desk.movements == ["authorization 150000", "capture 150000"])
            let report = try desk.report(token)
            #expect(
                try report["events"].elements().map { try $0["type"].string() } == [
                    "ENROLLMENT", "AUTHORIZATION", "CAPTURE",
                ])
            #expect(try report["attempts"][0]["enrollment"]["eci"].string() == "05")
            #expect(try report["attempts"][0]["is_success"].bool())
            _ = try desk.paid(200)
            #expect(desk.movements.last == "purchase 200")
        }
    }

    @Test("Three amounts are declined; the payment stays enrolled and no money moves")
    func declines() async throws {
        try await withSafepay { desk, _ in
            for (amount, words) in [
                (405_100, "insufficient funds"), (400_300, "declined"), (405_400, "card has expired"),
            ] {
                let token = try desk.tracker(amount)
                _ = desk.setUp(token)
                _ = desk.enrol(token)
                let declined = desk.authorize(token)
                #expect(declined.status == 400)
                #expect(try declined.error.hasPrefix("error performing action 'AUTHORIZATION': "))
                #expect(try declined.error.contains(words))
                let report = try desk.report(token)
                #expect(try report["state"].string() == "TRACKER_ENROLLED")
                #expect(report["charge"].present == nil)
                #expect(try !report["attempts"][0]["is_success"].bool())
                #expect(try report["events"][1]["reason"].string().contains(words))
            }
            #expect(desk.movements.isEmpty)
        }
    }

    @Test("A challenge on the web: the answer sends the browser on, an empty body finishes")
    func challenge() async throws {
        try await withSafepay { desk, _ in
            for (word, target, state) in [
                ("success", "https://shop.example/3ds/ok", "TRACKER_ENDED"),
                ("failure", "https://shop.example/3ds/no?error=authentication%20failed", "TRACKER_ENROLLED"),
            ] {
                let token = try desk.tracker()
                _ = desk.setUp(token, SafepayDesk.challenged)
                let answer = try desk.enrol(token, capture: true).action["payer_authentication_enrollment"]
                #expect(try answer["authentication_status"].string() == "REQUIRED")
                #expect(try answer["step_up_url"].string().hasSuffix("/safepay/cruise/step-up"))
                #expect(try desk.act(token, "{}").error.contains("the challenge is not finished"))
                #expect(desk.authorize(token).status == 400)
                let jwt = try answer["access_token"].string()
                let page = desk.form("/cruise/step-up", "JWT=\(jwt)")
                #expect(page.status == 200 && page.text.contains("ending 1091"))
                let sent = desk.form("/cruise/answer", "JWT=\(jwt)&outcome=\(word)")
                #expect(sent.status == 303)
                #expect(sent.location == target)
                #expect(desk.form("/cruise/answer", "JWT=\(jwt)&outcome=success").status == 404)
                let finished = desk.act(token, "{}")
                #expect(finished.status == (word == "success" ? 200 : 400))
                #expect(try desk.state(token) == state)
            }
            #expect(desk.movements == ["purchase 150000"])
        }
    }

    @Test("Without a device's session no challenge is offered; a card that fails stops, until a reset")
    func unavailable() async throws {
        try await withSafepay { desk, _ in
            for (number, session, status) in [
                (SafepayDesk.challenged, String?.none, "UNAVAILABLE"), ("4000000000000101", "fp-1", "FAILED"),
            ] {
                let token = try desk.tracker()
                _ = desk.setUp(token, number)
                let answer = try desk.enrol(token, session: session).action["payer_authentication_enrollment"]
                #expect(try answer["authentication_status"].string() == status)
                #expect(answer["step_up_url"].present == nil)
                #expect(try desk.authorize(token).error.contains(status))
                #expect(try desk.act(token, "{}").error.contains("PAYER_AUTH_VALIDATION"))
                #expect(desk.server("PUT", "/order/payments/v3/\(token)", "{}").status == 200)
                #expect(try desk.state(token) == "TRACKER_STARTED")
            }
        }
    }

    @Test("A challenge in an app: the SDK's proof goes with the authorization")
    func native() async throws {
        try await withSafepay { desk, _ in
            let token = try desk.tracker()
            let setUp = desk.act(
                token,
                SafepayDesk.card("5200000000001096").replacing(
                    "{\"payload\":{", with: "{\"payload\":{\"is_mobile\":true,"))
            #expect(try setUp.action["payer_authentication_setup"]["cardinal_jwt"].string().utf8.count > 20)
            let answer = try desk.act(
                token,
                #"{"payload":{"billing":{"use_synthetic":true},"authentication_setup":{"sdk_reference_id":"sdk-1"}}}"#
            ).action["payer_authentication_enrollment"]
            let jwt = try answer["access_token"].string()
            func authorize(_ proof: String) -> Int {
                desk.act(
                    token,
                    #"{"payload":{"is_mobile":true,"authorization":{"do_capture":true,"sdk_on_validate_jwt":"\#(proof)"}}}"#
                ).status
            }
            #expect(authorize("wrong") == 400)
            let proof = try desk.call(
                "POST", "/cruise/native", #"{"access_token":"\#(jwt)","outcome":"success"}"#
            ).root["validation_jwt"].string()
            #expect(authorize(proof) == 200)
            #expect(authorize(proof) == 400)
            #expect(desk.movements == ["purchase 150000"])
        }
    }

    @Test("Flex: a capture context, then a transient token")
    func flex() async throws {
        try await withSafepay { desk, _ in
            let token = try desk.tracker(entry: "flex")
            let transient = #"{"payload":{"payment_method":{"flex":{"transient_token_jwt":"flex.4111111111111111"}}}}"#
            #expect(try desk.act(token, transient).error.contains("no capture context"))
            #expect(desk.setUp(token).status == 400)
            let context = desk.act(token, #"{"payload":{"origin":"https://shop.example"}}"#)
            #expect(try context.action["flex"]["capture_context_jwt"].string().split(separator: ".").count == 3)
            let made = desk.act(token, transient)
            #expect(try made.action["payment_method"]["last_four"].string() == "1111")
        }
    }

    @Test("A device collector and calls with a time-based token; a wrong action is refused")
    func surroundings() async throws {
        try await withSafepay { desk, _ in
            let token = try desk.tracker()
            let collected = desk.form("/cruise/collect", "JWT=a.b.c")
            #expect(collected.text.contains("profile.completed"))
            let bearer = "Authorization: Bearer \(try desk.passport())\r\n"
            let path = "/order/payments/v3/\(token)"
            #expect(desk.call("POST", path, SafepayDesk.card()).status == 401)
            #expect(
                desk.call("POST", path, #"{"action":"CAPTURE","payload":{"origin":"x"}}"#, header: bearer).status == 400
            )
            #expect(desk.call("POST", path, SafepayDesk.card(), header: bearer).status == 200)
            #expect(desk.act("track_x", "{}").status == 404)
            #expect(desk.call("POST", path, "{}", header: desk.secretHeader, type: "text/plain").status == 415)
            #expect(desk.act(token, "[]").status == 400)
            let other = try desk.tracker(more: #","intent":"MPGS""#)
            #expect(desk.setUp(other).status == 400)
        }
    }
}
