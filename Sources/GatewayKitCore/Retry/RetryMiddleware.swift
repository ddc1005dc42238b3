/// Sends again what the policy allows, and tells the observer each decision with its reason.
struct RetryMiddleware: HTTPMiddleware {
    let policy: RetryPolicy
    let clock: any GatewayClock
    let wallClock: WallClock
    let random: RandomSource
    let observer: (any GatewayObserver)?

    func send(
        _ request: WireRequest, _ call: Call, next: HTTPNext
    ) async throws(TransportError) -> WireResponse {
        var call = call
        while true {
            let result = await attempt(request, call, next)
            if case .success(let response) = result, (200..<400).contains(response.status) { return response }
            let decision = policy.decide(situation(request, call, result))
            report(decision, call)
            guard case .again(let wait, _) = decision, await clock.waits(until: clock.now.advanced(by: wait)) else {
                return try result.get()
            }
            call.tryNumber += 1
        }
    }

    private func attempt(
        _ request: WireRequest, _ call: Call, _ next: HTTPNext
    ) async -> Result<WireResponse, TransportError> {
        do {
            var response = try await next(request, call)
            response.tries = call.tryNumber
            return .success(response)
        } catch {
            var error = error
            error.tries = call.tryNumber
            return .failure(error)
        }
    }

    private func situation(
        _ request: WireRequest, _ call: Call, _ result: Result<WireResponse, TransportError>
    ) -> RetryPolicy.Situation {
        let outcome: RetryPolicy.Outcome
        var wait: Duration?
        switch result {
        case .success(let response):
            outcome = .answered(response.status)
            wait = response.fields["retry-after"].flatMap { RetryAfter.read($0, now: wallClock.now()) }
        case .failure(let error):
            outcome = .failed(error.kind, error.reach)
        }
        return RetryPolicy.Situation(
            request.repeatability, outcome, tryNumber: call.tryNumber, retryAfter: wait,
            remaining: clock.now.duration(to: call.deadline), isCancelled: Task.isCancelled, random: random.next())
    }

    private func report(_ decision: RetryPolicy.Decision, _ call: Call) {
        guard let observer else { return }
        var event = GatewayEvent(.retryDecided, call)
        event.tryNumber = call.tryNumber
        switch decision {
        case .again(let wait, let reason):
            event.outcome = "again"
            event.duration = wait
            event.detail = reason
        case .stop(let reason):
            event.outcome = "stop"
            event.detail = reason
        }
        observer.record(event)
    }
}
