/// Which names of fields, headers, elements and attributes announce a value that must not show.
///
/// Names are compared whole, in any case, without hyphens and underscores: `phone_number` and `cvv_result` are not
/// secret, `Verification-Value` is. Names that a provider uses for readable things elsewhere (`token`, `key`, `id`,
/// `name`) are left out: secrets under these are found by their value.
enum SecretField: Sendable {
    /// A card or account number: a value in which the provider has masked most digits itself may stay.
    case accountNumber
    /// A security code or one-time code: anything but a mask is filtered, letters typed by mistake too.
    case code
    /// `cid`, which is a security code with one brand and a client or correlation id elsewhere: filtered when short.
    case shortCode
    /// Passwords, keys, cryptograms: the whole value, and everything inside it.
    case secret
    /// A header whose value fills the line.
    case header

    /// What the name `text[range]` announces.
    static func named(_ text: [UInt8], _ range: Range<Int>) -> SecretField? {
        guard range.count >= 3, range.count <= 48 else { return nil }
        return table[hash(text[range])]
    }

    /// FNV-1a over the name in lower case without `-` and `_`. A collision would only mask too much.
    private static func hash(_ name: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name where byte != 0x2D && byte != 0x5F {
            hash ^= UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            hash = hash &* 0x100_0000_01B3
        }
        return hash
    }

    private static let table: [UInt64: SecretField] = {
        var table: [UInt64: SecretField] = [:]
        for (field, names) in names {
            for name in names.split(whereSeparator: \.isWhitespace) { table[hash(name.utf8)] = field }
        }
        return table
    }()

    private static let names: [(SecretField, String)] = [
        (
            .accountNumber,
            """
            number pan fpan dpan card-number card-no card-num cc-number cc-no cc-num ccnum x-card-num
            credit-card-number debit-card-number primary-account-number account-number account-no acct account
            card-account-number bank-account-number routing-number bank-routing-number iban
            full-card-number raw-card-number new-card-number payment-card-number network-token-number
            tokenized-card-number card-pan encrypted-pan
            issuer-identification-number iin
            """
        ),
        (
            .code,
            """
            cvv cvv2 cvc cvc2 cvn cvn2 cav2 cvx2 csc cvv-number cvc-number card-cvv card-cvc card-cvv2 card-cvc2
            cc-cvv cc-cvc cvv-value verification-value card-verification-value card-verification-code
            card-verification-number card-verification security-code card-security-code card-code x-card-code
            verification-code card-cv2 cv2 pin pin-code card-pin new-pin otp one-time-password one-time-code otp-code
            otp-value sms-code passcode
            """
        ),
        (.shortCode, "cid card-cid"),
        (
            .secret,
            """
            password passwd pwd passphrase secret secrets access-secret environment-access-secret api-secret secret-key
            secret-access-key private-key signing-secret signing-key shared-secret webhook-secret client-secret
            environment-key api-key apikey x-api-key apitoken api-token access-key access-token refresh-token id-token
            auth-token session-token session-id security-token bearer-token client-token pf-token pftoken x-auth-token
            x-access-token x-csrf-token csrf-token credentials credential login-password merchant-key
            transaction-key certificate-token signature hmac
            track track1 track2 track3 track-data track1-data track2-data track-1 track-2 magnetic-stripe emv
            icc-data pin-block ksn cryptogram payment-cryptogram online-payment-cryptogram token-cryptogram tavv cavv
            aav ucaf eci-cavv authentication-value payment-data encrypted-payment-data encrypted-data
            encrypted-card enc-payload encrypted-card-number encrypted-security-code encrypted-message ephemeral-public-key
            payment-token-data third-party-token google-pay-token apple-pay-token payment-method-nonce three-ds-context
            x-sfpy-merchant-secret tbt three-d-secure-jwt wallet-token paypal-url cardinal-jwt capture-context-jwt transient-token-jwt sdk-on-validate-jwt
            """
        ),
        (
            .header,
            """
            authorization proxy-authorization http-authorization cookie set-cookie x-authorization
            """
        ),
    ]
}
