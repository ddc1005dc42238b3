/// Pages, made without scripts but where one sends a form on.
enum SafepayHTML {
    static func reply(_ status: Int, title: String, body: String) -> SandboxReply {
        let text = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(escaped(title))</title>
            <meta name="viewport" content="width=device-width, initial-scale=1"><style>\(style)</style></head>
            <body><main><h1>\(escaped(title))</h1>
            \(body)
            </main></body></html>

            """
        return SandboxReply(
            status: status, header: [.init(name: "content-type", value: "text/html; charset=utf-8")],
            body: Array(text.utf8))
    }

    /// For the text of an element and for an attribute in double quotes.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static let style =
        "body{font:16px/1.5 system-ui,sans-serif;background:#f3f5f8;margin:0}"
        + "main{max-width:26rem;margin:3rem auto;background:#fff;padding:1.5rem 2rem;border-radius:.7rem;"
        + "box-shadow:0 2px 12px #0002}h1{font-size:1.25rem}button,select{font:inherit;padding:.5rem .9rem;"
        + "border-radius:.4rem;border:1px solid #9aa;margin:.3rem .3rem .3rem 0}select{width:100%}"
        + "button.go{background:#165dff;color:#fff;border-color:#165dff}.note{color:#667}.bad{color:#b00020}"
}
