import Testing

@testable import GatewayKitCore

@Suite struct JSONWriterTests {
    @Test func writesABodyAndRemembersItsSecrets() throws {
        let number = Sensitive("4111111111111111")
        let none: String? = nil
        var writer = JSONWriter()
        writer.object { body in
            body.object("payment_method") { method in
                method.object("credit_card") { card in
                    card.set("number", number)
                    card.set("verification_value", Sensitive("123"))
                    card.set("nick", Sensitive(""))
                    card.set("month", 3)
                    card.set("name", "Zo\u{EB} \"Z\" \\ \u{1}\n/\u{7F}\u{2028}\u{1F4B3}")
                    card.set("company", none)
                }
                method.set("retained", true)
                method.array("tags") { tags in
                    tags.append("a")
                    tags.append(1)
                    tags.append(false)
                    tags.append(number: "1.50")
                    tags.appendNull()
                    tags.append(Sensitive("s"))
                    tags.object { $0.set("x", Int64.min) }
                    tags.array { _ in }
                }
            }
            body.set("amount", number: "10.10")
            body.setNull("nothing")
        }
        let body = try writer.finish()
        let text = body.bytes.withExposed { String(decoding: $0, as: UTF8.self) }
        let expected =
            #"{"payment_method":{"credit_card":{"number":"4111111111111111","verification_value":"123","nick":"","#
            + #""month":3,"name":"Zoë \"Z\" \\ \u0001\n/"# + "\u{7F}\u{2028}\u{1F4B3}"
            + #""},"retained":true,"tags":["a",1,false,1.50,null,"s",{"x":-9223372036854775808},[]]},"#
            + #""amount":10.10,"nothing":null}"#
        #expect(text == expected)
        #expect(body.secrets == [number, Sensitive("123"), Sensitive("s")])
        var shown = "\(body)"
        dump(body, to: &shown)
        shown = shown.withoutAddresses
        #expect(!shown.contains("4111") && !shown.contains("123"))
    }

    @Test func escapesWhatTheGrammarDemandsAndNothingElse() throws {
        for value in UInt32(0)..<0x100 {
            let scalar = try #require(Unicode.Scalar(value))
            var writer = JSONWriter()
            writer.array { $0.append(String(scalar)) }
            let text = try writer.finishText()
            let mustEscape = value < 0x20 || scalar == "\"" || scalar == "\\"
            #expect((text == "[\"\(scalar)\"]") == !mustEscape)
            #expect(ReferenceJSON.parse(Array(text.utf8)) == .array([.text([scalar])]))
        }
    }

    @Test func copiesParsedValuesAsTheyWereWritten() throws {
        let value = try JSONValue(parsing: Array(#"{"a": [ 1.50 , "\u0041" ], "n": null}"#.utf8))
        var writer = JSONWriter()
        writer.object { body in
            body.set("copy", value["a"])
            body.set("null", value["n"])
            body.set("absent", value["x"])
            body.array("list") { list in
                list.append(value["a"][0])
                list.append(value["x"])
            }
        }
        #expect(try writer.finishText() == #"{"copy":[ 1.50 , "\u0041" ],"null":null,"list":[1.50,null]}"#)
    }

    @Test(arguments: ["", "1-2", "01", "1.", ".5", "+1", "NaN", "1 ", " 1", "1,2", "1\u{0}", "\u{661}", "1}", "--1"])
    func refusesTextThatIsNoNumber(text: String) {
        let error = #expect(throws: JSONError.self) {
            var writer = JSONWriter()
            writer.object { $0.set("amount", number: text) }
            _ = try writer.finish()
        }
        #expect(error?.kind == .invalidNumber)
    }

    @Test(arguments: [2, 23, 24, 25, 100])
    func refusesANameTwice(count: Int) throws {
        for extra in ["n0", "n\(count - 1)", "other"] {
            var writer = JSONWriter()
            writer.object { body in
                for index in 0..<count { body.set("n\(index)", index) }
                body.set(extra, true)
            }
            if extra == "other" {
                #expect(try JSONValue(parsing: writer.finish().bytes.withExposed { $0 }).members().count == count + 1)
            } else {
                do {
                    _ = try writer.finish()
                    Issue.record("accepted \(extra)")
                } catch {
                    #expect(error.kind == .duplicateName)
                }
            }
        }
    }

    @Test func writesExactlyOneValue() {
        let none = #expect(throws: JSONError.self) { _ = try JSONWriter().finish() }
        #expect(none?.kind == .notOneValue)
        let two = #expect(throws: JSONError.self) {
            var writer = JSONWriter()
            writer.array { _ in }
            writer.object { _ in }
            _ = try writer.finish()
        }
        #expect(two?.kind == .notOneValue)
    }

    @Test func aBodyGivenUpInTheMiddleIsNotSent() {
        struct Refused: Error {}
        let error = #expect(throws: JSONError.self) {
            var writer = JSONWriter()
            try? writer.object { (body) throws(Refused) in
                try body.array("a") { (_) throws(Refused) in throw Refused() }
            }
            _ = try writer.finish()
        }
        #expect(error?.kind == .abandoned)
    }

    @Test(arguments: ["secret", ""])
    func textHoldsNoGuardedValue(secret: String) {
        let error = #expect(throws: JSONError.self) {
            var writer = JSONWriter()
            writer.object { $0.set("token", Sensitive(secret)) }
            _ = try writer.finishText()
        }
        #expect(error?.kind == .secretInText)
    }
}
