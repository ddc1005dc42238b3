import GatewayKit
import GatewayKitCore

extension Root {
    /// `session open|attach|status|watch`.
    static let session = Command(
        "session", summary: "Open a session at a provider, send a card in it, and see what becomes of it",
        discussion: """
            A backend opens a session with the account's secret key and hands its reference on; who has the reference \
            sends the card. At some providers the reference is all the permission that takes: treat it as confidential. \
            SESSION may be '-', which reads it from stdin.

            Not every provider has sessions. Where there are none, 'open' answers at once with a reference that stands \
            for the account.
            """,
        examples: [
            .init("gatewayctl session open --account eu", "A new session, and its reference:"),
            .init(
                "gatewayctl session attach --account eu 5f0c7a1e-32c4-4b7d-9a51-d6f2b8e4c093 --card-stdin < card.json",
                "A card for it:"),
            .init(
                "gatewayctl session watch --account eu 5f0c7a1e-32c4-4b7d-9a51-d6f2b8e4c093",
                "What becomes of it, until it ends:"),
        ],
        subcommands: [sessionOpen, sessionAttach, sessionStatus, sessionWatch])

    private static let sessionOpen = Command(
        "open", summary: "Open a session and print its reference",
        discussion: """
            Sends no card data and moves no money. A session that nobody uses expires by itself, so that a lost answer is \
            no unknown outcome: open another. With --sandbox the \
            session ends with the command: keep a sandbox with 'gatewayctl sandbox serve' to go on with it.

            Some providers fix the amount, the shopper and how the card comes when the session is opened; what a provider \
            cannot do without, and what it cannot do, is refused by name before anything is sent.
            """,
        examples: [
            .init("gatewayctl session open --account eu", "At a configured account:"),
            .init(
                "gatewayctl session open -a pk --purpose payment --entry hostedPage --amount 1500.00 --currency PKR",
                "For a payment on the provider's page:"),
            .init(
                "gatewayctl session open --account eu -o json | jq -r .session | gatewayctl session status -a eu -",
                "Handed on without showing it:"),
        ],
        options: AccountRun.options + SessionOptions.all, rules: AccountChoice.rules
    ) { invocation in
        let request = try SessionOptions.request(invocation)
        return try await AccountRun.run(invocation, isRead: true) { opened, call, terminal in
            let session = try await opened.gateway.requireTokens().openSession(request, call)
            terminal.emit(
                Report(
                    schema: AccountRun.schema(invocation),
                    fields: SessionReport.fields(of: opened.settings) + [
                        Field("Session", "session", .identifier(session.reference.id))
                    ]))
            return .done
        }
    }

    private static let sessionAttach = Command(
        "attach", summary: "Send a card or another instrument in a session that someone else opened",
        discussion: """
            The instrument is given as for 'gatewayctl tokenize'. It is sent once. A run whose outcome is unknown ends \
            with exit code 4: ask the session with 'gatewayctl session status' instead of sending again.
            """,
        examples: [
            .init(
                "gatewayctl session attach --account eu 5f0c7a1e-32c4-4b7d-9a51-d6f2b8e4c093 --card-stdin < card.json",
                "A card from stdin:"),
            .init(
                "gatewayctl session attach --account eu --test-card visa - < session.txt",
                "A test card, and the reference from stdin:"),
        ],
        options: TokenizeRun.options, rules: TokenizeRun.rules, positionals: [SessionInput.positional]
    ) { invocation in
        let id = try SessionInput.read(invocation, stdinIsTaken: TokenizeRun.readsStdin(invocation))
        return try await TokenizeRun.run(invocation) { (tokens, settings, request, call) async throws(GatewayError) in
            let session = try tokens.attach(SessionReference(account: settings.name, id: id))
            return try await tokens.tokenize(request, in: session, call)
        }
    }

    private static let sessionStatus = Command(
        "status", summary: "Ask once where a session stands",
        discussion: """
            The exit code tells: 0 succeeded, 2 failed or expired, 3 open (it waits for card data or the shopper), 4 \
            processing or not known.
            """,
        examples: [
            .init("gatewayctl session status --account eu 5f0c7a1e-32c4-4b7d-9a51-d6f2b8e4c093", "By its reference:"),
            .init("gatewayctl session status --account eu - < session.txt", "By a reference from stdin:"),
        ],
        options: AccountRun.options, rules: AccountChoice.rules, positionals: [SessionInput.positional]
    ) { invocation in
        let id = try SessionInput.read(invocation)
        return try await AccountRun.run(invocation, isRead: true) { opened, call, terminal in
            let status = try await opened.gateway.requireSessions().status(
                of: SessionReference(account: opened.settings.name, id: id), call)
            terminal.emit(
                Report(
                    schema: AccountRun.schema(invocation),
                    fields: SessionReport.fields(of: opened.settings) + SessionReport.fields(of: status)))
            return SessionReport.exitCode(of: status.phase)
        }
    }

    private static let firstWait = Option.value(
        "first-wait", "TIME", reading: .duration, default: PollingPolicy().firstWait,
        help: "Wait this long before the second question; later waits are longer.")
    private static let longestWait = Option.value(
        "longest-wait", "TIME", reading: .duration, default: PollingPolicy().longestWait,
        help: "Wait no longer than this between two questions, unless the provider asks for more.")
    private static let maximumFailures = Option.value(
        "max-failures", "N", reading: .integer(in: 1...1_000),
        help: "Give up after so many failed questions in a row, instead of at the end of the time.")

    private static let sessionWatch = Command(
        "watch", summary: "Ask again and again where a session stands, until it ends",
        discussion: """
            Prints a line for each change; with '--output json' one JSON object per line, failed questions and the end \
            included. It ends when the session does, or after --timeout (10m without it). Failed questions are survived, \
            unless asking again cannot help (no such session, refused credentials).

            The exit code tells: 0 succeeded, 2 failed or expired, 3 still open, 4 still processing or not known, 5 or 6 \
            when no question was answered. Codes 3 and 4 are no failure of the session: watch it again.
            """,
        examples: [
            .init(
                "gatewayctl session watch --account eu 5f0c7a1e-32c4-4b7d-9a51-d6f2b8e4c093 --timeout 5m",
                "For five minutes at most:"),
            .init(
                "gatewayctl session watch -a eu -o json - < session.txt | jq -r 'select(.event == \"end\").reason'",
                "For a script:"),
        ],
        options: AccountChoice.all + [firstWait, longestWait, maximumFailures], rules: AccountChoice.rules,
        positionals: [SessionInput.positional]
    ) { invocation in
        let id = try SessionInput.read(invocation)
        let policy = PollingPolicy(
            firstWait: invocation[firstWait], longestWait: invocation[longestWait],
            deadline: invocation[GlobalOptions.timeout] ?? PollingPolicy().deadline,
            maximumFailures: invocation[maximumFailures])
        return try await AccountRun.run(invocation, isRead: true) { opened, _, terminal in
            let updates = try opened.gateway.requireSessions().updates(
                of: SessionReference(account: opened.settings.name, id: id), policy: policy)
            return await SessionWatch(settings: opened.settings, terminal: terminal).run(updates)
        }
    }
}
