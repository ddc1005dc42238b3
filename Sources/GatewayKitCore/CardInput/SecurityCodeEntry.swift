/// The field for the security code. How long it must be follows from the number's brand, which may change at any time.
struct SecurityCodeEntry: DigitEntry {
    /// More digits are no mistake in a code, but another text.
    static let mostPasted = 8

    var buffer = DigitBuffer()

    func layout(_ digits: String) -> DigitLayout { .plain }

    mutating func take(
        _ text: String, at range: Range<Int>, isPasted: Bool, _ surroundings: EntrySurroundings
    ) -> FieldIssue? {
        switch DigitText.normalise(text, dashes: false) {
        case .blank:
            return nil
        case .malformed:
            return FieldIssue(
                .securityCode, .malformed, message: "The security code contains other characters than digits.")
        case .digits(let digits):
            let (head, tail) = buffer.around(range)
            let length = head.utf8.count + digits.utf8.count + tail.utf8.count
            let longest = isPasted ? Self.mostPasted : surroundings.brand?.securityCodeLength ?? 4
            if length > longest, length > buffer.count {
                return FieldIssue(
                    .securityCode, .tooLong,
                    message: "The security code has no more digits: it has \(count: longest) at most.")
            }
            set(head: head + digits, tail: tail)
            return nil
        }
    }

    /// The code, if everything about it is right.
    func value(brand: CardBrand?) throws(InvalidCardInput) -> SecurityCode {
        let code = try SecurityCode(buffer.guarded)
        let issues = code.issues(for: brand)
        if let first = issues.first { throw InvalidCardInput(first, Array(issues.dropFirst())) }
        return code
    }

    func state(brand: CardBrand?) -> CardInputState {
        guard buffer.count > 0 else { return .blank }
        guard buffer.count >= brand?.securityCodeLength ?? 3 else { return .incomplete }
        do throws(InvalidCardInput) {
            _ = try value(brand: brand)
            return .complete
        } catch {
            return error.issues.first.map(CardInputState.invalid) ?? .incomplete
        }
    }
}
