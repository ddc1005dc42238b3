/// Durations of one kind, in nanoseconds.
struct Samples {
    private let sorted: [UInt64]

    init(nanoseconds: [UInt64]) {
        sorted = nanoseconds.sorted()
    }

    var count: Int { sorted.count }

    /// The smallest duration that at least this share of the samples does not exceed (nearest rank), in milliseconds.
    func milliseconds(atShare share: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return Double(sorted[min(max(rank, 1), sorted.count) - 1]) / 1e6
    }

    /// Sample size, p50, p90, p99 and the maximum.
    var columns: [Report.Cell] {
        [
            .count("samples", "samples", count),
            .number("p50Milliseconds", "p50 ms", milliseconds(atShare: 0.5), digits: 4),
            .number("p90Milliseconds", "p90 ms", milliseconds(atShare: 0.9), digits: 4),
            .number("p99Milliseconds", "p99 ms", milliseconds(atShare: 0.99), digits: 4),
            .number("maxMilliseconds", "max ms", milliseconds(atShare: 1), digits: 4),
        ]
    }
}

extension [Double] {
    /// The middle value, or the mean of the two in the middle; not a number when there is none.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        let middle = count / 2
        return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
