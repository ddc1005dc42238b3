import Testing

@testable import gatewayctl

/// The rules that every command table must keep; parsing and the scripts rely on them.
@Suite struct CommandTableTests {
    @Test(arguments: [Root.tree, Example.tree]) func tableIsSound(_ tree: CommandTree) {
        let nameLetters = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
        for (names, command) in tree.everyCommand {
            let where_ = names.joined(separator: " ")
            #expect(command.name.allSatisfy(nameLetters.contains) && !command.name.hasPrefix("-"), "\(where_)")
            #expect((command.run == nil) == !command.subcommands.isEmpty, "\(where_)")
            #expect(!command.summary.isEmpty && !command.summary.hasSuffix("."), "\(where_)")
            #expect(Set(command.subcommands.map(\.name)).count == command.subcommands.count, "\(where_)")

            let specs = (command.options + tree.globals).map(\.spec)
            let spellings = specs.flatMap { $0.kind == .toggle ? [$0.name, "no-" + $0.name] : [$0.name] }
            #expect(Set(spellings).count == spellings.count, "\(where_): an option twice")
            #expect(Set(specs.compactMap(\.short)).count == specs.compactMap(\.short).count, "\(where_)")
            for spec in specs {
                #expect(spec.name.allSatisfy(nameLetters.contains) && spec.name.count > 1, "\(where_) \(spec.name)")
                #expect(spec.help.hasSuffix("."), "\(where_) \(spec.name)")
                #expect(spec.placeholder.isEmpty == !spec.takesValue, "\(where_) \(spec.name)")
                if case .words(let words) = spec.hint {
                    let isPlain = words.allSatisfy { word in
                        word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
                    }
                    #expect(isPlain, "\(where_) \(spec.name): completion splits at anything else")
                }
            }
            for rule in command.rules {
                #expect(rule.names.count > 1 && Set(rule.names).isSubset(of: specs.map(\.name)), "\(where_)")
            }
            let arities = command.positionals.map(\.spec.arity)
            #expect(!arities.dropLast().contains(.repeating), "\(where_): only the last may repeat")
            let firstOptional = arities.firstIndex { $0 != .required } ?? arities.endIndex
            #expect(!arities[firstOptional...].contains(.required), "\(where_): required after optional")
            for example in command.examples {
                let names = [tree.root.name, Root.tree.root.name]
                #expect(names.contains { example.line.contains($0) }, "\(where_)")
            }
        }
        let topLevel = tree.root.subcommands.map(\.name) + tree.topics.map(\.name)
        #expect(Set(topLevel).count == topLevel.count)
    }

    /// A secret as an option's value would be visible in the process list.
    @Test func noOptionTakesASecretOrACardNumber() {
        let words = ["secret", "password", "api-key", "access-token", "number", "pan", "cvv", "cvc", "pin"]
        for (names, command) in Root.tree.everyCommand {
            for spec in command.options.map(\.spec) where spec.takesValue {
                #expect(!words.contains(spec.name), "\(names) \(spec.name)")
            }
        }
    }
}
