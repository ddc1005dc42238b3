import Testing

@testable import GatewayKitCore

@Suite struct JSONReadingTests {
    static let answer = #"""
        {"transaction": {"succeeded": true, "amount": 10.10, "retained": "false", "on_test": "yes", "nothing": null,
          "payment_method": {"token": "tok\n1", "month": "07", "year": 2031, "code": 101, "word": "seven",
            "big": 123456789012345678901234567890, "half": 5.5, "whole": 5.00, "power": 1e2, "minus": -3},
          "errors": [{"key": "errors.blank"}, {"key": 7}], "single": {"key": "errors.one"}}}
        """#

    let value: JSONValue
    var transaction: JSONValue { value["transaction"] }
    var method: JSONValue { transaction["payment_method"] }

    init() throws {
        value = try JSONValue(parsing: Array(Self.answer.utf8))
    }

    @Test func readsWhatIsThere() throws {
        #expect(try method["token"].string() == "tok\n1")
        #expect(try method["code"].scalarText() == "101")
        #expect(try transaction["succeeded"].scalarText() == "true")
        #expect(try method["token"].sensitive() == Sensitive("tok\n1"))
        #expect(try method["month"].integer() == 7)
        #expect(try method["year"].integer() == 2031)
        #expect(try method["whole"].integer() == 5)
        #expect(try method["minus"].integer() == -3)
        #expect(try transaction["amount"].decimalText() == "10.10")
        #expect(try method["month"].present?.integer() == 7)
        #expect(try transaction["succeeded"].bool())
        #expect(try transaction["retained"].bool() == false)
        #expect(try transaction["errors"][1]["key"].integer() == 7)
        #expect(transaction["errors"].items.count == 2)
        #expect(try transaction["single"].items.map { try $0["key"].string() } == ["errors.one"])
        #expect(try value.members().map(\.name) == ["transaction"])
    }

    @Test func absentAndNullAreAlikeWhenAsked() throws {
        for absent in [value["x"]["y"][3]["z"], transaction["nothing"], transaction["errors"][2], value[0]] {
            #expect(absent.present == nil)
            #expect(absent.items.isEmpty)
            #expect(throws: JSONError.self) { try absent.string() }
        }
        #expect(transaction["nothing"].kind == .null)
        #expect(transaction["errors"][-1].kind == .absent)
        #expect(value["x"].range == nil && value["x"].source == nil)
        #expect(value["x"] == transaction["y"])
        #expect(value["x"] != transaction["nothing"])
    }

    struct Failure: Sendable {
        let message: String
        let kind: JSONError.Kind
        let read: @Sendable (JSONValue) throws(JSONError) -> Void

        init(
            _ message: String, _ kind: JSONError.Kind, _ read: @escaping @Sendable (JSONValue) throws(JSONError) -> Void
        ) {
            self.message = message
            self.kind = kind
            self.read = read
        }
    }

    static let failures: [Failure] = [
        .init("transaction.payment_method.word: expected an integer, found text", .wrongKind) {
            (value) throws(JSONError) in _ = try value["transaction"]["payment_method"]["word"].integer()
        },
        .init("transaction.payment_method.half: expected an integer, found a number", .wrongKind) {
            (value) throws(JSONError) in _ = try value["transaction"]["payment_method"]["half"].integer()
        },
        .init("transaction.payment_method.power: expected an integer, found a number", .wrongKind) {
            (value) throws(JSONError) in _ = try value["transaction"]["payment_method"]["power"].integer()
        },
        .init("transaction.payment_method.big: an integer beyond 64 bits", .outOfRange) {
            (value) throws(JSONError) in _ = try value["transaction"]["payment_method"]["big"].integer()
        },
        .init("transaction.payment_method.year: expected text, found a number", .wrongKind) {
            (value) throws(JSONError) in _ = try value["transaction"]["payment_method"]["year"].string()
        },
        .init("transaction.on_test: expected true or false, found text", .wrongKind) {
            (value) throws(JSONError) in _ = try value["transaction"]["on_test"].bool()
        },
        .init("transaction.payment_method.token: expected a number, found text", .wrongKind) {
            (value) throws(JSONError) in _ = try value["transaction"]["payment_method"]["token"].decimalText()
        },
        .init("transaction.payment_method.token: expected an array, found text", .wrongKind) {
            (value) throws(JSONError) in _ = try value["transaction"]["payment_method"]["token"].elements()
        },
        .init("transaction.errors[0]: expected text or a number, found an object", .wrongKind) {
            (value) throws(JSONError) in _ = try value["transaction"]["errors"][0].scalarText()
        },
        .init("transaction.errors: expected an object, found an array", .wrongKind) {
            (value) throws(JSONError) in _ = try value["transaction"]["errors"].members()
        },
        .init("(root): expected text, found an object", .wrongKind) {
            (value) throws(JSONError) in _ = try value.string()
        },
        .init("transaction.nothing: expected text, found null", .missing) {
            (value) throws(JSONError) in _ = try value["transaction"]["nothing"].string()
        },
        .init("payment.errors[3].key: expected true or false, found nothing", .missing) {
            (value) throws(JSONError) in _ = try value["payment"]["errors"][3]["key"].bool()
        },
        .init("transaction.amount.value: expected a number, found nothing (its parent is a number)", .missing) {
            (value) throws(JSONError) in _ = try value["transaction"]["amount"]["value"].decimalText()
        },
    ]

    @Test(arguments: failures.indices)
    func errorNamesPathAndKinds(index: Int) {
        let failure = Self.failures[index]
        let error = #expect(throws: JSONError.self) { try failure.read(value) }
        #expect(error?.description == failure.message)
        #expect(error?.kind == failure.kind)
        #expect((error?.offset == nil) == failure.message.contains("found nothing"))
    }

    @Test func namesThatWereNotAskedForAreNotTold() throws {
        let value = try JSONValue(parsing: Array(#"{"metadata":{"Jane Roe":1,"made up":["x"]}}"#.utf8))
        let members = try value["metadata"].members()
        let first = #expect(throws: JSONError.self) { try members[0].value.string() }
        let second = #expect(throws: JSONError.self) { try members[1].value[0].integer() }
        #expect(first?.description == "metadata.(member 0): expected text, found a number")
        #expect(second?.description == "metadata.(member 1)[0]: expected an integer, found text")
    }

    @Test func integerEdges() throws {
        let rows: [(String, Int?)] = [
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil),
            ("-0", 0), ("0.0", 0), ("1.01", nil), (#""""#, nil), (#""-""#, nil), (#""+1""#, nil), (#"" 1""#, nil),
            (#""1.0""#, nil), (#""007""#, 7), (#""-12""#, -12), ("\"\u{661}\"", nil), ("\"\u{FF11}\"", nil),
            ("true", nil),
        ]
        for (text, expected) in rows {
            #expect((try? JSONValue(parsing: Array(text.utf8)).integer()) == expected, "\(text)")
        }
    }

    @Test func showsNothingOfTheValue() throws {
        let secret = "made-up-secret"
        let value = try JSONValue(parsing: Array(#"{"\#(secret)":"\#(secret)","x":["\#(secret)"]}"#.utf8))
        var shown = "\(value) \(String(reflecting: value))"
        dump(value, to: &shown)
        dump(try value.members(), to: &shown)
        dump([value["x"], value[secret]], to: &shown)
        #expect(!shown.contains(secret))
        #expect(value.description == "JSON object")
    }

    @Test func parserErrorsNeverQuote() {
        let secret = "9876"
        for text in [
            "[\(secret)x]", "{\"\(secret)\":1,\"\(secret)\":2}", "[\"\(secret)\\q\"]", "[\"\(secret)", "[-\(secret).]",
        ] {
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
            #expect(error.map { "\($0) \(String(reflecting: $0))".contains(secret) } == false)
        }
    }

    @Test func equalityIsByMeaning() throws {
        func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }
        #expect(try value(#"{"a":1,"b":[true,null]}"#) == value(#" { "b" : [ true , null ] , "\u0061" : 1 } "#))
        for (left, right) in [
            ("1.0", "1"), ("[1,2]", "[2,1]"), (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#), ("true", "false"),
            ("null", "false"), ("[]", "{}"), ("[1]", "[1,1]"), ("\"\u{E9}\"", "\"e\u{301}\""), (#""1""#, "1"),
        ] {
            #expect(try value(left) != value(right), "\(left) \(right)")
        }
    }

    @Test func rangesServeSignatures() throws {
        let text = #"{"data" : { "amount" : 10.10,"note":"\u00e9" } ,"signature":"x"}"#
        let value = try JSONValue(parsing: Array(text.utf8))
        let source = try #require(value["data"].source)
        #expect(String(decoding: source, as: UTF8.self) == #"{ "amount" : 10.10,"note":"\u00e9" }"#)
        #expect(value["data"]["note"].source.map { String(decoding: $0, as: UTF8.self) } == #""\u00e9""#)
        #expect(value["data"].range == 10..<46)
    }

    @Test func limitsHold() throws {
        let bytes = Array(#"{"a":[1,2,{"b":null}]}"#.utf8)
        func kind(_ limits: JSONLimits) -> JSONError.Kind? {
            do throws(JSONError) {
                _ = try JSONValue(parsing: bytes, limits: limits)
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(kind(.init(maximumBytes: bytes.count)) == nil)
        #expect(kind(.init(maximumBytes: bytes.count - 1)) == .tooLarge)
        #expect(kind(.init(maximumDepth: 3)) == nil)
        #expect(kind(.init(maximumDepth: 2)) == .tooDeep)
        #expect(kind(.init(maximumNodes: 8)) == nil)
        #expect(kind(.init(maximumNodes: 7)) == .tooManyNodes)
        #expect(kind(.init(maximumBytes: -1)) == .tooLarge)
        #expect(kind(.init(maximumDepth: -1)) == .tooDeep)
        #expect(kind(.init(maximumNodes: -1)) == .tooManyNodes)
        let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
        let error = #expect(throws: JSONError.self) {
            try JSONValue(parsing: Array(deep.utf8), limits: JSONLimits(maximumDepth: .max))
        }
        #expect(error?.kind == .tooDeep)
        let deepest = try JSONValue(parsing: Array(deep.utf8.dropFirst().dropLast()), limits: .init(maximumDepth: 512))
        #expect(deepest == deepest)
    }

    @Test func duplicateNamesIfAllowedReadAsTheLast() throws {
        let limits = JSONLimits(allowsDuplicateNames: true)
        let value = try JSONValue(parsing: Array(#"{"a":1,"b":0,"\u0061":2}"#.utf8), limits: limits)
        #expect(try value["a"].integer() == 2)
        #expect(try value.members().map(\.name) == ["a", "b", "a"])
    }

    @Test func errorTellsTheOffsetOfTheSecondName() {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(#"{"a":1, "a":2}"#.utf8)) }
        #expect(error?.offset == 8)
    }
}
