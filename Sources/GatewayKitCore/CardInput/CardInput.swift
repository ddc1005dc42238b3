/// A form for a card as a value: edits go in, states come out. Any user interface can be bound to it.
///
/// It holds what was typed and never gives it away: it tells each field's state, the brand, and the last four digits of
/// a number that has been left. What a field has to draw comes as `Sensitive` text; the values themselves leave only as
/// an ``EnteredCard``, when everything is right. Nothing in here does input or output, waits, or reads a clock: the time
/// is handed in.
///
/// It is a value type without locks: keep it where the interface keeps its state. Call ``apply(_:to:at:)`` for whatever
/// the person does, then draw each field's ``displayText(of:)`` and ``selection(of:)``. A copy holds the card too:
/// ``clear(at:)`` when it is no longer needed.
public struct CardInput: Sendable {
    /// What is asked for.
    public let form: CardInputForm
    /// The time of the last edit, by which the expiry is judged.
    public private(set) var now: WallTime
    /// The field that has the focus.
    public private(set) var focus: CardInputField?

    private var number = NumberEntry()
    private var expiry = ExpiryEntry()
    private var securityCode = SecurityCodeEntry()
    private var texts: [TextEntry]
    private let fields: [CardInputField]

    /// Counts the numbers, so that the verdict on an older one is told from that on the present one.
    private var revision: UInt64 = 0
    private var check: (id: NumberCheck.ID, verdict: NumberCheck.Verdict?)?

    /// A blank form.
    public init(_ form: CardInputForm = CardInputForm(), now: WallTime) {
        self.form = form
        self.now = now
        fields = form.fields
        texts = fields.compactMap { if case .additional(let field) = $0 { TextEntry(field) } else { nil } }
    }

    // MARK: Editing

    /// Carries out an edit and tells what came of it, at most once per field.
    ///
    /// An edit that cannot be carried out changes nothing and is told as ``CardInputEvent/refused(_:_:)``; so is an edit
    /// of a field that the form does not have. Editing does not need the focus.
    /// - Parameter now: the time of the edit; it may go back.
    @discardableResult
    public mutating func apply(
        _ edit: CardInputEdit, to field: CardInputField, at now: WallTime
    ) -> [CardInputEvent] {
        observed(at: now) { input in
            guard input.fields.contains(field) else {
                return .refused(
                    field, FieldIssue(field.issueField, .notAccepted, message: "The form does not ask for this."))
            }
            return input.carryOut(edit, in: field).map { .refused(field, $0) }
        }
    }

    /// Takes note of the time, for a form that stays open: a card expires at the end of its month.
    @discardableResult
    public mutating func advance(to now: WallTime) -> [CardInputEvent] {
        observed(at: now) { _ in nil }
    }

    /// Empties every field and takes the focus away.
    @discardableResult
    public mutating func clear(at now: WallTime) -> [CardInputEvent] {
        observed(at: now) { input in
            for field in input.fields { _ = input.carryOut(.clear, in: field) }
            input.focus = nil
            return nil
        }
    }

    /// Takes the verdict on a number that ``CardInputEvent/willCheck(_:)`` told of.
    ///
    /// It may come at any time and more than once, the last one counts; a verdict on a number that has been edited since
    /// is ignored.
    @discardableResult
    public mutating func finish(
        _ id: NumberCheck.ID, with verdict: NumberCheck.Verdict, at now: WallTime
    ) -> [CardInputEvent] {
        observed(at: now) { input in
            guard input.check?.id == id else { return nil }
            input.check?.verdict = verdict
            return switch verdict {
            case .passed: .didCheck(id, passed: true)
            case .refused: .didCheck(id, passed: false)
            case .failed: .checkFailed(id)
            }
        }
    }

