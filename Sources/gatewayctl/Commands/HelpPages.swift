import GatewayKit
import GatewayKitCore
import GatewaySandbox

extension HelpTopic {
    /// The form of a card on stdin.
    static let cardJSON = HelpTopic(name: "card-json", summary: "The form of a card on stdin") { _ in
        [
            .text("'--card-stdin' reads one JSON object. Only \"number\" is needed; providers want most of the rest:"),
            .table(CardJSON.form.map { (left: $0.name, right: $0.meaning) }),
            .text("\"month\" and \"year\" may stand instead of \"expiry\". An unknown member is an error."),
        ]
    }

    /// The edits of `card fields`.
    static let cardEdits = HelpTopic(name: "card-edits", summary: "The edits that drive the fields of a card") { _ in
        [
            .text("'gatewayctl card fields' reads one of these from each line of stdin:"),
            .table(CardEdits.form.map { (left: $0.name, right: $0.meaning) }),
            .text(
                """
                FIELD is number, expiry, securityCode (or cvc), or one that --field or --require adds. Places count the \
                characters of what the field shows, separators too. TEXT is everything behind one space. Empty lines \
                and lines that begin with # are passed over. For example:
                """),
            .text(
                """
                 number insert 4111 1111 1111 1111
                 expiry insert 6
                 expiry insert 31
                 cvc insert 123
                 number caret 4
                 number backspace 2
                 submit
                """),
        ]
    }

    /// The form of an instrument on stdin.
    static let instrumentJSON = HelpTopic(
        name: "instrument-json", summary: "The form of an instrument on stdin"
    ) { _ in
        [
            .text(
                """
                '--instrument-stdin' reads one JSON object. "kind" names one of these, and the other members are those \
                of the kind:
                """),
            .table(InstrumentJSON.form.map { (left: $0.name, right: $0.meaning) }),
            .text("Every kind may have \"shopper\", as in 'gatewayctl help card-json'. For example:"),
            .text(
                """
                 {"kind": "bankAccount",
                  "routingNumber": "021000021",
                  "accountNumber": "9876543210",
                  "type": "checking",
                  "holderType": "personal",
                  "name": "Ada Okoro"}
                """),
            .text("An unknown member is an error."),
        ]
    }

    /// Where configuration comes from.
    static let configuration = HelpTopic(
        name: "configuration", summary: "Where accounts and credentials come from"
    ) { _ in
        let rows = ProviderRegistry.all.providers.flatMap { provider in
            provider.settings.map { ($0.environmentVariable, "\(provider.displayName): \($0.help)") }
        }
        return [
            .text(
                """
                The strongest first: options, environment variables, the file that GATEWAYKIT_CONFIG names or else \
                gatewaykit.json in the working directory, gatewaykit/config.json below XDG_CONFIG_HOME or ~/.config, \
                defaults. 'gatewayctl config show' tells each value with its origin.
                """),
            .text("Without any file, these variables make an account that is named like its provider:"),
            .table(rows.map { (left: $0.0, right: $0.1) }),
            .text("A file names as many accounts as one likes:"),
            .text(
                """
                 {"defaultAccount": "eu",
                  "accounts": {
                    "eu": {"provider": "spreedly",
                           "environment": "test",
                           "environmentKey": {"env": "EU_KEY"},
                           "accessSecret": {"file": "/run/secrets/eu"}}}}
                """),
            .text(
                """
                A file that holds secrets itself must have mode 0600. For an account "eu" the variable \
                GATEWAYKIT_EU_ENVIRONMENT_KEY wins over the file, and GATEWAYKIT_EU_ENVIRONMENT_KEY_FILE names a file \
                that holds the value.
                """),
        ]
    }

    /// The kinds of fault.
    static let faults = HelpTopic(name: "faults", summary: "What the sandbox can make go wrong") { _ in
        [
            .text(
                """
                A rule is TARGET=KIND, with a target such as spreedly.tokenize, spreedly or *. Behind the kind may \
                stand, in this order: +processed or +unprocessed (whether the provider does its work all the same), \
                %PERCENT (the chance), *COUNT or *always (how often; once if absent), @AFTER (how many calls pass \
                first). Examples of each kind:
                """),
            .text(FaultKind.examples.map(\.description).joined(separator: " ")),
        ]
    }

    /// The variables that configuration reads, beside those of accounts.
    static let configurationVariables: [(name: String, meaning: String)] = [
        ("GATEWAYKIT_CONFIG", "The configuration file to read instead of gatewaykit.json."),
        ("GATEWAYKIT_ACCOUNT", "The account to use when none is named."),
        ("GATEWAYKIT_PROXY", "The proxy, such as http://proxy.example:3128. Also _PROXY_USER, _PROXY_PASSWORD."),
        ("GATEWAYKIT_NO_PROXY", "Hosts to reach without the proxy, with commas between."),
        ("GATEWAYKIT_CA_FILE", "A PEM file with further certificate authorities."),
        ("GATEWAYKIT_JOURNAL", "The journal of payments; gatewaykit/journal.sqlite below XDG_STATE_HOME otherwise."),
        ("GATEWAYKIT_TIMEOUT", "Seconds for a whole call; GATEWAYKIT_CONNECT_TIMEOUT for connecting."),
    ]
}
