/// The protected header of a JOSE message, read strictly.
public struct JOSEHeader: Sendable, Hashable {
    /// `alg`: how the content key is encrypted.
    public let algorithm: String
    /// `enc`: how the content is encrypted.
    public let encryption: String
    /// `kid`: which key the sender means. A hint, not a proof.
    public let keyID: String?
    /// `typ`: the media type of the whole.
    public let type: String?
    /// `cty`: the media type of the content.
    public let contentType: String?

    /// The longest header that is read, in bytes.
    public static let byteLimit = 8192

    /// Reads the header's JSON. Members that are not listed here are checked for their form and passed over.
    ///
    /// Throws ``CryptoError/Kind-swift.struct/structure`` for what is not strict JSON, a member twice, and a listed
    /// member that is no string; ``CryptoError/Kind-swift.struct/algorithm`` for `crit` and `zip`, because an extension
    /// that is not understood must not be ignored (RFC 7516, section 4.1.13), and compression tells about the content by
    /// its length and can blow up.
    init(json: [UInt8]) throws(CryptoError) {
        guard json.count <= Self.byteLimit else { throw CryptoError(.size, "a JOSE header of more than 8 KiB") }
        let members = try JOSEMembers(json)
        if members.names.contains("crit") { throw CryptoError(.algorithm, "a JOSE header with critical extensions") }
        if members.names.contains("zip") { throw CryptoError(.algorithm, "a compressed message") }
        for name in ["alg", "enc", "kid", "typ", "cty"] where members.names.contains(name) && members.texts[name] == nil
        {
            throw CryptoError(.structure, "a JOSE header member that should be a string")
        }
        guard let algorithm = members.texts["alg"] else { throw CryptoError(.structure, "a JOSE header without alg") }
        guard let encryption = members.texts["enc"] else { throw CryptoError(.structure, "a JOSE header without enc") }
        self.algorithm = algorithm
        self.encryption = encryption
        keyID = members.texts["kid"]
        type = members.texts["typ"]
        contentType = members.texts["cty"]
    }

    init(algorithm: String, encryption: String, keyID: String?, type: String?, contentType: String?) {
        self.algorithm = algorithm
        self.encryption = encryption
        self.keyID = keyID
        self.type = type
        self.contentType = contentType
    }

    /// The members in a fixed order, without those that are absent.
    var json: [UInt8] {
        let members = [
            ("alg", algorithm), ("enc", encryption), ("kid", keyID), ("typ", type), ("cty", contentType),
        ].compactMap { name, value in value.map { "\"\(name)\":\"" + Self.escaped($0) + "\"" } }
        return Array(("{" + members.joined(separator: ",") + "}").utf8)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
