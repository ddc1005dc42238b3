import Foundation
import GatewayKitCore
import GatewaySandbox
import Testing

@testable import gatewayctl

/// A session's life through the commands, at a provider that has real ones: the backend has the key, whoever takes the
/// session up has none.
@Suite struct SessionLives {
    private let sandbox: Sandbox
    private let file: URL
    private let backend: [String: String]
    private let app: [String: String]

    init() throws {
        sandbox = Sandbox(SandboxConfiguration())
        try sandbox.start()
        let file = FileManager.default.temporaryDirectory.appending(path: "gatewaykit-\(UUID().uuidString).json")
        let address = try #require(sandbox.baseURL(for: "hellgate"))
        try Data(
            #"{"accounts": {"eu": {"provider": "hellgate", "environment": "sandbox", "baseURL": "\#(address)"}}}"#.utf8
        ).write(to: file)
        self.file = file
        app = ["GATEWAYKIT_CONFIG": file.path, "GATEWAYKIT_ACCOUNT": "eu", "XDG_CONFIG_HOME": "/proc/nonexistent"]
        let key = try #require(sandbox.credentials(for: "hellgate")?["apiKey"])
        backend = app.merging(["GATEWAYKIT_EU_API_KEY": key]) { $1 }
    }

    private func stop() {
        sandbox.stop()
        try? FileManager.default.removeItem(at: file)
    }

    private static func card(_ number: String) -> String {
        #"{"number":"\#(number)","expiry":"09/2031","cvv":"737","name":"Ada Okoro"}"#
    }

    private func run(
        _ line: String, _ input: String = "", as environment: [String: String]
    ) async -> (code: ExitCode, output: String, talk: String) {
        let device = BufferDevice(input: input)
        let code = await Commands.run("session " + line + " -o json", device, environment: environment)
        return (code, device.output, device.talk)
    }

    private func json(_ output: String) throws -> JSONValue { try JSONValue(parsing: Array(output.utf8)) }

    private func open() async throws -> String {
        let opened = await run("open", as: backend)
        try #require(opened.code == .done, "\(opened)")
        return try json(opened.output)["session"].string()
    }

    @Test("T1: open is pending, then the card comes, then it is a success; the reference given is never shown")
    func success() async throws {
        let id = try await open()
        for line in ["status \(id) -v", "status - -v"] {
            let before = await run(line, id, as: backend)
            #expect(before.code == .actionNeeded, "\(before)")
            #expect(try json(before.output)["phase"].string() == "open")
            #expect(!(before.output + before.talk).contains(id), "\(before)")
        }
        let attached = await run("attach - --test-card visa -v", id, as: app)
        #expect(attached.code == .done, "\(attached)")
        #expect(!(attached.output + attached.talk).contains(id), "\(attached)")
        let token = try json(attached.output)["token"].string()
        let after = await run("status \(id)", as: backend)
        #expect(after.code == .done)
        #expect(try json(after.output)["token"]["token"].string() == token)
        let watched = await run("watch \(id)", as: app)
        #expect(watched.code == .done, "\(watched)")
        let lines = try watched.output.split(separator: "\n").map { try json(String($0)) }
        #expect(try lines.map { try $0["event"].string() } == ["status", "end"])
        #expect(try lines.last?["token"]["token"].string() == token)
        stop()
    }

    @Test("a declined card is a failed session")
    func decline() async throws {
        let id = try await open()
        #expect(await run("attach \(id) --card-stdin", Self.card("4000000000000002"), as: app).code == .providerSaidNo)
        let status = await run("status \(id)", as: app)
        #expect(status.code == .providerSaidNo, "\(status)")
        #expect(try json(status.output)["phase"].string() == "failed")
        stop()
    }

    @Test("T7: watching a session that nobody uses ends when the time is over, as neither success nor failure")
    func abandoned() async throws {
        let id = try await open()
        let watched = await run("watch \(id) --timeout 300ms --first-wait 100ms", as: app)
        // A starved machine may not get even one answer in that time; what the codes are is tested on a manual clock.
        #expect([.actionNeeded, .noAnswer].contains(watched.code), "\(watched)")
        #expect(watched.output.contains(#""reason": "deadline""#))
        stop()
    }

    @Test("a session that does not exist, and questions that fail, are told apart")
    func failures() async throws {
        let stranger = "00000000-0000-4000-8000-000000000000"
        for line in ["status \(stranger)", "watch \(stranger)"] {
            let result = await run(line, as: app)
            #expect(result.code == .providerSaidNo, "\(result)")
        }
        let id = try await open()
        for _ in 0..<9 { sandbox.faults.add(.answerLost, provider: "hellgate", operation: "status") }
        let lost = await run("status \(id) --timeout 300ms", as: app)
        #expect(lost.code == .noAnswer, "\(lost)")
        stop()
    }

    @Test("a session whose opening got no answer holds nothing: no answer, not an unknown outcome")
    func openingLost() async throws {
        for _ in 0..<9 { sandbox.faults.add(.answerLost, provider: "hellgate", operation: "open-session") }
        let lost = await run("open --timeout 300ms", as: backend)
        #expect(lost.code == .noAnswer, "\(lost)")
        stop()
    }
}
