/// What goes wrong with one exchange.
///
/// Every kind has a text form, which `gatewayctl sandbox serve --fault` and the control API use: see
/// ``description`` and ``init(_:)``. Kinds that say *not processed* answer before the provider looked at the request;
/// all others let it do its work first, so that the ledger shows what really happened
/// (``FaultRule/processing`` changes either).
public enum FaultKind: Sendable, Hashable {
    /// `refuse`: the connection is reset as soon as it is accepted. There is no request yet, so the rule's provider
    /// and operation are not looked at. Not processed.
    case refuse
    /// `reset-before-answer`: RST when the request has been read. Not processed.
    case resetBeforeAnswer
    /// `answer-lost`: the provider does its work and commits it, then RST instead of the answer.
    case answerLost
    /// `reset-inside-answer`: RST in the middle of the body.
    case resetInsideAnswer
    /// `close-without-answer`: FIN when the request has been read. Not processed.
    case closeWithoutAnswer
    /// `close-after-answer`: the answer promises to keep the connection, which is then closed: the next request on it
    /// finds it dead.
    case closeAfterAnswer
    /// `reset-after-answer`: the same with RST.
    case resetAfterAnswer
    /// `stall`: no byte of the answer until the client goes away or the sandbox stops.
    case stall
    /// `stall-inside-body`: half of the body, then as `stall`.
    case stallInsideBody
    /// `hold`: no byte of the answer until ``Sandbox/releaseHeldAnswers()``.
    case hold
    /// `slow:MILLISECONDS`: the answer comes late, by the sandbox's own pause.
    case slow(milliseconds: Int)
    /// `drip:BYTES,MILLISECONDS`: so many bytes at a time, with a pause between.
    case drip(bytes: Int, milliseconds: Int)
    /// `truncated`: `Content-Length` promises more than comes before FIN.
    case truncated
    /// `truncated-chunked`: FIN before the last chunk.
    case truncatedChunked
    /// `chunked`: the body in chunks, with an extension and a trailer: lawful, and rarely met.
    case chunked
    /// `empty`: no body where there should be one.
    case emptyBody
    /// `html:STATUS`: an HTML page instead of the answer, as a proxy or a firewall sends it.
    case html(status: Int)
    /// `content-type:TYPE`: the right body under the wrong type.
    case contentType(String)
    /// `malformed-json`: a body that breaks off in the middle, with the right `Content-Length`.
    case malformedJSON
    /// `garbage`: bytes that are not HTTP.
    case garbage
    /// `status:CODE`: that status, with an error body as the provider writes it (204: none). Not processed.
    case status(Int)
    /// `rate-limited`, `rate-limited:SECONDS`, `rate-limited:date+SECONDS` or `rate-limited:date-SECONDS`: 429 with an
    /// empty body and `Retry-After` absent, in seconds, or as a date that far from the sandbox's clock. Not processed.
    case rateLimited(RetryAfter?)
    /// `redirect:STATUS,LOCATION`. Not processed.
    case redirect(status: Int, location: String)
    /// `duplicate-delivery`: the request is processed twice, as when something on the way sends it again; the second
    /// answer is delivered.
    case duplicateDelivery
    /// `unknown-word`: the provider's words for states and kinds are replaced with one that nobody knows.
    case unknownWord
    /// `extra-fields`: every object of the answer has members that nobody knows.
    case extraFields
    /// `echo-card`: the answer repeats the card number and CVV that were sent, in its message and under names that
    /// were not in the request, in several spellings.
    case echoCard
    /// `basic-challenge`: 401 with `WWW-Authenticate: Basic` and an empty body. Not processed.
    case basicChallenge
    /// `gzip`: the body is compressed, asked for or not.
    case gzip
    /// `gzip-truncated`: compressed, and the compressed data break off.
    case gzipTruncated
    /// `gzip-bomb:MEBIBYTES`: a small body that unpacks to so many mebibytes of spaces before the answer.
    case gzipBomb(mebibytes: Int)
    /// `informational:STATUS`: a 1xx answer before the real one.
    case informational(status: Int)
    /// `huge-header:BYTES`: a header of at least so many bytes.
    case hugeHeader(bytes: Int)
    /// `huge-body:BYTES`: so many spaces before the answer's body.
    case hugeBody(bytes: Int)
    /// `odd-header`: header names in odd case, a repeated field and a folded one.
    case oddHeader

    /// How a 429 says when to come back.
    public enum RetryAfter: Sendable, Hashable {
        /// In seconds.
        case seconds(Int)
        /// As an HTTP date, so many seconds from the sandbox's clock; negative is in the past.
        case date(secondsFromNow: Int)
    }

    /// Whether the provider does its work under this fault, unless a rule says otherwise.
    public var processesRequest: Bool {
        switch self {
        case .refuse, .resetBeforeAnswer, .closeWithoutAnswer, .status, .rateLimited, .redirect, .basicChallenge: false
        default: true
        }
    }

    /// One of each kind, with usual arguments: for tests that walk all faults, and for help texts.
    public static let examples: [FaultKind] = [
        .refuse, .resetBeforeAnswer, .answerLost, .resetInsideAnswer, .closeWithoutAnswer, .closeAfterAnswer,
        .resetAfterAnswer, .stall, .stallInsideBody, .hold, .slow(milliseconds: 200), .drip(bytes: 16, milliseconds: 5),
        .truncated, .truncatedChunked, .chunked, .emptyBody, .html(status: 200), .html(status: 502),
        .contentType("text/plain"), .malformedJSON, .garbage, .status(204), .status(408), .status(409), .status(500),
        .status(502), .status(503), .status(504), .rateLimited(nil), .rateLimited(.seconds(2)),
        .rateLimited(.date(secondsFromNow: 2)), .rateLimited(.date(secondsFromNow: -60)),
        .redirect(status: 301, location: "/elsewhere"), .redirect(status: 302, location: "/elsewhere"),
        .redirect(status: 303, location: "/elsewhere"), .redirect(status: 307, location: "/elsewhere"),
        .redirect(status: 308, location: "/elsewhere"), .duplicateDelivery, .unknownWord, .extraFields, .echoCard,
        .basicChallenge, .gzip, .gzipTruncated, .gzipBomb(mebibytes: 16), .informational(status: 103),
        .hugeHeader(bytes: 1 << 20), .hugeBody(bytes: 16 << 20), .oddHeader,
    ]
}
