/// A postal address in parts. It is personal data: descriptions and mirrors tell which parts are present, not what
/// they are.
///
/// Every part is optional, because each provider and country wants others; parts are kept as they are given, but the
/// country's code is brought into upper case. What a provider cannot take is its adapter's to say.
public struct Address: Sendable, Hashable {
    /// Street and number, or what stands for them.
    public var line1: String?
    /// What the first line has no room for.
    public var line2: String?
    /// What the first two lines have no room for; few providers have a place for it.
    public var line3: String?
    /// The city or town.
    public var city: String?
    /// The state, province or region; a code or a name, as the country has it.
    public var region: String?
    /// The postal code, letters and separators included.
    public var postalCode: String?
    /// The country as ISO 3166-1 alpha-2 code in upper case, such as `PK`.
    public var country: String? {
        didSet { country = Self.upperCased(country) }
    }

    /// An address from its parts. White space around the country's code is cut off and its case does not matter.
    public init(
        line1: String? = nil, line2: String? = nil, line3: String? = nil, city: String? = nil, region: String? = nil,
        postalCode: String? = nil, country: String? = nil
    ) {
        self.line1 = line1
        self.line2 = line2
        self.line3 = line3
        self.city = city
        self.region = region
        self.postalCode = postalCode
        self.country = Self.upperCased(country)
    }

    /// What is wrong: `malformed` for a country that is no assigned ISO 3166-1 alpha-2 code; an absent part is fine.
    ///
    /// For a shipping address, map the field with ``FieldIssue/Field/ofShipping``.
    public var issues: [FieldIssue] {
        guard let country, !CountryTable.codes.contains(country) else { return [] }
        return [
            FieldIssue(
                .country, .malformed, message: "The country is no ISO 3166-1 alpha-2 code: use two letters such as DE.")
        ]
    }

    /// Whether no part is given.
    public var isEmpty: Bool { presentFields.isEmpty }

    var presentFields: [String] {
        [
            ("line1", line1), ("line2", line2), ("line3", line3), ("city", city), ("region", region),
            ("postalCode", postalCode), ("country", country),
        ].filter { $0.1 != nil }.map(\.0)
    }

    private static func upperCased(_ country: String?) -> String? {
        guard let country else { return nil }
        let trimmed = country.drop(while: \.isWhitespace)
        guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return trimmed[...last].uppercased()
    }
}

extension Address: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Which parts are present: `Address(line1, city, country)`.
    public var description: String { "Address(\(presentFields.joined(separator: ", ")))" }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
