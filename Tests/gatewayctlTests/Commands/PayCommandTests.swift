import GatewayKitCore
import GatewaySandbox
import Glibc
import Testing

@testable import gatewayctl

/// `pay` and `attempts` over a sandbox and a journal that outlive the single commands.
@Suite struct PayCommands {
    private let sandbox: Sandbox
    private let environment: [String: String]
    private let folder: String
    /// An account whose provider has pages.
    private let safepay: [String: String]

    init() throws {
        sandbox = Sandbox(SandboxConfiguration())
        try sandbox.start()
        let credentials = try #require(sandbox.credentials(for: "spreedly"))
        var template = Array("/tmp/gatewayctl-pay-XXXXXX".utf8CString)
        folder = try #require(
            template.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
            })
        environment = [
            "GATEWAYKIT_SPREEDLY_ENVIRONMENT": "sandbox",
            "GATEWAYKIT_SPREEDLY_BASE_URL": try #require(sandbox.baseURL(for: "spreedly")),
            "SPREEDLY_ENVIRONMENT_KEY": try #require(credentials["environmentKey"]),
            "SPREEDLY_ACCESS_SECRET": try #require(credentials["accessSecret"]),
            "SPREEDLY_GATEWAY_TOKEN": try #require(credentials["gatewayToken"]),
            "XDG_CONFIG_HOME": "/proc/nonexistent", "XDG_STATE_HOME": folder,
        ]
        let pages = try #require(sandbox.credentials(for: "safepay"))
        safepay = [
            "GATEWAYKIT_SAFEPAY_ENVIRONMENT": "sandbox",
            "GATEWAYKIT_SAFEPAY_BASE_URL": try #require(sandbox.baseURL(for: "safepay")),
            "SAFEPAY_API_KEY": try #require(pages["apiKey"]), "SAFEPAY_SECRET_KEY": try #require(pages["secretKey"]),
        ]
    }

    private func clean() {
        sandbox.stop()
        let journal = folder + "/gatewaykit/journal.sqlite"
        for path in [journal, journal + "-journal", journal + ".key"] { unlink(path) }
        rmdir(folder + "/gatewaykit")
        rmdir(folder)
    }

    private func run(
        _ line: String, card: String = "visa", baseURL: String? = nil, pages: Bool = false
    ) async -> (code: ExitCode, output: String, talk: String) {
        let number = TestCard.all.first { $0.name == card }?.number ?? ""
        let device = BufferDevice(
            input: #"{"number": "\#(number)", "expiry": "12/2039", "cvv": "737", "name": "Ada Okoro"}"#)
        var environment = environment
        if let baseURL { environment["GATEWAYKIT_SPREEDLY_BASE_URL"] = baseURL }
        if pages {
            environment = environment.filter { !$0.key.contains("SPREEDLY") }.merging(safepay) { $1 }
        }
        let code = await Commands.run(line + " -v -o json --timeout 300s", device, environment: environment)
        let secrets = ["4111111111111111", environment["SPREEDLY_ACCESS_SECRET"] ?? ""].map { Sensitive($0) }
        let leaks = LeakSearch(secrets).leaks(in: device.output + "\n" + device.talk)
        #expect(leaks.isEmpty, "\(line): \(leaks)")
        return (code, device.output, device.talk)
    }

    private func json(_ run: (code: ExitCode, output: String, talk: String)) throws -> JSONValue {
        try JSONValue(parsing: Array(run.output.utf8))
    }

    private func movements() -> [String] { sandbox.ledger.entries.compactMap { $0.movement?.kind } }

    @Test("a payment's life: paid, paid again, refunded in parts, shown")
    func life() async throws {
        defer { clean() }
        let pay = "pay purchase --amount 10.00 --currency USD --order 7 --intent order-7 --card-stdin --key press-1"
        let first = await run(pay)
        #expect(first.code == .done, "\(first)")
        let paid = try json(first)
        #expect(try paid["schema"].string() == "gatewayctl.pay-purchase/1")
        #expect(try paid["intent"].string() == "order-7" && paid["key"].string() == "press-1")
        let attempt = try paid["attempt"].string()
        let again = await run(pay.replacing("press-1", "press-2"))
        #expect(again.code == .done)
        #expect(try json(again)["attempt"].string() == attempt)
        #expect(try json(again)["joined"].bool())
        #expect(movements() == ["purchase"])

        let refund = await run("pay refund order-7 --amount 3.00 --key r1 --by olga --reason returned")
        #expect(refund.code == .done, "\(refund)")
        #expect(try json(refund)["requestedBy"].string() == "olga")
        #expect(await run("pay refund order-7 --amount 3.00 --key r1").code == .done)
        #expect(await run("pay refund \(attempt) --amount 3.00 --key r2").code == .done)
        let tooMuch = await run("pay refund order-7 --amount 4.01 --key r3")
        #expect(tooMuch.code == .badInput)
        #expect(try json(tooMuch)["result"].string() == "nothing-moved")
        #expect(await run("pay refund order-7 --key r4").code == .done)
        #expect(movements() == ["purchase", "refund", "refund", "refund"])

        let shown = await run("pay show order-7")
        #expect(try json(shown)["refunded"].string() == "10.00 USD")
        #expect(try json(shown)["attempts"].elements().count == 4)
        #expect(try json(await run("pay list"))["payments"].elements().count == 1)
        #expect(try json(await run("attempts list --order 7"))["attempts"].elements().count == 4)
        let history = try json(await run("attempts show \(attempt)"))["history"].elements()
        #expect(try history.map { try $0["state"].string() } == ["prepared", "sending", "approved"])
    }

    @Test("authorize, capture in part, capture the rest, void another")
    func reserve() async throws {
        defer { clean() }
        #expect(await run("pay authorize --amount 50 --currency EUR --intent a --card-stdin").code == .done)
        #expect(await run("pay capture a --amount 20 --key c1").code == .done)
        let rest = await run("pay capture a")
        #expect(try json(rest)["amount"].string() == "30.00 EUR")
        #expect(await run("pay authorize --amount 50 --currency EUR --intent b --card-stdin").code == .done)
        #expect(await run("pay void b").code == .done)
        #expect(try json(await run("pay void b"))["joined"].bool())
        #expect(movements() == ["authorization", "capture", "capture", "authorization", "void"])
        #expect(await run("pay verify --intent v --card-stdin").code == .done)
    }

    @Test(
        "R5, F2: an unclear outcome ends with 4, says how to settle it, and is settled by looking, not by paying again")
    func unclear() async throws {
        defer { clean() }
        sandbox.faults.add(try FaultRule("spreedly.purchase=answer-lost"))
        let pay = "pay purchase --amount 10.00 --currency USD --intent order-8 --card-stdin --key "
        let lost = await run(pay + "k1")
        #expect(lost.code == .outcomeUnknown, "\(lost)")
        let next = try json(lost)["next"].elements().map { try $0.string() }
        #expect(next.first?.hasPrefix("gatewayctl pay reconcile") == true && next.count == 3)
        #expect(await run(pay + "k2").code == .outcomeUnknown)
        #expect(movements() == ["purchase"])
        let settled = await run("pay reconcile --account spreedly")
        #expect(settled.code == .done, "\(settled)")
        #expect(try json(settled)["entries"].elements().map { try $0["result"].string() } == ["settled"])
        #expect(await run(pay + "k3").code == .done)
        #expect(movements() == ["purchase"])
    }

    @Test("what no look-up settles yet, a person does, with name and evidence")
    func resolved() async throws {
        defer { clean() }
        sandbox.faults.add(try FaultRule("spreedly.purchase=answer-lost+unprocessed"))
        let lost = await run("pay purchase --amount 10.00 --currency USD --intent order-9 --card-stdin")
        let attempt = try json(lost)["attempt"].string()
        #expect(await run("pay reconcile").code == .outcomeUnknown)
        #expect(await run("pay resolve \(attempt) --did-not-happen --by olga").code == .usage)
        let resolved = await run("pay resolve \(attempt) --did-not-happen --by olga --evidence statement-7")
        #expect(resolved.code == .done, "\(resolved)")
        let last = try json(await run("attempts show \(attempt)"))["history"].elements().last
        #expect(try last?["by"].string() == "olga")
        #expect(await run("pay purchase --amount 10.00 --currency USD --intent order-9 --card-stdin").code == .done)
    }

    @Test("a decline ends with 2 and may be followed by another card")
    func declined() async throws {
        defer { clean() }
        let pay = "pay purchase --amount 10.00 --currency USD --intent order-10 --card-stdin --key "
        let no = await run(pay + "first", card: "visa-declined")
        #expect(no.code == .providerSaidNo, "\(no)")
        #expect(try json(no)["result"].string() == "declined")
        #expect(await run(pay + "second").code == .done)
        #expect(movements() == ["purchase"])
    }

    @Test("nobody there: nothing moved, and intent and key are told all the same")
    func unreachable() async throws {
        defer { clean() }
        // Not the port of a sandbox that has stopped: another test's may be given it.
        let none = await run(
            "pay purchase --amount 10.00 --currency USD --intent order-11 --key k --token 01ABCDEFGHJKMNPQRSTVWXYZ12",
            baseURL: "http://127.0.0.1:1/spreedly/v1")
        #expect(none.code == .noAnswer, "\(none)")
        #expect(try json(none)["result"].string() == "nothing-moved")
        #expect(try json(none)["intent"].string() == "order-11" && json(none)["key"].string() == "k")
    }

    @Test("payments that the journal does not know are listed")
    func strangers() async throws {
        defer { clean() }
        #expect(await run("pay purchase --amount 10.00 --currency USD --intent a --card-stdin").code == .done)
        let other = folder + "/other.sqlite"
        defer { for end in ["", ".key", "-journal"] { unlink(other + end) } }
        let listed = await run(
            "pay reconcile --journal \(other) --compare-from 2020-01-01T00:00:00Z --compare-to 2100-01-01T00:00:00Z")
        #expect(listed.code == .done, "\(listed)")
        #expect(try json(listed)["strangers"].elements().count == 1)
        let own = await run("pay reconcile --compare-from 2020-01-01T00:00:00Z --compare-to 2100-01-01T00:00:00Z")
        #expect(try json(own)["strangers"].elements().isEmpty)
        #expect(try json(own)["compared"].integer() == 1)
    }

    @Test("the journal's place is told, and nobody else may read journal and key")
    func place() async throws {
        defer { clean() }
        #expect(await run("pay purchase --amount 1 --currency USD --intent a --card-stdin").code == .done)
        let shown = try json(await run("config show"))["journal"]
        let path = try shown["path"].string()
        #expect(path == folder + "/gatewaykit/journal.sqlite")
        for file in [path, path + ".key"] {
            var status = stat()
            #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(file)")
        }
        #expect(try json(await run("config show --journal /elsewhere/j"))["journal"]["origin"].string() == "--journal")
        chmod(path + ".key", 0o644)
        #expect(await run("pay purchase --amount 1 --currency USD --intent b --card-stdin").code == .configuration)
        chmod(path + ".key", 0o600)
        let journal = try #require(fopen(path, "r"))
        defer { fclose(journal) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, journal)
        let leaks = LeakSearch([Sensitive("4111111111111111")]).leaks(
            in: String(decoding: bytes[0..<count], as: UTF8.self))
        #expect(leaks.isEmpty)
    }

    @Test("a credit is given once, with who and why, and is neither voided nor refunded")
    func credit() async throws {
        defer { clean() }
        let give = "pay credit --amount 5.00 --currency USD --intent owed-1 --card-stdin --by olga --reason late --key "
        let first = await run(give + "k1")
        #expect(first.code == .done, "\(first)")
        let given = try json(first)
        #expect(try given["schema"].string() == "gatewayctl.pay-credit/1" && given["kind"].string() == "credit")
        #expect(try given["requestedBy"].string() == "olga" && given["reason"].string() == "late")
        let again = await run(give + "k2")
        #expect(try json(again)["joined"].bool() && again.code == .done)
        #expect(await run("pay void owed-1").code == .badInput)
        #expect(await run("pay refund owed-1").code == .badInput)
        #expect(await run("pay purchase --amount 5 --currency USD --intent owed-1 --card-stdin").code == .badInput)
        #expect(try json(await run("pay show owed-1"))["attempts"].elements().count == 1)
        #expect(movements() == ["credit"])
        sandbox.faults.add(try FaultRule("spreedly.general-credit=answer-lost"))
        #expect(await run("pay credit --amount 5 --currency USD --intent owed-2 --card-stdin").code == .outcomeUnknown)
        #expect(await run("pay reconcile").code == .done)
        #expect(movements() == ["credit", "credit"])
    }

    @Test("an order that was given up: nothing new begins, and a late approval is told as one")
    func givenUp() async throws {
        defer { clean() }
        sandbox.faults.add(try FaultRule("spreedly.purchase=answer-lost"))
        let pay = "pay purchase --amount 10.00 --currency USD --intent order-12 --card-stdin --key "
        #expect(await run(pay + "k1").code == .outcomeUnknown)
        #expect(await run("pay give-up order-12").code == .usage)
        let given = await run("pay give-up order-12 --by olga")
        #expect(given.code == .done, "\(given)")
        #expect(try json(given)["schema"].string() == "gatewayctl.pay-give-up/1")
        #expect(try json(given)["state"].string() == "unknown")
        #expect(try json(given)["next"].elements().first?.string().hasPrefix("gatewayctl pay reconcile") == true)
        let again = await run("pay give-up order-12 --by otto")
        #expect(try json(again)["givenUpAt"].string() == json(given)["givenUpAt"].string())
        let report = await run("pay reconcile")
        #expect(try json(report)["entries"].elements().map { try $0["result"].string() } == ["lateApproval"])
        #expect(report.talk.contains("given up"))
        let paid = await run("pay give-up order-12 --by olga")
        #expect(paid.code == .done && paid.talk.contains("paid already"))
        #expect(movements() == ["purchase"])

        let declined = pay.replacing("order-12", "order-13")
        #expect(await run(declined + "k1", card: "visa-declined").code == .providerSaidNo)
        #expect(await run("pay give-up order-13 --by olga").code == .done)
        #expect(await run(declined + "k2").code == .badInput)
    }

    @Test("a purge takes personal data of what is settled, when it is confirmed, and leaves the keys")
    func purged() async throws {
        defer { clean() }
        let pay = "pay purchase --amount 10.00 --currency USD --order Lovelace --intent order-14 --card-stdin --key k1"
        #expect(await run(pay).code == .done)
        #expect(await run("pay refund order-14 --amount 3 --key r1 --by olga --reason unhappy").code == .done)
        let old = "attempts purge --before 2020-01-01T00:00:00Z"
        #expect(await run(old).code == .usage, "not confirmed")
        #expect(await run("attempts purge --yes").code == .usage)
        #expect(await run("attempts purge --before 2999-01-01T00:00:00Z --yes").code == .usage)
        let none = await run(old + " --yes")
        #expect(none.code == .done)
        #expect(try json(none)["schema"].string() == "gatewayctl.attempts-purge/1")
        #expect(try json(none)["purged"].integer() == 0)
        #expect(try json(await run("pay show order-14"))["order"].string() == "Lovelace")
        // Seconds are the journal's grain: what was settled in this one is not settled before it.
        var wait = 0
        var count: Int64 = 0
        while count == 0, wait < 2_000 {
            wait += 1
            let now = WallClock.system.now().rfc3339
            count = Int64(try json(await run("attempts purge --before \(now) --yes"))["purged"].integer())
        }
        #expect(count == 1)
        let shown = await run("pay show order-14")
        #expect(try json(shown)["refunded"].string() == "3.00 USD" && json(shown)["order"].kind == .null)
        #expect(!shown.output.contains("olga") && !shown.output.contains("unhappy"))
        #expect(await run("pay refund order-14 --amount 3 --key r1").code == .done)
        #expect(movements() == ["purchase", "refund"])
    }

    @Test("a next action is shown again from the journal, until the payment is over")
    func nextAction() async throws {
        defer { clean() }
        let first = await run(
            "pay purchase --amount 30.03 --currency USD --intent order-15 --card-stdin --option attempt3DSecure=true "
                + "--option threeDSVersion=2 --option browserInfo=e30= --return-url https://shop.example/back",
            card: "visa-3ds")
        #expect(first.code == .actionNeeded, "\(first)")
        let page = try json(first)["nextAction"]["html"].string()
        let attempt = try json(first)["attempt"].string()
        let before = sandbox.ledger.count
        #expect(try json(await run("pay show order-15"))["nextAction"]["html"].string() == page)
        #expect(try json(await run("attempts show \(attempt)"))["nextAction"]["html"].string() == page)
        #expect(sandbox.ledger.count == before)
        #expect(await run("pay resume order-15").code == .done)
        #expect(try json(await run("pay show order-15"))["nextAction"].kind == .null)
    }

    @Test("a page that takes money: one for an intent, told again from the journal, and proven by no address")
    func page() async throws {
        defer { clean() }
        let open =
            "pay checkout --amount 1500 --currency PKR --intent order-18 --order 18 --return-url https://shop.example/back "
            + "--cancel-url https://shop.example/cart --key "
        let first = await run(open + "k1", pages: true)
        #expect(first.code == .actionNeeded, "\(first)")
        let opened = try json(first)
        #expect(try opened["schema"].string() == "gatewayctl.pay-checkout/1" && opened["state"].string() == "pending")
        let url = try opened["nextAction"]["url"].string()
        let again = await run(open + "k2", pages: true)
        #expect(try json(again)["joined"].bool() && json(again)["nextAction"]["url"].string() == url)
        #expect(try json(await run("pay show order-18", pages: true))["nextAction"]["url"].string() == url)
        #expect(await run("pay resume order-18", pages: true).code == .actionNeeded)
        #expect(await run("pay reconcile", pages: true).code == .outcomeUnknown)
        #expect(await run(open.replacing("1500", "1501") + "k3", pages: true).code == .badInput)
        #expect(movements().isEmpty)
        let embedded = await run(
            "pay checkout --amount 1500 --currency PKR --intent order-19 --surface embedded", pages: true)
        #expect(embedded.code == .actionNeeded, "\(embedded)")
        let address = try json(embedded)["nextAction"]["url"].string()
        #expect(address.contains("tbt=") && !address.contains("FILTERED") && !address.contains("*"), "\(address)")
        #expect(try json(await run("pay show order-19", pages: true))["nextAction"]["url"].string() == address)
        #expect(await run(open + "k1").code == .configuration, "this account has no pages")
    }

    @Test("R1: the same key with a card given once more is another request: refused, and told so")
    func anotherToken() async throws {
        defer { clean() }
        let pay = "pay purchase --amount 10.00 --currency USD --intent order-16 --card-stdin --key press-1"
        #expect(await run(pay).code == .done)
        let again = await run(pay)
        #expect(again.code == .badInput && again.talk.contains("another token"), "\(again)")
        #expect(movements() == ["purchase"])
    }

    @Test("no token, no answer: nothing was stored and no payment begun, which is no unknown outcome")
    func noToken() async throws {
        defer { clean() }
        let none = await run(
            "pay purchase --amount 10.00 --currency USD --intent order-17 --card-stdin",
            baseURL: "http://127.0.0.1:1/spreedly/v1")
        #expect(none.code == .noAnswer, "\(none)")
    }

    static let wrong: [(line: String, code: ExitCode)] = [
        ("pay credit --amount 10 --currency USD --token t --option nothing=1", .usage),
        ("pay give-up nobody --by olga", .badInput),
        ("pay give-up x --by olga --sandbox -p spreedly", .usage),
        ("attempts purge --before yesterday --yes", .usage),
        ("pay purchase --currency USD --token t", .usage),
        ("pay purchase --amount 10.001 --currency USD --token t", .usage),
        ("pay purchase --amount 10 --currency XXX --token t", .usage),
        ("pay purchase --amount 10 --currency USD --token t --initiator merchant", .usage),
        ("pay purchase --amount 10 --currency USD --token t --option nothing=1", .usage),
        ("pay refund nobody", .badInput),
        ("pay show nobody", .badInput),
        ("attempts show nobody", .badInput),
        ("pay resolve nobody --happened --by o --evidence e", .badInput),
        ("pay reconcile --compare-from yesterday", .usage),
        ("pay refund x --sandbox -p spreedly", .usage),
    ]

    @Test("what cannot be done is refused before anything is sent", arguments: wrong.indices)
    func refused(_ index: Int) async throws {
        defer { clean() }
        let result = await run(Self.wrong[index].line)
        #expect(result.code == Self.wrong[index].code, "\(result)")
        #expect(sandbox.ledger.count == 0)
    }
}

extension String {
    fileprivate func replacing(_ part: String, _ other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
