import GatewayKitCore

/// Either end of a call.
package typealias CallOutcome = Result<WireResponse, TransportError>

extension WireRequest {
    /// A read without a body.
    package static func read(_ url: WireURL) -> WireRequest {
        WireRequest("test.read", .get, url, repeatability: .read)
    }

    /// A creation, which must not be repeated unless told otherwise.
    package static func creation(
        _ url: WireURL, _ text: String = "{\"a\":1}", repeatability: Repeatability = .once
    ) -> WireRequest {
        var request = WireRequest("test.create", .post, url, repeatability: repeatability)
        request.body = WireBody(contentType: "application/json", bytes: Sensitive(Array(text.utf8)), secrets: [])
        return request
    }
}

extension HTTPTransport {
    /// Sends with a deadline from now on and gives back either end as a value.
    package func outcome(_ request: WireRequest, within limit: Duration = .seconds(60)) async -> CallOutcome {
        do {
            return .success(try await send(request, deadline: .now + limit))
        } catch {
            return .failure(error)
        }
    }

    /// The error of a call that must fail.
    package func failure(_ request: WireRequest, within limit: Duration = .seconds(60)) async -> TransportError? {
        switch await outcome(request, within: limit) {
        case .success: nil
        case .failure(let error): error
        }
    }
}

/// Something that happens once, for which tasks and threads can wait.
package final class Signal: Sendable {
    private struct State {
        var isFired = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Locked(State())

    package init() {}

    package func fire() {
        let waiters = state.withLock { state in
            state.isFired = true
            let waiters = state.waiters
            state.waiters = []
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    package func wait() async {
        await withCheckedContinuation { continuation in
            let isFired = state.withLock { state in
                if !state.isFired { state.waiters.append(continuation) }
                return state.isFired
            }
            if isFired { continuation.resume() }
        }
    }

    package var isFired: Bool { state.withLock { $0.isFired } }
}

/// Deterministic random numbers (SplitMix64).
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
