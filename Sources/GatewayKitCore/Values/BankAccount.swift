/// A bank account in the United States or Canada, as it is given for a direct debit (ACH, EFT).
///
/// Routing and account number are guarded: who has both can draw on the account. The holder's name is personal data
/// and shown by no description.
public struct BankAccount: Sendable, Equatable {
    /// The routing number: nine digits (in Canada a zero, the institution's three and the transit number's five).
    public var routingNumber: Sensitive<String>
    /// The account number: 4 to 17 digits.
    public var accountNumber: Sensitive<String>
    /// What kind of account it is.
    public var type: Kind
    /// Whose account it is.
    public var holderType: HolderType
    /// The holder's whole name as one text.
    public var holderName: String?
    /// The bank's name.
    public var bankName: String?
    /// The country of the bank.
    public var country: Country

    /// An account from texts as they were typed. Spaces and dashes in both numbers are left out and digits of every
    /// script become ASCII; what is wrong beyond that is told by ``issues``.
    public init(
        routingNumber: Sensitive<String>, accountNumber: Sensitive<String>, type: Kind, holderType: HolderType,
        holderName: String? = nil, bankName: String? = nil, country: Country = .unitedStates
    ) {
        self.routingNumber = routingNumber.map(Self.normalised)
        self.accountNumber = accountNumber.map(Self.normalised)
        self.type = type
        self.holderType = holderType
        self.holderName = holderName
        self.bankName = bankName
        self.country = country
    }

    /// A kind of account.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// For payments.
        case checking
        /// For saving.
        case savings
    }

    /// Whose an account is.
    public enum HolderType: String, Sendable, Hashable, CaseIterable {
        /// A person's.
        case personal
        /// A company's.
        case business
    }

    /// Where a bank may be; the raw value is the ISO 3166-1 alpha-2 code.
    public enum Country: String, Sendable, Hashable, CaseIterable {
        /// The United States.
        case unitedStates = "US"
        /// Canada.
        case canada = "CA"
    }

    /// The last four digits of the account number; `nil` for numbers of fewer than eight digits, of which they would
    /// leave too little hidden.
    public var lastFour: String? {
        accountNumber.withExposed { $0.utf8.count >= 8 && Self.isDigits($0) ? String($0.suffix(4)) : nil }
    }

    /// What is wrong with either number, all at once. A US routing number must pass its check digit (weights 3, 7, 1;
    /// ANSI X9.9, as the ABA uses it), which finds every single wrong digit.
    public var issues: [FieldIssue] { routingIssues + accountIssues }

    private var routingIssues: [FieldIssue] {
        let problem: (FieldIssue.Problem, SafeText)? = routingNumber.withExposed { number in
            if number.isEmpty { return (.missing, "The routing number is missing.") }
            if !Self.isDigits(number) { return (.malformed, "The routing number has other characters than digits.") }
            let length = number.utf8.count
            guard length == 9 else {
                return (length < 9 ? .tooShort : .tooLong, "A routing number has nine digits.")
            }
            guard country != .unitedStates || Self.passesRoutingCheck(number) else {
                return (.checkDigit, "The routing number is mistyped: its check digit does not match.")
            }
            return nil
        }
        return problem.map { [FieldIssue(.routingNumber, $0.0, message: $0.1)] } ?? []
    }

    private var accountIssues: [FieldIssue] {
        let problem: (FieldIssue.Problem, SafeText)? = accountNumber.withExposed { number in
            if number.isEmpty { return (.missing, "The account number is missing.") }
            if !Self.isDigits(number) { return (.malformed, "The account number has other characters than digits.") }
            switch number.utf8.count {
            case ..<4: return (.tooShort, "An account number has at least four digits.")
            case 18...: return (.tooLong, "An account number has at most 17 digits.")
            default: return nil
            }
        }
        return problem.map { [FieldIssue(.accountNumber, $0.0, message: $0.1)] } ?? []
    }

    private static func normalised(_ text: String) -> String {
        switch DigitText.normalise(text) {
        case .digits(let digits): digits
        case .blank: ""
        case .malformed: text
        }
    }

    private static func isDigits(_ text: String) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    private static func passesRoutingCheck(_ digits: String) -> Bool {
        let weights = [3, 7, 1, 3, 7, 1, 3, 7, 1]
        let sum = zip(digits.utf8, weights).reduce(0) { $0 + Int($1.0 & 0x0F) * $1.1 }
        return sum > 0 && sum.isMultiple(of: 10)
    }
}

extension BankAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `checking account ending 3210`: no name, no routing number.
    public var description: String { type.rawValue + " account" + (lastFour.map { " ending \($0)" } ?? "") }
    /// As ``description``.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows the description only.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
