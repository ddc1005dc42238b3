import GatewayKit
import GatewayKitCore

extension Root {
    /// `vault show|list|update|retain|redact|recache`.
    static let vault = Command(
        "vault", summary: "Look after what a provider has stored",
        discussion: """
            TOKEN is the token of a stored instrument: an id, no card data. A change whose outcome is unknown ends with \
            exit code 4: 'gatewayctl vault show' tells what became of it.
            """,
        examples: [
            .init("gatewayctl vault list --account eu --newest-first", "What was stored last:"),
            .init("gatewayctl vault show --account eu 01KZZ4M2Q8S6T1V0X9Y3B5D7FH", "One instrument:"),
        ],
        subcommands: [
            vaultShow, vaultList, vaultUpdate,
            vaultChange(
                "retain", "Keep an instrument beyond one payment",
                "Needs the shopper's consent."
            ) { (vault, id, call) async throws(GatewayError) in try await vault.retain(id, call) },
            vaultRedact, vaultRecache,
        ])

    private static let token = Positional.required(
        "TOKEN", reading: .text, help: "The token of a stored instrument.")

    private static let vaultShow = Command(
        "show", summary: "Show one stored instrument",
        examples: [.init("gatewayctl vault show --account eu 01KZZ4M2Q8S6T1V0X9Y3B5D7FH", "By its token:")],
        options: AccountRun.options, rules: AccountChoice.rules, positionals: [token]
    ) { invocation in
        let id = try invocation.require(token)
        return try await VaultRun.vault(invocation) { (vault, call) async throws(GatewayError) in
            try await vault.show(id, call)
        }
    }

    private typealias Change =
        @Sendable (any Vault, String, CallContext) async throws(GatewayError) -> VaultResult

    private static func vaultChange(
        _ name: String, _ summary: String, _ discussion: String, _ change: @escaping Change
    ) -> Command {
        Command(
            name, summary: summary, discussion: discussion,
            examples: [.init("gatewayctl vault \(name) --account eu 01KZZ4M2Q8S6T1V0X9Y3B5D7FH", "By its token:")],
            options: AccountRun.options, rules: AccountChoice.rules, positionals: [token]
        ) { invocation in
            let id = try invocation.require(token)
            return try await VaultRun.vault(invocation) { (vault, call) async throws(GatewayError) in
                try await change(vault, id, call)
            }
        }
    }

    private static let atGateway = Option.value(
        "at-gateway", "TOKEN", reading: .text,
        help: "Remove it at this gateway too, by the provider's id for the gateway.")
    private static let personalData = Option.flag(
        "personal-data", help: "Remove names, addresses and metadata too.")

    private static let vaultRedact = Command(
        "redact", summary: "Remove an instrument's data for good",
        discussion: "It cannot be undone. The token stays known, with nothing behind it.",
        examples: [
            .init("gatewayctl vault redact --account eu 01KZZ4M2Q8S6T1V0X9Y3B5D7FH", "By its token:"),
            .init(
                "gatewayctl vault redact --account eu 01KZZ4M2Q8S6T1V0X9Y3B5D7FH --personal-data",
                "With everything that tells whose it was:"),
        ],
        options: AccountRun.options + [atGateway, personalData], rules: AccountChoice.rules, positionals: [token]
    ) { invocation in
        let id = try invocation.require(token)
        let redaction = VaultRedaction(
            gateway: invocation[atGateway], removesPersonalData: invocation[personalData])
        return try await VaultRun.vault(invocation) { (vault, call) async throws(GatewayError) in
            try await vault.redact(id, redaction, call)
        }
    }

    private static let name = Option.value("name", "NAME", reading: .text, help: "The name on the card or account.")
    private static let expiry = Option.value(
        "expiry", "MM/YYYY", reading: .text, help: "When the card expires now.")
    private static let metadata = Option.list(
        "metadata", "KEY=VALUE", reading: .text, help: "An entry of the metadata to add or to replace.")
    private static let deleted = Option.list(
        "delete-metadata", "KEY", reading: .text, help: "An entry of the metadata to remove, after the other changes.")

    private static let vaultUpdate = Command(
        "update", summary: "Change what is not sensitive: names, addresses, metadata",
        examples: [
            .init(
                "gatewayctl vault update --account eu 01KZZ4M2Q8S6T1V0X9Y3B5D7FH --email ada@shop.example",
                "Another e-mail address:")
        ],
        options: AccountRun.options + [name, expiry] + ShopperOptions.all + [metadata, deleted],
        rules: AccountChoice.rules, positionals: [token]
    ) { invocation in
        let id = try invocation.require(token)
        var change = VaultUpdate(shopper: ShopperOptions.apply(invocation, to: Shopper()))
        change.shopper.name = invocation[name]
        if let text = invocation[expiry] {
            change.expiry = try CardSource.checked { try CardExpiry.read(text, now: invocation.terminal.now) }
        }
        change.metadata = try invocation.metadata(metadata)
        let keys = invocation[deleted]
        guard !change.isEmpty || !keys.isEmpty else {
            throw invocation.usageError("there is nothing to change: give what is to be changed")
        }
        let update = change
        return try await VaultRun.vault(invocation) { (vault, call) async throws(GatewayError) in
            guard !update.isEmpty else { return try await vault.deleteMetadata(keys, of: id, call) }
            let result = try await vault.update(id, update, call)
            guard case .done = result, !keys.isEmpty else { return result }
            return try await vault.deleteMetadata(keys, of: id, call)
        }
    }

