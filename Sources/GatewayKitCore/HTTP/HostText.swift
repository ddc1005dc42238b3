/// Reads the host of an address in one way only.
///
/// Resolvers take many spellings for a number (`127.1`, `0x7f.1`, `2130706433`) and a dot at the end for nothing; an
/// allow list that compares text must not meet any of them, so they are refused. The addresses of "any interface"
/// (0.0.0.0/8, `::`), which connect to this machine, and IPv4 addresses in the guise of IPv6 are refused too.
enum HostText {
    /// The one spelling of the host, or `nil` when it is none: a name in lower case, four decimal numbers, or an IPv6
    /// address in brackets in the form of RFC 5952.
    static func canonical(_ text: Substring) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count > 2 {
            return addressV6(text.dropFirst().dropLast()).map { "[" + $0 + "]" }
        }
        let name = text.lowercased()
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy(isLabel), let last = labels.last else { return nil }
        // A name whose last label is a number is read as an IPv4 address (URL Standard, "ends in a number checker").
        guard last.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) || last.hasPrefix("0x") else { return name }
        let isAddress =
            labels.count == 4 && labels.first != "0"
            && labels.allSatisfy { label in UInt8(label).map { String($0) == label } ?? false }
        return isAddress ? name : nil
    }

    /// Letters, digits and inner hyphens, at most 63 (RFC 1123, section 2.1).
    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    }

    private static func addressV6(_ text: Substring) -> String? {
        guard let groups = groups(of: text), groups.contains(where: { $0 != 0 }) else { return nil }
        let isV4 = groups.prefix(5).allSatisfy { $0 == 0 } && (groups[5] == 0xFFFF || groups[5] == 0 && groups[6] != 0)
        return isV4 ? nil : shortest(groups)
    }

    /// The eight groups, with a `::` filled up.
    private static func groups(of text: Substring) -> [UInt16]? {
        var halves: [[UInt16]] = [[]]
        var rest = text[...]
        if rest.hasPrefix("::") {
            halves.append([])
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let digits = rest.prefix { $0 != ":" }
            guard (1...4).contains(digits.utf8.count), digits.first != "+", let group = UInt16(digits, radix: 16) else {
                return nil
            }
            halves[halves.count - 1].append(group)
            rest = rest.dropFirst(digits.count)
            if rest.hasPrefix("::") {
                guard halves.count == 1 else { return nil }
                halves.append([])
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix(":") {
                rest = rest.dropFirst()
                if rest.isEmpty { return nil }
            }
        }
        let count = halves.joined().count
        guard let head = halves.first else { return nil }
        guard halves.count == 2, let tail = halves.last else { return count == 8 ? head : nil }
        return count <= 7 ? head + Array(repeating: 0, count: 8 - count) + tail : nil
    }

    /// The longest run of two or more zero groups, the first of equals, becomes `::` (RFC 5952, section 4.2).
    private static func shortest(_ groups: [UInt16]) -> String {
        var best = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 }
            if index + 1 - start > max(best.count, 1) { best = start..<index + 1 }
        }
        func hex(_ groups: some Sequence<UInt16>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        return best.isEmpty ? hex(groups) : hex(groups[..<best.lowerBound]) + "::" + hex(groups[best.upperBound...])
    }
}
