import Testing

@testable import GatewayKitCore

/// What RFC 8259 says about a text. `either` is what it leaves to the parser; the flag is what ours does.
enum Verdict: Sendable {
    case accept
    case reject(JSONError.Kind)
    case either(accepted: Bool)
}

struct ConformanceRow: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let verdict: Verdict

    init(_ name: String, _ text: String, _ verdict: Verdict) {
        self.init(name, Array(text.utf8), verdict)
    }

    init(_ name: String, _ bytes: [UInt8], _ verdict: Verdict) {
        self.name = name
        self.bytes = bytes
        self.verdict = verdict
    }

    var testDescription: String { name }
}

/// Puts bytes between the quotes of a text that is an array's only element.
private func quoted(_ bytes: UInt8...) -> [UInt8] {
    Array("[\"".utf8) + bytes + Array("\"]".utf8)
}

@Suite struct JSONConformanceTests {
    @Test(arguments: structure + numbers + strings + unicode)
    func row(_ row: ConformanceRow) throws {
        let result = Result { () throws(JSONError) in try JSONValue(parsing: row.bytes) }
        switch row.verdict {
        case .accept, .either(accepted: true):
            let value = try result.get()
            #expect(value.range?.isEmpty == false)
        case .reject(let kind):
            guard case .failure(let error) = result else {
                Issue.record("accepted")
                return
            }
            #expect(error.kind == kind)
            #expect((0...row.bytes.count).contains(error.offset ?? -1))
        case .either(accepted: false):
            #expect(throws: JSONError.self) { try result.get() }
        }
        #expect(ReferenceJSON.parse(row.bytes) == nil || (try? result.get()) != nil)
        #expect((try? result.get()) == nil || ReferenceJSON.parse(row.bytes) != nil)
    }

    @Test func tableIsLongAndHasNoRowTwice() {
        let rows = Self.structure + Self.numbers + Self.strings + Self.unicode
        #expect(rows.count >= 120)
        #expect(Set(rows.map(\.name)).count == rows.count)
        #expect(Set(rows.map(\.bytes)).count == rows.count)
    }

