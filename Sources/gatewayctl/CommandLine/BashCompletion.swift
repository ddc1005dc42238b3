extension CompletionTable {
    /// Works in plain bash, without the bash-completion package. Bash splits words at `=`, so `--output=js` arrives as
    /// three words.
    var bashScript: String {
        """
        # bash completion for \(tool); made by '\(tool) completions bash'.

        _\(tool)_commands() {
            case "$1" in
        \(cases { $0.commands.isEmpty ? nil : "echo \(Self.quote($0.commands.map(\.word).joined(separator: " ")))" })
            esac
        }

        _\(tool)_options() {
            case "$1" in
        \(cases { "echo \(Self.quote($0.options.map(\.word).joined(separator: " ")))" })
            esac
        }

        _\(tool)_takes_value() {
            case "$1" in
        \(cases { "case \"$2\" in \($0.valued.flatMap(\.spellings).joined(separator: "|"))) return 0 ;; esac" })
            esac
            return 1
        }

        _\(tool)_values() {
            case "$1" in
        \(cases(values))
            esac
        }

        _\(tool)_arguments() {
            case "$1" in
        \(cases(arguments))
            esac
        }

        _\(tool)() {
            local cur=${COMP_WORDS[COMP_CWORD]} option= where= count=0 word i plain= kind
            COMPREPLY=()
            for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                if [[ -n $option ]]; then
                    [[ $word == = ]] && continue
                    option=
                    continue
                fi
                if [[ -n $plain ]]; then
                    count=$((count + 1))
                elif [[ $word == -- ]]; then
                    plain=1
                elif [[ $word == -?* ]]; then
                    _\(tool)_takes_value "$where" "$word" && option=$word
                elif [[ $word == = ]]; then
                    continue
                elif [[ " $(_\(tool)_commands "$where") " == *" $word "* ]]; then
                    where=${where:+$where }$word
                else
                    count=$((count + 1))
                fi
            done
            [[ $cur == = && -n $option ]] && cur=
            if [[ -n $option ]]; then
                kind=$(_\(tool)_values "$where" "$option")
            elif [[ -z $plain && $cur == -* ]]; then
                kind=$(_\(tool)_options "$where")
            else
                kind="$(_\(tool)_commands "$where") $(_\(tool)_arguments "$where" "$count")"
            fi
            if [[ $kind == *:file* ]]; then
                local IFS=$'\\n'
                compopt -o filenames 2>/dev/null
                COMPREPLY=($(compgen -f -- "$cur"))
            else
                COMPREPLY=($(compgen -W "$kind" -- "$cur"))
            fi
        }

        complete -F _\(tool) \(tool)
        """
    }

    private func cases(_ body: (Entry) -> String?) -> String {
        entries.compactMap { entry in
            body(entry).map { "        \(Self.quote(entry.key))) \($0) ;;" }
        }.joined(separator: "\n")
    }

    private func values(_ entry: Entry) -> String? {
        let arms = entry.valued.compactMap { option in
            Self.words(option.hint).map { "\(option.spellings.joined(separator: "|"))) echo \(Self.quote($0)) ;;" }
        }
        return arms.isEmpty ? nil : "case \"$2\" in \(arms.joined(separator: " ")) esac"
    }

    private func arguments(_ entry: Entry) -> String? {
        let arms = entry.positionals.enumerated().compactMap { place, hint -> String? in
            let pattern = entry.repeats && place == entry.positionals.count - 1 ? "*" : String(place)
            return Self.words(hint).map { "\(pattern)) echo \(Self.quote($0)) ;;" }
        }
        return arms.isEmpty ? nil : "case \"$2\" in \(arms.joined(separator: " ")) esac"
    }

    /// The words with spaces between, `:file` for files; `nil` for nothing.
    static func words(_ hint: CompletionHint) -> String? {
        switch hint {
        case .none: nil
        case .words(let words): words.joined(separator: " ")
        case .file: ":file"
        }
    }
}
