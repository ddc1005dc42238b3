import FuzzSupport
import GatewayKit
import GatewayKitCore

/// The answer readers of all adapters, by the way that a program takes: any status, any header, any body ends in a
/// documented result that shows neither card nor credentials, and a token comes from a 2xx only.
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
    let text = everything(of: end)
    // Lists and states show ids: a number that was not sent may stand in one.
    let mayShowNumbers =
        switch end {
        case .listed, .told: true
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
        require(stored.id == Subjects.storedID, "an instrument that was not asked for")
    case .kept(.unknown(let cause)):
        require(cause.reach != .notSent, "unknown, and not sent")
        require(!cause.message.isEmpty && !cause.advice.isEmpty, "unknown, and no words")
    case .kept(.invalid(let issues)):
        require(!issues.isEmpty, "invalid, and no issue")
    case .kept(.refused), .kept(.notFound), .notOffered:
        break
    case .listed(let page):
        require((200..<300).contains(answer.status), "a list from a status of \(answer.status)")
        require(page.instruments.allSatisfy { !$0.id.isEmpty }, "an instrument without an id")
    case .told(let status):
        require((200..<300).contains(answer.status) || answer.status == 422, "a state from \(answer.status)")
        require(status.payment.map { !$0.id.isEmpty } ?? true, "a payment without an id")
    case .thrown(let error):
        require(!error.message.isEmpty && !error.advice.isEmpty, "an error without words")
        require(error.answer?.status == answer.status, "an error that does not tell the status")
    }
}
