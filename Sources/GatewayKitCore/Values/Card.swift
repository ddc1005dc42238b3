/// A payment card as the shopper gave it: the number, and what else was asked for.
///
/// The number and the security code are guarded; the name is personal data and is shown by no description. No `Codable`
/// conformance: what may be stored or shown is ``summary``.
public struct Card: Sendable, Equatable {
    /// The card number.
    public var number: CardNumber
    /// The month of expiry, if it was asked for.
    public var expiry: CardExpiry?
    /// The security code, if it was asked for.
    public var securityCode: SecurityCode?
    /// The holder's whole name as one text. Splitting it is an adapter's business, by its provider's rule.
    public var holderName: String?

    /// A card from parts that are well-formed.
    public init(
        number: CardNumber, expiry: CardExpiry? = nil, securityCode: SecurityCode? = nil, holderName: String? = nil
    ) {
        self.number = number
        self.expiry = expiry
        self.securityCode = securityCode
        self.holderName = holderName
    }

    /// What may be shown and stored.
    public var summary: CardSummary {
        CardSummary(brand: number.brand, lastFour: number.lastFour, firstSix: number.firstSix, expiry: expiry)
    }

    /// What is wrong with a well-formed card at `now`, all at once, in the order number, expiry, security code.
    ///
    /// Check digit and length by brand (``CardNumber/issues``), expiry (``CardExpiry/issues(at:yearsAhead:)``), and
    /// the code's length by brand (``SecurityCode/issues(for:)``). An unknown brand whose number passes Luhn is no
    /// issue, and neither is an absent expiry or security code: whether they are needed is the adapter's to say.
    /// - Parameter yearsAhead: how many years ahead a card may expire.
    public func issues(at now: WallTime, yearsAhead: Int = 20) -> [FieldIssue] {
        number.issues + (expiry?.issues(at: now, yearsAhead: yearsAhead) ?? [])
            + (securityCode?.issues(for: number.brand) ?? [])
    }
}

extension Card {
    /// Reads a card from texts as they were typed.
    ///
    /// Throws when a text cannot be read; the error then lists everything that is wrong with any of the fields, the
    /// findings of ``issues(at:yearsAhead:)`` on the readable ones included. A card whose texts are all well-formed is
    /// returned even if, say, its check digit is wrong: ask ``issues(at:yearsAhead:)``.
    ///
    /// `nil` means *not asked for*, blank text means *left empty* and is reported as missing, except the name's: a
    /// blank name is no name.
    /// - Parameters:
    ///   - number: the card number; see ``CardNumber/init(_:)``.
    ///   - month: the month of expiry, `1` to `12`.
    ///   - year: the year of expiry, two or four digits.
    ///   - expiry: month and year in one text instead; see ``CardExpiry/read(_:now:)``.
    ///   - securityCode: the security code; see ``SecurityCode/init(_:)``.
    ///   - name: the holder's whole name; white space around it is cut off.
    ///   - now: what two-digit years and expiry are judged against.
    public static func read(
        number: Sensitive<String>?, month: String? = nil, year: String? = nil, expiry: String? = nil,
        securityCode: Sensitive<String>? = nil, name: String? = nil, now: WallTime
    ) throws(InvalidCardInput) -> Card {
        var unreadable: [FieldIssue] = []
        var doubtful: [FieldIssue] = []

        var readNumber: CardNumber?
        do throws(InvalidCardInput) {
            let number = try CardNumber(number ?? Sensitive(""))
            readNumber = number
            doubtful += number.issues
        } catch {
            unreadable += error.issues
        }

        var readExpiry: CardExpiry?
        do throws(InvalidCardInput) {
            readExpiry = try Self.expiry(month: month, year: year, text: expiry, now: now)
            doubtful += readExpiry?.issues(at: now) ?? []
        } catch {
            unreadable += error.issues
        }

        var readCode: SecurityCode?
        if let securityCode {
            do throws(InvalidCardInput) {
                let code = try SecurityCode(securityCode)
                readCode = code
                doubtful += code.issues(for: readNumber?.brand)
            } catch {
                unreadable += error.issues
            }
        }

        if let first = unreadable.first { throw InvalidCardInput(first, unreadable.dropFirst() + doubtful) }
        guard let readNumber else {
            throw InvalidCardInput(.number, .missing, "The card number is missing.")
        }
        return Card(number: readNumber, expiry: readExpiry, securityCode: readCode, holderName: Self.trimmed(name))
    }

    private static func expiry(
        month: String?, year: String?, text: String?, now: WallTime
    ) throws(InvalidCardInput) -> CardExpiry? {
        if let text {
            guard month == nil, year == nil else {
                throw InvalidCardInput(.expiryMonth, .notAccepted, "The expiry date is given twice: give it once.")
            }
            return try CardExpiry.read(text, now: now)
        }
        guard month != nil || year != nil else { return nil }
        return try CardExpiry.read(month: month ?? "", year: year ?? "", now: now)
    }

    private static func trimmed(_ name: String?) -> String? {
        guard let name, let first = name.firstIndex(where: { !$0.isWhitespace }),
            let last = name.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(name[first...last])
    }
}

extension Card: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The summary's description, `visa ending 1111, expires 02/2031`: no name, no code.
    public var description: String { summary.description }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
