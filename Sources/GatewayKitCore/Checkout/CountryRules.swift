/// What addresses of a country have: a postal code, states.
///
/// Collected from the checkout forms of BlueSnap's SDKs and from ISO 3166-2. Countries are ISO 3166-1 alpha-2 codes, in
/// any case.
public enum CountryRules {
    /// Whether an address in the country has a postal code that a checkout may demand. `true` for an unknown country.
    ///
    /// Some countries of the list have introduced codes since: there one is not demanded, and may be given.
    public static func hasPostalCode(_ country: String) -> Bool {
        !withoutPostalCode.contains(country.uppercased())
    }

    /// The states of a country whose addresses must name one: United States, Canada, Brazil. Empty for every other.
    ///
    /// ISO 3166-2 without the country's prefix. Of the United States also the territories, and the three codes of the
    /// armed forces (`AA`, `AE`, `AP`); of Canada also `NF`, which stands in older address books for `NL`.
    public static func states(of country: String) -> [String] {
        switch country.uppercased() {
        case "US": unitedStates
        case "CA": canada
        case "BR": brazil
        default: []
        }
    }

    /// Whether the country has such a state; the case does not matter. `false` where a country has none.
    public static func hasState(_ state: String, in country: String) -> Bool {
        states(of: country).contains(state.uppercased())
    }

    /// Both lists of the two SDKs together: who may leave the code out on one device may do so on the other. The two
    /// codes in them that ISO has withdrawn (`AN`, `TP`) are left out, because no address can name them any more.
    private static let withoutPostalCode: Set<String> = Set(
        words(
            """
            AO AG AW AC BS BZ BJ BW BO BF BI CM CF KM CG CD CK CW DJ DM DO GQ ER FJ TF GM GH GD GY HM HK JM KI LY \
            MO MW ML MR NR NU KP QA RW KN ST SC SL SB SR SY TL TG TK TO TT TV UG AE VU YE ZW
            """))

    private static let unitedStates = words(
        """
        AK AL AR AS AZ CA CO CT DC DE FL GA GU HI IA ID IL IN KS KY LA MA MD ME MI MN MO MP MS MT NC ND NE NH NJ NM NV NY \
        OH OK OR PA PR RI SC SD TN TX UT VA VI VT WA WI WV WY AA AE AP
        """)
    private static let canada = words("AB BC MB NB NF NL NS NT NU ON PE QC SK YT")
    private static let brazil = words(
        "AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO")

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
