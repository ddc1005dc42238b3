import GatewayKitCore

/// Cancellation.
enum CancelCases {
    static let all = [before, during, inside, after]

    static let before = TransportCase("Cancelled before the call: nothing is sent") { run in
        let peer = try TestPeer.answering()
        let transport = try run.transport()
        let url = try peer.url()
        let go = Signal()
        let call = run.start {
            await go.wait()
            return await transport.outcome(.creation(url))
        }
        call.cancel()
        go.fire()
        try run.failure(await call.value, [.cancelled], reach: .notSent)
        run.equal("sent", peer.requests.count, 0)
    }

    static let during = TransportCase("R11: cancelled while waiting for the answer: at once, and 'sent'") { run in
        let arrived = Signal()
        let peer = try TestPeer.stalling(arrived)
        let transport = try run.transport()
        let url = try peer.url()
        let call = run.start(firing: arrived) { await transport.outcome(.creation(url)) }
        await arrived.wait()
        call.cancel()
        let outcome = await run.bounded(.zero, peer) { await call.value }
        try run.failure(outcome, [.cancelled], reach: .sent)
        run.equal("sent", peer.requests.count, 1)
    }

    static let inside = TransportCase("Cancelled inside the answer: at once, and an answer had begun") { run in
        let begun = Signal()
        let peer = try TestPeer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n12345")
            begun.fire()
            connection.waitForClose()
        }
        let transport = try run.transport()
        let url = try peer.url()
        let call = run.start(firing: begun) { await transport.outcome(.creation(url)) }
        await begun.wait()
        call.cancel()
        let outcome = await run.bounded(.zero, peer) { await call.value }
        guard case .failure(let error) = outcome else { return run.note("half an answer was delivered") }
        // Whether the transport had read what was written is a matter of microseconds.
        run.equal("kind", error.kind, .cancelled)
        run.expect(error.reach != .notSent, "what the peer has answered is called 'not sent'")
        run.equal("status", error.partialStatus, error.reach == .answered ? 201 : nil)
        run.equal("sent", peer.requests.count, 1)
    }

    static let after = TransportCase("Cancelled after the answer: no effect") { run in
        let peer = try TestPeer.answering()
        let transport = try run.transport()
        let url = try peer.url()
        let done = Signal()
        let call = run.start(firing: done) { await transport.outcome(.creation(url)) }
        await done.wait()
        call.cancel()
        run.equal("status", try run.answer(await call.value).status, 200)
        run.equal("sent", peer.requests.count, 1)
    }
}
