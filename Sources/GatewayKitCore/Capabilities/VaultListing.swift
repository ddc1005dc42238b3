/// The instruments of a vault, one after the other. Iterating twice asks twice.
public struct VaultListing: AsyncSequence, Sendable {
    /// What it gives.
    public typealias Element = StoredInstrument
    /// What it throws.
    public typealias Failure = GatewayError

    let vault: any Vault
    let query: VaultQuery
    let call: CallContext

    /// Begins at the first instrument.
    public func makeAsyncIterator() -> Iterator {
        Iterator(vault: vault, query: query, call: call, cursor: query.after)
    }

    /// Walks through the pages; a page is asked for when the one before is used up.
    public struct Iterator: AsyncIteratorProtocol {
        private let vault: any Vault
        private let query: VaultQuery
        private let call: CallContext
        private var cursor: String?
        private var page: ArraySlice<StoredInstrument> = []
        private var isAtEnd = false

        init(vault: any Vault, query: VaultQuery, call: CallContext, cursor: String?) {
            self.vault = vault
            self.query = query
            self.call = call
            self.cursor = cursor
        }

        /// The next instrument, or `nil` at the end and after an error.
        /// - Throws: ``GatewayError`` when a page cannot be had, and when a provider gives the same page again and
        ///   again.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(GatewayError) -> StoredInstrument? {
            while page.isEmpty, !isAtEnd {
                // An error ends the list, also for a caller who asks once more.
                isAtEnd = true
                let answer = try await vault.page(query, after: cursor, call)
                guard answer.next == nil || answer.next != cursor else {
                    throw GatewayError(
                        .unreadableAnswer, message: "The provider gives the same page of the list again.",
                        advice: "Ask the provider: its paging does not go on.", reach: .answered)
                }
                page = answer.instruments[...]
                cursor = answer.next
                isAtEnd = answer.next == nil
            }
            return page.popFirst()
        }
    }
}
