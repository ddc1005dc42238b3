/// The method of a request (RFC 9110, section 9).
public enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
    /// Reads.
    case get = "GET"
    /// Creates or acts.
    case post = "POST"
    /// Replaces or acts on a known resource.
    case put = "PUT"
    /// Changes a part of a resource.
    case patch = "PATCH"
    /// Removes.
    case delete = "DELETE"
}
