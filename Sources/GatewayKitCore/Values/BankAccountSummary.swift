/// What may be shown of a bank account: the bank, the kind, and the last four digits of its number.
public struct BankAccountSummary: Sendable, Hashable, CustomStringConvertible {
    /// The bank's name as the provider tells it.
    public let bankName: String?
    /// The provider's word for the kind of account, such as `checking`.
    public let type: String?
    /// The provider's word for whose account it is, such as `personal`.
    public let holderType: String?
    /// The last four digits of the account number.
    public let lastFour: String?
    /// The first three digits of the routing number, which tell the region.
    public let routingPrefix: String?

    /// A summary from a provider's answer. Digits count only when they are exactly four, respectively three, ASCII
    /// digits; anything else, a whole number above all, is dropped.
    public init(
        bankName: String? = nil, type: String? = nil, holderType: String? = nil, lastFour: String? = nil,
        routingPrefix: String? = nil
    ) {
        self.bankName = bankName
        self.type = type
        self.holderType = holderType
        self.lastFour = Self.digits(lastFour, count: 4)
        self.routingPrefix = Self.digits(routingPrefix, count: 3)
    }

    private static func digits(_ text: String?, count: Int) -> String? {
        guard let text, text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return text
    }

    /// `checking account ending 3210`, as far as the parts are known.
    public var description: String {
        (type.map { $0 + " account" } ?? "bank account") + (lastFour.map { " ending \($0)" } ?? "")
    }
}
