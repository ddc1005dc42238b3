import GatewayKitCore

/// Turns an answer and a fault into what happens on the wire.
struct FaultPlan: Sendable {
    /// The answer that would be given without the fault.
    var reply: SandboxReply
    /// Whether the client asked to close the connection.
    var closes: Bool
    var now: WallTime
    /// For bytes that only have to be senseless.
    var seed: UInt64
    /// What `echo-card` repeats.
    var submitted: SubmittedCard?
    /// The names of members that hold the provider's words for states and kinds.
    var wordMembers: Set<String> = []

    private var date: String { HTTPDate.text(now) }

    /// The plan without any fault.
    var undisturbed: WirePlan { whole(reply) }

    func disturbed(by kind: FaultKind) -> WirePlan {
        switch kind {
        case .refuse, .resetBeforeAnswer, .answerLost: return WirePlan([.reset])
        case .closeWithoutAnswer: return WirePlan([.close])
        case .resetInsideAnswer: return WirePlan([.send(firstHalf), .reset])
        case .closeAfterAnswer: return WirePlan([.send(reply.bytes(closes: false, date: date)), .close])
        case .resetAfterAnswer: return WirePlan([.send(reply.bytes(closes: false, date: date)), .reset])
        case .stall: return WirePlan([.stall, .close])
        case .stallInsideBody: return WirePlan([.send(firstHalf), .stall, .close])
        case .hold: return WirePlan([.hold] + undisturbed.steps)
        case .slow(let milliseconds): return WirePlan([.pause(.milliseconds(milliseconds))] + undisturbed.steps)
        case .drip(let bytes, let milliseconds): return drip(bytes: bytes, pause: .milliseconds(milliseconds))
        case .truncated:
            let head = reply.head(framing: .claimedLength(reply.body.count + 64), closes: closes, date: date)
            return WirePlan([.send(head + reply.body), .close])
        case .truncatedChunked: return WirePlan([.send(chunkedHead() + chunk(firstHalf(of: reply.body))), .close])
        case .chunked: return chunked()
        case .emptyBody: return whole(SandboxReply(status: reply.status, header: reply.header))
        case .html(let status): return whole(Self.page(status))
        case .contentType(let type):
            var changed = reply
            changed.set("content-type", type)
            return whole(changed)
        case .malformedJSON:
            var changed = reply
            changed.body = firstHalf(of: reply.body)
            return whole(changed)
        case .garbage: return WirePlan([.send(garbage), .close])
        case .status, .duplicateDelivery: return undisturbed
        case .rateLimited(let retryAfter): return whole(rateLimited(retryAfter))
        case .redirect(let status, let location):
            return whole(SandboxReply(status: status, header: [.init(name: "location", value: location)]))
        case .unknownWord: return changed { AnswerEditor.replaceWords(in: $0, members: wordMembers) }
        case .extraFields: return changed { AnswerEditor.addUnknownMembers(to: $0) }
        case .echoCard: return changed { AnswerEditor.echo(submitted, in: $0) }
        case .basicChallenge:
            return whole(
                SandboxReply(status: 401, header: [.init(name: "www-authenticate", value: "Basic realm=\"sandbox\"")]))
        case .gzip: return compressed(Gzip.stored(reply.body))
        case .gzipTruncated: return compressed(firstHalf(of: Gzip.stored(reply.body)))
        case .gzipBomb(let mebibytes): return compressed(Gzip.spaces(mebibytes << 20, then: reply.body))
        case .informational(let status):
            let first = "HTTP/1.1 \(status) \(ReasonPhrase.of(status))\r\nx-sandbox: interim\r\n\r\n"
            return WirePlan([.send(Array(first.utf8))] + undisturbed.steps)
        case .hugeHeader(let bytes): return hugeHeader(bytes)
        case .hugeBody(let bytes): return hugeBody(bytes)
        case .oddHeader: return oddHeader()
        }
    }

    private func whole(_ reply: SandboxReply) -> WirePlan {
        WirePlan([.send(reply.bytes(closes: closes, date: date))])
    }

    private func changed(_ edit: ([UInt8]) -> [UInt8]) -> WirePlan {
        var changed = reply
        changed.body = edit(reply.body)
        return whole(changed)
    }

