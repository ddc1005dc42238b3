import FuzzSupport
import GatewayKitCore

private let now = WallTime(secondsSince1970: 1_907_755_200)
private let form = CardInputForm(additional: AdditionalField.all, required: [.name], checksNumber: true)
private let fields = form.fields

/// The form for a card: one edit a line, the first two bytes of each say what and where. Places stay in the text,
/// events tell every change, what is shown pasted into a fresh form gives the same states, and nothing is shown that
/// must not be.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCardInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    var card = CardInput(form, now: now)
    var told = Dictionary(uniqueKeysWithValues: fields.map { ($0, CardInputState.blank) })
    for line in input.remaining().split(separator: 0x0A, omittingEmptySubsequences: true).prefix(200) {
        let bytes = Array(line)
        let field = fields[Int(bytes[0]) % fields.count]
        let edit = edit(bytes.dropFirst())
        let before = shown(card)
        for event in card.apply(edit, to: field, at: now) {
            switch event {
            case .stateChanged(let field, let state): told[field] = state
            case .refused: require(shown(card) == before, "a refused edit changes something")
            case .willCheck(let check):
                let verdict: NumberCheck.Verdict = bytes.count % 2 == 0 ? .passed : .failed
                _ = card.finish(check.id, with: verdict, at: now)
            default: break
            }
        }
        for field in fields { check(card, field, told) }
    }
    checkWhole(card)
    return 0
}

private func edit(_ bytes: ArraySlice<UInt8>) -> CardInputEdit {
    let kind = bytes.first ?? 0
    let text = Sensitive(String(decoding: bytes.dropFirst(), as: UTF8.self))
    // Places from before the text to far behind it.
    let places = bytes.dropFirst().prefix(2).map { Int($0) - 8 }
    let range = (places.min() ?? 0)..<(places.max() ?? 0)
    switch kind % 11 {
    case 0: return .insert(text)
    case 1: return .paste(text)
    case 2: return .replace(range, Sensitive(String(decoding: bytes.dropFirst(3), as: UTF8.self)))
    case 3: return .text(text)
    case 4: return .deleteBackward
    case 5: return .deleteForward
    case 6: return .select(range)
    case 7: return .clear
    case 8: return .focus
    case 9: return .blur
    default: return .select(Int.min..<Int.max)
    }
}

private func shown(_ card: CardInput) -> [String] {
    fields.map { card.displayText(of: $0).withExposed { $0 } }
}

private func check(_ card: CardInput, _ field: CardInputField, _ told: [CardInputField: CardInputState]) {
    let text = card.displayText(of: field).withExposed { $0 }
    let selection = card.selection(of: field)
    require(selection.lowerBound >= 0 && selection.upperBound <= text.count, "a place outside the text of \(field)")
    let masked = card.maskedText(of: field)
    require(masked.count == text.count, "the masked text of \(field) has another length")
    require(card.state(of: field) == told[field], "a change of \(field) was not told")
    require(masked.unicodeScalars.count { ("0"..."9").contains($0) } <= 4, "\(field) shows more than four digits")
    let isBlank = text.allSatisfy(\.isWhitespace)
    require((card.state(of: field) == .blank) == isBlank, "\(field) is blank and not, or the other way round")
}

/// The same texts in a fresh form, and what comes out of both.
private func checkWhole(_ card: CardInput) {
    var open = card
    _ = open.apply(.focus, to: .number, at: now)
    let texts = shown(open)
    // Deleting the zero of a month leaves digits that cannot be typed in order, for the zero is implied.
    if texts.dropFirst().first?.first.map({ ("2"..."9").contains($0) }) == true {
        require(!card.isReady, "ready with an impossible month")
        return
    }
    var fresh = CardInput(form, now: now)
    for (field, text) in zip(fields, texts) { _ = fresh.apply(.paste(Sensitive(text)), to: field, at: now) }
    if let focus = card.focus { _ = fresh.apply(.focus, to: focus, at: now) }
    for field in fields {
        require(fresh.state(of: field) == card.state(of: field), "\(field) has another state afresh")
    }
    let digits = (texts.first ?? "").filter { $0 != " " }
    if digits.utf8.count >= 8 {
        require(!holds(everything(of: card) + everything(of: card.submit(at: now)), digits), "a form shows its number")
    }
    guard case .ready(let entered) = card.submit(at: now) else { return }
    require(entered.card.number.withExposed { $0 } == digits, "another number is submitted than is shown")
    require(entered.card.issues(at: now).isEmpty, "a card with issues is ready")
    require(card.isReady, "ready and not")
}
