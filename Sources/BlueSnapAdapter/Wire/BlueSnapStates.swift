import GatewayKitCore

/// BlueSnap's codes of states. They are ISO 3166-2's, but for nine states of Brazil, which BlueSnap's SDKs list and send
/// by codes of its own (iOS SDK, `BSCountryManager`).
enum BlueSnapStates {
    private static let brazil: [String: String] = [
        "MA": "XA", "MS": "XB", "MT": "XC", "SC": "XD", "PA": "XE", "PE": "XF", "PR": "XG", "AL": "XH", "AP": "XI",
    ]
    private static let brazilInISO = Dictionary(brazil.map { ($0.value, $0.key) }) { first, _ in first }

    /// BlueSnap's code for one of ISO's, in upper case.
    static func word(for state: String?, in country: String?) -> String? {
        let state = state?.uppercased()
        return country?.uppercased() == "BR" ? state.map { brazil[$0] ?? $0 } : state
    }

    /// ISO's code for one of BlueSnap's, in upper case.
    static func state(for word: String?, in country: String?) -> String? {
        let word = word?.uppercased()
        return country?.uppercased() == "BR" ? word.map { brazilInISO[$0] ?? $0 } : word
    }
}
