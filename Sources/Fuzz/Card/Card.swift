import FuzzSupport
import GatewayKitCore

private let now = WallTime(secondsSince1970: 1_907_755_200)

/// The card readers: what is accepted is in form and reads again as itself, and no text of it or of its refusal shows
/// the number.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCard(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let shape = input.byte()
    let lines = input.lines(5)
    checkNumber(lines[0])
    checkExpiry(lines[1])
    checkMonthAndYear(lines[1], lines[2])
    checkCard(lines, isOneText: shape & 1 == 0, hasCode: shape & 2 == 0)
    return 0
}

private func checkNumber(_ text: String) {
    do throws(InvalidCardInput) {
        let number = try CardNumber(Sensitive(text))
        let digits = number.withExposed { $0 }
        require(CardNumber.lengths.contains(digits.utf8.count), "a number of a wrong length is accepted")
        require(digits.utf8.allSatisfy { (0x30...0x39).contains($0) }, "a number is not of ASCII digits")
        require((try? CardNumber(Sensitive(digits))) == number, "an accepted number does not read as itself")
        require(!holds(everything(of: number), digits), "a number shows")
        _ = number.issues
    } catch {
        mustNotShow(text, in: everything(of: error))
    }
}

private func checkExpiry(_ text: String) {
    guard let expiry = try? CardExpiry.read(text, now: now) else { return }
    require((1...12).contains(expiry.month), "an impossible month is accepted")
    require((1000...9999).contains(expiry.year), "an impossible year is accepted")
    require((try? CardExpiry.read(expiry.description, now: now)) == expiry, "an expiry does not read as itself")
    require(expiry.isExpired(at: now) == (expiry.end <= now), "expired and not")
    _ = expiry.issues(at: now)
}

private func checkMonthAndYear(_ month: String, _ year: String) {
    guard let expiry = try? CardExpiry.read(month: month, year: year, now: now) else { return }
    let again = try? CardExpiry.read(month: expiry.twoDigitMonth, year: String(expiry.year), now: now)
    require(again == expiry, "an expiry of two texts does not read as itself")
}

private func checkCard(_ lines: [String], isOneText: Bool, hasCode: Bool) {
    let code = hasCode ? Sensitive(lines[3]) : nil
    do throws(InvalidCardInput) {
        let card = try Card.read(
            number: Sensitive(lines[0]), month: isOneText ? nil : lines[1], year: isOneText ? nil : lines[2],
            expiry: isOneText ? lines[1] : nil, securityCode: code, name: lines[4], now: now)
        let digits = card.number.withExposed { $0 }
        require(!holds(everything(of: card), digits), "a card shows its number")
        require(!holds(everything(of: card.issues(at: now)), digits), "a card's findings show its number")
        if let code = card.securityCode {
            require(code.withExposed { (3...4).contains($0.utf8.count) }, "a code of a wrong length is accepted")
        }
    } catch {
        require(!error.issues.isEmpty, "a refusal without a reason")
        mustNotShow(lines[0], in: everything(of: error))
    }
}

/// A text with so many digits may be a number that was mistyped.
private func mustNotShow(_ text: String, in shown: String) {
    guard text.utf8.count(where: { (0x30...0x39).contains($0) }) >= 8 else { return }
    require(!holds(shown, text), "a refusal repeats what was typed")
}
