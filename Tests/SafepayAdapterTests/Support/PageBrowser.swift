import GatewayKit
import GatewayKitCore
import Testing

/// As much of a browser as hosted pages need: it follows redirects and links, sends forms, and keeps every address that it
/// came to. Addresses of the shop's are kept and not loaded.
struct PageBrowser {
    private let transport: any HTTPTransport
    private let origin: String
    private var page = ""
    private(set) var visited: [String] = []

    init(_ transport: any HTTPTransport, origin: String) {
        self.transport = transport
        self.origin = origin
    }

    mutating func open(_ address: String) async throws {
        try await load(address, nil)
    }

    /// Sends the page's form with its hidden fields and these.
    mutating func submit(_ fields: (String, String)...) async throws {
        let target = try #require(Self.attribute("action", in: page))
        var all = fields
        var rest = page[...]
        while let start = rest.firstRange(of: "<input type=\"hidden\"") {
            rest = rest[start.upperBound...]
            let tag = String(rest.prefix { $0 != ">" })
            if let name = Self.attribute("name", in: tag) { all.append((name, Self.attribute("value", in: tag) ?? "")) }
        }
        let form = all.map { $0.0 + "=" + $0.1 }.joined(separator: "&")
        try await load(target.hasPrefix("/") ? origin + target : target, form)
    }

    private mutating func load(_ address: String, _ form: String?) async throws {
        visited.append(address)
        guard address.hasPrefix(origin + "/") else { return }
        let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
        var url = try WireURL(base: parts[0])
        if parts[0].hasSuffix("/") { url = url.appending("") }
        for item in try ReportedURL(address).query { url = url.appending(query: item.name, .plain(item.value)) }
        var request = WireRequest("test.browse", form == nil ? .get : .post, url, repeatability: .once)
        if let form {
            request.body = WireBody(
                contentType: "application/x-www-form-urlencoded", bytes: Sensitive(Array(form.utf8)), secrets: [])
        }
        let answer = try await transport.send(request, deadline: .now.advanced(by: .seconds(30)))
        page = String(decoding: answer.body, as: UTF8.self)
        guard answer.status == 303, let location = answer.fields["location"] else { return }
        try await load(location.hasPrefix("/") ? origin + location : location, nil)
    }

    private static func attribute(_ name: String, in text: String) -> String? {
        guard let start = text.firstRange(of: name + "=\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
    }
}
