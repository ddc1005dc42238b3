/// What the server does on a connection in answer to one request, step by step. A value, so that a fault can be
/// looked at without a socket.
struct WirePlan: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        case send([UInt8])
        /// Waits, unless the peer goes away or the server stops.
        case pause(Duration)
        /// Waits until the peer goes away or the server stops.
        case stall
        /// Waits until held answers are released, the peer goes away or the server stops.
        case hold
        /// Ends the connection with RST.
        case reset
        /// Ends the connection with FIN.
        case close
    }

    var steps: [Step]
    /// Called once when the steps are over: whether all of them could be done.
    var completion: (@Sendable (Bool) -> Void)?

    init(_ steps: [Step]) {
        self.steps = steps
    }

    static func == (left: WirePlan, right: WirePlan) -> Bool { left.steps == right.steps }
}
