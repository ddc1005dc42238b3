import GatewayKitCore
import GatewaySandbox
import Testing

/// A call that was made under a fault, in a sandbox of its own.
struct Walked {
    let call: WalkedCall
    let end: CallEnd
    let sandbox: Sandbox
    let recorder: Recorder
    /// What the sandbox did for the call, without what was prepared.
    let happened: [LedgerEntry]

    /// Prepares and makes the call that `find` picks.
    ///
    /// A fault without an end takes all the time that the call has: little, or more on a machine so busy that the request
    /// did not arrive in it. Then everything begins anew, because what an earlier request of the call did would count.
    static func under(
        _ rule: FaultRule, _ account: WalkedAccount, _ find: (Gateway) -> WalkedCall?
    ) async throws -> Walked {
        let limits = FaultWalkTests.endless.contains(rule.kind) ? [1, 4, 16, 64, 256] : [300]
        for seconds in limits {
            let sandbox = try account.sandbox()
            let recorder = Recorder()
            let call = try #require(find(try account.gateway(in: sandbox, recorder)))
            let prepared = await call.prepare()
            let before = sandbox.ledger.count
            recorder.forget()
            sandbox.faults.add(rule)
            let end = await call.make(prepared, CallContext(timeout: .seconds(seconds)))
            let happened = Array(sandbox.ledger.entries.dropFirst(before))
            if seconds == limits.last || happened.contains(where: { $0.operation == rule.operation }) {
                return Walked(call: call, end: end, sandbox: sandbox, recorder: recorder, happened: happened)
            }
            sandbox.stop()
        }
        throw GatewayError(.cancelled, message: "Not made.", advice: "Correct the test.")
    }
}
