/// Texts of a heading and one line. The line of each text differs from that of the next text in its
/// first and its last bytes, so that a save replaces all of it: the daemon has to keep as many new
/// bytes of a save as a database that keeps whole values.
enum ReplacedLine {
    /// Number of bytes of the line with its LF.
    static let bytes = 1_024
    private static let heading = "# A note to measure with\n\n"
    /// Number of bytes of a text that a save does not replace.
    static let headingBytes = heading.utf8.count
    private static let digitsCount = 12
    private static let filler = String(
        String(repeating: "The quick brown fox jumps over the lazy dog, twice. ", count: 20).prefix(bytes - 2 * digitsCount - 1))
    private static let start = String(Request.json(heading).dropLast())

    /// The text as a JSON string.
    static func json(_ number: Int) -> String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, digitsCount - digits.count)) + digits
        return "\(start)\(String(padded.reversed()))\(filler)\(padded)\\n\""
    }
}
