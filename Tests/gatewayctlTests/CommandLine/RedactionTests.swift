import GatewayKitCore
import Testing

@testable import gatewayctl

/// Nothing leaves the terminal around the redactor.
@Suite struct RedactionTests {
    static let number = "4111111111111111"
    static let secret = "sk-Zq9-very-secret-key"

    /// What every route does with a text.
    static func routes(_ text: String) -> [String: String] {
        var results: [String: String] = [:]
        func run(_ name: String, _ format: OutputFormat = .text, _ body: (Terminal) -> Void) {
            let device = BufferDevice()
            let terminal = Terminal.test(device)
            terminal.protect([Sensitive(secret)])
            body(terminal.configured(output: format, isVerbose: true, color: .always))
            results[name] = device.output + device.talk
        }
        run("say") { $0.say("it is \(text)") }
        run("detail") { $0.detail("it is \(text)") }
        run("print") { $0.print("it is \(text)") }
        for format in OutputFormat.allCases {
            run("text \(format)", format) {
                $0.emit(Report(schema: "s/1", fields: [Field("A", "a", .text("it is \(text)"))]))
            }
            run("nested \(format)", format) {
                $0.emit(
                    Report(
                        schema: "s/1",
                        fields: [Field("A", "a", .list([.object([Field("B", "b", .list([.text(text)]))])]))]))
            }
            run("table \(format)", format) {
                let row = OutputValue.object([Field("B", "b", .text(text))])
                $0.emit(Report(schema: "s/1", fields: [Field("A", "a", .list([row, row]))]))
            }
        }
        return results
    }

    @Test func cardNumbersAreMaskedOnEveryRoute() {
        for (route, shown) in Self.routes(Self.number) { #expect(!shown.contains(Self.number), "\(route)") }
    }

    @Test func protectedSecretsAreMaskedOnEveryRoute() {
        for (route, shown) in Self.routes(Self.secret) { #expect(!shown.contains(Self.secret), "\(route)") }
    }

    @Test(arguments: OutputFormat.allCases) func identifiersShowTheirDigitsButNoSecret(_ format: OutputFormat) {
        let device = BufferDevice()
        let terminal = Terminal.test(device).configured(output: format, isVerbose: false, color: .never)
        terminal.protect([Sensitive(Self.secret)])
        terminal.emit(
            Report(
                schema: "s/1",
                fields: [
                    Field("Id", "id", .identifier("4012888888881881")), Field("B", "b", .identifier(Self.secret)),
                ]))
        #expect(device.output.contains("4012888888881881"))
        #expect(!device.output.contains(Self.secret))
    }

    @Test func failuresOfACommandAreMasked() async {
        struct Odd: Error, CustomStringConvertible {
            let description: String
        }
        let odd = Command("odd", summary: "Odd") { _ in throw Odd(description: Self.number) }
        let known = Command("known", summary: "Known") { invocation in
            invocation.terminal.protect([Sensitive(Self.secret)])
            throw Failure(.noAnswer, "no answer for \(Self.number), \(Self.secret)", advice: ["try \(Self.secret)"])
        }
        let tree = CommandTree(
            root: Command("demo", summary: "Demo", subcommands: [odd, known]), version: "1", topics: [])
        for (name, code) in [("odd", ExitCode.internalError), ("known", .noAnswer)] {
            for format in OutputFormat.allCases {
                let device = BufferDevice()
                let arguments = [name, "--output", format.rawValue, "-v"]
                #expect(await Program(tree: tree).run(.test(device, arguments)) == code)
                let shown = device.output + device.talk
                #expect(!shown.contains(Self.number) && !shown.contains(Self.secret), "\(name) \(format)")
                #expect(device.output.contains("\"code\": \"\(code.name)\"") == (format == .json))
            }
        }
    }
}
