/// Looks after instruments that a provider has stored. Moves no money.
///
/// Not every vault can do everything: ``operations`` tells what this one can. What it cannot throws
/// ``GatewayError/Code/notSupported`` before anything is sent.
public protocol Vault: Sendable {
    /// What this vault can do.
    var operations: Set<VaultOperation> { get }

    /// Shows one instrument. A read: it may be repeated, and is, within the caller's time.
    ///
    /// Answers ``VaultResult/done(_:)`` or ``VaultResult/notFound(id:)``.
    /// - Throws: ``GatewayError`` when there is no usable answer.
    func show(_ id: String, _ call: CallContext) async throws(GatewayError) -> VaultResult

    /// One page of the list. A read, as ``show(_:_:)``. Most callers want ``list(_:_:)``.
    ///
    /// - Parameter cursor: ``VaultPage/next`` of the page before; `nil` for the first one.
    /// - Throws: ``GatewayError`` when there is no usable answer.
    func page(
        _ query: VaultQuery, after cursor: String?, _ call: CallContext
    ) async throws(GatewayError) -> VaultPage

    /// Changes what is not sensitive: names, addresses, metadata. Sent at most once; making the same change again is
    /// harmless.
    /// - Throws: ``GatewayError`` when there is no usable answer *and* nothing was changed.
    func update(_ id: String, _ change: VaultUpdate, _ call: CallContext) async throws(GatewayError) -> VaultResult

    /// Keeps an instrument beyond one payment, with the shopper's consent. Sent at most once; again is harmless.
    /// - Throws: ``GatewayError`` when there is no usable answer *and* nothing was changed.
    func retain(_ id: String, _ call: CallContext) async throws(GatewayError) -> VaultResult

    /// Removes the instrument's data for good. It cannot be undone; at some providers its token stays known. Sent at most once; again is
    /// harmless.
    /// - Throws: ``GatewayError`` when there is no usable answer *and* nothing was changed.
    func redact(_ id: String, _ call: CallContext) async throws(GatewayError) -> VaultResult

    /// Removes the instrument's data for good, and more besides. Sent at most once; again is harmless.
    ///
    /// A vault that has no more to remove need not implement it.
    /// - Throws: ``GatewayError/Code/notSupported`` for what the provider cannot remove, and as ``redact(_:_:)``.
    func redact(
        _ id: String, _ redaction: VaultRedaction, _ call: CallContext
    ) async throws(GatewayError) -> VaultResult

    /// Removes entries of the metadata. Sent at most once; again is harmless.
    /// - Throws: ``GatewayError`` when there is no usable answer *and* nothing was changed.
    func deleteMetadata(
        _ keys: [String], of id: String, _ call: CallContext
    ) async throws(GatewayError) -> VaultResult
}

extension Vault {
    /// Everything.
    public var operations: Set<VaultOperation> { Set(VaultOperation.allCases) }

    /// ``redact(_:_:)`` where nothing more is to be removed, and else a refusal before anything is sent.
    public func redact(
        _ id: String, _ redaction: VaultRedaction, _ call: CallContext
    ) async throws(GatewayError) -> VaultResult {
        guard redaction == VaultRedaction() else {
            throw GatewayError(
                .notSupported, message: "This provider removes the instrument's data and nothing else.",
                advice: "Nothing was changed. Redact without further wishes.")
        }
        return try await redact(id, call)
    }

    /// Every instrument that `query` matches, page by page as they are asked for. Each page is one read with the time
    /// limit of `call`; a rate limit is waited out within it. Ends with the first error.
    public func list(_ query: VaultQuery = VaultQuery(), _ call: CallContext = CallContext()) -> VaultListing {
        VaultListing(vault: self, query: query, call: call)
    }

    /// ``show(_:_:)`` with the account's own time limit.
    public func show(_ id: String) async throws(GatewayError) -> VaultResult { try await show(id, CallContext()) }

    /// ``update(_:_:_:)`` with the account's own time limit.
    public func update(_ id: String, _ change: VaultUpdate) async throws(GatewayError) -> VaultResult {
        try await update(id, change, CallContext())
    }

