/// Notes of 1,024 bytes: plain ASCII in lines, with a number in the middle that makes each one another.
enum SampleText {
    static let bytes = 1_024

    /// As a JSON string, put together from pieces that are quoted once.
    static func json(_ number: Int) -> String {
        let digits = String(number)
        return head + String(repeating: "0", count: max(0, digitsCount - digits.count)) + digits + tail
    }

    private static let digitsCount = 12
    private static let line = "The quick brown fox jumps over the lazy dog, twice.\n"
    private static let title = "# A note to measure with\n\n"
    private static let linesBefore = 9

    private static let head = String(Request.json(title + String(repeating: line, count: linesBefore)).dropLast())
    private static let tail: String = {
        let room = bytes - title.utf8.count - linesBefore * line.utf8.count - digitsCount - 1
        let lines = String(repeating: line, count: room / line.utf8.count + 1)
        return String(Request.json("\n" + lines.prefix(room)).dropFirst())
    }()
}
