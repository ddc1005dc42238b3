import FuzzSupport
import GatewayKit
import GatewayKitCore

/// The answer readers of all adapters, by the way that a program takes: any status, any header, any body ends in a
/// documented result that shows neither card nor credentials, a token and an approval come from a 2xx only.
///
/// In the body, byte 1 stands for the card number, 2 for the number in groups, 3 for a credential: so the input can make
/// a peer echo what it was sent.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAnswers(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    guard let gateway = Subjects.all.isEmpty ? nil : input.pick(Subjects.all) else { return 0 }
    let answer = Answer(&input)
    for call in gateway.calls {
        let end = waiting { await call(ScriptedTransport(answer)) }
        guard let end else {
            require(false, "a call without an end")
            return 0
        }
        check(end, answer)
    }
    return 0
}

private func check(_ end: CallEnd, _ answer: Answer) {
    let text = everything(of: end.withoutIDs)
    // Lists and sessions show ids: a number that was not sent may stand in one.
    let mayShowNumbers =
        switch end {
        case .listed, .session, .opened, .profile, .rates, .page, .proof: true
        default: false
        }
    for secret in mayShowNumbers ? [Subjects.credential] : Subjects.secrets {
        require(!holds(text, secret), "\(answer.status): a secret shows in \(end.name)")
    }
    if !mayShowNumbers, answer.isForSlowSearch {
        let leaks = Subjects.search.leaks(in: text)
        require(leaks.isEmpty, "\(answer.status): \(leaks) in \(end.name)")
    }
    switch end {
    case .tokenized(.token(let token)):
        require((200..<300).contains(answer.status), "a token from a status of \(answer.status)")
        require(!token.id.isEmpty, "a token without an id")
        require(token.card?.lastFour.map { $0 == Subjects.lastFour } ?? true, "a token of another card")
    case .tokenized(.unknown(_, let cause)):
        require(cause.reach != .notSent, "unknown, and not sent")
        require(!cause.message.isEmpty && !cause.advice.isEmpty, "unknown, and no words")
    case .tokenized(.invalid(let issues)):
        require(!issues.isEmpty, "invalid, and no issue")
    case .tokenized(.declined), .tokenized(.actionRequired), .tokenized(.sessionUnusable):
        break
    case .kept(.done(let stored)):
        require((200..<300).contains(answer.status), "an instrument from a status of \(answer.status)")
        require(
            stored.id == Subjects.storedID || Subjects.storedIDs.values.contains(stored.id),
            "an instrument that was not asked for")
    case .kept(.unknown(let cause)):
        require(cause.reach != .notSent, "unknown, and not sent")
        require(!cause.message.isEmpty && !cause.advice.isEmpty, "unknown, and no words")
    case .kept(.invalid(let issues)):
        require(!issues.isEmpty, "invalid, and no issue")
    case .kept(.refused), .kept(.notFound), .notOffered:
        break
    case .paid(let result):
        check(result, answer)
    case .nothingMoved(let nothing):
        require(nothing.proof?.status == answer.status, "thrown without the row that proves it")
    case .found, .payments:
        require((200..<300).contains(answer.status) || [402, 404, 422].contains(answer.status), "found in a refusal")
    case .listed(let page):
        require((200..<300).contains(answer.status), "a list from a status of \(answer.status)")
        require(page.instruments.allSatisfy { !$0.id.isEmpty }, "an instrument without an id")
    case .session(let status):
        let isOver = status.phase == .expired || status.phase == .unknown
        require(
            (200..<300).contains(answer.status) || answer.status == 422
                || (isOver && [400, 401, 403, 404].contains(answer.status)), "a session from \(answer.status)")
        require(status.payment.map { !$0.id.isEmpty } ?? true, "a payment without an id")
        require(status.token == nil || status.phase == .succeeded, "a token of a session that did not succeed")
    case .profile(let profile):
        require((200..<300).contains(answer.status), "a profile from a status of \(answer.status)")
        require(profile.authenticates == (profile.authenticationToken != nil), "3-D Secure without its token")
        _ = BrandRules(profile.brands).brand(of: Sensitive(Subjects.number))
    case .rates(let rates):
        require((200..<300).contains(answer.status), "rates from a status of \(answer.status)")
        require(rates.base == .usd, "rates of another base")
        for currency in rates.currencies { _ = try? rates.convert(Subjects.payment.amount, to: currency) }
    case .configured(.saved):
        require((200..<300).contains(answer.status), "saved by a status of \(answer.status)")
    case .configured(.unknown(let cause)):
        require(cause.reach != .notSent, "unknown, and not sent")
        require(!cause.message.isEmpty && !cause.advice.isEmpty, "unknown, and no words")
    case .configured(.invalid(let issues)):
        require(!issues.isEmpty, "invalid, and no issue")
    case .wallet:
        require((200..<300).contains(answer.status), "a wallet's session from a status of \(answer.status)")
    case .page(let page):
        require((200..<300).contains(answer.status), "a page from a status of \(answer.status)")
        require(!page.url.isEmpty, "a page without an address")
    case .proof(let status):
        require((200..<300).contains(answer.status) || answer.status == 422, "a proof from \(answer.status)")
        require(status.phase != .succeeded || (200..<300).contains(answer.status), "success from a refusal")
    case .opened(let session):
        require((200..<300).contains(answer.status), "a session from a status of \(answer.status)")
        require(!session.reference.id.isEmpty, "a session without an id")
    case .thrown(let error):
        require(!error.message.isEmpty && !error.advice.isEmpty, "an error without words")
        // What is refused here, for what a good answer says or before any is asked for, has no status to tell.
        let isReadable = (200..<300).contains(answer.status) || [402, 404, 422].contains(answer.status)
        let isOurs = error.reach == .notSent || error.code == .notSupported || isReadable
        require(
            error.answer?.status == answer.status || isOurs, "an error that does not tell the status: \(error.code)")
    }
}

