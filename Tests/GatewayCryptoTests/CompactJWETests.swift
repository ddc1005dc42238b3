import GatewayCrypto
import Testing

@Suite struct CompactJWEMessages {
    private let key: RSAPrivateKey

    init() throws {
        key = try RSAPrivateKey(pem: PublishedKey.privatePKCS8)
    }

    private func kind(_ text: String) -> CryptoError.Kind? {
        do throws(CryptoError) {
            _ = try CompactJWE(reading: text).open(with: key)
            return nil
        } catch {
            return error.kind
        }
    }

    /// A sound text with another header, which is base64url of `json`.
    private func text(header json: String) throws -> String {
        let sound = try CompactJWE.encrypt(SecretBytes([1, 2, 3]), for: key.publicKey)
        return Base64.url.encode(Array(json.utf8)) + sound.drop { $0 != "." }
    }

    @Test func whatAnotherImplementationEncryptedOpens() throws {
        let message = try CompactJWE(reading: OthersMessages.message)
        #expect(message.header.keyID == "k-1")
        #expect(message.header.type == "JWT")
        #expect(message.header.contentType == nil)
        #expect(try message.open(with: key) == SecretBytes(Array(OthersMessages.content.utf8)))
    }

    @Test func whatIsEncryptedOpens() throws {
        var numbers = SeededNumbers(state: 3)
        for count in [0, 1, 100, 50_000] {
            let content = SecretBytes(numbers.bytes(count))
            let text = try CompactJWE.encrypt(
                content, for: key.publicKey, keyID: "a \"quoted\" \\ \u{7} ключ", type: "JWT", contentType: "json")
            let message = try CompactJWE(reading: text)
            #expect(message.header.algorithm == "RSA-OAEP-256")
            #expect(message.header.encryption == "A256GCM")
            #expect(message.header.keyID == "a \"quoted\" \\ \u{7} ключ")
            #expect(message.header.type == "JWT")
            #expect(message.header.contentType == "json")
            #expect(try message.open(with: key) == content)
        }
    }

    @Test func theSameContentNeverLooksTheSame() throws {
        let texts = try (0..<3).map { _ in try CompactJWE.encrypt(SecretBytes([1]), for: key.publicKey) }
        for part in 1..<5 { #expect(Set(texts.map { $0.split(separator: ".")[part] }).count == 3) }
        #expect(
            Set(texts.map { $0.split(separator: ".")[0] }) == ["eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMjU2R0NNIn0"])
    }

