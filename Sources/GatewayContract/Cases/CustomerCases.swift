import GatewayKitCore

extension ContractCapability {
    /// ``GatewayKitCore/Gateway/customers``.
    public static let customers = ContractCapability("customers")
}

/// Cases of ``GatewayKitCore/CustomerCreating``.
enum CustomerCases {
    static let all = [created, incomplete]

    static let created = ContractCase(
        "customers.created", .customers, .onRequest, "A shopper is stored once and gets an id that can be one."
    ) { run in
        let customers = try run.customers()
        let end = run.see(
            await .of(ContractEnd.init(_:)) { () async throws(GatewayError) in
                try await customers.create(ContractRun.customer, CallContext())
            })
        run.observe(end.name)
        guard case .done(let id?) = end.meaning else { return run.note("it ends as \(end.name)") }
        run.expect(PaymentToken.isWellFormed(id: id), "the id is not well-formed")
        let sent = run.wire.entries.filter { $0.repeatability == .once }
        run.equal("sent", sent.count, 1)
    }

    static let incomplete = ContractCase(
        "customers.incomplete", .customers, .anywhere,
        "A shopper of whom nothing is told is no customer: the fields are named, and nothing is sent."
    ) { run in
        let customers = try run.customers()
        let end = run.see(
            await .of(ContractEnd.init(_:)) { () async throws(GatewayError) in
                try await customers.create(Shopper(), CallContext())
            })
        run.observe(end.name)
        run.equal("it ends as", end.name, "invalid")
        run.expect(run.wire.entries.isEmpty, "something was sent")
    }
}

extension ContractCall {
    static let customerCalls = [
        ContractCall(
            name: "create-customer", capability: .customers,
            make: { run, _, context in
                let customers = try run.customers()
                return await .of(ContractEnd.init(_:)) { () async throws(GatewayError) in
                    try await customers.create(ContractRun.customer, context)
                }
            })
    ]
}

extension ContractRun {
    func customers() throws -> any CustomerCreating {
        try gateway().customers ?? stop(.skipped("the gateway does not store shoppers"))
    }

    static let customer = Shopper(
        name: "Ada Okoro", email: "ada@shop.example", phone: "+922100000000", billingAddress: Address(country: "PK"))
}

extension ContractEnd {
    init(_ result: CustomerResult) {
        meaning =
            switch result {
            case .created(let id): .done(id: id)
            case .invalid: .refused
            case .unknown(let cause): .unknown(cause)
            }
        name = result.outcomeName
        shown = everything(of: result)
    }
}
