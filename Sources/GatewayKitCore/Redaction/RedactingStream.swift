/// The redactor for text that arrives in pieces: a card number that is split between two of them is found.
///
/// Output lags behind input by at least 4 KiB until ``finish()``, because only then is it known what a byte belongs to;
/// memory stays bounded. Masking is the same for every way to cut the input as far as single values go; a value that is
/// encoded in more than 4 KiB (a long base64 body) may be masked in part rather than whole, and one secret field that
/// never ends is replaced by `[FILTERED]` and a note together with all that follows.
public struct RedactingStream: Sendable {
    private let redactor: Redactor
    /// What is kept: bytes already given out, as context, then bytes not yet given out.
    private var buffer: [UInt8] = []
    /// How many bytes of `buffer` were given out.
    private var given = 0
    private var isCut = false
    /// How many bytes that were not given out make another search worthwhile. While a long field is held back this
    /// doubles, so that the work stays linear.
    private var due = Self.reach + Self.step

    /// No value's encoding is longer than this.
    private static let reach = 4096
    /// How many new bytes are waited for before searching again, so that tiny pieces cost no more than large ones.
    private static let step = 8192

    /// A stream that masks what `redactor` masks.
    public init(_ redactor: Redactor = .standard) {
        self.redactor = redactor
    }

    /// Takes the next bytes and gives out what is safe to show by now, often nothing.
    public mutating func push(_ bytes: [UInt8]) -> String {
        var text = ""
        // A large piece is taken in steps so that the buffer's bound holds for it too.
        for start in stride(from: 0, to: bytes.count, by: Self.step) where !isCut {
            buffer += bytes[start..<min(start + Self.step, bytes.count)]
            if buffer.count - given >= due {
                text += release()
                due = max(Self.reach + Self.step, min(2 * (buffer.count - given), Redactor.sizeLimit))
            }
        }
        return text
    }

    /// Gives out the rest. The stream is empty afterwards and may be used again.
    public mutating func finish() -> String {
        defer { self = RedactingStream(redactor) }
        guard !isCut else { return "" }
        return MaskedText(buffer, redactor.scan(buffer)).text(given..<buffer.count)
    }

    private mutating func release() -> String {
        let scan = redactor.scan(buffer)
        let masked = MaskedText(buffer, scan)
        let cut = boundary(masked, open: scan.open)
        if cut == nil, buffer.count > Redactor.sizeLimit {
            isCut = true
            buffer = []
            given = 0
            return "[FILTERED][more bytes not shown]"
        }
        guard let cut, cut > given else { return "" }
        let text = masked.text(given..<cut)
        let context = max(0, cut - Self.reach)
        buffer.removeFirst(context)
        given = cut - context
        return text
    }

    /// How far the buffer may be given out: short of the last bytes, of a field that is still open, and never inside a
    /// masked value.
    private func boundary(_ masked: MaskedText, open: Int?) -> Int? {
        var cut = buffer.count - Self.reach
        if let open { cut = min(cut, open) }
        while cut > given, buffer[cut] & 0xC0 == 0x80, buffer.count - cut < Self.reach + 4 { cut -= 1 }
        guard cut > given else { return nil }
        guard masked.isFiltered(cut - 1), masked.isFiltered(cut) else { return cut }
        var end = cut
        while masked.isFiltered(end) { end += 1 }
        if end < buffer.count { return end }
        while cut > given, masked.isFiltered(cut - 1) { cut -= 1 }
        return cut > given ? cut : nil
    }
}
