import GatewayKitCore
import SpreedlyAdapter

extension Root {
    /// `sign-nonce`.
    static let signNonce = Command(
        "sign-nonce", summary: "Sign what lets a page or an app hand one card to Spreedly",
        discussion: """
            Spreedly's "enhanced" authentication: the set goes from a backend to Spreedly's SDK in the shopper's page or \
            app, and is taken once. It holds no secret of the account, but whoever has it can store one card. Makes no \
            call. The account needs certificateToken and signingKey.
            """,
        examples: [
            .init("gatewayctl sign-nonce --account eu -o json", "A set for one payment form:"),
            .init("gatewayctl sign-nonce --provider spreedly --sandbox", "What it looks like, without any account:"),
        ],
        options: AccountChoice.all, rules: AccountChoice.rules
    ) { invocation in
        let terminal = invocation.terminal
        do {
            let settings = try AccountChoice.open(invocation, observer: nil).settings
            let signed = try SpreedlySigner(settings).sign(at: terminal.now)
            terminal.emit(
                Report(
                    schema: "gatewayctl.sign-nonce/1",
                    fields: [
                        Field("Account", "account", .identifier(settings.name.description)),
                        Field("Nonce", "nonce", .identifier(signed.nonce)),
                        Field("Timestamp", "timestamp", .identifier(String(signed.timestamp))),
                        Field("Certificate token", "certificateToken", .identifier(signed.certificateToken)),
                        // This is what the command is for; it opens nothing a second time.
                        Field("Signature", "signature", .identifier(signed.signature.withExposed { $0 })),
                    ]))
            return .done
        } catch let error as GatewayError {
            return ResultReport.write(error, terminal)
        }
    }
}
