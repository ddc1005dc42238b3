import GatewayKit
import GatewayKitCore

extension Root {
    /// `checkout profile|check|url|classify|confirm|watch`.
    static let checkout = Command(
        "checkout", summary: "Open a provider's page for a shopper, judge the addresses it reaches, read the proof",
        discussion: """
            A provider's page takes the card, and the shopper's browser comes back with an address. That address proves \
            nothing: anybody can type it. 'classify' tells what it says, 'confirm' and 'watch' read from the provider \
            what is so.
            """,
        examples: [
            .init(
                "gatewayctl checkout url -a shop --amount 1500.00 --currency PKR "
                    + "--return-url https://shop.example/back --cancel-url https://shop.example/away",
                "A session and its page:"),
            .init(
                "gatewayctl checkout confirm -a shop SESSION --timeout 1m",
                "What became of it, by the provider's proof:"),
        ],
        subcommands: [
            CheckoutProfileCommand.command, CheckoutCheck.command, CheckoutURL.command, CheckoutClassify.command,
            CheckoutConfirm.command, CheckoutWatch.command,
        ])
}

/// The options that say which page it was, for the commands that come after its opening.
enum CheckoutPageOptions {
    static let surface = Option.value(
        "surface", "WHERE", reading: ValueReader<CheckoutPageRequest.Surface>.choice,
        default: CheckoutPageRequest.Surface.browser,
        help: "Where the page is shown: browser, mobile (a web view), embedded (a frame), subscription.")
    static let returnURL = Option.value(
        "return-url", "URL", reading: .text, help: "The shop's address that the browser comes back to. Without a query."
    )
    static let cancelURL = Option.value(
        "cancel-url", "URL", reading: .text, help: "The shop's address for a shopper who gives up.")

    static let all: [any OptionDeclaration] = [surface, returnURL, cancelURL]

    /// The page as the options describe it. Its own address, which may carry a token, is not needed to judge others.
    static func page(_ invocation: Invocation, _ settings: AccountSettings, session id: String) -> CheckoutPage {
        CheckoutPage(
            session: SessionReference(account: settings.name, id: id), url: "", surface: invocation[surface],
            returnURL: invocation[returnURL], cancelURL: invocation[cancelURL])
    }

    /// The lines of stdin, each an address as a browser reported it. Empty ones are left out.
    static func addresses(_ terminal: Terminal) throws -> [String] {
        let bytes = try terminal.readInput(awaiting: "addresses, one a line")
        return bytes.withExposed { bytes in
            bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
