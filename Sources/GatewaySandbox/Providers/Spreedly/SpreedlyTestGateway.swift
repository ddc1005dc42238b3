import GatewayKitCore

/// What Spreedly's test gateway does with a card and an amount (dossier 7), and what GatewayKit's own adds.
///
/// Spreedly's: declined cards; amount 44 fails as a capture and as a credit; a `sprel` method waits at its page; with
/// `attempt_3dsecure` the amounts 3001, 3003, 3004, 3005, 3103 and 3104 walk through 3-D Secure.
///
/// GatewayKit's, for what no card brings about: 9901 is charged and 9902 is not, and neither the gateway's answer to
/// Spreedly arrives; 9903 is approved for 9900 only; 9904 is still being processed;
/// 9906 is declined as a duplicate.
///
/// Guesses: what of a payment is credited, captured and voided already is declined by the gateway; only what was
/// purchased or captured can be credited.
enum SpreedlyTestGateway {
    static let unknownCharged: Int64 = 9901
    static let unknownNotCharged: Int64 = 9902
    static let partial: Int64 = 9903
    static let processing: Int64 = 9904
    static let duplicate: Int64 = 9906

    /// The end of a payment that goes to the gateway.
    struct Verdict {
        var payment: SpreedlyPayment
        /// Whether money moved, whatever the transaction says.
        var moved: Bool
    }

    /// - Parameter verb: `purchase`, `authorize`, `verify`, `general credit`.
    static func start(_ verb: String, _ new: SpreedlyPayment, _ method: SpreedlyMethod) -> Verdict {
        var payment = new
        let form = payment.form
        if case .sprel = method.instrument {
            return waiting(&payment, [.checkout])
        }
        if form.attempts3DS {
            guard form.hasBrowserInfo else {
                payment.state = .failed
                payment.message = "browser_info is required for 3D Secure 2 based transactions"
                return Verdict(payment: payment, moved: false)
            }
            switch payment.amount {
            case 3003: return waiting(&payment, [.fingerprint])
            case 3004: return waiting(&payment, [.fingerprint, .challenge])
            case 3005: return waiting(&payment, [.challenge])
            case 3103: return waiting(&payment, [.fingerprint], succeeds: false)
            case 3104: return waiting(&payment, [.challenge], succeeds: false)
            default: break
            }
        }
        if method.testCard?.hasSuffix("-declined") == true { return declined(&payment, verb) }
        switch payment.amount {
        case unknownCharged, unknownNotCharged:
            let moved = payment.amount == unknownCharged
            payment.state = .unknown
            payment.message = "The gateway did not answer in time."
            payment.response = .init(success: false, message: payment.message, isUnknown: true)
            return Verdict(payment: payment, moved: moved)
        case partial:
            payment.amount = 9900
        case processing:
            payment.state = .processing
            payment.message = "The payment is being processed."
            return Verdict(payment: payment, moved: false)
        case duplicate:
            return declined(&payment, verb, code: "duplicate_transaction", "Duplicate transaction.")
        default:
            break
        }
        return succeeded(&payment, verb)
    }

    /// The last step of 3-D Secure, or the next one.
    static func goOn(_ verb: String, _ old: SpreedlyPayment) -> Verdict {
        var payment = old
        payment.steps.removeFirst()
        guard payment.steps.isEmpty else { return Verdict(payment: payment, moved: false) }
        payment.messageKey = nil
        return payment.succeedsAfterSteps ? succeeded(&payment, verb) : declined(&payment, verb)
    }

    static func succeeded(_ payment: inout SpreedlyPayment, _ verb: String) -> Verdict {
        payment.state = .succeeded
        payment.message = "Succeeded!"
        payment.response = .init(success: true, message: "Successful \(verb)")
        return Verdict(payment: payment, moved: true)
    }

    static func declined(
        _ payment: inout SpreedlyPayment, _ verb: String, code: String? = nil, _ message: String? = nil
    ) -> Verdict {
        payment.state = .gatewayFailed
        payment.message = message ?? "Unable to process the \(verb) transaction."
        payment.response = .init(success: false, message: payment.message, errorCode: code)
        return Verdict(payment: payment, moved: false)
    }

    private static func waiting(
        _ payment: inout SpreedlyPayment, _ steps: [SpreedlyPayment.Step], succeeds: Bool = true
    ) -> Verdict {
        payment.state = .pending
        payment.steps = steps
        payment.succeedsAfterSteps = succeeds
        payment.message = "Pending"
        payment.messageKey = "messages.transaction_pending"
        return Verdict(payment: payment, moved: false)
    }
}
