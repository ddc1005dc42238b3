extension String {
    /// The text without the addresses that Swift prints of private types, `(unknown context at $55d68264a9b0)`: any few
    /// digits may be in them by chance.
    var withoutAddresses: String {
        var kept = ""
        var rest = self[...]
        while let mark = rest.firstRange(of: "context at $") {
            kept += rest[..<mark.upperBound]
            rest = rest[mark.upperBound...].drop(while: \.isHexDigit)
        }
        return kept + rest
    }
}
