extension CompletionTable {
    /// For `#compdef`; also works when sourced after `compinit`.
    var zshScript: String {
        """
        #compdef \(tool)
        # zsh completion for \(tool); made by '\(tool) completions zsh'.

        _\(tool)() {
            local where='' option='' plain='' word cur=${words[CURRENT]}
            local -i i count=0
            local -a commands options valued offers
            for ((i = 2; i <= CURRENT; i++)); do
                commands=() options=() valued=()
                case $where in
        \(zshTable)
                esac
                ((i == CURRENT)) && break
                word=${words[i]}
                if [[ -n $option ]]; then
                    option=''
                elif [[ -n $plain ]]; then
                    count+=1
                elif [[ $word == -- ]]; then
                    plain=1
                elif [[ $word == -?* ]]; then
                    ((${valued[(Ie)$word]})) && option=$word
                elif ((${#commands[(r)$word:*]})); then
                    where=${where:+$where }$word
                else
                    count+=1
                fi
            done
            if [[ -z $option && -z $plain && $cur == --*=* ]]; then
                option=${cur%%=*}
                compset -P '*='
            elif [[ -z $option && -z $plain && $cur == -* ]]; then
                _describe -t options option options
                return
            fi
            if [[ -n $option ]]; then
                case $where:$option in
        \(zshValues)
                esac
            elif ((${#commands})); then
                _describe -t commands command commands
                return
            else
                case $where:$count in
        \(zshArguments)
                esac
            fi
            ((${#offers})) && compadd -- $offers
        }

        if [[ $funcstack[1] == _\(tool) ]]; then
            _\(tool) "$@"
        elif ((${+functions[compdef]})); then
            compdef _\(tool) \(tool)
        fi
        """
    }

    private var zshTable: String {
        entries.map { entry in
            let commands = entry.commands.map(Self.described).joined(separator: " ")
            let options = entry.options.map(Self.described).joined(separator: " ")
            let valued = entry.valued.flatMap(\.spellings).joined(separator: " ")
            return
                "            \(Self.quote(entry.key))) commands=(\(commands)) options=(\(options)) valued=(\(valued)) ;;"
        }.joined(separator: "\n")
    }

    private var zshValues: String {
        entries.flatMap { entry in
            entry.valued.compactMap { option in
                Self.zshOffer(option.hint).map { offer in
                    let patterns = option.spellings.map { Self.quote("\(entry.key):\($0)") }.joined(separator: "|")
                    return "            \(patterns)) \(offer) ;;"
                }
            }
        }.joined(separator: "\n")
    }

    private var zshArguments: String {
        entries.flatMap { entry in
            entry.positionals.enumerated().compactMap { place, hint in
                Self.zshOffer(hint).map { offer in
                    let last = entry.repeats && place == entry.positionals.count - 1
                    return "            \(Self.quote(entry.key + ":"))\(last ? "*" : String(place))) \(offer) ;;"
                }
            }
        }.joined(separator: "\n")
    }

    /// `_describe` wants `word:description`, with colons of the word escaped; names have none.
    private static func described(_ offer: Offer) -> String {
        quote("\(offer.word):\(offer.description)")
    }

    private static func zshOffer(_ hint: CompletionHint) -> String? {
        switch hint {
        case .none: nil
        case .words(let words): "offers=(\(words.map(quote).joined(separator: " ")))"
        case .file: "_files; return"
        }
    }
}
