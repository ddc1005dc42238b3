/// There is no usable answer: configuration, network, credentials, rate limit, or something unreadable.
///
/// An answer is a value and a lack of an answer is an error: declines, invalid fields and unknown outcomes come back in
/// result enums such as ``TokenizationResult`` and are never thrown. Everything in this value is scrubbed and may be
/// logged.
public struct GatewayError: Error, Sendable, Equatable {
    /// What kind of failure this is.
    public var code: Code
    /// What happened, in one sentence.
    public var message: SafeText
    /// What to do next, in one sentence.
    public var advice: SafeText
    /// How far the request got. ``Reach/notSent`` too when no request was made at all.
    public var reach: Reach
    /// The account that the call was for.
    public var account: AccountName?
    /// The operation, such as `spreedly.tokenize`.
    public var operation: WireRequest.Operation?
    /// How many times the request was tried.
    public var tries: Int
    /// What the provider answered, where it did.
    public var answer: Answer?

    /// Describes a failure.
    public init(
        _ code: Code, message: SafeText, advice: SafeText, reach: Reach = .notSent, account: AccountName? = nil,
        operation: WireRequest.Operation? = nil, tries: Int = 0, answer: Answer? = nil
    ) {
        self.code = code
        self.message = message
        self.advice = advice
        self.reach = reach
        self.account = account
        self.operation = operation
        self.tries = tries
        self.answer = answer
    }

    /// What is kept of an answer that could not be used; never its body, which may echo card data.
    public struct Answer: Sendable, Hashable {
        /// The HTTP status.
        public var status: Int
        /// The media type, such as `text/html`.
        public var mediaType: String?
        /// The provider's id of the request: quote it in support requests.
        public var requestID: String?
        /// The provider's own error code, untouched.
        public var providerCode: String?
        /// The provider's own words, scrubbed.
        public var providerMessage: SafeText?
        /// How long the provider asks to wait before the next call.
        public var retryAfter: Duration?

        /// Describes an answer.
        public init(
            status: Int, mediaType: String? = nil, requestID: String? = nil, providerCode: String? = nil,
            providerMessage: SafeText? = nil, retryAfter: Duration? = nil
        ) {
            self.status = status
            self.mediaType = mediaType
            self.requestID = requestID
            self.providerCode = providerCode
            self.providerMessage = providerMessage
            self.retryAfter = retryAfter
        }
    }

    /// A kind of failure. More kinds may be added in any release.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case configuration, invalidInput, notSupported, cancelled, unreachable, timedOut, tls, proxy
            case refusedHost, credentialsRefused, notPermitted, notFound, rateLimited, providerUnavailable
            case requestRefused, unreadableAnswer, connectionLost, dryRun, sessionUnusable
        }
        private let name: Name

        /// The configuration is incomplete or contradictory.
        public static let configuration = Code(name: .configuration)
        /// The caller's input cannot be used; nothing was sent.
        public static let invalidInput = Code(name: .invalidInput)
        /// The provider, or this account, has no such capability; nothing was sent.
        public static let notSupported = Code(name: .notSupported)
        /// The calling task was cancelled; ``GatewayError/reach`` tells whether the request may have arrived.
        public static let cancelled = Code(name: .cancelled)
        /// No connection: name look-up failed, refused, no route.
        public static let unreachable = Code(name: .unreachable)
        /// The deadline passed.
        public static let timedOut = Code(name: .timedOut)
        /// The TLS handshake or the certificate check failed.
        public static let tls = Code(name: .tls)
        /// The proxy, not the provider, failed.
        public static let proxy = Code(name: .proxy)
        /// The address is not on the account's allow list; nothing was sent.
        public static let refusedHost = Code(name: .refusedHost)
        /// The provider does not know the credentials.
        public static let credentialsRefused = Code(name: .credentialsRefused)
        /// The credentials are known but may not do this.
        public static let notPermitted = Code(name: .notPermitted)
        /// The thing asked for does not exist at the provider.
        public static let notFound = Code(name: .notFound)
        /// Too many calls; ``Answer/retryAfter`` may tell how long to wait.
        public static let rateLimited = Code(name: .rateLimited)
        /// The provider answered that it is not able to work.
        public static let providerUnavailable = Code(name: .providerUnavailable)
        /// The provider refused the request as such.
        public static let requestRefused = Code(name: .requestRefused)
        /// What came back could not be understood.
        public static let unreadableAnswer = Code(name: .unreadableAnswer)
        /// The connection ended before a complete answer.
        public static let connectionLost = Code(name: .connectionLost)
        /// The session is too old, used up, or not known to the provider: open another one.
        public static let sessionUnusable = Code(name: .sessionUnusable)
        /// Nothing was sent, on purpose.
        public static let dryRun = Code(name: .dryRun)

        /// The stable spelling, for logs and metrics.
        public var description: String { name.rawValue }
    }
}

extension GatewayError: CustomStringConvertible {
    /// Code, operation, what happened, facts of the answer, how far it got and in how many tries, and what to do next,
    /// on one line.
    public var description: String {
        var text = code.description
        if let operation { text += " in \(operation)" }
        if let account { text += " (account \(account))" }
        text += ": \(message)"
        if let answer { text += " [\(answer)]" }
        text += " Reach: \(reach.rawValue)"
        if tries > 1 { text += " after \(tries) tries" }
        text += ". \(advice)"
        return text
    }
}

extension GatewayError.Answer: CustomStringConvertible {
    /// Status, media type, request id, code and words.
    public var description: String {
        var parts = ["HTTP \(status)"]
        if let mediaType { parts.append(mediaType) }
        if let requestID { parts.append("request id \(requestID)") }
        if let providerCode { parts.append("code \(providerCode)") }
        if let providerMessage { parts.append("\"\(providerMessage)\"") }
        if let retryAfter { parts.append("retry after \(retryAfter)") }
        return parts.joined(separator: ", ")
    }
}
