import FuzzSupport
import GatewayKit
import GatewayKitCore

private let planted = ["zq7Kp-planted-variable", "zq7Kp-planted-file"]

/// The reader of configuration files: no file traps, and what is secret by its key shows nowhere. The secrets come from
/// a variable and a file, so that the input can lead them where it likes but not spell them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConfiguration(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(start, count)
    let permissions = [0o600, 0o644, 0o640, 0o400][Int(input.byte() % 4)]
    let bytes = input.remaining()
    let files = FileAccess { path in
        if path.hasSuffix("config.json") { return .file(bytes, permissions: permissions) }
        return path.hasSuffix("key") ? .file(Array((planted[1] + "\n").utf8), permissions: 0o600) : .nothing
    }
    let sources = ConfigurationSources(
        environment: ["S": planted[0]], projectFile: ConfigurationFileName("/p/config.json"), files: files)
    do throws(GatewayError) {
        let configuration = try Configuration.load(sources, for: .all)
        check(configuration)
    } catch {
        require(error.code == .configuration, "a file fails as \(error.code)")
        require(!error.message.isEmpty && !error.advice.isEmpty, "a refusal without words")
        require(!showsPlanted(everything(of: error)), "a refusal shows a secret")
    }
    return 0
}

private func check(_ configuration: Configuration) {
    // The input may have put a secret under a key that is no secret's; then it may show.
    let isMisplaced = configuration.entries.contains { entry in
        if case .plain(let text) = entry.value { showsPlanted(text) } else { false }
    }
    let shown = everything(of: configuration) + everything(of: configuration.network)
    require(isMisplaced || !showsPlanted(shown), "a secret shows in the configuration")
    for name in configuration.accountNames {
        do throws(GatewayError) {
            let account = try configuration.account(name, .all)
            require(isMisplaced || !showsPlanted(everything(of: account)), "a secret shows in an account")
        } catch {
            require(isMisplaced || !showsPlanted(everything(of: error)), "a secret shows in an account's refusal")
        }
    }
    _ = configuration.defaultAccount
}

private func showsPlanted(_ text: String) -> Bool { planted.contains { holds(text, $0) } }
