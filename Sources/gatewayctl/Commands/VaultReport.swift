import GatewayKitCore

/// How results of the vault are written, and which exit code they mean.
extension ResultReport {
    /// Writes the result of a vault call to stdout, says what to do next on stderr, and gives the exit code.
    static func write(
        _ result: VaultResult, _ settings: AccountSettings, _ terminal: Terminal, schema: String
    ) -> ExitCode {
        var fields = [
            Field("Result", "result", .text(result.outcomeName)),
            Field("Account", "account", .identifier(settings.name.description)),
            Field("Provider", "provider", .identifier(settings.provider.description)),
        ]
        let code: ExitCode
        switch result {
        case .done(let stored):
            fields.append(Field("Instrument", "instrument", .object(self.fields(of: stored))))
            code = .done
        case .invalid(let issues):
            fields.append(Field("Fields", "fields", .list(issues.map { .object(self.fields(of: $0)) })))
            code = issues.allSatisfy { $0.origin == .local } ? .badInput : .providerSaidNo
            terminal.say(
                code == .badInput
                    ? "Nothing was sent: correct the fields named."
                    : "The provider refused the fields named; nothing was changed.")
        case .refused(let decline):
            fields += self.fields(of: decline)
            terminal.say("The provider refused; nothing was changed.")
            code = .providerSaidNo
        case .notFound(let id):
            fields.append(Field("Token", "token", .identifier(id)))
            terminal.say("The provider knows no such token in this account.")
            code = .providerSaidNo
        case .unknown(let cause):
            fields.append(Field("Cause", "cause", .object(self.fields(of: cause))))
            terminal.say("The outcome is unknown: \(cause.advice)", tone: .problem)
            code = .outcomeUnknown
        }
        terminal.emit(Report(schema: schema, fields: fields))
        return code
    }

    /// A stored instrument as the commands show it.
    static func fields(of stored: StoredInstrument) -> [Field] {
        [
            Field("Token", "token", .identifier(stored.id)),
            Field("State", "state", .text(stored.state.description)),
            Field("State at the provider", "providerState", .identifier(orNull: stored.providerState)),
            Field("Kind at the provider", "providerKind", .identifier(orNull: stored.providerKind)),
            Field("Card", "card", stored.card.map { .object(fields(of: $0)) } ?? .null),
            Field("Bank account", "bankAccount", stored.bankAccount.map { .object(fields(of: $0)) } ?? .null),
            Field("Security code", "hasSecurityCode", stored.hasSecurityCode.map { .bool($0) } ?? .null),
            Field("Test data", "test", stored.isTest.map { .bool($0) } ?? .null),
            Field("Shopper", "shopper", .object(fields(of: stored.shopper))),
            Field("Metadata", "metadata", .list(stored.metadata.map { .object(fields(of: $0)) })),
            Field("Fingerprint", "fingerprint", .identifier(orNull: stored.fingerprint)),
            Field("Stored", "createdAt", .identifier(orNull: stored.createdAt?.rfc3339)),
            Field("Changed", "updatedAt", .identifier(orNull: stored.updatedAt?.rfc3339)),
            Field("Transaction", "transaction", .identifier(orNull: stored.transactionID)),
            Field("Request id", "requestID", .identifier(orNull: stored.requestID)),
        ]
    }

    static func fields(of account: BankAccountSummary) -> [Field] {
        [
            Field("Bank", "bankName", .text(orNull: account.bankName)),
            Field("Type", "type", .text(orNull: account.type)),
            Field("Holder", "holderType", .text(orNull: account.holderType)),
            Field("Routing number begins", "routingPrefix", .identifier(orNull: account.routingPrefix)),
            Field("Last four", "lastFour", .identifier(orNull: account.lastFour)),
        ]
    }

    static func fields(of shopper: Shopper) -> [Field] {
        [
            Field("Name", "name", .text(orNull: shopper.name)),
            Field("E-mail", "email", .text(orNull: shopper.email)),
            Field("Phone", "phone", .text(orNull: shopper.phone)),
            Field("Company", "company", .text(orNull: shopper.company)),
            Field("Billing", "billing", shopper.billingAddress.map { .object(fields(of: $0)) } ?? .null),
            Field("Shipping", "shipping", shopper.shippingAddress.map { .object(fields(of: $0)) } ?? .null),
        ]
    }

    private static func fields(of address: Address) -> [Field] {
        [
            Field("Line 1", "line1", .text(orNull: address.line1)),
            Field("Line 2", "line2", .text(orNull: address.line2)),
            Field("Line 3", "line3", .text(orNull: address.line3)),
            Field("City", "city", .text(orNull: address.city)),
            Field("Region", "region", .text(orNull: address.region)),
            Field("Postal code", "postalCode", .text(orNull: address.postalCode)),
            Field("Country", "country", .text(orNull: address.country)),
        ]
    }

    private static func fields(of entry: TokenizationRequest.Metadata) -> [Field] {
        let value: OutputValue =
            switch entry.value {
            case .flag(let flag): .bool(flag)
            case .integer(let integer): .number(integer)
            case .text(let text): .text(text)
            }
        return [Field("Key", "key", .text(entry.key)), Field("Value", "value", value)]
    }
}
