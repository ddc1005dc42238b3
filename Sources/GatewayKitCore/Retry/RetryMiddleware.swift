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
        var earlier = Reach.notSent
        while true {
            let result = await attempt(request, call, next)
            if case .success(let response) = result, (200..<400).contains(response.status) {
                return try settled(result, earlier).get()
            }
            let decision = policy.decide(situation(request, call, result))
            report(decision, call)
            guard case .again(let wait, _) = decision, await clock.waits(until: clock.now.advanced(by: wait)) else {
                return try settled(result, earlier).get()
            }
            earlier = furthest(earlier, result)
            call.tryNumber += 1
        }
    }

    private func furthest(_ earlier: Reach, _ result: Result<WireResponse, TransportError>) -> Reach {
        switch result {
        case .success: return .answered
        case .failure(let error):
            return error.reach == .notSent ? earlier : earlier == .answered ? earlier : error.reach
        }
    }

    /// What the last try says, together with what is known of those before it: a last try that was not sent proves
    /// nothing about the first.
    private func settled(
        _ result: Result<WireResponse, TransportError>, _ earlier: Reach
    ) -> Result<WireResponse, TransportError> {
        switch result {
        case .success(var response):
            response.earlierReach = earlier
            return .success(response)
        case .failure(var error):
            if error.reach == .notSent, earlier != .notSent {
                error.reach = .sent
                error.detail = error.detail + " This try was not sent, but an earlier try may have arrived."
            }
            return .failure(error)
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
            error.detail = call.redactor.adding(request.secrets).scrub(error.detail.description)
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