    static let structure: [ConformanceRow] = [
        .init("lone null", "null", .accept),
        .init("lone true", "true", .accept),
        .init("lone false", "false", .accept),
        .init("lone number", "42", .accept),
        .init("lone text", #""a""#, .accept),
        .init("lone empty text", #""""#, .accept),
        .init("empty array", "[]", .accept),
        .init("empty object", "{}", .accept),
        .init("array with space inside", "[ ]", .accept),
        .init("object with line end inside", "{\n}", .accept),
        .init("all white space around", "\t\r\n [ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n", .accept),
        .init("white space around the colon", "{\"a\" \n:\t1}", .accept),
        .init("mixed elements", #"[null,true,false,0,"",[],{}]"#, .accept),
        .init("nested arrays", "[[[[[[]]]]]]", .accept),
        .init("nested objects", #"{"a":{"b":{"c":{}}}}"#, .accept),
        .init("empty name", #"{"":0}"#, .accept),
        .init("names that differ in case", #"{"a":0,"A":1}"#, .accept),
        .init("same name in two objects", #"{"a":{"a":1}}"#, .accept),
        .init("same name in siblings", #"[{"a":1},{"a":1}]"#, .accept),
        .init("names that differ in normalisation", "{\"\u{E9}\":0,\"e\u{301}\":1}", .accept),
        .init("nesting at the limit", nested(64), .accept),
        .init("nesting beyond the limit", nested(65), .either(accepted: false)),
        .init("ten thousand open arrays", String(repeating: "[", count: 10_000), .reject(.tooDeep)),
        .init("ten thousand open objects", String(repeating: "{\"a\":", count: 10_000), .reject(.tooDeep)),
        .init("nothing", "", .reject(.unexpectedEnd)),
        .init("white space only", " \n\t", .reject(.unexpectedEnd)),
        .init("byte order mark", "\u{FEFF}{}", .either(accepted: false)),
        .init("byte order mark only", "\u{FEFF}", .reject(.byteOrderMark)),
        .init("byte order mark inside", "[\u{FEFF}]", .reject(.unexpectedByte)),
        .init("UTF-16", [0x5B, 0x00, 0x5D, 0x00], .reject(.unexpectedByte)),
        .init("NUL", [0x00], .reject(.unexpectedByte)),
        .init("NUL at the end", [0x5B, 0x5D, 0x00], .reject(.trailingBytes)),
        .init("NUL in an array", [0x5B, 0x00], .reject(.unexpectedByte)),
        .init("form feed as white space", "[\u{0C}]", .reject(.unexpectedByte)),
        .init("vertical tab as white space", "[\u{0B}]", .reject(.unexpectedByte)),
        .init("no-break space as white space", "[\u{A0}]", .reject(.unexpectedByte)),
        .init("line separator as white space", "[\u{2028}]", .reject(.unexpectedByte)),
        .init("two values", "1 2", .reject(.trailingBytes)),
        .init("two arrays", "[][]", .reject(.trailingBytes)),
        .init("bracket too many", "[]]", .reject(.trailingBytes)),
        .init("brace too many", "{}}", .reject(.trailingBytes)),
        .init("comma after the value", "[],", .reject(.trailingBytes)),
        .init("comment after the value", "{}//", .reject(.trailingBytes)),
        .init("comment in an array", "[/**/1]", .reject(.unexpectedByte)),
        .init("hash comment", "#\n1", .reject(.unexpectedByte)),
        .init("open array", "[", .reject(.unexpectedEnd)),
        .init("open array after element", "[1", .reject(.unexpectedEnd)),
        .init("open array after comma", "[1,", .reject(.unexpectedEnd)),
        .init("open object", "{", .reject(.unexpectedEnd)),
        .init("open object after name", #"{"a""#, .reject(.unexpectedEnd)),
        .init("open object after colon", #"{"a":"#, .reject(.unexpectedEnd)),
        .init("open object after value", #"{"a":1"#, .reject(.unexpectedEnd)),
        .init("open object after comma", #"{"a":1,"#, .reject(.unexpectedEnd)),
        .init("trailing comma in an array", "[1,]", .reject(.unexpectedByte)),
        .init("leading comma in an array", "[,1]", .reject(.unexpectedByte)),
        .init("comma only", "[,]", .reject(.unexpectedByte)),
        .init("double comma", "[1,,2]", .reject(.unexpectedByte)),
        .init("no comma", "[1 2]", .reject(.unexpectedByte)),
        .init("colon in an array", "[1:2]", .reject(.unexpectedByte)),
        .init("array closed by brace", "[1}", .reject(.unexpectedByte)),
        .init("empty array closed by brace", "[}", .reject(.unexpectedByte)),
        .init("object closed by bracket", #"{"a":1]"#, .reject(.unexpectedByte)),
        .init("empty object closed by bracket", "{]", .reject(.unexpectedByte)),
        .init("closing only", "]", .reject(.unexpectedByte)),
        .init("trailing comma in an object", #"{"a":1,}"#, .reject(.unexpectedByte)),
        .init("comma only in an object", "{,}", .reject(.unexpectedByte)),
        .init("double colon", #"{"a"::1}"#, .reject(.unexpectedByte)),
        .init("no colon", #"{"a" 1}"#, .reject(.unexpectedByte)),
        .init("comma for colon", #"{"a",1}"#, .reject(.unexpectedByte)),
        .init("no value", #"{"a":}"#, .reject(.unexpectedByte)),
        .init("no name", "{:1}", .reject(.unexpectedByte)),
        .init("bare name", "{a:1}", .reject(.unexpectedByte)),
        .init("number as name", "{1:1}", .reject(.unexpectedByte)),
        .init("name in single quotes", "{'a':1}", .reject(.unexpectedByte)),
        .init("object as name", "{{}:1}", .reject(.unexpectedByte)),
        .init("null as name", "{null:1}", .reject(.unexpectedByte)),
        .init("capital True", "[True]", .reject(.unexpectedByte)),
        .init("capital NULL", "NULL", .reject(.unexpectedByte)),
        .init("cut true", "[tru]", .reject(.unexpectedByte)),
        .init("cut null at the end", "nul", .reject(.unexpectedEnd)),
        .init("long false", "falsey", .reject(.trailingBytes)),
        .init("undefined", "[undefined]", .reject(.unexpectedByte)),
        .init("HTML", "<html></html>", .reject(.unexpectedByte)),
        .init("form", "a=1&b=2", .reject(.unexpectedByte)),
        .init("guard prefix", ")]}',\n{}", .reject(.unexpectedByte)),
        .init("duplicate name", #"{"a":1,"a":1}"#, .either(accepted: false)),
        .init("duplicate name apart", #"{"a":1,"b":2,"a":3}"#, .reject(.duplicateName)),
        .init("duplicate name after unescaping", #"{"a":1,"\u0061":2}"#, .reject(.duplicateName)),
        .init("duplicate escaped names", #"{"\u002f":1,"\/":2}"#, .reject(.duplicateName)),
        .init("duplicate pair name", "{\"\u{1F4B3}\":1,\"\\ud83d\\udcb3\":2}", .reject(.duplicateName)),
        .init("duplicate empty name", #"{"":1,"":2}"#, .reject(.duplicateName)),
        .init("duplicate name inside", #"[0,{"x":{"a":[],"a":{}}}]"#, .reject(.duplicateName)),
        .init("duplicate among many names", manyNames(200, extra: "n150"), .reject(.duplicateName)),
        .init("duplicate escaped among many names", manyNames(200, extra: #"n\u00315"#), .reject(.duplicateName)),
        .init("many names", manyNames(200, extra: "other"), .accept),
    ]

    static let numbers: [ConformanceRow] = [
        .init("zero", "[0]", .accept),
        .init("minus zero", "-0", .accept),
        .init("negative", "[-1]", .accept),
        .init("fraction", "[10.10]", .accept),
        .init("fraction of zeros", "[1.000]", .accept),
        .init("exponent", "[1e5]", .accept),
        .init("capital exponent", "[1E5]", .accept),
        .init("exponent with plus", "[1e+5]", .accept),
        .init("exponent with minus", "[1.5E-5]", .accept),
        .init("exponent with leading zero", "[1e005]", .accept),
        .init("zero with exponent", "[0e1]", .accept),
        .init("negative zero fraction", "[-0.0]", .accept),
        .init("long integer", "[123456789012345678901234567890]", .either(accepted: true)),
        .init("huge exponent", "[1e999999999]", .either(accepted: true)),
        .init("tiny exponent", "[-1e-999999999]", .either(accepted: true)),
        .init("long fraction", "[0." + String(repeating: "0", count: 400) + "1]", .either(accepted: true)),
        .init("minus in the middle", "[1-2]", .reject(.invalidNumber)),
        .init("plus in the middle", "[1+2]", .reject(.invalidNumber)),
        .init("leading zero", "[01]", .reject(.invalidNumber)),
        .init("double zero", "[00]", .reject(.invalidNumber)),
        .init("negative leading zero", "[-01]", .reject(.invalidNumber)),
        .init("point at the end", "[1.]", .reject(.invalidNumber)),
        .init("point at the start", "[.5]", .reject(.invalidNumber)),
        .init("negative point at the start", "[-.5]", .reject(.invalidNumber)),
        .init("point and exponent", "[1.e1]", .reject(.invalidNumber)),
        .init("two points", "[1.2.3]", .reject(.invalidNumber)),
        .init("plus at the start", "[+1]", .reject(.invalidNumber)),
        .init("lone plus", "+", .reject(.invalidNumber)),
        .init("lone minus", "-", .reject(.invalidNumber)),
        .init("double minus", "[--1]", .reject(.invalidNumber)),
        .init("minus and space", "[- 1]", .reject(.invalidNumber)),
        .init("exponent without digits", "[1e]", .reject(.invalidNumber)),
        .init("exponent sign without digits", "[1e+]", .reject(.invalidNumber)),
        .init("exponent twice", "[1e1e1]", .reject(.invalidNumber)),
        .init("exponent with fraction", "[1e1.5]", .reject(.invalidNumber)),
        .init("exponent only", "[e1]", .reject(.unexpectedByte)),
        .init("hexadecimal", "[0x1F]", .reject(.unexpectedByte)),
        .init("octal", "[0o7]", .reject(.unexpectedByte)),
        .init("underscore", "[1_000]", .reject(.unexpectedByte)),
        .init("space in number", "[1 000]", .reject(.unexpectedByte)),
        .init("suffix", "[1f]", .reject(.unexpectedByte)),
        .init("NaN", "[NaN]", .reject(.unexpectedByte)),
        .init("nan", "nan", .reject(.unexpectedByte)),
        .init("Infinity", "[Infinity]", .reject(.unexpectedByte)),
        .init("minus Infinity", "[-Infinity]", .reject(.invalidNumber)),
        .init("full-width digit", "[\u{FF11}]", .reject(.unexpectedByte)),
        .init("Arabic-Indic digit", "[\u{661}]", .reject(.unexpectedByte)),
        .init("full-width digit behind a digit", "[1\u{FF11}]", .reject(.unexpectedByte)),
    ]

    static let strings: [ConformanceRow] = [
        .init("all short escapes", #"["\"\\\/\b\f\n\r\t"]"#, .accept),
        .init("escaped NUL", #"["\u0000"]"#, .accept),
        .init("escaped letter", #"["\u0041"]"#, .accept),
        .init("escape in lower and upper case", #"["\uabcd\uABCD"]"#, .accept),
        .init("escape followed by digits", #"["\u00410"]"#, .accept),
        .init("escaped backslash before u", #"["\\u000"]"#, .accept),
        .init("escaped name", #"{"\u0061\n":1}"#, .accept),
        .init("delete character", "[\"\u{7F}\"]", .accept),
        .init("slash unescaped", #"["a/b"]"#, .accept),
        .init("line separator in a text", "[\"\u{2028}\u{2029}\"]", .accept),
        .init("tab in a text", "[\"\t\"]", .reject(.controlCharacter)),
        .init("line end in a text", "[\"\n\"]", .reject(.controlCharacter)),
        .init("NUL in a text", quoted(0x00), .reject(.controlCharacter)),
        .init("unit separator in a text", quoted(0x1F), .reject(.controlCharacter)),
        .init("line end in a name", "{\"a\n\":1}", .reject(.controlCharacter)),
        .init("open text", #"["a"#, .reject(.unexpectedEnd)),
        .init("lone quote", "\"", .reject(.unexpectedEnd)),
        .init("text that ends in an escaped quote", #"["\"]"#, .reject(.unexpectedEnd)),
        .init("text that ends in a backslash", #"["\"#, .reject(.invalidEscape)),
        .init("single quotes", "['a']", .reject(.unexpectedByte)),
        .init("text behind text", #"["a" "b"]"#, .reject(.unexpectedByte)),
        .init("letter behind text", #"["a"b]"#, .reject(.unexpectedByte)),
        .init("escape x", #"["\x41"]"#, .reject(.invalidEscape)),
        .init("escape a", #"["\a"]"#, .reject(.invalidEscape)),
        .init("escape zero", #"["\0"]"#, .reject(.invalidEscape)),
        .init("escape single quote", #"["\'"]"#, .reject(.invalidEscape)),
        .init("escape capital U", #"["\U0041"]"#, .reject(.invalidEscape)),
        .init("escaped line end", "[\"\\\n\"]", .reject(.invalidEscape)),
        .init("escaped non-ASCII", "[\"\\\u{E9}\"]", .reject(.invalidEscape)),
        .init("three hexadecimal digits", #"["\u004"]"#, .reject(.invalidEscape)),
        .init("no hexadecimal digits", #"["\u"]"#, .reject(.invalidEscape)),
        .init("no hexadecimal digit", #"["\u004g"]"#, .reject(.invalidEscape)),
        .init("sign in an escape", #"["\u+041"]"#, .reject(.invalidEscape)),
        .init("braces in an escape", #"["\u{41}"]"#, .reject(.invalidEscape)),
        .init("backslash outside", #"[\n]"#, .reject(.unexpectedByte)),
    ]

    static let unicode: [ConformanceRow] = [
        .init("two bytes", "[\"\u{E9}\u{80}\u{7FF}\"]", .accept),
        .init("three bytes", "[\"\u{800}\u{20AC}\u{D7FF}\u{E000}\u{FFFD}\"]", .accept),
        .init("four bytes", "[\"\u{10000}\u{1F4B3}\u{10FFFF}\"]", .accept),
        .init("non-character", quoted(0xEF, 0xB7, 0x90, 0xEF, 0xBF, 0xBE), .accept),
        .init("escaped non-character", #"["\uFFFE"]"#, .accept),
        .init("surrogate pair", #"["\ud83d\udcb3"]"#, .accept),
        .init("first pair", #"["\uD800\uDC00"]"#, .accept),
        .init("last pair", #"["\uDBFF\uDFFF"]"#, .accept),
        .init("two pairs", #"["\ud83d\udcb3\ud83d\udcb3"]"#, .accept),
        .init("byte order mark in a text", "[\"\u{FEFF}\"]", .accept),
        .init("lone high half", #"["\ud83d"]"#, .either(accepted: false)),
        .init("lone low half", #"["\udcb3"]"#, .either(accepted: false)),
        .init("high half and letter", #"["\ud83da"]"#, .reject(.invalidSurrogate)),
        .init("high half and short escape", #"["\ud83d\n"]"#, .reject(.invalidSurrogate)),
        .init("high half and other escape", #"["\ud83d\u0041"]"#, .reject(.invalidSurrogate)),
        .init("two high halves", #"["\ud83d\ud83d"]"#, .reject(.invalidSurrogate)),
        .init("halves in wrong order", #"["\udcb3\ud83d"]"#, .reject(.invalidSurrogate)),
        .init("high half and cut escape", #"["\ud83d\udc"]"#, .reject(.invalidSurrogate)),
        .init("lone half in a name", #"{"\ud83d":1}"#, .reject(.invalidSurrogate)),
        .init("lone continuation", quoted(0x80), .reject(.invalidUTF8)),
        .init("Latin-1", quoted(0xE9), .reject(.invalidUTF8)),
        .init("cut two bytes", quoted(0xC3), .reject(.invalidUTF8)),
        .init("cut three bytes", quoted(0xE2, 0x82), .reject(.invalidUTF8)),
        .init("cut four bytes", quoted(0xF0, 0x9F, 0x92), .reject(.invalidUTF8)),
        .init("cut at the end of the text", [0x22, 0xE2, 0x82], .reject(.invalidUTF8)),
        .init("over-long slash", quoted(0xC0, 0xAF), .reject(.invalidUTF8)),
        .init("over-long two bytes", quoted(0xC1, 0xBF), .reject(.invalidUTF8)),
        .init("over-long three bytes", quoted(0xE0, 0x9F, 0xBF), .reject(.invalidUTF8)),
        .init("over-long four bytes", quoted(0xF0, 0x8F, 0xBF, 0xBF), .reject(.invalidUTF8)),
        .init("over-long NUL", quoted(0xC0, 0x80), .reject(.invalidUTF8)),
        .init("encoded surrogate", quoted(0xED, 0xA0, 0x80), .reject(.invalidUTF8)),
        .init("encoded surrogate pair", quoted(0xED, 0xA0, 0xBD, 0xED, 0xB2, 0xB3), .reject(.invalidUTF8)),
        .init("beyond the last scalar", quoted(0xF4, 0x90, 0x80, 0x80), .reject(.invalidUTF8)),
        .init("five bytes", quoted(0xF8, 0x88, 0x80, 0x80, 0x80), .reject(.invalidUTF8)),
        .init("byte FF", quoted(0xFF), .reject(.invalidUTF8)),
        .init("bad second byte", quoted(0xC3, 0x28), .reject(.invalidUTF8)),
        .init("bad third byte", quoted(0xE2, 0x82, 0x28), .reject(.invalidUTF8)),
        .init("bad fourth byte", quoted(0xF0, 0x9F, 0x92, 0x28), .reject(.invalidUTF8)),
        .init("bad bytes in a name", [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], .reject(.invalidUTF8)),
        .init("bad bytes outside", [0x5B, 0xFF, 0x5D], .reject(.unexpectedByte)),
    ]

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static func manyNames(_ count: Int, extra: String) -> String {
        "{" + (0..<count).map { "\"n\($0)\":\($0)," }.joined() + "\"\(extra)\":0}"
    }
}