private func check(_ result: PaymentResult, _ answer: Answer) {
    switch result {
    case .approved(let record):
        require((200..<300).contains(answer.status), "an approval from a status of \(answer.status)")
        require(record.state == .succeeded && !record.id.isEmpty, "an approval without a success")
        require(record.amount.map { $0.minorUnits <= 1000 && $0.currency == .usd } ?? true, "more than was asked for")
    case .pending(_, let record):
        require((200..<300).contains(answer.status), "pending from a status of \(answer.status)")
        require(record.state == .pending && !record.id.isEmpty, "pending without the word")
    case .invalid(let issues):
        require(!issues.isEmpty, "invalid, and no issue")
    case .declined(_, let record):
        require(record.map { $0.state == .failed } ?? true, "declined, and not failed")
    case .unknown(_, let cause):
        require(cause.reach != .notSent, "unknown, and not sent")
        require(!cause.message.isEmpty && !cause.advice.isEmpty, "unknown, and no words")
    }
}

extension CallEnd {
    /// Without what goes to the shopper's browser as it came, and without ids, whose digits stay as they are.
    fileprivate var withoutIDs: CallEnd {
        switch self {
        case .paid(.approved(let record)): .paid(.approved(record.withoutIDs))
        case .paid(.pending(_, let record)): .paid(.pending(nil, record.withoutIDs))
        case .paid(.declined(let decline, let record)): .paid(.declined(decline, record?.withoutIDs))
        case .found(.found(let record)): .found(.found(record.withoutIDs))
        case .payments(let page): .payments(PaymentPage(records: page.records.map(\.withoutIDs), next: nil))
        default: self
        }
    }
}

extension PaymentRecord {
    fileprivate var withoutIDs: PaymentRecord {
        var copy = self
        copy.networkTransactionID = nil
        copy.gatewayTransactionID = nil
        copy.ownReference = nil
        copy.children = children.map(\.withoutIDs)
        return copy
    }
}
