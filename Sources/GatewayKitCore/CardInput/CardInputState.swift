/// How far a field is filled in.
public enum CardInputState: Sendable, Hashable, CustomStringConvertible {
    /// Nothing is in it.
    case blank
    /// What is in it can become right by going on.
    case incomplete
    /// What is in it is right, as far as can be told here.
    case complete
    /// What is in it is wrong, and going on does not make it right.
    case invalid(FieldIssue)

    /// The stable spelling: `blank`, `incomplete`, `complete` or `invalid`.
    public var description: String {
        switch self {
        case .blank: "blank"
        case .incomplete: "incomplete"
        case .complete: "complete"
        case .invalid: "invalid"
        }
    }

    /// What is wrong, of an invalid field.
    public var issue: FieldIssue? {
        if case .invalid(let issue) = self { issue } else { nil }
    }
}

/// What an edit brought about, in the order in which it happened. None of these holds anything that must not be shown.
public enum CardInputEvent: Sendable, Equatable {
    /// The edit was not carried out, and the field is as it was; the issue says why.
    case refused(CardInputField, FieldIssue)
    /// The number's brand is another one, or no longer known.
    case brandChanged(CardBrand?)
    /// A field has another state, not necessarily the one that was edited: the security code is judged by the brand,
    /// and the expiry by the time.
    case stateChanged(CardInputField, CardInputState)
    /// The number is complete: check it now, and tell the outcome with ``CardInput/finish(_:with:at:)``. A check that
    /// was under way is of no use any more.
    case willCheck(NumberCheck)
    /// The check of the present number came to a verdict.
    case didCheck(NumberCheck.ID, passed: Bool)
    /// The check of the present number could not be made, so it says nothing.
    case checkFailed(NumberCheck.ID)
}

/// A check of a complete number that the application makes of its own accord, for example by asking its provider which
/// cards are taken. It takes its time, and the number may have been edited meanwhile: what is told of an older number is
/// ignored.
public struct NumberCheck: Sendable, Equatable, CustomStringConvertible {
    /// Which number of the form is meant; each new number has its own.
    public struct ID: Sendable, Hashable {
        let revision: UInt64
    }

    /// What came of a check.
    public enum Verdict: Sendable, Hashable {
        /// The number may be used.
        case passed
        /// The number may not be used; the issue becomes the reason of the field's state.
        case refused(FieldIssue)
        /// The check could not be made. The number's state stays as it is: that nobody answered says nothing about the
        /// card.
        case failed
    }

    /// To be handed back with the verdict.
    public let id: ID
    /// The number to check.
    public let number: CardNumber

    /// As the number's description, `visa ending 1111`.
    public var description: String { "check of \(number)" }
}

/// What came of submitting a form for a card.
public enum CardSubmission: Sendable {
    /// Everything is there and right.
    case ready(EnteredCard)
    /// What is missing or wrong, in the order of the fields.
    case invalid([FieldIssue])
}

/// What was entered into a form for a card: the only thing that the values leave the form in, guarded as everywhere.
public struct EnteredCard: Sendable, Equatable {
    /// The card, with the holder's name if it was asked for.
    public let card: Card
    /// What was entered about the shopper.
    public let shopper: Shopper

    /// The request to send, for ``TokenProvider``.
    public var tokenizationRequest: TokenizationRequest {
        TokenizationRequest(.card(card), shopper: shopper)
    }
}
