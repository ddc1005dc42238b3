import GatewayKitCore

/// The pages' HTML. What the real ones look like is not imitated.
enum SafepayPageViews {
    /// The cards to choose from, by their names in ``TestCard``.
    private static let cards = [
        ("visa", "pays without a question"), ("mastercard", "pays without a question"),
        ("3ds-cardinal-challenge", "asks first"), ("3ds-cardinal-challenge-mastercard", "asks first"),
        ("3ds-app-failed", "authentication fails"),
    ]

    static func checkout(_ page: SafepayPage, title: String, line: String, problem: String? = nil) -> SandboxReply {
        let options = cards.compactMap { name, words -> String? in
            guard let card = TestCard.named(name) else { return nil }
            return "<option value=\"\(card.number)\">\(card.brand) ending \(card.number.suffix(4)): \(words)</option>"
        }
        let body = """
            <p>\(SafepayHTML.escaped(line))</p>
            \(problem.map { "<p class=\"bad\">\(SafepayHTML.escaped($0))</p>" } ?? "")
            <form method="post" action="\(SafepayHTML.escaped(page.link))">
            <label for="card">Test card</label>
            <select id="card" name="card">\(options.joined())</select>
            <p><button class="go" name="outcome" value="pay">Pay</button>
            <button name="outcome" value="fail">Fail</button>
            <button name="outcome" value="cancel">Cancel</button></p>
            </form>
            <p class="note">GatewayKit's sandbox: no money moves.</p>
            """
        return SafepayHTML.reply(200, title: title, body: body)
    }

    /// The imitated issuer's question.
    static func challenge(_ challenge: SafepayChallenge) -> SandboxReply {
        let body = """
            <p>The issuer of the card ending \(challenge.card.summary.lastFour ?? "") asks its holder.</p>
            <form method="post" action="/safepay/cruise/answer">
            <input type="hidden" name="JWT" value="\(SafepayHTML.escaped(challenge.accessToken))">
            <button class="go" name="outcome" value="success">It is me</button>
            <button name="outcome" value="failure">It is not me</button>
            </form>
            """
        return SafepayHTML.reply(200, title: "Test Bank", body: body)
    }

    /// Sends a form on by itself, and by a button where scripts are off.
    static func sending(_ title: String, to address: String, _ fields: [(String, String)]) -> SandboxReply {
        let inputs = fields.map {
            "<input type=\"hidden\" name=\"\(SafepayHTML.escaped($0.0))\" value=\"\(SafepayHTML.escaped($0.1))\">"
        }
        let body = """
            <form method="post" action="\(SafepayHTML.escaped(address))">\(inputs.joined())
            <button class="go">Go on</button></form><script>document.forms[0].submit()</script>
            """
        return SafepayHTML.reply(200, title: title, body: body)
    }

    static func plain(status: Int = 200, _ title: String, _ text: String, link: String? = nil) -> SandboxReply {
        let back = link.map { "<p><a href=\"\(SafepayHTML.escaped($0))\">Go back</a></p>" } ?? ""
        return SafepayHTML.reply(status, title: title, body: "<p>\(SafepayHTML.escaped(text))</p>" + back)
    }
}
