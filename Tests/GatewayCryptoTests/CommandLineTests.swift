import GatewayCrypto
import Testing

/// The `openssl` program reads what the module writes, and the other way round.
@Suite(.enabled(if: OpenSSLTool.isThere)) struct AgainstTheOpenSSLProgram {
    private let message = Array("5f0c0f6a-53a6-4d3c-9a53-0a1a4b6f8d2e1793109600cert-token".utf8)
    private static let oaep = ["rsa_padding_mode:oaep", "rsa_oaep_md:sha256", "rsa_mgf1_md:sha256"]

    @Test func signaturesAreAcceptedBothWays() throws {
        let tool = try OpenSSLTool()
        defer { tool.remove() }
        let key = try RSAPrivateKey.generate()
        try key.pem().withExposed { try tool.write("key.pem", $0) }
        try tool.write("public.pem", Array(key.publicKey.pem().utf8))
        try tool.write("message", message)
        try tool.write("signature", key.signature(for: message))
        try tool.run("dgst", "-sha256", "-verify", "@public.pem", "-signature", "@signature", "@message")
        try tool.run("dgst", "-sha256", "-sign", "@key.pem", "-out", "@theirs", "@message")
        #expect(try key.publicKey.isValid(tool.read("theirs"), for: message))
        try tool.write("message", message + [0])
        #expect(throws: OpenSSLTool.Failure.self) {
            try tool.run("dgst", "-sha256", "-verify", "@public.pem", "-signature", "@signature", "@message")
        }
    }

    @Test func keysOfTheProgramAreRead() throws {
        let tool = try OpenSSLTool()
        defer { tool.remove() }
        try tool.run("genrsa", "-out", "@new.pem", "2048")
        try tool.run("rsa", "-in", "@new.pem", "-traditional", "-out", "@old.pem")
        try tool.run("rsa", "-in", "@new.pem", "-pubout", "-out", "@public.pem")
        try tool.run("rsa", "-in", "@new.pem", "-RSAPublicKey_out", "-out", "@public-old.pem")
        func text(_ name: String) throws -> String { String(decoding: try tool.read(name), as: UTF8.self) }
        let modulus = try RSAPublicKey(pem: text("public.pem")).jwkNumbers().n
        #expect(try RSAPublicKey(pem: text("public-old.pem")).jwkNumbers().n == modulus)
        #expect(try RSAPrivateKey(pem: text("new.pem")).publicKey.jwkNumbers().n == modulus)
        #expect(try RSAPrivateKey(pem: text("old.pem")).publicKey.jwkNumbers().n == modulus)
    }

    @Test func encryptedSecretsOpenBothWays() throws {
        let tool = try OpenSSLTool()
        defer { tool.remove() }
        let key = try RSAPrivateKey.generate()
        try key.pem().withExposed { try tool.write("key.pem", $0) }
        try tool.write("public.pem", Array(key.publicKey.pem().utf8))
        try tool.write("ours", key.publicKey.encrypt(SecretBytes(Array(message.prefix(40)))))
        try tool.run(
            "pkeyutl", "-decrypt", "-inkey", "@key.pem", "-in", "@ours", "-out", "@opened", options: Self.oaep)
        #expect(try tool.read("opened") == Array(message.prefix(40)))
        try tool.write("message", Array(message.prefix(40)))
        try tool.run(
            "pkeyutl", "-encrypt", "-pubin", "-inkey", "@public.pem", "-in", "@message", "-out", "@theirs",
            options: Self.oaep)
        #expect(try key.decrypt(tool.read("theirs")) == SecretBytes(Array(message.prefix(40))))
    }

    @Test func digestsAndCodesAgree() throws {
        let tool = try OpenSSLTool()
        defer { tool.remove() }
        try tool.write("message", message)
        for (hash, name) in [(HashFunction.sha256, "-sha256"), (.sha384, "-sha384"), (.sha512, "-sha512")] {
            try tool.run("dgst", name, "-binary", "-out", "@digest", "@message")
            #expect(try tool.read("digest") == hash.digest(of: message))
            try tool.run("dgst", name, "-hmac", "abc", "-binary", "-out", "@code", "@message")
            let authentication = MessageAuthentication(hash, key: SecretBytes(Array("abc".utf8)))
            #expect(try tool.read("code") == authentication.code(for: message))
        }
    }
}
