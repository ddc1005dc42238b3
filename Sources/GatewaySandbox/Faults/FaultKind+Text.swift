extension FaultKind: CustomStringConvertible {
    /// The text form, such as `reset-before-answer`, `status:503` or `drip:16,5`. ``init(_:)`` reads it back.
    public var description: String {
        switch self {
        case .refuse: "refuse"
        case .resetBeforeAnswer: "reset-before-answer"
        case .answerLost: "answer-lost"
        case .resetInsideAnswer: "reset-inside-answer"
        case .closeWithoutAnswer: "close-without-answer"
        case .closeAfterAnswer: "close-after-answer"
        case .resetAfterAnswer: "reset-after-answer"
        case .stall: "stall"
        case .stallInsideBody: "stall-inside-body"
        case .hold: "hold"
        case .slow(let milliseconds): "slow:\(milliseconds)"
        case .drip(let bytes, let milliseconds): "drip:\(bytes),\(milliseconds)"
        case .truncated: "truncated"
        case .truncatedChunked: "truncated-chunked"
        case .chunked: "chunked"
        case .emptyBody: "empty"
        case .html(let status): "html:\(status)"
        case .contentType(let type): "content-type:\(type)"
        case .malformedJSON: "malformed-json"
        case .garbage: "garbage"
        case .status(let status): "status:\(status)"
        case .rateLimited(nil): "rate-limited"
        case .rateLimited(.seconds(let seconds)): "rate-limited:\(seconds)"
        case .rateLimited(.date(let seconds)): "rate-limited:date" + (seconds < 0 ? "\(seconds)" : "+\(seconds)")
        case .redirect(let status, let location): "redirect:\(status),\(location)"
        case .duplicateDelivery: "duplicate-delivery"
        case .unknownWord: "unknown-word"
        case .extraFields: "extra-fields"
        case .echoCard: "echo-card"
        case .basicChallenge: "basic-challenge"
        case .gzip: "gzip"
        case .gzipTruncated: "gzip-truncated"
        case .gzipBomb(let mebibytes): "gzip-bomb:\(mebibytes)"
        case .informational(let status): "informational:\(status)"
        case .hugeHeader(let bytes): "huge-header:\(bytes)"
        case .hugeBody(let bytes): "huge-body:\(bytes)"
        case .oddHeader: "odd-header"
        }
    }

    /// Every name that a text form can begin with, in the order of the documentation.
    public static var names: [String] {
        var names: [String] = []
        for kind in examples {
            let name = String(kind.description.prefix { $0 != ":" })
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Reads the text form. Throws ``FaultSyntaxError``, whose description names what is wrong.
    public init(_ text: String) throws(FaultSyntaxError) {
        let colon = text.firstIndex(of: ":")
        let name = String(text[..<(colon ?? text.endIndex)])
        let argument = colon.map { String(text[text.index(after: $0)...]) }
        if let kind = Self.examples.first(where: { $0.description == name }) {
            guard let argument else {
                self = kind
                return
            }
            guard case .rateLimited = kind else { throw FaultSyntaxError("the fault \(name) takes no argument") }
            self = .rateLimited(try Self.retryAfter(argument))
            return
        }
        guard Self.names.contains(name) else {
            throw FaultSyntaxError("there is no fault of this name; known are " + Self.names.joined(separator: ", "))
        }
        guard let argument else { throw FaultSyntaxError("the fault \(name) needs an argument") }
        self = try Self.kind(name, argument)
    }

    private static func kind(_ name: String, _ argument: String) throws(FaultSyntaxError) -> FaultKind {
        func number(_ text: some StringProtocol, _ range: ClosedRange<Int>) throws(FaultSyntaxError) -> Int {
            guard let value = Int(text), range.contains(value) else {
                throw FaultSyntaxError(
                    "the fault \(name) wants a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
        func pair() throws(FaultSyntaxError) -> (Substring, Substring) {
            guard let comma = argument.firstIndex(of: ",") else {
                throw FaultSyntaxError("the fault \(name) needs two arguments with a comma between")
            }
            return (argument[..<comma], argument[argument.index(after: comma)...])
        }
        func isHeaderText(_ text: some StringProtocol) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        }
        switch name {
        case "slow": return .slow(milliseconds: try number(argument, 0...3_600_000))
        case "drip":
            let (bytes, milliseconds) = try pair()
            return .drip(bytes: try number(bytes, 1...1 << 20), milliseconds: try number(milliseconds, 0...3_600_000))
        case "html": return .html(status: try number(argument, 200...599))
        case "status": return .status(try number(argument, 200...599))
        case "content-type":
            guard isHeaderText(argument) else { throw FaultSyntaxError("a content type is visible ASCII text") }
            return .contentType(argument)
        case "redirect":
            let (status, location) = try pair()
            guard isHeaderText(location) else { throw FaultSyntaxError("a location is visible ASCII text") }
            return .redirect(status: try number(status, 300...399), location: String(location))
        case "gzip-bomb": return .gzipBomb(mebibytes: try number(argument, 1...4096))
        case "informational": return .informational(status: try number(argument, 102...199))
        case "huge-header": return .hugeHeader(bytes: try number(argument, 1...64 << 20))
        case "huge-body": return .hugeBody(bytes: try number(argument, 1...256 << 20))
        default: throw FaultSyntaxError("there is no fault of this name")
        }
    }

    private static func retryAfter(_ text: String) throws(FaultSyntaxError) -> RetryAfter {
        let limit = 0...1_000_000_000
        if text.hasPrefix("date"), let sign = text.dropFirst(4).first, sign == "+" || sign == "-",
            let seconds = Int(text.dropFirst(5)), limit.contains(seconds)
        {
            return .date(secondsFromNow: sign == "-" ? -seconds : seconds)
        }
        guard let seconds = Int(text), limit.contains(seconds) else {
            throw FaultSyntaxError("the fault rate-limited wants seconds, date+SECONDS or date-SECONDS")
        }
        return .seconds(seconds)
    }
}

/// Why a text is not a fault.
public struct FaultSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, without the text itself, which might hold anything.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
