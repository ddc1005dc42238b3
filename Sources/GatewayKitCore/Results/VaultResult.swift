/// What came of asking a vault about, or changing, one stored instrument.
public enum VaultResult: Sendable, Equatable {
    /// It was done; this is the instrument as it stands now.
    case done(StoredInstrument)
    /// One or more fields are wrong. Nothing was changed. The issues' origin tells who found them.
    case invalid([FieldIssue])
    /// The vault refused, and nothing was changed: the instrument is in a state that does not allow it, for example.
    case refused(Decline)
    /// The vault knows no such instrument.
    case notFound(id: String)
    /// The change may have been made, but no usable answer came. Show the instrument to find out. Reads never end so.
    case unknown(cause: GatewayError)
}

extension VaultResult {
    /// The name of the case, for events and metrics.
    public var outcomeName: String {
        switch self {
        case .done: "done"
        case .invalid: "invalid"
        case .refused: "refused"
        case .notFound: "notFound"
        case .unknown: "unknown"
        }
    }
}
