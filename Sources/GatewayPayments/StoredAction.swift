public import GatewayKitCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is sealed with a pending attempt: the shopper's next action, or the page that was opened.
enum StoredAction: Equatable {
    case action(NextAction)
    case page(CheckoutPage)

    /// Longer ones are not kept: the provider gives them again.
    static let longest = 64 << 10

    /// What a caller is told to send the shopper to.
    var nextAction: NextAction {
        switch self {
        case .action(let action): action
        case .page(let page): .redirect(method: .get, url: page.url, fields: [])
        }
    }

    var page: CheckoutPage? { if case .page(let page) = self { page } else { nil } }

    /// What a sealed action belongs to.
    static func context(_ attempt: PaymentAttempt) -> [UInt8] {
        Array("journal action\n\(attempt.account)\n\(attempt.intentID)\n\(attempt.id)".utf8)
    }

    func bytes() -> [UInt8]? { (try? JSONEncoder().encode(self)).map { Array($0) } }

    init?(bytes: [UInt8]) {
        guard let read = try? JSONDecoder().decode(StoredAction.self, from: Data(bytes)) else { return nil }
        self = read
    }
}

extension StoredAction: Codable {
    private enum Key: String, CodingKey { case method, url, fields, html, page }

    init(from decoder: any Decoder) throws {
        let from = try decoder.container(keyedBy: Key.self)
        if let page = try from.decodeIfPresent(CheckoutPage.self, forKey: .page) {
            self = .page(page)
        } else if let html = try from.decodeIfPresent(String.self, forKey: .html) {
            self = .action(.html(html))
        } else {
            let word = try from.decode(String.self, forKey: .method)
            guard let method = HTTPMethod(rawValue: word) else {
                throw DecodingError.dataCorruptedError(forKey: .method, in: from, debugDescription: "no known method")
            }
            let pairs = try from.decode([[String]].self, forKey: .fields)
            let fields = pairs.compactMap { pair in
                pair.count == 2 ? NextAction.FormField(name: pair[0], value: pair[1]) : nil
            }
            self = .action(
                .redirect(method: method, url: try from.decode(String.self, forKey: .url), fields: fields))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var to = encoder.container(keyedBy: Key.self)
        switch self {
        case .page(let page): try to.encode(page, forKey: .page)
        case .action(.html(let html)): try to.encode(html, forKey: .html)
        case .action(.redirect(let method, let url, let fields)):
            try to.encode(method.rawValue, forKey: .method)
            try to.encode(url, forKey: .url)
            try to.encode(fields.map { [$0.name, $0.value] }, forKey: .fields)
        }
    }
}

extension PaymentService {
    /// Seals what goes with a pending attempt; `nil` where there is no sealer, it fails, or it is too long.
    func seal(_ action: StoredAction, _ attempt: PaymentAttempt) -> Sealed? {
        guard let sealer, let bytes = action.bytes(), bytes.count <= StoredAction.longest else { return nil }
        return try? sealer.seal(Sensitive(bytes), context: StoredAction.context(attempt))
    }

    /// What was sealed with an attempt; `nil` where nothing was, or this service's key does not open it.
    func unseal(_ attempt: PaymentAttempt) -> StoredAction? { sealer.flatMap { StoredAction(attempt, $0) } }
}

extension StoredAction {
    fileprivate init?(_ attempt: PaymentAttempt, _ sealer: any Sealer) {
        guard let sealed = attempt.sealedAction,
            let content = try? sealer.open(sealed, context: Self.context(attempt))
        else { return nil }
        self.init(bytes: content.withExposed { $0 })
    }
}

extension PaymentAttempt {
    /// What the shopper has to do next, as it was told last; of an open page, its address. Asks nobody.
    ///
    /// - Parameter sealer: With the journal's key.
    /// - Returns: `nil` when the attempt waits for no shopper, nothing was kept, or the key is another one.
    public func nextAction(_ sealer: any Sealer) -> NextAction? {
        state == .pending ? StoredAction(self, sealer)?.nextAction : nil
    }
}
