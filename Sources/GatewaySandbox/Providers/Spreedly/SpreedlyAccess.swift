import GatewayKitCore

/// The ways in (dossier 1.1), and the checks that come before a look at the fields.
struct SpreedlyAccess: Sendable {
    enum Way: Sendable, Equatable {
        /// Basic with environment key and access secret: may do everything.
        case authenticated
        /// The environment key alone, in the query, the body or a header: may create what is not retained.
        case environmentKey
    }

    let environmentKey: String
    let accessSecret: String
    let signedSets: SpreedlySignedSets
    private let basic: String

    init(environmentKey: String, accessSecret: String, signedSets: SpreedlySignedSets) {
        self.signedSets = signedSets
        self.environmentKey = environmentKey
        self.accessSecret = accessSecret
        basic = Base64.encode(Array("\(environmentKey):\(accessSecret)".utf8))
    }

    /// Basic credentials that are sent must be right; without any, the query's key decides.
    ///
    /// That a request with neither is told about the missing parameter, and not `errors.access_denied`, is a guess.
    func checkOpenPath(_ request: ReceivedRequest) throws(SpreedlyRefusal) -> Way {
        if !request.values(of: "authorization").isEmpty {
            try checkBasic(request)
            return .authenticated
        }
        let keys = request.query.filter { $0.name == "environment_key" }.map(\.value)
        try check(keys)
        return .environmentKey
    }

    /// The key is a header or a member of the body; when both are there both must be right (a guess).
    func checkKey(_ request: ReceivedRequest, body: JSONValue?) throws(SpreedlyRefusal) {
        var keys = request.values(of: "spreedly-environment-key")
        if let member = body?["environment_key"].present {
            guard let key = try? member.string() else { throw .keyUnknown }
            keys.append(key)
        }
        try check(keys)
        if let body { try signedSets.check(body) }
    }

    /// The status of a transaction wants no secret; that what is sent all the same must be right is a guess.
    func checkPublicPath(_ request: ReceivedRequest) throws(SpreedlyRefusal) {
        if !request.values(of: "authorization").isEmpty { try checkBasic(request) }
        let keys =
            request.query.filter { $0.name == "environment_key" }.map(\.value)
            + request.values(of: "spreedly-environment-key")
        if !keys.isEmpty { try check(keys) }
    }

    func checkBasic(_ request: ReceivedRequest) throws(SpreedlyRefusal) {
        guard let value = request.value(of: "authorization"), let space = value.firstIndex(of: " "),
            value[..<space].lowercased() == "basic",
            String(value[value.index(after: space)...]).equalsInConstantTime(basic)
        else { throw .accessDenied }
    }

    func check(_ keys: [String]) throws(SpreedlyRefusal) {
        guard let first = keys.first, !first.isEmpty else { throw .keyMissing }
        guard keys.allSatisfy({ $0.equalsInConstantTime(environmentKey) }) else { throw .keyUnknown }
    }
}

/// Base 64 with the standard alphabet and padding (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            let word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for index in 0..<4 {
                let symbol = alphabet[Int(word >> (18 - 6 * UInt32(index)) & 63)]
                result.append(index <= group.count ? symbol : 0x3D)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
