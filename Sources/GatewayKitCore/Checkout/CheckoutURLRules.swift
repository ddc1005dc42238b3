/// What a provider's pages mean by their addresses: a value that an adapter fills in for one page, and the one function
/// that judges by it.
///
/// A verdict comes from scheme, host, port, path segments, the session's parameter and the signature, each compared as a
/// whole. No text that anybody can choose (an order number, a message, a fragment) has a part in it. It is a hint all the
/// same: read the proof.
public struct CheckoutURLRules: Sendable {
    /// Where the provider's pages are; ``places`` are looked for below these, on exactly these origins.
    public var pageBases: [ReportedURL]
    /// The pages that mean something.
    public var places: [Place]
    /// Where the shopper's browser comes back to, and what it means that it does.
    public var returnPlace: Registered?
    /// Where the shopper's browser goes when the shopper gives up.
    public var cancelPlace: Registered?
    /// By what an address names the session; `nil` where addresses do not.
    public var session: SessionNames?
    /// How an address is signed; `nil` where it is not.
    public var signature: Signature?
    /// Further parameters that decide, or are read by whoever acts upon the address: none of them may stand twice.
    public var decisiveParameters: [String]
    /// The parameter that holds the provider's id of what was paid.
    public var paymentParameter: String?

    /// No pages, no addresses: everything is ``CheckoutVerdict/Kind/ignore``.
    public init(
        pageBases: [ReportedURL] = [], places: [Place] = [], returnPlace: Registered? = nil,
        cancelPlace: Registered? = nil, session: SessionNames? = nil, signature: Signature? = nil,
        decisiveParameters: [String] = [], paymentParameter: String? = nil
    ) {
        self.pageBases = pageBases
        self.places = places
        self.returnPlace = returnPlace
        self.cancelPlace = cancelPlace
        self.session = session
        self.signature = signature
        self.decisiveParameters = decisiveParameters
        self.paymentParameter = paymentParameter
    }

    /// What reaching a place claims.
    public enum Claim: Sendable, Hashable {
        /// Nothing: a page on the way.
        case nothing
        /// That the way ended, neither well nor badly.
        case ended
        /// That it ended well. Without the session's name, or a signature where ``Place/needsSignature`` says so, it
        /// counts as ``ended``.
        case success
        /// That it ended badly.
        case failure
        /// That the shopper gave up.
        case cancelled
        /// That a step of the shopper's authentication ended well.
        case authenticationDone
        /// That a step of the shopper's authentication ended badly.
        case authenticationFailed
    }

    /// A parameter whose value decides what a place claims.
    public struct Choice: Sendable, Hashable {
        /// The parameter.
        public var parameter: String
        /// What its values claim, compared byte by byte.
        public var claims: [String: Claim]
        /// What its absence claims.
        public var absent: Claim
        /// What any other value claims.
        public var other: Claim

        /// Describes a parameter that decides.
        public init(_ parameter: String, _ claims: [String: Claim], absent: Claim, other: Claim = .ended) {
            self.parameter = parameter
            self.claims = claims
            self.absent = absent
            self.other = other
        }
    }

    /// A page of the provider's.
    public struct Place: Sendable, Hashable {
        /// The path's segments below a base, decoded, in their exact spelling.
        public var segments: [String]
        /// What reaching it claims, where no ``choice`` says otherwise.
        public var claim: Claim
        /// The parameter that decides what is claimed.
        public var choice: Choice?
        /// Whether success counts only with a valid signature.
        public var needsSignature: Bool

        /// Describes a page.
        public init(_ segments: [String], _ claim: Claim, choice: Choice? = nil, needsSignature: Bool = false) {
            self.segments = segments
            self.claim = claim
            self.choice = choice
            self.needsSignature = needsSignature
        }
    }

    /// An address of the shop's that was registered with the page. Scheme, host, port and path must be equal.
    public struct Registered: Sendable, Equatable {
        /// The address.
        public var address: ReportedURL
        /// What reaching it claims.
        public var claim: Claim
        /// Whether success counts only with a valid signature.
        public var needsSignature: Bool

        /// Describes an address of the shop's.
        public init(_ address: ReportedURL, _ claim: Claim, needsSignature: Bool = false) {
            self.address = address
            self.claim = claim
            self.needsSignature = needsSignature
        }
    }

    /// By what an address names its session.
    public struct SessionNames: Sendable, Hashable {
        /// The session's id.
        public var id: String
        /// The parameters that may hold it. Those that are there must all hold it; an empty one counts as absent.
        public var parameters: [String]

        /// Describes how the session is named.
        public init(_ id: String, in parameters: [String]) {
            self.id = id
            self.parameters = parameters
        }
    }

    /// How an address is signed.
    public struct Signature: Sendable {
        /// The parameter that holds the signature; an empty one counts as absent.
        public var parameter: String
        /// Whether a text is the signature of this page's session. Compares in constant time.
        public var isValid: @Sendable (String) -> Bool

