/// The month until whose end a card is good.
public struct CardExpiry: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The month, 1 to 12.
    public let month: Int
    /// The year, four digits: 1000 to 9999.
    public let year: Int

    /// An expiry month; `nil` unless `month` is 1 to 12 and `year` 1000 to 9999.
    public init?(month: Int, year: Int) {
        guard (1...12).contains(month), (1000...9999).contains(year) else { return nil }
        self.month = month
        self.year = year
    }

    /// `MM/YYYY`: an expiry date may be shown.
    public var description: String { "\(month.padded(to: 2))/\(year)" }

    /// The month as two digits, the way most providers want it.
    public var twoDigitMonth: String { month.padded(to: 2) }

    /// The last two digits of the year.
    public var twoDigitYear: String { (year % 100).padded(to: 2) }

    /// The order of time.
    public static func < (left: CardExpiry, right: CardExpiry) -> Bool {
        (left.year, left.month) < (right.year, right.month)
    }

    /// The first instant at which the month is over everywhere on Earth: midnight in the last time zone, UTC-12,
    /// which is noon UTC of the first day of the next month.
    public var end: WallTime {
        let next = CivilDate(year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
        return WallTime(secondsSince1970: next.daysSince1970 * 86_400 + 43_200)
    }

    /// Whether the month is over everywhere on Earth.
    ///
    /// A card is good through the last moment of its month, wherever the shopper is: only the issuer knows better, so
    /// the earliest time zones' midnight must not refuse a card here.
    public func isExpired(at now: WallTime) -> Bool {
        now >= end
    }

    /// What is wrong with this month at `now`: `expired` or `tooFarAhead` for the field `expiryYear` (`expiryMonth`
    /// when the year is the present one), or nothing.
    ///
    /// - Parameter yearsAhead: how many years after the present one (in UTC) a card may expire; 20 unless told
    ///   otherwise, which is what Spreedly's clients and active_merchant allow.
    public func issues(at now: WallTime, yearsAhead: Int = 20) -> [FieldIssue] {
        if isExpired(at: now) {
            let field: FieldIssue.Field = year == now.utcDate.year ? .expiryMonth : .expiryYear
            return [FieldIssue(field, .expired, message: "The card has expired: use another one or correct the date.")]
        }
        if year - now.utcDate.year > yearsAhead {
            return [
                FieldIssue(
                    .expiryYear, .tooFarAhead,
                    message: "The expiry year is more than \(count: yearsAhead) years ahead: correct it.")
            ]
        }
        return []
    }
}

extension CardExpiry: Codable {
    private enum CodingKeys: String, CodingKey { case month, year }

    /// Reads `{"month": 2, "year": 2031}`; fails on an impossible month or year.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let month = try container.decode(Int.self, forKey: .month)
        guard let expiry = CardExpiry(month: month, year: try container.decode(Int.self, forKey: .year)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .month, in: container, debugDescription: "no such month of expiry")
        }
        self = expiry
    }

    /// Writes `{"month": 2, "year": 2031}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(month, forKey: .month)
        try container.encode(year, forKey: .year)
    }
}
