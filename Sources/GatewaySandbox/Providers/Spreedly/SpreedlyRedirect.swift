import GatewayKitCore

/// The transparent redirect: a browser posts a form, and is sent on to the shop with the token (dossier 1.3, 1.7).
///
/// Guesses: only the path without suffix takes forms; the environment key is a field of the form, and a secret has no
/// business there; what is wrong is answered as in JSON, and the browser is not sent on; the address to go on to must
/// be an http or https URL.
struct SpreedlyRedirect {
    /// The form as the JSON of a create call.
    let root: JSONValue
    private let target: String

    private static let flags: Set = [
        "allow_blank_name", "allow_expired_date", "allow_blank_date", "eligible_for_card_updater",
        "provision_network_token", "retained",
    ]
    private static let groups = ["credit_card", "bank_account", "metadata"]

    /// `nil` when the request is no such form.
    init?(_ request: ReceivedRequest, access: SpreedlyAccess) throws(SpreedlyRefusal) {
        let type = request.value(of: "content-type")?.lowercased().prefix { $0 != ";" && $0 != " " }
        guard type == "application/x-www-form-urlencoded", request.path.last == "payment_methods" else { return nil }
        guard let items = try? HeadReader.items(request.body[...]) else { throw .unreadableForm }
        if !request.values(of: "authorization").isEmpty { try access.checkBasic(request) }
        try access.check(items.filter { $0.name == "environment_key" }.map(\.value))
        guard let root = try? JSONValue(parsing: Self.json(items)) else { throw .unreadableForm }
        let targets = items.filter { $0.name == "redirect_url" }.map(\.value)
        guard let target = targets.first, !target.isEmpty else { throw SpreedlyRefusal(422, [.blank("redirect_url")]) }
        guard targets.count == 1, Self.isAddress(target) else { throw SpreedlyRefusal(422, [.invalid("redirect_url")]) }
        self.root = root
        self.target = target
    }

    /// Where the browser goes.
    func location(token: String) -> String {
        let base = target.prefix { $0 != "#" }
        return base + (base.contains("?") ? "&" : "?") + "token=" + token + target.dropFirst(base.count)
    }

    private static func isAddress(_ text: String) -> Bool {
        let lowered = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lowered.hasPrefix($0) }) else { return false }
        let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        return !host.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// `credit_card[number]=…` is the member `number` of `credit_card`; groups that are not known are left out.
    private static func json(_ items: [ReceivedRequest.QueryItem]) -> [UInt8] {
        AnswerWriter.object { root in
            root.object("payment_method") { body in
                for item in items where !item.name.contains("[") { put(item.name, item.value, to: &body) }
                for group in groups {
                    let members = items.filter { $0.name.hasPrefix(group + "[") && $0.name.hasSuffix("]") }
                    guard !members.isEmpty else { continue }
                    body.object(group) { inner in
                        for member in members {
                            put(String(member.name.dropFirst(group.count + 1).dropLast()), member.value, to: &inner)
                        }
                    }
                }
            }
        }
    }

    /// Forms know only text, so flags are told by their names.
    private static func put(_ name: String, _ value: String, to body: inout AnswerWriter) {
        if flags.contains(name), value == "true" || value == "false" {
            body.set(name, value == "true")
        } else {
            body.set(foreign: name, value)
        }
    }
}
