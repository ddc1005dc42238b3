import GatewayKitCore
import SpreedlyAdapter
import Testing

/// Lists, page by page (dossier 2.6).
@Suite struct VaultListTests {
    /// Gives the pages one after the other and keeps the queries.
    private final class Pages: HTTPTransport {
        private let answers: [(status: Int, fields: [String: String], body: String)]
        private let asked = Locked<[String]>([])

        init(_ answers: [(status: Int, fields: [String: String], body: String)]) { self.answers = answers }

        var queries: [String] { asked.withLock { $0 } }

        func send(
            _ request: WireRequest, deadline: ContinuousClock.Instant
        ) async throws(TransportError) -> WireResponse {
            let text = request.url.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            let place = asked.withLock { asked in
                asked.append(text)
                return asked.count - 1
            }
            let answer = answers[min(place, answers.count - 1)]
            var fields = HTTPFields()
            for (name, value) in answer.fields { fields[HTTPFieldName(name)] = value }
            return WireResponse(status: answer.status, fields: fields, body: Array(answer.body.utf8))
        }
    }

    private static func page(_ tokens: [String]) -> (status: Int, fields: [String: String], body: String) {
        let items = tokens.map { #"{"token":"\#($0)","storage_state":"retained"}"# }.joined(separator: ",")
        return (200, [:], #"{"payment_methods":[\#(items)]}"#)
    }

    private func list(
        _ pages: Pages, _ query: VaultQuery = VaultQuery(pageSize: 2), retry: RetryPolicy = RetryPolicy()
    ) async throws -> (tokens: [String], error: GatewayError?) {
        let settings = try Shop.settings("http://127.0.0.1:9/v1")
        let vault = try Shop.vault(settings, Shop.runtime(retry: retry, transport: pages))
        var iterator = vault.list(query).makeAsyncIterator()
        var tokens: [String] = []
        do throws(GatewayError) {
            while let stored = try await iterator.next() { tokens.append(stored.id) }
        } catch {
            #expect(try await iterator.next() == nil, "an error ends the list")
            return (tokens, error)
        }
        #expect(try await iterator.next() == nil)
        return (tokens, nil)
    }

    @Test("Full pages lead on from their last token, a shorter one ends the list")
    func paging() async throws {
        let pages = Pages([Self.page(["a", "b"]), Self.page(["c", "d"]), Self.page(["e"])])
        let (tokens, error) = try await list(pages)
        #expect(tokens == ["a", "b", "c", "d", "e"] && error == nil)
        #expect(
            pages.queries == [
                "order=asc&count=2", "since_token=b&order=asc&count=2", "since_token=d&order=asc&count=2",
            ])
        let exact = Pages([Self.page(["a", "b"]), Self.page([])])
        #expect(try await list(exact).tokens == ["a", "b"])
        #expect(exact.queries.count == 2)
        let empty = Pages([Self.page([])])
        #expect(try await list(empty).tokens == [])
        let later = Pages([Self.page(["c"])])
        #expect(try await list(later, VaultQuery(pageSize: 2, after: "b")).tokens == ["c"])
        #expect(later.queries == ["since_token=b&order=asc&count=2"])
    }

    @Test("A list goes no further than it is asked for")
    func lazy() async throws {
        let pages = Pages([Self.page(["a", "b"]), Self.page(["c"])])
        let vault = try Shop.vault(Shop.settings("http://127.0.0.1:9/v1"), Shop.runtime(transport: pages))
        for try await stored in vault.list(VaultQuery(pageSize: 2)) where stored.id == "b" { break }
        #expect(pages.queries.count == 1)
    }

    @Test("A rate limit is waited out; one that lasts is told with its wait")
    func rateLimit() async throws {
        let limited = (status: 429, fields: ["retry-after": "7"], body: "")
        let pages = Pages([Self.page(["a", "b"]), limited, Self.page(["c"])])
        #expect(try await list(pages).tokens == ["a", "b", "c"])
        #expect(pages.queries[1] == pages.queries[2])
        let lasting = Pages([Self.page(["a", "b"]), limited])
        let (tokens, error) = try await list(lasting)
        #expect(tokens == ["a", "b"] && error?.code == .rateLimited)
        #expect(error?.answer?.retryAfter == .seconds(7))
    }

    @Test("A provider that gives the same page for ever is stopped")
    func loop() async throws {
        let pages = Pages([Self.page(["a", "b"])])
        let (tokens, error) = try await list(pages)
        #expect(tokens == ["a", "b"] && error?.code == .unreadableAnswer)
        #expect(pages.queries.count == 2)
    }

    @Test(
        "Shapes of a list",
        arguments: [
            (#"{"payment_methods":{"token":"a"}}"#, ["a"]),
            (#"{"payment_methods":[{"payment_method":{"token":"a"}}]}"#, ["a"]),
            (#"{"payment_methods":[{"token":"a","metadata":null,"created_at":null,"x":[]}],"next":7}"#, ["a"]),
            ("\u{FEFF}{\"payment_methods\":[]}", []),
        ])
    func shapes(body: String, tokens: [String]) async throws {
        let (found, error) = try await list(Pages([(200, [:], body)]))
        #expect(found == tokens && error == nil)
    }

    @Test(
        "What is no list is an error, never an empty list",
        arguments: [
            (200, ""), (200, "{}"), (200, "[]"), (200, "<html>"), (200, #"{"payment_methods":null}"#),
            (200, #"{"payment_methods":"none"}"#), (200, #"{"payment_methods":[{}]}"#),
            (200, #"{"payment_methods":[7]}"#), (200, #"{"payment_methods":[{"token":null}]}"#), (404, ""),
            (404, #"{"errors":[{"key":"errors.payment_method_not_found"}]}"#), (422, #"{"errors":[]}"#),
            (422, #"{"errors":[{"attribute":"state","key":"errors.invalid","message":"no"}]}"#), (500, ""),
            (422, #"{"errors":[{"key":"errors.odd","message":"no"}]}"#), (401, ""), (302, ""),
        ])
    func noList(status: Int, body: String) async throws {
        let (tokens, error) = try await list(Pages([(status, [:], body)]))
        #expect(tokens.isEmpty && error != nil)
        #expect(error?.reach == .answered)
    }
}
