import FuzzSupport
import GatewayKitCore

/// The money parser: what is accepted is exact, keeps its sign, and reads again as itself in both units.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMoney(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let currency = input.pick(Currency.all) ?? .usd
    let shape = input.byte()
    let unit: AmountUnit = shape & 1 == 0 ? .major : .minor
    let allowsNegative = shape & 2 == 0
    let text = input.text()
    if let read = try? Currency(text) { require(Currency.all.contains(read), "a currency off the table is accepted") }
    do throws(MoneyError) {
        let money = try Money(text, in: unit, currency, allowNegative: allowsNegative)
        require(allowsNegative || !money.isNegative, "a negative amount is accepted")
        require(text.utf8.allSatisfy { $0 == 0x2D || $0 == 0x2E || (0x30...0x39).contains($0) }, "odd text is accepted")
        for unit in [AmountUnit.major, .minor] {
            let again = try? Money(money.text(in: unit), in: unit, currency, allowNegative: true)
            require(again == money, "an amount does not read as itself")
        }
        require(significantDigits(money.text(in: unit)) == significantDigits(text, currency, unit), "digits are lost")
    } catch {
        _ = everything(of: error)
    }
    return 0
}

/// The digits without zeros before them, those that a shorter fraction leaves out included.
private func significantDigits(_ text: String, _ currency: Currency = .jpy, _ unit: AmountUnit = .minor) -> [UInt8] {
    var digits = text.utf8.filter { (0x30...0x39).contains($0) }
    if unit == .major {
        let decimals = text.utf8.firstIndex(of: 0x2E).map { text.utf8.distance(from: $0, to: text.utf8.endIndex) - 1 }
        digits += Array(repeating: 0x30, count: max(0, currency.minorUnitDigits - (decimals ?? 0)))
    }
    return Array(digits.drop { $0 == 0x30 })
}
