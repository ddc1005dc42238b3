/// Who pays, and where things go. It is personal data: descriptions and mirrors tell which parts are present, not what
/// they are.
public struct Shopper: Sendable, Hashable {
    /// The whole name as one text; an adapter splits it by its provider's rule.
    public var name: String?
    /// The e-mail address.
    public var email: String?
    /// The telephone number, best in E.164 form (`+49301234567`).
    public var phone: String?
    /// The company.
    public var company: String?
    /// The billing address.
    public var billingAddress: Address?
    /// The shipping address.
    public var shippingAddress: Address?
    /// Who receives the goods, when it is somebody else.
    public var shippingName: String?
    /// The receiver's telephone number, when it is another.
    public var shippingPhone: String?

    /// A shopper from what is known.
    public init(
        name: String? = nil, email: String? = nil, phone: String? = nil, company: String? = nil,
        billingAddress: Address? = nil, shippingAddress: Address? = nil, shippingName: String? = nil,
        shippingPhone: String? = nil
    ) {
        self.name = name
        self.email = email
        self.phone = phone
        self.company = company
        self.billingAddress = billingAddress
        self.shippingAddress = shippingAddress
        self.shippingName = shippingName
        self.shippingPhone = shippingPhone
    }

    /// What is wrong with both addresses, each issue naming the field of the right one.
    public var issues: [FieldIssue] {
        let shipping = (shippingAddress?.issues ?? []).map { issue in
            var issue = issue
            issue.field = issue.field.ofShipping
            return issue
        }
        return (billingAddress?.issues ?? []) + shipping
    }

    private var presentFields: [String] {
        let texts = [
            ("name", name), ("email", email), ("phone", phone), ("company", company), ("shippingName", shippingName),
            ("shippingPhone", shippingPhone),
        ].filter { $0.1 != nil }.map(\.0)
        let addresses = [("billing", billingAddress), ("shipping", shippingAddress)].compactMap { name, address in
            address.map { "\(name): \($0)" }
        }
        return texts + addresses
    }
}

extension Shopper: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Which parts are present: `Shopper(name, email, billing: Address(city, country))`.
    public var description: String { "Shopper(\(presentFields.joined(separator: ", ")))" }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
