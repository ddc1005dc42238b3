import GatewayKitCore

/// The text of a Hosted Payment Fields token: 64 hexadecimal digits in lower case and one character that names the
/// server which knows it. It is session and payment token in one, and whoever knows it may submit to it.
struct BlueSnapToken: Sendable, Hashable {
    let text: String
    let server: Server

    /// The last character of a token (BlueSnap's iOS SDK, `BSToken`).
    enum Server: Character, CaseIterable, Sendable {
        case sandbox = "_"
        case ws1 = "1"
        case ws2 = "2"
    }

    /// Why a text is no token that can be used.
    enum Refusal: Error, Equatable {
        /// Not of the form of a token at all.
        case malformed
        /// Of the form, but its last character names no server: BlueSnap's `illegalToken`.
        case illegalSuffix
        /// A token of another environment.
        case otherEnvironment
    }

    init(_ text: String, servers: Set<Server>) throws(Refusal) {
        guard text.utf8.count == 65, text.utf8.prefix(64).allSatisfy(Self.isHexadecimal), let last = text.last else {
            throw .malformed
        }
        guard let server = Server(rawValue: last) else { throw .illegalSuffix }
        guard servers.contains(server) else { throw .otherEnvironment }
        self.text = text
        self.server = server
    }

    var sensitive: Sensitive<String> { Sensitive(text) }

    /// Whether BlueSnap made it from test data.
    var isTest: Bool { server == .sandbox }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension BlueSnapClient {
    /// The token behind a session of this account. Makes no call.
    /// - Throws: ``GatewayError/Code/invalidInput``.
    func token(_ reference: SessionReference) throws(GatewayError) -> BlueSnapToken {
        guard reference.accountName == account.name.description else {
            throw invalid(
                "This session belongs to another account or provider.",
                "Nothing was sent. Open a session on account \(account.name).")
        }
        do throws(BlueSnapToken.Refusal) {
            return try BlueSnapToken(reference.id, servers: BlueSnapEnvironments.servers(account.environment))
        } catch {
            throw invalid(Self.message(error), "Nothing was sent. Give a token as BlueSnap made it, or open a session.")
        }
    }

    private static func message(_ refusal: BlueSnapToken.Refusal) -> SafeText {
        switch refusal {
        case .malformed: "This is no BlueSnap token: it has 64 hexadecimal digits and one more character."
        case .illegalSuffix: "This BlueSnap token is illegal: its last character names no server."
        case .otherEnvironment: "This BlueSnap token is of another environment than the account."
        }
    }
}
