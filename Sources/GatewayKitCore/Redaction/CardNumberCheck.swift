/// The seam to the card brands: whether a window of digits may be a card number.
enum CardNumberCheck {
    static func accepts(_ window: ArraySlice<UInt8>) -> Bool {
        guard (12...19).contains(window.count), let first = window.first, (0x33...0x36).contains(first) else {
            return false
        }
        var sum = 0
        var doubles = window.count.isMultiple(of: 2)
        for byte in window {
            let digit = Int(byte & 0x0F)
            sum += !doubles ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
            doubles.toggle()
        }
        return sum.isMultiple(of: 10)
    }
}
