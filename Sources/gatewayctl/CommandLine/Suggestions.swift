/// Finds what was probably meant.
enum Suggestions {
    /// The candidates nearest to `word`, at most three and two steps away (one for words of up to three characters),
    /// nearest first.
    static func near(_ word: String, among candidates: [String]) -> [String] {
        // The distance costs length times length; nobody mistypes a name of this length.
        guard word.count <= 64 else { return [] }
        let ranked = candidates.compactMap { candidate -> (distance: Int, name: String)? in
            let allowed = min(word.count, candidate.count) <= 3 ? 1 : 2
            let distance = editDistance(word, candidate)
            return distance <= allowed ? (distance, candidate) : nil
        }
        guard let best = ranked.map(\.distance).min() else { return [] }
        return Array(ranked.filter { $0.distance == best }.map(\.name).prefix(3))
    }

    /// "Did you mean 'a' or 'b'?", or `nil` without candidates.
    static func question(_ names: [String]) -> String? {
        names.isEmpty ? nil : "Did you mean " + names.map { "'\($0)'" }.joined(separator: " or ") + "?"
    }

    /// The Damerau-Levenshtein distance in its restricted form: insertions, deletions, substitutions and swaps of
    /// neighbours, no part edited twice.
    static func editDistance(_ left: String, _ right: String) -> Int {
        let a = Array(left)
        let b = Array(right)
        var beforeLast = [Int]()
        var last = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var row = [i + 1]
            for (j, y) in b.enumerated() {
                var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (x == y ? 0 : 1))
                if i > 0, j > 0, x == b[j - 1], a[i - 1] == y {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
