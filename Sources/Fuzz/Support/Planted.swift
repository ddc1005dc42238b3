import GatewayKitCore

/// What a target plants in its input and looks for in what comes out: a public test card, and a secret that the input
/// chooses.
public struct Planted {
    /// The digits of a test card.
    public let number: String
    /// The digits as they are written: together or in groups.
    public let spelling: String
    /// Letters and digits that no mask and no message has.
    public let secret: String

    /// Takes six bytes.
    public init(_ input: inout FuzzInput) {
        number = input.pick(TestCard.all)?.number ?? ""
        spelling = Self.grouped(number, by: input.pick(["", "", " ", "-", "."]) ?? "")
        let letters = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
        let chosen = input.bytes(4).map { letters[Int($0) % letters.count] }
        secret = "zQ7k" + String(decoding: chosen, as: UTF8.self) + "Xw"
    }

    private static func grouped(_ digits: String, by separator: String) -> String {
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, place % 4 == 0 { text += separator }
            text.append(digit)
        }
        return text
    }

    /// Ends the process if `text` shows any of it.
    public func mustNotShow(in text: String, _ place: String) {
        require(!holds(text, number), "the card number shows in \(place)")
        require(!holds(text, spelling), "the card number in groups shows in \(place)")
        require(!holds(text, secret), "the secret shows in \(place)")
    }
}