    @Test("A change of any character is a refusal, and no reason is told apart once the form is right")
    func tampering() throws {
        let sound = Array(try CompactJWE.encrypt(SecretBytes(Array("content".utf8)), for: key.publicKey).utf8)
        for place in stride(from: 0, to: sound.count, by: 3) {
            var changed = sound
            changed[place] = sound[place] == 0x41 ? 0x42 : 0x41
            #expect(kind(String(decoding: changed, as: UTF8.self)) != nil, "position \(place)")
        }
        let parts = String(decoding: sound, as: UTF8.self).split(separator: ".").map(String.init)
        let other = try CompactJWE.encrypt(SecretBytes(Array("content".utf8)), for: key.publicKey)
            .split(separator: ".").map(String.init)
        for place in 1..<5 {
            var mixed = parts
            mixed[place] = other[place]
            #expect(kind(mixed.joined(separator: ".")) == .authentication, "part \(place)")
        }
        var short = parts
        short[1] = "AAAA"
        #expect(kind(short.joined(separator: ".")) == .authentication)
        // The same header in another spelling: its text, and not its meaning, is what is authenticated.
        var respelled = parts
        respelled[0] = Base64.url.encode(Array(#"{"enc":"A256GCM","alg":"RSA-OAEP-256"}"#.utf8))
        #expect(kind(respelled.joined(separator: ".")) == .authentication)
        let foreign = try CompactJWE.encrypt(SecretBytes([1]), for: RSAPrivateKey.generate().publicKey)
        #expect(kind(foreign) == .authentication)
    }

    @Test func aContentKeyOfAnotherLengthIsTheSameRefusal() throws {
        let header = Base64.url.encode(Array(#"{"alg":"RSA-OAEP-256","enc":"A256GCM"}"#.utf8))
        for count in [0, 16, 31, 33] {
            let encryptedKey = try key.publicKey.encrypt(SecretBytes([UInt8](repeating: 1, count: count)))
            let text = [header, Base64.url.encode(encryptedKey), "AAAAAAAAAAAAAAAA", "AAAA", "AAAAAAAAAAAAAAAAAAAAAA"]
                .joined(separator: ".")
            #expect(kind(text) == .authentication)
        }
    }

    @Test(
        "Other algorithms, extensions and compression are refused by name",
        arguments: [
            #"{"alg":"RSA-OAEP","enc":"A256GCM"}"#, #"{"alg":"RSA1_5","enc":"A256GCM"}"#,
            #"{"alg":"dir","enc":"A256GCM"}"#, #"{"alg":"none","enc":"A256GCM"}"#,
            #"{"alg":"rsa-oaep-256","enc":"A256GCM"}"#, #"{"alg":"RSA-OAEP-256","enc":"A128GCM"}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256CBC-HS512"}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","zip":"DEF"}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","crit":["exp"],"exp":1}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","crit":null}"#,
        ])
    func refusedAlgorithms(_ json: String) throws {
        #expect(kind(try text(header: json)) == .algorithm)
    }

    @Test(
        "A header that is not strict JSON with one meaning is refused",
        arguments: [
            "", "{}", "[]", "null", #""alg""#, #"{"alg":"RSA-OAEP-256"}"#, #"{"enc":"A256GCM"}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","alg":"dir"}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","\u0061lg":"RSA-OAEP-256"}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","jwk":{"n":1,"n":2}}"#,
            #"{"alg":["RSA-OAEP-256"],"enc":"A256GCM"}"#, #"{"alg":"RSA-OAEP-256","enc":null}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":7}"#, #"{"alg":"RSA-OAEP-256","enc":"A256GCM"} x"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM",}"#, #"{'alg':"RSA-OAEP-256","enc":"A256GCM"}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","x":01}"#, #"{"alg":"RSA-OAEP-256","enc":"A256GCM","x":1.}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","x":tru}"#, #"{"alg":"RSA-OAEP-256","enc":"A256GCM","x":"\ud800"}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","x":"\x"}"#,
            "{\"alg\":\"RSA-OAEP-256\",\"enc\":\"A256GCM\",\"x\":\"\t\"}",
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","x":[[[[[[[[[1]]]]]]]]]}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM""#,
        ])
    func brokenHeaders(_ json: String) throws {
        #expect(kind(try text(header: json)) == .structure)
    }

    @Test("Members that are not known are passed over, whatever they hold")
    func unknownMembers() throws {
        let json = #"""
             {"alg":"RSA-OAEP-256", "x5c":["a","b"],"jwk":{"kty":"RSA","n":[]}, "iat":-1.5E+3, "b":true,"n":null,
            "s":"\ud83d\ude00\/\b\f\n\r\t\"\\\u00e9","a":[],"o":{}, "enc":"A256GCM","\u006bid":"\u006b"}
            """#
        let message = try CompactJWE(reading: try text(header: json))
        #expect(message.header.keyID == "k")
    }

    @Test func bytesThatAreNoUTF8AreRefused() throws {
        let header = Array(#"{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        let sound = try CompactJWE.encrypt(SecretBytes([1]), for: key.publicKey)
        #expect(kind(Base64.url.encode(header) + sound.drop { $0 != "." }) == .structure)
    }

    @Test func theFormIsExact() throws {
        let sound = try CompactJWE.encrypt(SecretBytes([1, 2, 3]), for: key.publicKey)
        let parts = sound.split(separator: ".").map(String.init)
        #expect(kind("") == .structure)
        #expect(kind("....") == .structure)
        #expect(kind(parts.dropLast().joined(separator: ".")) == .structure)
        #expect(kind(sound + ".AAAA") == .structure)
        #expect(kind(sound + "=") == .encoding)
        #expect(kind(" " + sound) == .encoding)
        #expect(kind(sound + "\n") == .encoding)
        func with(_ place: Int, _ part: String) -> String {
            var changed = parts
            changed[place] = part
            return changed.joined(separator: ".")
        }
        #expect(kind(with(2, "")) == .structure)
        #expect(kind(with(2, "AAAAAAAAAAAAAAAAA")) == .encoding)
        #expect(kind(with(2, "AAAAAAAAAAAAAAAAAAAA")) == .structure)
        #expect(kind(with(4, "AAAA")) == .structure)
        #expect(kind(with(4, "")) == .structure)
        #expect(kind(with(1, "")) == .authentication)
        #expect(kind(with(3, "")) == .authentication)
    }

    @Test func everyPartIsBounded() throws {
        #expect(kind(String(repeating: "A", count: CompactJWE.byteLimit + 1)) == .size)
        let long = #"{"alg":"RSA-OAEP-256","enc":"A256GCM","x":""# + String(repeating: "a", count: 9000) + "\"}"
        #expect(kind(try text(header: long)) == .size)
        let parts = try CompactJWE.encrypt(SecretBytes([1]), for: key.publicKey).split(separator: ".").map(String.init)
        #expect(
            kind([parts[0], String(repeating: "A", count: 2000), parts[2], parts[3], parts[4]].joined(separator: "."))
                == .size)
        #expect {
            _ = try CompactJWE.encrypt(SecretBytes([UInt8](repeating: 0, count: 800_000)), for: key.publicKey)
        } throws: { ($0 as? CryptoError)?.kind == .size }
        #expect {
            _ = try CompactJWE.encrypt(
                SecretBytes([1]), for: key.publicKey, keyID: String(repeating: "k", count: 9000))
        } throws: {
            ($0 as? CryptoError)?.kind == .size
        }
    }

    @Test func aMessageShowsNothing() throws {
        let message = try CompactJWE(reading: OthersMessages.message)
        let opened = try message.open(with: key)
        #expect(!everything(of: opened).contains("Ada"))
        #expect(!everything(of: message).contains("k-1"))
    }
}