    /// ``retain(_:_:)`` with the account's own time limit.
    public func retain(_ id: String) async throws(GatewayError) -> VaultResult { try await retain(id, CallContext()) }

    /// ``redact(_:_:)`` with the account's own time limit.
    public func redact(_ id: String) async throws(GatewayError) -> VaultResult { try await redact(id, CallContext()) }

    /// ``deleteMetadata(_:of:_:)`` with the account's own time limit.
    public func deleteMetadata(_ keys: [String], of id: String) async throws(GatewayError) -> VaultResult {
        try await deleteMetadata(keys, of: id, CallContext())
    }
}

/// Something that a vault may be able to do.
public enum VaultOperation: String, Sendable, Hashable, CaseIterable {
    /// ``Vault/show(_:_:)``.
    case show
    /// ``Vault/page(_:after:_:)``.
    case list
    /// ``Vault/update(_:_:_:)``.
    case update
    /// ``Vault/retain(_:_:)``.
    case retain
    /// ``Vault/redact(_:_:)``.
    case redact
    /// ``Vault/deleteMetadata(_:of:_:)``.
    case deleteMetadata
}

/// Which instruments to list, and how.
public struct VaultQuery: Sendable, Hashable {
    /// The order of storing.
    public var order: Order
    /// How many instruments one request asks for; an adapter brings it into its provider's limits. `nil` leaves the
    /// provider's default.
    public var pageSize: Int?
    /// Only instruments in this state, by the provider's own word.
    public var providerState: String?
    /// Only instruments with these entries in their metadata.
    public var metadata: [TokenizationRequest.Metadata]
    /// Only instruments behind this one, by its token: goes on from where an earlier list ended.
    public var after: String?
    /// Only instruments of this shopper, by the provider's id, where the provider keeps them by shopper. A vault that
    /// does not throws ``GatewayError/Code/notSupported``.
    public var shopperID: String?

    /// Describes a list.
    public init(
        order: Order = .oldestFirst, pageSize: Int? = nil, providerState: String? = nil,
        metadata: [TokenizationRequest.Metadata] = [], after: String? = nil, shopperID: String? = nil
    ) {
        self.order = order
        self.pageSize = pageSize
        self.providerState = providerState
        self.metadata = metadata
        self.after = after
        self.shopperID = shopperID
    }

    /// For vaults that do not keep instruments by shopper.
    /// - Throws: ``GatewayError/Code/notSupported`` when one is named.
    public func refuseShopper(of account: AccountName) throws(GatewayError) {
        guard shopperID != nil else { return }
        throw GatewayError(
            .notSupported, message: "This provider does not keep instruments by shopper.",
            advice: "Nothing was sent. Leave the shopper out.", account: account)
    }

    /// The order of storing.
    public enum Order: String, Sendable, Hashable, CaseIterable {
        /// The oldest instrument first.
        case oldestFirst
        /// The newest instrument first.
        case newestFirst
    }
}

/// A page of a list.
public struct VaultPage: Sendable, Hashable {
    /// The instruments, in the order asked for.
    public var instruments: [StoredInstrument]
    /// Where the next page begins; `nil` when this is the last one.
    public var next: String?

    /// Describes a page.
    public init(instruments: [StoredInstrument], next: String?) {
        self.instruments = instruments
        self.next = next
    }
}

/// What to change of a stored instrument. What is `nil` or empty stays as it is.
public struct VaultUpdate: Sendable, Hashable {
    /// Name, e-mail address, telephone numbers, company, addresses.
    public var shopper: Shopper
    /// When the card expires, if that has changed.
    public var expiry: CardExpiry?
    /// Entries to add to the metadata, or to replace by their keys.
    public var metadata: [TokenizationRequest.Metadata]

    /// Describes a change.
    public init(
        shopper: Shopper = Shopper(), expiry: CardExpiry? = nil, metadata: [TokenizationRequest.Metadata] = []
    ) {
        self.shopper = shopper
        self.expiry = expiry
        self.metadata = metadata
    }

    /// Whether there is nothing to change.
    public var isEmpty: Bool { shopper == Shopper() && expiry == nil && metadata.isEmpty }
}
