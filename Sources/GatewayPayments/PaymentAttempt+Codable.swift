import GatewayCrypto
import GatewayKitCore

/// The journal's form: flat, every member by name, absent ones left out. A member may be added in any release; words
/// that this release does not know read as unknown or unlisted, never as success.
extension PaymentAttempt: Codable {
    private enum Key: String, CodingKey {
        case id, intentID, kind, parentID, targetID, key, account, amount, fingerprint, requestedBy, reason, createdAt
        case state, version, sentAt, answerDueAt, changedAt, providerID, record, confirmedAmount, decline, note
        case isLateApproval, looks, nextLookAt, usesPage, tokenFingerprint, sealedAction
    }

    /// Reads the journal's form.
    public init(from decoder: any Decoder) throws {
        let from = try decoder.container(keyedBy: Key.self)
        id = AttemptID(reading: try from.decode(String.self, forKey: .id))
        intentID = try from.decode(String.self, forKey: .intentID)
        kind = try from.decode(Kind.self, forKey: .kind)
        parentID = try from.decodeIfPresent(String.self, forKey: .parentID).map { AttemptID(reading: $0) }
        targetID = try from.decodeIfPresent(String.self, forKey: .targetID).map { AttemptID(reading: $0) }
        key = try from.decode(String.self, forKey: .key)
        account = try AccountName(stored: from.decode(String.self, forKey: .account))
        amount = try from.decode(Money.self, forKey: .amount)
        fingerprint = try from.decode([UInt8].self, forKey: .fingerprint)
        requestedBy = try from.decodeIfPresent(String.self, forKey: .requestedBy)
        reason = try from.decodeIfPresent(String.self, forKey: .reason)
        createdAt = try WallTime(stored: from.decode(Int64.self, forKey: .createdAt))
        state = try from.decode(AttemptState.self, forKey: .state)
        version = try from.decode(Int64.self, forKey: .version)
        sentAt = try from.decodeIfPresent(Int64.self, forKey: .sentAt).map { WallTime(stored: $0) }
        answerDueAt = try from.decodeIfPresent(Int64.self, forKey: .answerDueAt).map { WallTime(stored: $0) }
        changedAt = try WallTime(stored: from.decode(Int64.self, forKey: .changedAt))
        providerID = try from.decodeIfPresent(String.self, forKey: .providerID)
        record = try from.decodeIfPresent(StoredRecord.self, forKey: .record)?.record()
        confirmedAmount = try from.decodeIfPresent(Money.self, forKey: .confirmedAmount)
        decline = try from.decodeIfPresent(StoredDecline.self, forKey: .decline)?.decline
        note = try from.decodeIfPresent(String.self, forKey: .note).map { Redactor.standard.scrub($0) }
        isLateApproval = try from.decodeIfPresent(Bool.self, forKey: .isLateApproval) ?? false
        looks = try from.decodeIfPresent(Int.self, forKey: .looks) ?? 0
        nextLookAt = try from.decodeIfPresent(Int64.self, forKey: .nextLookAt).map { WallTime(stored: $0) }
        usesPage = try from.decodeIfPresent(Bool.self, forKey: .usesPage) ?? false
        tokenFingerprint = try from.decodeIfPresent(String.self, forKey: .tokenFingerprint).map(Base64.standard.decode)
        sealedAction = try from.decodeIfPresent(Sealed.self, forKey: .sealedAction)
    }

