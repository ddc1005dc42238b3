/// How a run of the tool ended, for the calling script.
///
/// This table is the only place where the codes are explained: `help exit-codes` is generated from it.
enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case providerSaidNo = 2
    case actionNeeded = 3
    case outcomeUnknown = 4
    case credentialsRefused = 5
    case noAnswer = 6
    case usage = 64
    case badInput = 65
    case internalError = 70
    case configuration = 78
    case interrupted = 130

    /// The stable word for the code in JSON output.
    var name: String {
        switch self {
        case .done: "done"
        case .providerSaidNo: "provider-said-no"
        case .actionNeeded: "action-needed"
        case .outcomeUnknown: "outcome-unknown"
        case .credentialsRefused: "credentials-refused"
        case .noAnswer: "no-answer"
        case .usage: "usage"
        case .badInput: "bad-input"
        case .internalError: "internal-error"
        case .configuration: "configuration"
        case .interrupted: "interrupted"
        }
    }

    /// What the code means and what a script may do about it.
    var meaning: String {
        switch self {
        case .done: "Done."
        case .providerSaidNo:
            "The provider answered no: declined, or a field is invalid. Sending the same again brings the same answer."
        case .actionNeeded: "More is needed before this can end, for example a challenge that the shopper must pass."
        case .outcomeUnknown:
            "The request may have been carried out and no usable answer came. Look the outcome up; do not send it again."
        case .credentialsRefused: "The provider refused the credentials. Nothing was done."
        case .noAnswer:
            "No answer: unreachable, timed out before anything was done, or rate limited. Trying again later is safe."
        case .usage: "The command line is wrong. Nothing was sent."
        case .badInput: "The input data is wrong or unreadable. Nothing was sent."
        case .internalError:
            "A fault in gatewayctl itself (please report it), or the result could not be written to stdout."
        case .configuration: "The configuration is missing, wrong, or readable by other users. Nothing was sent."
        case .interrupted: "Interrupted (Ctrl-C, or a request to terminate) before there was an outcome to report."
        }
    }
}
