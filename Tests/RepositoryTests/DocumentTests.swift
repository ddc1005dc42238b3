import Foundation
import Testing

@Suite struct Documents {
    @Test(arguments: [
        ("README.md", "Snippets/ChooseAccount.swift"), ("Docs/Testing.md", "Snippets/TransportSuite.swift"),
        ("Docs/Payments.md", "Snippets/Pay.swift"),
        ("Docs/Sessions.md", "Snippets/WatchSession.swift"),
        ("Docs/HostedCheckout.md", "Snippets/ConfirmCheckout.swift"),
        ("Docs/Checkout.md", "Snippets/CheckoutForm.swift"),
    ])
    func theDocumentShowsTheSnippetThatIsCompiled(document: String, path: String) {
        let snippet = Checkout.text(path).split(separator: "// snippet.show\n").last ?? ""
        #expect(!snippet.isEmpty)
        #expect(Checkout.text(document).contains("```swift\n" + snippet + "```"))
    }

    @Test func everyRelativeLinkLeadsSomewhere() {
        let existing = Set(Checkout.paths)
        var broken: [String] = []
        for path in Checkout.paths where path.hasSuffix(".md") {
            let folder = path.split(separator: "/").dropLast().map(String.init)
            for link in links(in: Checkout.text(path)) where !link.contains("://") && !link.hasPrefix("#") {
                let target = link.split(separator: "#").first.map(String.init) ?? ""
                var parts = folder
                for part in target.split(separator: "/") {
                    if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(String(part)) }
                }
                if !existing.contains(parts.joined(separator: "/")) { broken.append("\(path): \(link)") }
            }
        }
        #expect(broken.isEmpty, "\(broken)")
    }

    private func links(in text: String) -> [String] {
        text.split(separator: "](").dropFirst().compactMap { $0.split(separator: ")").first.map(String.init) }
    }

    @Test func noFileNamesAPathOfTheMachineItWasWrittenOn() {
        let places = [Checkout.root.path, FileManager.default.homeDirectoryForCurrentUser.path].map { $0 + "/" }
        let found = Checkout.paths.filter { path in
            let text = Checkout.text(path)
            return places.contains { $0.count > 3 && text.contains($0) }
        }
        #expect(found.isEmpty, "\(found)")
    }
}
