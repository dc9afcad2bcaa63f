/// Text for notes: ASCII lines with a number in the middle that makes each text different.
struct SampleText {
    /// A text of 1,024 bytes.
    static let kilobyte = SampleText(bytes: 1_024, linesBefore: 9)
    /// A text of 200 bytes, for stores of very many notes.
    static let short = SampleText(bytes: 200, linesBefore: 1)

    let bytes: Int
    private let head: String
    private let tail: String

    private static let digitsCount = 12
    private static let line = "The quick brown fox jumps over the lazy dog, twice.\n"
    private static let title = "# A note to measure with\n\n"

    private init(bytes: Int, linesBefore: Int) {
        self.bytes = bytes
        let room = bytes - Self.title.utf8.count - linesBefore * Self.line.utf8.count - Self.digitsCount - 1
        let lines = String(repeating: Self.line, count: room / Self.line.utf8.count + 1)
        head = String(Request.json(Self.title + String(repeating: Self.line, count: linesBefore)).dropLast())
        tail = String(Request.json("\n" + lines.prefix(room)).dropFirst())
    }

    /// The text as a JSON string, assembled from pieces that are quoted only once.
    func json(_ number: Int) -> String {
        let digits = String(number)
        return head + String(repeating: "0", count: max(0, Self.digitsCount - digits.count)) + digits + tail
    }
}
