/// A card brand (scheme), such as Visa: what a number's leading digits say about the network it runs on.
///
/// A struct rather than an enum, so that a brand that a provider names and this version does not know keeps its text.
/// Two brands are equal when their ``id`` is. What each brand's numbers look like is in one table, `BrandTable`.
public struct CardBrand: Sendable, Hashable, CustomStringConvertible {
    /// The stable spelling, such as `american_express`: safe to store, to print and to compare.
    public let id: String

    private init(known id: String) {
        self.id = id
    }

    /// A brand by its stable spelling: lower-case ASCII letters, digits and underscores, beginning with a letter, at
    /// most 32 characters of which at most four are digits (so that no card number can pass for a brand).
    ///
    /// Names that this version does not know are kept as they are; `nil` when the text has another form.
    public init?(id: String) {
        let bytes = id.utf8
        guard let first = bytes.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first), bytes.count <= 32
        else { return nil }
        var digits = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            default: return nil
            }
        }
        guard digits <= 4 else { return nil }
        self.id = id
    }

    /// The stable spelling, as ``id``.
    public var description: String { id }

    /// Visa, Visa Electron and every co-badged card that runs on Visa's network.
    public static let visa = CardBrand(known: "visa")
    /// Mastercard, 5-series and 2-series.
    public static let mastercard = CardBrand(known: "mastercard")
    /// American Express.
    public static let americanExpress = CardBrand(known: "american_express")
    /// Discover.
    public static let discover = CardBrand(known: "discover")
    /// Diners Club.
    public static let dinersClub = CardBrand(known: "diners_club")
    /// JCB.
    public static let jcb = CardBrand(known: "jcb")
    /// UnionPay.
    public static let unionPay = CardBrand(known: "union_pay")
    /// Maestro.
    public static let maestro = CardBrand(known: "maestro")
    /// Elo (Brazil).
    public static let elo = CardBrand(known: "elo")
    /// Alelo (Brazil).
    public static let alelo = CardBrand(known: "alelo")
    /// Hipercard (Brazil).
    public static let hipercard = CardBrand(known: "hipercard")
    /// Cabal (Argentina, Brazil).
    public static let cabal = CardBrand(known: "cabal")
    /// Naranja (Argentina).
    public static let naranja = CardBrand(known: "naranja")
    /// Cencosud (Argentina).
    public static let cencosud = CardBrand(known: "cencosud")
    /// Tarjeta Shopping (Argentina).
    public static let tarjetaShopping = CardBrand(known: "tarjeta_shopping")
    /// Argencard (Argentina).
    public static let argencard = CardBrand(known: "argencard")
    /// Patagonia 365 (Argentina).
    public static let patagonia365 = CardBrand(known: "patagonia_365")
    /// Tarjeta Sol (Argentina).
    public static let tarjetaSol = CardBrand(known: "tarjeta_sol")
    /// Confiable (Argentina).
    public static let confiable = CardBrand(known: "confiable")
    /// Carnet (Mexico).
    public static let carnet = CardBrand(known: "carnet")
    /// Tuya (Colombia).
    public static let tuya = CardBrand(known: "tuya")
    /// Olímpica (Colombia).
    public static let olimpica = CardBrand(known: "olimpica")
    /// Alia.
    public static let alia = CardBrand(known: "alia")
    /// Creditel (Uruguay).
    public static let creditel = CardBrand(known: "creditel")
    /// Anda (Uruguay).
    public static let anda = CardBrand(known: "anda")
    /// Tarjeta D (Uruguay).
    public static let tarjetaD = CardBrand(known: "tarjeta_d")
    /// Passcard (Uruguay).
    public static let passcard = CardBrand(known: "passcard")
    /// Edenred meal and gift cards.
    public static let edenred = CardBrand(known: "edenred")
    /// Sodexo (Pluxee) meal cards.
    public static let sodexo = CardBrand(known: "sodexo")
    /// VR meal cards (Brazil).
    public static let vr = CardBrand(known: "vr")
    /// Panal.
    public static let panal = CardBrand(known: "panal")
    /// Synchrony private-label cards.
    public static let synchrony = CardBrand(known: "synchrony")
    /// Routex fuel cards.
    public static let routex = CardBrand(known: "routex")
    /// BP Plus fuel cards.
    public static let bpPlus = CardBrand(known: "bp_plus")
    /// UATP (Universal Air Travel Plan).
    public static let uatp = CardBrand(known: "uatp")
    /// Mada (Saudi Arabia).
    public static let mada = CardBrand(known: "mada")
    /// Verve (Nigeria).
    public static let verve = CardBrand(known: "verve")
    /// Dankort (Denmark).
    public static let dankort = CardBrand(known: "dankort")
    /// Forbrugsforeningen (Denmark).
    public static let forbrugsforeningen = CardBrand(known: "forbrugsforeningen")
    /// Cartes Bancaires (France), numbers outside Visa's and Mastercard's ranges only.
    public static let cartesBancaires = CardBrand(known: "cartes_bancaires")
    /// Mir (Russia).
    public static let mir = CardBrand(known: "mir")
    /// Troy (Turkey).
    public static let troy = CardBrand(known: "troy")
}

extension CardBrand {
    /// The name as its owner writes it, for people; the ``id`` with spaces for a brand this version does not know.
    public var displayName: String {
        switch self {
        case .americanExpress: "American Express"
        case .unionPay: "UnionPay"
        case .dinersClub: "Diners Club"
        case .jcb, .vr, .uatp: id.uppercased()
        case .bpPlus: "BP Plus"
        case .tarjetaD: "Tarjeta D"
        case .olimpica: "Olímpica"
        default: Self.capitalised(id)
        }
    }

    private static func capitalised(_ id: String) -> String {
        id.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// How many digits the security code of this brand has.
    ///
    /// Four for American Express, three otherwise (Spreedly's and active_merchant's published rule).
    public var securityCodeLength: Int { self == .americanExpress ? 4 : 3 }

    /// Whether cards of this brand may come without a security code: Maestro, Routex, UATP and Tarjeta D.
    public var mayLackSecurityCode: Bool {
        self == .maestro || self == .routex || self == .uatp || self == .tarjetaD
    }
}

extension CardBrand: Codable {
    /// Reads the stable spelling; fails on text that cannot be a brand's.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let brand = CardBrand(id: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not the id of a card brand")
        }
        self = brand
    }

    /// Writes the stable spelling.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(id)
    }
}