    private mutating func carryOut(_ edit: CardInputEdit, in field: CardInputField) -> FieldIssue? {
        switch edit {
        case .focus: focus = field
        case .blur: if focus == field { focus = nil }
        default: break
        }
        let surroundings = EntrySurroundings(now: now, brand: brand)
        switch field {
        case .number:
            let before = number.buffer.guarded
            let issue = number.apply(expanding(edit), surroundings)
            if number.buffer.guarded != before {
                revision += 1
                check = nil
            }
            return issue
        case .expiry:
            return expiry.apply(edit, surroundings)
        case .securityCode:
            return securityCode.apply(edit, surroundings)
        case .additional(let additional):
            guard let index = texts.firstIndex(where: { $0.field == additional }) else { return nil }
            return texts[index].apply(edit)
        }
    }

    /// An edit of the collapsed number, which is not what the field holds: a whole new text takes the place of all of
    /// it, and places in the collapsed text mean its end.
    private func expanding(_ edit: CardInputEdit) -> CardInputEdit {
        guard isCollapsed else { return edit }
        let end = number.buffer.layout.width(number.buffer.count)
        switch edit {
        case .text(let text):
            let isEcho = text.withExposed { $0 == collapsedText }
            return isEcho ? .select(end..<end) : .replace(0..<end, text)
        case .replace(_, let text): return .replace(0..<end, text)
        case .select: return .select(end..<end)
        default: return edit
        }
    }

    /// Makes a change and tells everything that followed from it.
    private mutating func observed(
        at now: WallTime, _ change: (inout CardInput) -> CardInputEvent?
    ) -> [CardInputEvent] {
        let (before, brandBefore) = (fields.map(state), brand)
        self.now = now
        var events = change(&self).map { [$0] } ?? []
        if brand != brandBefore { events.append(.brandChanged(brand)) }
        for (field, old) in zip(fields, before) where state(of: field) != old {
            events.append(.stateChanged(field, state(of: field)))
        }
        if form.checksNumber, check == nil, ownNumberState == .complete, let complete = try? number.value() {
            let check = NumberCheck(id: NumberCheck.ID(revision: revision), number: complete)
            self.check = (check.id, nil)
            events.append(.willCheck(check))
        }
        return events
    }

    // MARK: What may be known

    /// The state of a field; `blank` for one that the form does not have.
    public func state(of field: CardInputField) -> CardInputState {
        guard fields.contains(field) else { return .blank }
        switch field {
        case .number:
            if case .refused(let issue) = check?.verdict, ownNumberState == .complete { return .invalid(issue) }
            return ownNumberState
        case .expiry: return expiry.state(at: now, yearsAhead: form.yearsAhead)
        case .securityCode: return securityCode.state(brand: brand)
        case .additional(let additional): return entry(of: additional)?.state ?? .blank
        }
    }

    private var ownNumberState: CardInputState { number.state(isFocused: focus == .number) }

    private func entry(of field: AdditionalField) -> TextEntry? {
        texts.first { $0.field == field }
    }

    /// The brand that the number begins like, `nil` while that is open. A longer prefix can make it another one.
    public var brand: CardBrand? { number.brand }

    /// The brands that the number may still become, in the order of ``CardBrand/known``; none for a blank number.
    public var brandCandidates: [CardBrand] {
        number.buffer.count == 0 ? [] : number.buffer.withDigits(CardBrand.candidates)
    }

    /// The last four digits of a complete number. `nil` while the number has the focus: of a number that is being typed,
    /// the last four digits at each moment would tell all of it.
    public var lastFour: String? {
        guard focus != .number, ownNumberState == .complete else { return nil }
        return (try? number.value())?.lastFour
    }

    /// Whether the number is shown as its last four digits only.
    public var isCollapsed: Bool { lastFour != nil }

    /// Whether a check of the present number is under way.
    public var isChecking: Bool { check.map { $0.verdict == nil } ?? false }

    /// Whether ``submit(at:)`` would give a card at the time of the last edit.
    public var isReady: Bool {
        if case .ready = submit(at: now) { true } else { false }
    }

    // MARK: What is drawn