    /// Writes the journal's form.
    public func encode(to encoder: any Encoder) throws {
        var to = encoder.container(keyedBy: Key.self)
        try to.encode(id.description, forKey: .id)
        try to.encode(intentID, forKey: .intentID)
        try to.encode(kind, forKey: .kind)
        try to.encodeIfPresent(parentID?.description, forKey: .parentID)
        try to.encodeIfPresent(targetID?.description, forKey: .targetID)
        try to.encode(key, forKey: .key)
        try to.encode(account.description, forKey: .account)
        try to.encode(amount, forKey: .amount)
        try to.encode(fingerprint, forKey: .fingerprint)
        try to.encodeIfPresent(requestedBy, forKey: .requestedBy)
        try to.encodeIfPresent(reason, forKey: .reason)
        try to.encode(createdAt.secondsSince1970, forKey: .createdAt)
        try to.encode(state, forKey: .state)
        try to.encode(version, forKey: .version)
        try to.encodeIfPresent(sentAt?.secondsSince1970, forKey: .sentAt)
        try to.encodeIfPresent(answerDueAt?.secondsSince1970, forKey: .answerDueAt)
        try to.encode(changedAt.secondsSince1970, forKey: .changedAt)
        try to.encodeIfPresent(providerID, forKey: .providerID)
        try to.encodeIfPresent(record.map { StoredRecord($0) }, forKey: .record)
        try to.encodeIfPresent(confirmedAmount, forKey: .confirmedAmount)
        try to.encodeIfPresent(decline.map { StoredDecline($0) }, forKey: .decline)
        try to.encodeIfPresent(note?.description, forKey: .note)
        try to.encode(isLateApproval, forKey: .isLateApproval)
        try to.encode(looks, forKey: .looks)
        try to.encodeIfPresent(nextLookAt?.secondsSince1970, forKey: .nextLookAt)
        try to.encodeIfPresent(usesPage ? true : nil, forKey: .usesPage)
        try to.encodeIfPresent(tokenFingerprint.map(Base64.standard.encode), forKey: .tokenFingerprint)
        try to.encodeIfPresent(sealedAction, forKey: .sealedAction)
    }
}

extension WallTime {
    /// The journal keeps whole seconds.
    init(stored seconds: Int64) { self.init(secondsSince1970: seconds) }
}

extension AccountName {
    init(stored text: String) throws {
        guard let name = AccountName(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no account's name"))
        }
        self = name
    }
}

/// A provider's record as the journal keeps it.
struct StoredRecord: Codable {
    let id: String
    let account: String
    let kind: String
    let state: String
    let providerState: String?
    let providerKind: String?
    let amount: Money?
    let ownReference: String?
    let parentID: String?
    let children: [StoredRecord]?
    let decline: StoredDecline?
    let networkTransactionID: String?
    let gatewayTransactionID: String?
    let avsCode: String?
    let cvvCode: String?
    let needsReview: Bool?
    let isTest: Bool?
    let createdAt: Int64?
    let updatedAt: Int64?
    let requestID: String?

    init(_ record: PaymentRecord) {
        id = record.id
        account = record.account.description
        kind = record.kind.description
        state = record.state.description
        providerState = record.providerState
        providerKind = record.providerKind
        amount = record.amount
        ownReference = record.ownReference
        parentID = record.parentID
        children = record.children.isEmpty ? nil : record.children.map { StoredRecord($0) }
        decline = record.decline.map { StoredDecline($0) }
        networkTransactionID = record.networkTransactionID
        gatewayTransactionID = record.gatewayTransactionID
        avsCode = record.avsCode
        cvvCode = record.cvvCode
        needsReview = record.needsReview ? true : nil
        isTest = record.isTest
        createdAt = record.createdAt?.secondsSince1970
        updatedAt = record.updatedAt?.secondsSince1970
        requestID = record.requestID
    }

    func record() throws -> PaymentRecord {
        var record = PaymentRecord(
            id: id, account: try AccountName(stored: account), kind: PaymentRecord.Kind(kind) ?? .other,
            state: PaymentRecord.State(state) ?? .unknown)
        record.providerState = providerState
        record.providerKind = providerKind
        record.amount = amount
        record.ownReference = ownReference
        record.parentID = parentID
        record.children = try (children ?? []).map { try $0.record() }
        record.decline = decline?.decline
        record.networkTransactionID = networkTransactionID
        record.gatewayTransactionID = gatewayTransactionID
        record.avsCode = avsCode
        record.cvvCode = cvvCode
        record.needsReview = needsReview ?? false
        record.isTest = isTest
        record.createdAt = createdAt.map { WallTime(stored: $0) }
        record.updatedAt = updatedAt.map { WallTime(stored: $0) }
        record.requestID = requestID
        return record
    }
}

/// A decline as the journal keeps it.
struct StoredDecline: Codable {
    let reason: String
    let providerCode: String?
    let message: String
    let requestID: String?

    init(_ decline: Decline) {
        reason = decline.reason.description
        providerCode = decline.providerCode
        message = decline.message.description
        requestID = decline.requestID
    }

    var decline: Decline {
        Decline(
            Decline.Reason(reason) ?? .unlisted, providerCode: providerCode,
            message: Redactor.standard.scrub(message), requestID: requestID)
    }
}
