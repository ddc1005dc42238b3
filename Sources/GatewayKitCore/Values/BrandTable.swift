/// What the numbers of one brand look like: which digits they begin with, how long they are, how they are checked.
struct BrandRule: Sendable {
    let brand: CardBrand
    /// Prefixes widened to eight digits: `4` is 40000000...49999999.
    let ranges: [ClosedRange<UInt32>]
    /// Allowed lengths of the whole number.
    let lengths: Set<Int>
    let check: CheckDigitRule
    /// How many words the prefixes were written in: for the test that none of them is malformed.
    let words: Int

    /// `prefixes` lists prefixes and ranges of prefixes, `622126-622925 65`; a test checks that every word is read.
    init(_ brand: CardBrand, _ prefixes: String, lengths: Set<Int> = [16], check: CheckDigitRule = .luhn) {
        self.brand = brand
        self.lengths = lengths
        self.check = check
        let all = prefixes.split(separator: " ")
        words = all.count
        ranges = all.compactMap(Self.range)
    }

    static func range(_ word: Substring) -> ClosedRange<UInt32>? {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = ends.first, let last = ends.last, ends.count <= 2,
            let low = widened(first)?.lowerBound, let high = widened(last)?.upperBound, low <= high
        else { return nil }
        return low...high
    }

    /// All eight-digit prefixes that begin with these digits.
    private static func widened(_ digits: Substring) -> ClosedRange<UInt32>? {
        guard (1...8).contains(digits.count), let value = UInt32(digits) else { return nil }
        let unit = (digits.count..<8).reduce(UInt32(1)) { unit, _ in unit * 10 }
        return value * unit...value * unit + (unit - 1)
    }
}

/// Every known brand, in the order in which they are tried.
///
/// Ranges overlap (Alelo and Elo have numbers that begin with Visa's 4, Elo and Verve lie inside Discover's 65, Carnet
/// and VR inside UnionPay's 62, Panal inside Maestro's 602), so the order decides, and it is written down here:
/// 1. **Visa and Mastercard**: a co-badged card runs on their network whatever else is printed on it.
/// 2. **Brands that own short lists of six to eight digits**, in active_merchant's order: the longer prefix is the more
///    exact statement.
/// 3. **Brands that own wide ranges**, JCB before Diners Club (3090-3094), Discover before UnionPay (622126-622925 is
///    co-branded and runs on Discover), Dankort before Maestro.
///
/// Facts: ISO/IEC 7812 ranges as the brands and the gateways publish them: Spreedly's mobile SDKs and active_merchant
/// (both public source), BlueSnap's `creditCardRegex`, Elo's and Alelo's BIN lists. Newly issued ranges appear every
/// year, so an unknown brand is never an error by itself.
enum BrandTable {
    static let rules: [BrandRule] = networks + narrow + wide

    private static let networks = [
        BrandRule(.visa, "4", lengths: [13, 16, 19]),
        BrandRule(.mastercard, "222100-272099 510000-559999"),
    ]