    /// The text to draw, formatted: `3782 822463 10005`, `12 / 30`. It holds card data and belongs on the screen only.
    /// A number that is complete and has been left is collapsed: `•••• 0005`.
    public func displayText(of field: CardInputField) -> Sensitive<String> {
        switch field {
        case .number: collapsedText.map { Sensitive($0) } ?? number.buffer.text
        case .expiry: expiry.buffer.text
        case .securityCode: securityCode.buffer.text
        case .additional(let additional): entry(of: additional)?.text ?? Sensitive("")
        }
    }

    /// The text to draw with a dot for each character that must not be shown, for a field that hides what is typed, and
    /// for logs: `•••• •••••• •••••`. A collapsed number shows its last four digits here too.
    public func maskedText(of field: CardInputField) -> String {
        switch field {
        case .number: collapsedText ?? number.buffer.masked
        case .expiry: expiry.buffer.masked
        case .securityCode: securityCode.buffer.masked
        case .additional(let additional): entry(of: additional)?.masked ?? ""
        }
    }

    /// Where the caret is, or what is selected, in the text to draw; offsets as ``CardInputEdit`` counts them, always
    /// within the text.
    public func selection(of field: CardInputField) -> Range<Int> {
        switch field {
        case .number:
            if let collapsedText { collapsedText.count..<collapsedText.count } else { number.buffer.selection }
        case .expiry: expiry.buffer.selection
        case .securityCode: securityCode.buffer.selection
        case .additional(let additional): entry(of: additional)?.selection ?? 0..<0
        }
    }

    private var collapsedText: String? { lastFour.map { "•••• " + $0 } }

    // MARK: Submitting

    /// Judges everything as it is at `now`, as if every field had been left, and gives either the card or everything
    /// that is missing or wrong, in the order of the fields.
    ///
    /// A check that is under way, or could not be made, does not stand in the way; a number that was refused does.
    /// The form stays as it is.
    public func submit(at now: WallTime) -> CardSubmission {
        var issues: [FieldIssue] = []
        var cardNumber: CardNumber?
        var expires: CardExpiry?
        var code: SecurityCode?
        do throws(InvalidCardInput) {
            cardNumber = try number.value()
            if case .refused(let issue) = check?.verdict { issues.append(issue) }
        } catch {
            issues += error.issues
        }
        if form.asksForExpiry {
            do throws(InvalidCardInput) {
                expires = try expiry.value(at: now, yearsAhead: form.yearsAhead)
            } catch {
                issues += error.issues
            }
        }
        let mayLackCode = securityCode.buffer.count == 0 && brand?.mayLackSecurityCode == true
        if form.asksForSecurityCode, !mayLackCode {
            do throws(InvalidCardInput) {
                code = try securityCode.value(brand: brand)
            } catch {
                issues += error.issues
            }
        }
        var shopper = Shopper()
        for entry in texts {
            if let issue = entry.issue {
                issues.append(issue)
            } else if let text = entry.value() {
                entry.field.put(text, into: &shopper)
            } else if form.required.contains(entry.field) {
                issues.append(
                    FieldIssue(entry.field.issueField, .missing, message: "This must be filled in."))
            }
        }
        guard let cardNumber, issues.isEmpty else { return .invalid(issues) }
        let card = Card(number: cardNumber, expiry: expires, securityCode: code, holderName: shopper.name)
        return .ready(EnteredCard(card: card, shopper: shopper))
    }
}

extension CardInputField {
    /// The name under which issues tell of this field as a whole.
    var issueField: FieldIssue.Field {
        switch self {
        case .number: .number
        case .expiry: .expiryMonth
        case .securityCode: .securityCode
        case .additional(let field): field.issueField
        }
    }
}

extension CardInput: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fields' states: `CardInput(number: complete, expiry: blank)`.
    public var description: String {
        "CardInput(" + form.fields.map { "\($0): \(state(of: $0))" }.joined(separator: ", ") + ")"
    }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