    private static let newestFirst = Option.flag("newest-first", help: "The newest instrument first.")
    private static let limit = Option.value(
        "limit", "N", reading: .integer(in: 1...100_000), default: 20, help: "How many instruments to list at most.")
    private static let pageSize = Option.value(
        "page-size", "N", reading: .integer(in: 1...100), help: "How many instruments each request asks for.")
    private static let state = Option.value(
        "state", "WORD", reading: .text, help: "Only instruments in this state, by the provider's word.")
    private static let after = Option.value(
        "after", "TOKEN", reading: .text, help: "Only instruments behind this one in the list.")
    private static let filter = Option.list(
        "metadata", "KEY=VALUE", reading: .text, help: "Only instruments with this entry in their metadata.")

    private static let shopper = Option.value(
        "shopper-id", "ID", reading: .text,
        help: "Only instruments of this shopper, by the provider's id, where the provider keeps them by shopper.")

    private static let vaultList = Command(
        "list", summary: "List stored instruments, page by page",
        discussion: """
            A rate limit is waited out within the time of --timeout, which bounds each request. When there is more than \
            --limit, "next" is the token to go on from with --after.
            """,
        examples: [
            .init("gatewayctl vault list --account eu --state retained --limit 500 -o json", "Many, for a program:")
        ],
        options: AccountRun.options + [newestFirst, limit, pageSize, state, after, filter, shopper],
        rules: AccountChoice.rules
    ) { invocation in
        let limit = invocation[limit]
        let query = VaultQuery(
            order: invocation[newestFirst] ? .newestFirst : .oldestFirst,
            pageSize: invocation[pageSize] ?? min(limit, 100), providerState: invocation[state],
            metadata: try invocation.metadata(filter), after: invocation[after], shopperID: invocation[shopper])
        return try await AccountRun.run(invocation) { opened, call, terminal in
            var found: [StoredInstrument] = []
            var next: String?
            for try await stored in try opened.gateway.requireVault().list(query, call) {
                guard found.count < limit else {
                    next = found.last?.id
                    break
                }
                found.append(stored)
            }
            terminal.emit(
                Report(
                    schema: AccountRun.schema(invocation),
                    fields: [
                        Field("Account", "account", .identifier(opened.settings.name.description)),
                        Field("Provider", "provider", .identifier(opened.settings.provider.description)),
                        Field(
                            "Instruments", "instruments", .list(found.map { .object(ResultReport.fields(of: $0)) })),
                        Field("Next", "next", .identifier(orNull: next)),
                    ]))
            return .done
        }
    }

    private static let codeStdin = Option.flag(
        "code-stdin", help: "Read the security code from stdin; otherwise it is asked for without echo.")

    private static let vaultRecache = Command(
        "recache", summary: "Give a stored card a fresh security code",
        discussion: """
            Providers forget the code after its first use. It comes from stdin or from a prompt without echo, never from \
            the command line.
            """,
        examples: [
            .init("gatewayctl vault recache --account eu 01KZZ4M2Q8S6T1V0X9Y3B5D7FH", "The code is asked for:")
        ],
        options: AccountRun.options + [codeStdin], rules: AccountChoice.rules, positionals: [token]
    ) { invocation in
        let id = try invocation.require(token)
        let terminal = invocation.terminal
        let typed: Sensitive<String>
        if invocation[codeStdin] {
            typed = try terminal.readInput(awaiting: "the security code").map { String(decoding: $0, as: UTF8.self) }
        } else if terminal.isInputTerminal {
            typed = try terminal.readSecret(awaiting: "Security code")
        } else {
            throw invocation.usageError("no security code is given: use '--code-stdin'")
        }
        let code = try CardSource.checked { try SecurityCode(typed) }
        terminal.protect([code.sensitive])
        let request = TokenizationRequest(.storedCard(StoredCard(token: id, securityCode: code)))
        return try await AccountRun.run(invocation, isRead: true) { opened, call, terminal in
            ResultReport.write(
                try await opened.gateway.requireTokens().tokenize(request, call), opened.settings, terminal,
                schema: AccountRun.schema(invocation))
        }
    }
}

/// What the commands of the vault do around their call.
private enum VaultRun {
    /// Runs one call of the vault and writes its result.
    static func vault(
        _ invocation: Invocation,
        _ body: (any Vault, CallContext) async throws(GatewayError) -> VaultResult
    ) async throws -> ExitCode {
        try await AccountRun.run(invocation) { opened, call, terminal in
            ResultReport.write(
                try await body(opened.gateway.requireVault(), call), opened.settings, terminal,
                schema: AccountRun.schema(invocation))
        }
    }
}
