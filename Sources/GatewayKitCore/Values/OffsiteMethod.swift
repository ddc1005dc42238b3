/// A method whose data the shopper gives on a page of the provider's or of a third party.
public struct OffsiteMethod: Sendable, Hashable {
    /// The provider's word for the method, such as `paypal`.
    public var kind: String
    /// Where the shopper's browser comes back to: an absolute `https` address (`http` on this machine only).
    public var returnURL: String

    /// A method and the way back.
    public init(kind: String, returnURL: String) {
        self.kind = kind
        self.returnURL = returnURL
    }

    /// What is wrong: a part that is missing, a word that is none, an address that cannot be one.
    public var issues: [FieldIssue] {
        var issues: [FieldIssue] = []
        if kind.isEmpty {
            issues.append(FieldIssue(.method, .missing, message: "The word for the offsite method is missing."))
        } else if !Self.isWord(kind) {
            issues.append(
                FieldIssue(.method, .malformed, message: "The method is a word of lower-case letters, digits and _."))
        }
        if returnURL.isEmpty {
            issues.append(FieldIssue(.returnURL, .missing, message: "The address to come back to is missing."))
        } else if let reason = Self.refusal(of: returnURL) {
            issues.append(
                FieldIssue(.returnURL, .malformed, message: "The address to come back to is unusable: \(reason)."))
        }
        return issues
    }

    static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    /// Why no browser should be sent there; the query, which may be anything, is not looked at beyond its characters.
    private static func refusal(of address: String) -> SafeText? {
        guard address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }) else {
            return "it has a space, a backslash, a control or a non-ASCII character"
        }
        do throws(WireURL.Refusal) {
            let url = try WireURL(base: String(address.prefix { $0 != "?" }))
            return url.origin.isSecure || url.origin.isLoopback ? nil : "it is not https"
        } catch {
            return error.reason
        }
    }
}
