extension Root {
    private static let shell = Positional.required(
        "SHELL", reading: ValueReader<Shell>.choice, help: "The shell to write for.")

    /// `completions bash|zsh|fish`.
    static let completions = Command(
        "completions",
        summary: "Print a completion script for a shell",
        discussion: "The script is made from the same table as the help, so it knows every command and option.",
        examples: [
            .init("source <(gatewayctl completions bash)", "For this bash session:"),
            .init("gatewayctl completions zsh > ~/.zfunc/_gatewayctl", "For zsh, with ~/.zfunc in fpath:"),
            .init(
                "gatewayctl completions fish > ~/.config/fish/completions/gatewayctl.fish", "For every fish session:"),
        ],
        positionals: [shell]
    ) { invocation in
        let shell = try invocation.require(shell)
        invocation.terminal.print(shell.script(for: CompletionTable(tree: invocation.tree)))
        return .done
    }
}
