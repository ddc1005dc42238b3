import GatewayKitCore

/// How commands are given the session that they are for.
enum SessionInput {
    static let positional = Positional.required(
        "SESSION", reading: .text, help: "The session's reference, or '-' to read it from stdin.")

    /// References as long as this are no ordinary words: they are masked wherever they turn up.
    private static let confidentialLength = 16

    /// Reads the reference, and protects it: whoever knows it may be able to act in the session.
    ///
    /// - Parameter stdinIsTaken: Whether something else is to be read from stdin.
    static func read(_ invocation: Invocation, stdinIsTaken: Bool = false) throws -> String {
        let terminal = invocation.terminal
        var id = try invocation.require(positional)
        if id == "-" {
            guard !stdinIsTaken else {
                throw invocation.usageError(
                    "'-' reads the session from stdin, where something else is to be read already")
            }
            let typed =
                terminal.isInputTerminal
                ? try terminal.readSecret(awaiting: "Session")
                : try terminal.readInput(awaiting: "the session's reference", limit: 16_384)
                    .map { String(decoding: $0, as: UTF8.self) }
            id = typed.withExposed { text in
                String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
            }
            guard !id.isEmpty, !id.contains(where: \.isWhitespace) else {
                throw Failure(
                    .badInput, "stdin holds no session's reference",
                    advice: ["It is one word, as 'gatewayctl session open' prints it."])
            }
        }
        protect(id, terminal)
        return id
    }

    /// Masks a reference that was given in another way, too.
    static func protect(_ id: String, _ terminal: Terminal) {
        if id.utf8.count >= confidentialLength { terminal.protect([Sensitive(id)]) }
    }
}
