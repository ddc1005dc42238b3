extension CompletionTable {
    /// One `complete` line per command, option and choice.
    var fishScript: String {
        let valued = entries.map { entry in
            let spellings = entry.valued.flatMap(\.spellings).joined(separator: " ")
            return "        case \(Self.fishQuote(entry.key))\n            set valued \(spellings)"
        }.joined(separator: "\n")
        let names = entries.filter { !$0.names.isEmpty }.map { Self.fishQuote($0.key) }.joined(separator: " ")
        let lines = entries.flatMap { commandLines($0) + optionLines($0) + argumentLines($0) }
        return """
            # fish completion for \(tool); made by '\(tool) completions fish'.

            # Sets where to the command under the cursor and count to the number of its arguments so far.
            function __\(tool)_walk --no-scope-shadowing
                set where ''
                set count 0
                set -l option ''
                set -l valued
                for word in (commandline -opc)[2..-1]
                    switch $where
            \(valued)
                    end
                    if test -n "$option"
                        set option ''
                    else if contains -- $word $valued
                        set option $word
                    else if string match -q -- '-?*' $word
                        continue
                    else if contains -- (string trim "$where $word") \(names)
                        set where (string trim "$where $word")
                    else
                        set count (math $count + 1)
                    end
                end
            end

            function __\(tool)_at
                set -l where
                set -l count
                __\(tool)_walk
                test "$where" = "$argv[1]"; or return 1
                test (count $argv) -lt 2; or test $count -eq $argv[2]
            end

            complete -c \(tool) -f
            \(lines.joined(separator: "\n"))
            """
    }

    private func condition(_ entry: Entry, count: Int? = nil) -> String {
        let place = count.map { " \($0)" } ?? ""
        return "complete -c \(tool) -n " + Self.fishQuote("__\(tool)_at \"\(entry.key)\"\(place)")
    }

    private func commandLines(_ entry: Entry) -> [String] {
        entry.commands.map { "\(condition(entry)) -a \($0.word) -d \(Self.fishQuote($0.description))" }
    }

    private func optionLines(_ entry: Entry) -> [String] {
        entry.options.map { offer in
            var line = "\(condition(entry)) -l \(offer.word.dropFirst(2))"
            if let option = entry.valued.first(where: { $0.spellings.contains(offer.word) }) {
                for spelling in option.spellings.dropFirst() { line += " -s \(spelling.dropFirst())" }
                switch option.hint {
                case .none: line += " -x"
                case .words(let words): line += " -x -a \(Self.fishQuote(words.joined(separator: " ")))"
                case .file: line += " -r -F"
                }
            }
            return line + " -d \(Self.fishQuote(offer.description))"
        }
    }

    private func argumentLines(_ entry: Entry) -> [String] {
        entry.positionals.enumerated().compactMap { place, hint in
            let isOpen = entry.repeats && place == entry.positionals.count - 1
            let start = condition(entry, count: isOpen ? nil : place)
            switch hint {
            case .none: return nil
            case .words(let words): return "\(start) -a \(Self.fishQuote(words.joined(separator: " ")))"
            case .file: return "\(start) -F"
            }
        }
    }

    /// In fish's single quotes only the quote and the backslash are special.
    static func fishQuote(_ text: String) -> String {
        var quoted = "'"
        for character in text {
            if character == "'" || character == "\\" { quoted += "\\" }
            quoted.append(character)
        }
        return quoted + "'"
    }
}