        /// Describes a signature.
        public init(in parameter: String, isValid: @escaping @Sendable (String) -> Bool) {
            self.parameter = parameter
            self.isValid = isValid
        }
    }
}

extension CheckoutURLRules {
    /// Judges an address. Pure; text of any form and length may be given.
    public func verdict(on text: String) -> CheckoutVerdict {
        let url: ReportedURL
        do throws(WireURL.Refusal) {
            url = try ReportedURL(text)
        } catch {
            return CheckoutVerdict(.ignore, reason: "Not judged: \(error.reason).")
        }
        guard let place = place(of: url) else { return CheckoutVerdict(.ignore, reason: whyElsewhere(url)) }
        guard place.choice != nil || place.claim != .nothing else {
            return CheckoutVerdict(.ignore, reason: "A page on the shopper's way.")
        }
        return verdict(on: url, at: place)
    }

    private func verdict(on url: ReportedURL, at place: Place) -> CheckoutVerdict {
        let names =
            (session?.parameters ?? [])
            + [signature?.parameter, place.choice?.parameter, paymentParameter].compactMap(\.self)
            + decisiveParameters
        guard names.allSatisfy(url.isUnambiguous) else {
            return CheckoutVerdict(
                .untrusted, reason: "A parameter that decides stands there twice, or in another spelling.")
        }
        let named = (session?.parameters ?? []).compactMap { value(of: $0, in: url) }
        guard named.allSatisfy({ $0.isIdentical(to: session?.id ?? "") }) else {
            return CheckoutVerdict(.untrusted, reason: "It names another session.")
        }
        let signed = signature.flatMap { value(of: $0.parameter, in: url) }
        if let signed, let signature, !signature.isValid(signed) {
            return CheckoutVerdict(.untrusted, reason: "Its signature is wrong.")
        }
        var verdict = verdict(
            for: claim(of: place, in: url), isNamed: session == nil || !named.isEmpty,
            isSigned: !place.needsSignature || signed != nil)
        if verdict.kind != .ignore, let paymentParameter, let id = value(of: paymentParameter, in: url),
            PaymentToken.isWellFormed(id: id)
        {
            verdict.paymentID = id
        }
        return verdict
    }

    private func verdict(for claim: Claim, isNamed: Bool, isSigned: Bool) -> CheckoutVerdict {
        switch claim {
        case .nothing: CheckoutVerdict(.ignore, reason: "A page on the shopper's way.")
        case .ended: CheckoutVerdict(.pending, reason: "The way ended, and the address does not tell how.")
        case .success where !isNamed: CheckoutVerdict(.pending, reason: "It says success of no session by name.")
        case .success where !isSigned: CheckoutVerdict(.pending, reason: "It says success without its signature.")
        case .success: CheckoutVerdict(.successCandidate, reason: "The way ended well, as the address says.")
        case .failure where !isNamed:
            CheckoutVerdict(.failureHint, reason: "The way ended badly, as the address says, of no session by name.")
        case .failure: CheckoutVerdict(.failureHint, reason: "The way ended badly, as the address says.")
        case .cancelled: CheckoutVerdict(.cancelled, reason: "The shopper gave up, as the address says.")
        case .authenticationDone:
            CheckoutVerdict(.authenticationDone, reason: "The shopper was authenticated, as the address says.")
        case .authenticationFailed:
            CheckoutVerdict(.authenticationFailed, reason: "The shopper was not authenticated, as the address says.")
        }
    }

    private func value(of name: String, in url: ReportedURL) -> String? {
        url.values(of: name).first { !$0.isEmpty }
    }

    private func claim(of place: Place, in url: ReportedURL) -> Claim {
        guard let choice = place.choice else { return place.claim }
        guard let value = value(of: choice.parameter, in: url) else { return choice.absent }
        return choice.claims.first { $0.key.isIdentical(to: value) }?.value ?? choice.other
    }

    private func place(of url: ReportedURL) -> Place? {
        let registered = [returnPlace, cancelPlace].compactMap(\.self).filter { url.isSamePlace(as: $0.address) }
        if let one = registered.first {
            // One address for both says only that the shopper is back.
            let claim = registered.allSatisfy { $0.claim == one.claim } ? one.claim : .ended
            return Place([], claim, needsSignature: registered.contains(where: \.needsSignature))
        }
        for base in pageBases {
            guard let segments = url.segments(below: base) else { continue }
            if let place = places.first(where: { ReportedURL.areSame($0.segments, segments) }) { return place }
        }
        return nil
    }

    private func whyElsewhere(_ url: ReportedURL) -> SafeText {
        let below = pageBases.compactMap { url.segments(below: $0) }
        guard !below.isEmpty else { return "It is none of the provider's pages and none of the shop's addresses." }
        let isNear = below.contains { segments in
            places.contains { place in
                ReportedURL.areSame(place.segments.map { $0.lowercased() }, segments.map { $0.lowercased() })
            }
        }
        return isNear
            ? "A page of the provider's that differs from a known one in case only: its pages may have changed."
            : "A page of the provider's that says nothing."
    }
}