    private static let narrow = [
        BrandRule(
            .elo,
            """
            401178-401179 431274 438935 451416 457393 457631-457632 504175 506707-506708 506715 506717-506722 \
            506724-506736 506739-506743 506745-506747 506753 506774-506778 509000-509007 509009-509014 509020-509030 \
            509035-509042 509044-509089 509091-509101 509104-509807 509831-509877 509897-509900 509918-509964 \
            509971-509986 509995-509999 627780 636297-636298 636368-636369 650031-650033 650035-650051 650057-650081 \
            650406-650439 650485-650504 650506-650538 650552-650598 650720-650727 650901-650922 650928 650938-650939 \
            650946-650978 651652-651704 655000-655019 655021-655057
            """),
        BrandRule(
            .cabal, "60420100-60440099 58965700-58965799 60352200-60352299 65027200-65027299 65008700 627170"),
        BrandRule(
            .alelo,
            """
            402588 404347 405876 405882 405884 405886 430471 438061 438064 470063-470066 496067 506699-506704 506706 \
            506713-506714 506716 506749-506750 506752 506754-506756 506758-506767 506770-506771 506773 509015-509019 \
            509880-509882 509884-509885 509887 509987-509992
            """),
        BrandRule(.naranja, "589562", check: .naranjaOrLuhn),
        BrandRule(.forbrugsforeningen, "600722"),
        BrandRule(.sodexo, "505864-505865", check: .unchecked),
        BrandRule(.sodexo, "606068-606071 603389 600818"),
        BrandRule(.vr, "627416 637036"),
        BrandRule(
            .carnet,
            """
            506199-506499 286900 502275 606333 627535 636318 636379 639388 639484 639559 50633601 50633606 58877274 \
            60462203-60462204 588772
            """),
        BrandRule(.alia, "504997 505878 505874 601030 601073", check: .unchecked),
        BrandRule(
            .cartesBancaires,
            "507589-507590 507593-507595 507597 560408 581752 585402-585405 585501-585505 585577-585582"),
        BrandRule(.olimpica, "636853"),
        BrandRule(.creditel, "601933", check: .creditel),
        BrandRule(.confiable, "560718", check: .unchecked),
        BrandRule(.synchrony, "700600"),
        BrandRule(.routex, "700676 700678", lengths: [18, 19]),
        BrandRule(
            .mada,
            """
            504300 506968 508160 585265 588848 588850 588982-588983 589005 589206 604906 605141 636120 968201-968209 \
            968211
            """),
        BrandRule(.bpPlus, "705", lengths: [17]),
        BrandRule(.passcard, "628026"),
        BrandRule(.edenred, "637483"),
        BrandRule(.anda, "603199", check: .unchecked),
        BrandRule(.tarjetaD, "601828", check: .unchecked),
        BrandRule(
            .hipercard, "384100 384140 384160 606282 637095 637568 637599 637609 637612", check: .unchecked),
        BrandRule(.panal, "602049"),
        BrandRule(.verve, "506099-506198 650002-650027 507865-507964", lengths: [16, 17, 18, 19]),
        BrandRule(.tuya, "588800"),
        BrandRule(.patagonia365, "504656"),
        BrandRule(.tarjetaSol, "504639"),
        BrandRule(.cencosud, "603493"),
        BrandRule(.tarjetaShopping, "603488 279950-279959"),
        BrandRule(.argencard, "501105"),
        BrandRule(.mir, "2200-2204", lengths: [16, 17, 18, 19]),
        BrandRule(.troy, "979200-979289"),
    ]

    private static let wide = [
        BrandRule(.americanExpress, "34 37", lengths: [15]),
        BrandRule(.discover, "6011 622126-622925 644-659", lengths: [16, 17, 18, 19]),
        BrandRule(.jcb, "3528-3589 3088-3094 3096-3102 3112-3120 3158-3159 3337-3349"),
        BrandRule(.jcb, "2131 1800", lengths: [15]),
        BrandRule(.dinersClub, "300-305 309 36 38 39", lengths: [14, 15, 16, 17, 18, 19]),
        BrandRule(.dankort, "5019"),
        BrandRule(.maestro, "501080-501082", lengths: Set(12...19), check: .unchecked),
        BrandRule(
            .maestro,
            """
            500032-500033 500057 501015-501016 501018 501020-501021 501023-501029 501038-501041 501043 501045 501047 \
            501049 501051 501053-501058 501060-501063 501066-501067 501072 501075 501083 501087 501089 501091-501092 \
            501095 501104-501105 501107-501108 501500 501623 5018 5020 502113 502120-502121 502301 503175 503337 \
            503645 503670 5038 504310 504338 504363 504533 504587 504620 504738 504781 504910 507001-507002 507004 \
            507082 507090 560014 560565 561033 561200-561269 561271-561299 561320-561356 572402 572610 572626 576904 \
            578614 581149 581700-581751 581753-581800 585274 585697 586509 588729 588792 589244 5893 589407 589471 \
            589605 589633 589647 589671 589916 589998-591259 591261-596770 596772-598744 598746-599999 600297-600314 \
            600316-600335 600337-600362 600364-600382 601070 601232-601254 601256-601276 601452 601628 601638 \
            601640-601652 601689-601700 602011-602050 602648 603326 603450 603689 604983 606126 608710 627339 \
            627453-627454 627973 6304 636117 636380 636422 636502 636639 637046 637529 637600 637756 639000-639099 \
            639130 639229 639350 67 690032
            """, lengths: Set(12...19)),
        BrandRule(.unionPay, "62 81000000-81719999", lengths: [16, 17, 18, 19]),
        BrandRule(.uatp, "1175 1290", lengths: [15]),
    ]
}
