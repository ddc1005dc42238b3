/// How the reading code came to a value: the names and positions it asked for. Names that it did not ask for, those it
/// met while going over all members, are counted and not named: they are input.
indirect enum JSONPath: Sendable {
    case root
    case member(JSONPath, String)
    case element(JSONPath, Int)
    case unnamedMember(JSONPath, Int)

    /// Such as `transaction.errors[0].key`; `(root)` for the document itself.
    var text: SafeText {
        var steps: [String] = []
        var path = self
        walk: while true {
            switch path {
            case .root:
                break walk
            case .member(let parent, let name):
                steps.append("." + Redactor.standard.redact(name))
                path = parent
            case .element(let parent, let index):
                steps.append("[\(index)]")
                path = parent
            case .unnamedMember(let parent, let index):
                steps.append(".(member \(index))")
                path = parent
            }
        }
        let joined = steps.reversed().joined()
        if joined.isEmpty { return "(root)" }
        return SafeText(alreadyScrubbed: String(joined.hasPrefix(".") ? joined.dropFirst() : joined[...]))
    }
}
