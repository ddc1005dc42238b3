/// A natural number of any size, for reckoning that must be exact where 64 bits are too few.
///
/// As little as conversion needs: sum, product, comparison, and a quotient that fits 64 bits. Callers bound the sizes.
struct Natural: Equatable, Sendable {
    /// 32 bits each, lowest first, no zeros at the end.
    private var limbs: [UInt32]

    init(_ value: UInt64) {
        limbs = [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
        trim()
    }

    /// The power of ten.
    init(tenToThe exponent: Int) {
        self.init(1)
        for _ in 0..<max(exponent, 0) { self = times(10, adding: 0) }
    }

    /// The number that ASCII digits write; other bytes are left out.
    init(digits: some Sequence<UInt8>) {
        self.init(0)
        for byte in digits where (0x30...0x39).contains(byte) { self = times(10, adding: UInt32(byte - 0x30)) }
    }

    var isZero: Bool { limbs.isEmpty }

    static func * (left: Natural, right: Natural) -> Natural {
        var product = [UInt32](repeating: 0, count: left.limbs.count + right.limbs.count)
        for (place, limb) in left.limbs.enumerated() {
            var carry: UInt64 = 0
            for (offset, other) in right.limbs.enumerated() {
                let sum = UInt64(limb) * UInt64(other) + UInt64(product[place + offset]) + carry
                product[place + offset] = UInt32(truncatingIfNeeded: sum)
                carry = sum >> 32
            }
            product[place + right.limbs.count] = UInt32(carry)
        }
        return Natural(limbs: product)
    }

    /// The whole quotient, rounded half up; `nil` when it does not fit 64 bits, or the divisor is nothing.
    func dividedRoundingHalfUp(by divisor: Natural) -> UInt64? {
        guard !divisor.isZero else { return nil }
        var quotient: UInt64 = 0
        var rest = Natural(0)
        for limb in limbs.reversed() {
            for bit in (0..<32).reversed() {
                rest.double(adding: (limb >> UInt32(bit)) & 1)
                guard quotient.leadingZeroBitCount > 0 else { return nil }
                quotient <<= 1
                if !rest.isLess(than: divisor) {
                    rest.subtract(divisor)
                    quotient |= 1
                }
            }
        }
        rest.double(adding: 0)
        guard !rest.isLess(than: divisor) else { return quotient }
        let (rounded, overflow) = quotient.addingReportingOverflow(1)
        return overflow ? nil : rounded
    }

    func isLess(than other: Natural) -> Bool {
        guard limbs.count == other.limbs.count else { return limbs.count < other.limbs.count }
        for (left, right) in zip(limbs, other.limbs).reversed() where left != right { return left < right }
        return false
    }

    private init(limbs: [UInt32]) {
        self.limbs = limbs
        trim()
    }

    private mutating func trim() {
        while limbs.last == 0 { limbs.removeLast() }
    }

    private func times(_ factor: UInt32, adding summand: UInt32) -> Natural {
        var copy = self
        var carry = UInt64(summand)
        for place in copy.limbs.indices {
            let sum = UInt64(copy.limbs[place]) * UInt64(factor) + carry
            copy.limbs[place] = UInt32(truncatingIfNeeded: sum)
            carry = sum >> 32
        }
        if carry > 0 { copy.limbs.append(UInt32(carry)) }
        return copy
    }

    private mutating func double(adding bit: UInt32) {
        var carry = bit
        for place in limbs.indices {
            let next = limbs[place] >> 31
            limbs[place] = limbs[place] << 1 | carry
            carry = next
        }
        if carry > 0 { limbs.append(carry) }
    }

    /// Takes away what is not greater.
    private mutating func subtract(_ other: Natural) {
        var borrow: Int64 = 0
        for place in limbs.indices {
            let taken = place < other.limbs.count ? Int64(other.limbs[place]) : 0
            let difference = Int64(limbs[place]) - taken - borrow
            borrow = difference < 0 ? 1 : 0
            limbs[place] = UInt32(truncatingIfNeeded: difference)
        }
        trim()
    }
}

/// A decimal number above zero, exactly as a text writes it.
struct PositiveDecimal: Equatable, Sendable {
    /// All digits without the point.
    let digits: Natural
    /// By which power of ten they are to be multiplied; negative for decimals.
    let exponent: Int

    static let one = PositiveDecimal(digits: Natural(1), exponent: 0)

    private init(digits: Natural, exponent: Int) {
        self.digits = digits
        self.exponent = exponent
    }

    /// Reads `0.8137`, `151`, `8.5E-5`: the grammar of JSON's numbers without a minus sign, because servers write small
    /// rates with an exponent; at most 40 digits, an exponent of at most two digits. `nil` for anything else, zero
    /// included.
    init?(_ text: String) {
        guard text.utf8.count <= 48, text.isJSONNumber, text.utf8.first != UInt8(ascii: "-") else { return nil }
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        guard let mantissa = parts.first, mantissa.count <= 41 else { return nil }
        var exponent = 0
        if parts.count == 2, let written = parts.last {
            let magnitude = written.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            guard magnitude.count <= 2 else { return nil }
            exponent = magnitude.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
            if written.first == UInt8(ascii: "-") { exponent = -exponent }
        }
        let decimals = mantissa.firstIndex(of: UInt8(ascii: ".")).map { mantissa[$0...].dropFirst().count } ?? 0
        let digits = Natural(digits: mantissa)
        guard !digits.isZero else { return nil }
        self.init(digits: digits, exponent: exponent - decimals)
    }
}
