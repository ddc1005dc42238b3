import GatewayKitCore

/// The walks over all faults, one case for each call of each capability.
enum FaultCases {
    static let all: [ContractCase] = ContractCall.all.map { call in
        ContractCase(
            "\(call.capability).\(call.name)-faults", call.capability, alsoNeeds: call.alsoNeeds, .imitation,
            isUnderFaults: true,
            "Under every fault, at every request that it makes, \(call.name) ends in a documented way that agrees with what happened."
        ) { run in
            try await FaultWalk(run: run, call: call, controls: try run.controls()).walk()
        }
    }
}
