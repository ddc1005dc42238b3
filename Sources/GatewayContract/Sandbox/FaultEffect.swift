import GatewaySandbox

extension FaultKind {
    /// What this fault does to the certainty of what happened. A new kind does not compile until it is told here.
    var contractEffect: ContractFault.Effect {
        switch self {
        case .closeAfterAnswer, .slow, .drip, .chunked, .contentType, .extraFields, .echoCard, .gzip, .informational,
            .oddHeader:
            .harmless
        case .resetAfterAnswer: .mayBeLost
        case .resetBeforeAnswer, .answerLost, .resetInsideAnswer, .closeWithoutAnswer, .stall, .stallInsideBody, .hold,
            .truncated, .truncatedChunked, .emptyBody, .html, .malformedJSON, .garbage, .redirect, .gzipTruncated,
            .gzipBomb, .hugeHeader, .hugeBody:
            .lost
        case .unknownWord: .unknownWords
        case .duplicateDelivery: .repeated
        case .refuse: .refusesConnection
        case .status(let status): .status(status)
        case .rateLimited: .status(429)
        case .basicChallenge: .status(401)
        }
    }

    /// Whether the answer never comes.
    var isEndless: Bool {
        switch self {
        case .stall, .stallInsideBody, .hold: true
        default: false
        }
    }

    /// Every fault of the walk. A refused connection can only be seen where the one before it was not kept.
    static let ofContract: [FaultKind] = {
        let others = examples.filter { $0 != .refuse }
        let statuses: [FaultKind] = [400, 401, 403, 404, 405, 415, 429].map { .status($0) }
        let closing = others.firstIndex(of: .closeAfterAnswer).map { $0 + 1 } ?? 0
        return others[..<closing] + [.refuse] + others[closing...] + statuses
    }()
}