    private func compressed(_ body: [UInt8]) -> WirePlan {
        var changed = reply
        changed.set("content-encoding", "gzip")
        changed.body = body
        return whole(changed)
    }

    private func firstHalf(of body: [UInt8]) -> [UInt8] {
        Array(body.prefix(body.count / 2))
    }

    private var firstHalf: [UInt8] {
        reply.head(closes: closes, date: date) + firstHalf(of: reply.body)
    }

    private func drip(bytes: Int, pause: Duration) -> WirePlan {
        var rest = reply.bytes(closes: closes, date: date)[...]
        var steps: [WirePlan.Step] = []
        while !rest.isEmpty {
            if !steps.isEmpty { steps.append(.pause(pause)) }
            steps.append(.send(Array(rest.prefix(bytes))))
            rest = rest.dropFirst(bytes)
        }
        return WirePlan(steps)
    }

    private func chunkedHead() -> [UInt8] {
        reply.head(framing: .chunked, closes: closes, date: date)
    }

    private func chunk(_ bytes: [UInt8], extensions: String = "") -> [UInt8] {
        Array((String(bytes.count, radix: 16) + extensions + "\r\n").utf8) + bytes + [0x0D, 0x0A]
    }

    private func chunked() -> WirePlan {
        guard reply.hasBody, reply.body.count > 1 else { return undisturbed }
        let half = reply.body.count / 2
        let first = chunk(Array(reply.body[..<half]), extensions: ";part=1")
        let second = chunk(Array(reply.body[half...]))
        let last = Array("0\r\nx-sandbox-trailer: end\r\n\r\n".utf8)
        return WirePlan([.send(chunkedHead() + first), .send(second + last)])
    }

    private var garbage: [UInt8] {
        var generator = SeededGenerator(seed: seed)
        // The first byte is above ASCII, so that it is no protocol's beginning by chance.
        return [0xFE] + (0..<255).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    private func rateLimited(_ retryAfter: FaultKind.RetryAfter?) -> SandboxReply {
        var limited = SandboxReply(status: 429)
        switch retryAfter {
        case nil: break
        case .seconds(let seconds): limited.set("retry-after", "\(seconds)")
        case .date(let seconds): limited.set("retry-after", HTTPDate.text(now.adding(seconds: Int64(seconds))))
        }
        return limited
    }

    private func hugeHeader(_ bytes: Int) -> WirePlan {
        let line = "x-sandbox-filler: " + String(repeating: "f", count: 980) + "\r\n"
        let filler = String(repeating: line, count: bytes / line.utf8.count + 1)
        return WirePlan([.send(reply.head(closes: closes, date: date, extra: filler) + reply.body)])
    }

    private func hugeBody(_ bytes: Int) -> WirePlan {
        let head = reply.head(framing: .claimedLength(bytes + reply.body.count), closes: closes, date: date)
        var steps: [WirePlan.Step] = [.send(head)]
        var left = bytes
        while left > 0 {
            steps.append(.send([UInt8](repeating: 0x20, count: min(left, 64 << 10))))
            left -= 64 << 10
        }
        return WirePlan(steps + [.send(reply.body)])
    }

    private func oddHeader() -> WirePlan {
        var changed = reply
        changed.header = reply.header.map { field in
            var upper = true
            let name = field.name.map { character in
                defer { upper.toggle() }
                return upper ? character.uppercased() : character.lowercased()
            }
            return .init(name: name.joined(), value: field.value)
        }
        let extra = "X-SANDBOX-TWICE: one\r\nx-sandbox-twice: two\r\nX-Sandbox-Folded: first\r\n\tsecond\r\n"
        return WirePlan([.send(changed.head(closes: closes, date: date, extra: extra) + reply.body)])
    }

    /// What a firewall or a proxy in front of a provider answers.
    private static func page(_ status: Int) -> SandboxReply {
        let phrase = ReasonPhrase.of(status)
        let body = """
            <!DOCTYPE html>
            <html><head><title>\(status) \(phrase)</title></head>
            <body><h1>\(phrase)</h1><p>The proxy of this sandbox answers instead of the provider.</p></body></html>

            """
        return SandboxReply(
            status: status, header: [.init(name: "content-type", value: "text/html; charset=utf-8")],
            body: Array(body.utf8))
    }
}
