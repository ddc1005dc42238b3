extension SessionStatus.Phase {
    /// What the phase may become. A session does not move back: a later answer that says less than an earlier one (a
    /// replica that lags, a word that the adapter does not know) takes nothing away, and what was final stays so.
    public var successors: [SessionStatus.Phase] {
        switch self {
        case .unknown: [.open, .processing, .succeeded, .failed, .expired]
        case .open: [.processing, .succeeded, .failed, .expired]
        case .processing: [.succeeded, .failed, .expired]
        default: []
        }
    }
}

extension SessionStatus {
    /// What is known of the session when `newer` is the answer that came after this one.
    ///
    /// - The phase goes on only as ``Phase/successors`` says; the provider's word and the request id are always those of
    ///   `newer`, so that nobody has to guess what the provider said last.
    /// - What `newer` leaves out (token, decline, payment) stays known. After a terminal phase neither token nor decline
    ///   changes.
    /// - The payment is that of `newer`; but the same payment, once succeeded or failed, keeps that state.
    public func followed(by newer: SessionStatus) -> SessionStatus {
        var merged = newer
        merged.reference = reference
        if newer.phase != phase, !phase.successors.contains(newer.phase) { merged.phase = phase }
        merged.token = phase.isTerminal ? token : newer.token ?? token
        merged.decline = phase.isTerminal ? decline : newer.decline ?? decline
        merged.payment = payment.map { $0.followed(by: newer.payment) } ?? newer.payment
        return merged
    }

    /// Whether this status tells anything that `earlier` did not; another request id alone is no news.
    func isNews(after earlier: SessionStatus) -> Bool {
        var same = earlier
        same.requestID = requestID
        if let payment, same.payment != nil { same.payment?.requestID = payment.requestID }
        return self != same
    }
}

extension PaymentRecord {
    fileprivate func followed(by newer: PaymentRecord?) -> PaymentRecord {
        guard var merged = newer else { return self }
        let isSettled = state == .succeeded || state == .failed
        if id == merged.id, isSettled { merged.state = state }
        return merged
    }
}
