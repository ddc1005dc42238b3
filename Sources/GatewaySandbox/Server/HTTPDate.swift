import GatewayKitCore

/// The date form of HTTP (IMF-fixdate of RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func text(_ time: WallTime) -> String {
        let date = time.utcDate
        // 1970-01-01 was a Thursday.
        let day = (time.secondsSince1970 - Int64(time.secondOfDay)) / 86_400
        let weekday = days[Int((day % 7 + 7) % 7)]
        let (hour, minute, second) = (time.secondOfDay / 3600, time.secondOfDay / 60 % 60, time.secondOfDay % 60)
        return "\(weekday), \(two(date.day)) \(months[date.month - 1]) \(date.year) "
            + "\(two(hour)):\(two(minute)):\(two(second)) GMT"
    }

    private static func two(_ value: Int) -> String {
        value < 10 ? "0\(value)" : "\(value)"
    }
}
