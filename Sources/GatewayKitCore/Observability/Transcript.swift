/// The redacted text of requests and answers, for people who debug.
enum Transcript {
    static func text(of request: WireRequest, _ redactor: Redactor) -> SafeText {
        var lines = SafeText(alreadyScrubbed: request.method.rawValue + " ") + request.url.shown(by: redactor)
        for field in request.fields.list {
            lines = lines + line(of: field, redactor)
        }
        if let body = request.body {
            lines = lines + "\ncontent-type: " + redactor.scrub(body.contentType) + "\n\n"
            lines = lines + body.bytes.withExposed { SafeText(alreadyScrubbed: redactor.redact(bytes: $0)) }
        }
        return lines
    }

    static func text(of response: WireResponse, _ redactor: Redactor) -> SafeText {
        var lines = SafeText(alreadyScrubbed: "\(response.exchange.httpVersion ?? "HTTP") \(response.status)")
        for field in response.fields.list {
            // Where something was made, its address may end in the credential that it is (BlueSnap's tokens).
            lines =
                lines
                + ((200..<300).contains(response.status) && field.name == "location"
                    ? SafeText(alreadyScrubbed: "\nlocation: [FILTERED]") : line(of: field, redactor))
        }
        if !response.body.isEmpty {
            lines = lines + "\n\n" + SafeText(alreadyScrubbed: redactor.redact(bytes: response.body))
        }
        return lines
    }

    private static func line(of field: HTTPFields.Field, _ redactor: Redactor) -> SafeText {
        switch field.value {
        case .plain(let text): "\n" + redactor.scrub("\(field.name): \(text)")
        case .sensitive: SafeText(alreadyScrubbed: "\n\(field.name): [FILTERED]")
        }
    }
}
