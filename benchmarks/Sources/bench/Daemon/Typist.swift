import Foundation

/// A writer that inserts and removes at random places of a note and knows its text, which is ASCII.
///
/// The text keeps about its length: the longer it gets, the fewer insertions the typist makes.
struct Typist {
    let note: String
    /// The version of `text`.
    private(set) var version: String
    private(set) var text: [UInt8]
    private let length: Int
    private var random: SeededRandom

    /// - Parameter text: The note's text at this version.
    init(note: String, version: String, text: [UInt8], seed: UInt64) {
        self.note = note
        self.version = version
        self.text = text
        length = text.count
        random = SeededRandom(seed: seed)
    }

    /// Creates the note.
    init(on client: Client, text: [UInt8], seed: UInt64) throws(Failure) {
        let made = try client.call(.createNote(json: Request.json(String(decoding: text, as: UTF8.self))))
        self.init(note: try made.required(Keys.id), version: try made.required(Keys.version), text: text, seed: seed)
    }

    /// Lines of prose of about 50 bytes each, `length` bytes in all.
    static func paragraph(_ length: Int) -> [UInt8] {
        let line = Array("Several people write in this paragraph at one time.\n".utf8)
        return Array((0..<(length / line.count + 1)).flatMap { _ in line }.prefix(length - 1)) + [UInt8(ascii: "\n")]
    }

    /// The next write: one edit or, with the probability `saves`, the whole text with one edit in
    /// it.
    mutating func write(saves: Double = 0) -> Request {
        let edit = nextEdit()
        text.replaceSubrange(edit.range, with: edit.inserted)
        let isSave = saves > 0 && random.chance(saves)
        if isSave { return .saveNote(note, base: version, json: Request.json(String(decoding: text, as: UTF8.self))) }
        let inserted = Request.json(String(decoding: edit.inserted, as: UTF8.self))
        return .editNote(
            note, base: version,
            edits: #"{"start":\#(edit.range.lowerBound),"end":\#(edit.range.upperBound),"text":\#(inserted)}"#)
    }

    private mutating func nextEdit() -> (range: Range<Int>, inserted: [UInt8]) {
        let excess = text.count - length
        // After whole saves, other writers' lines can double the text; a typist that sees them
        // removes the surplus.
        if excess > length {
            let start = random.below(length)
            return (start..<(start + excess), [])
        }
        let start = random.below(text.count + 1)
        if start < text.count, random.chance(excess > 0 ? 0.6 : 0.3) {
            return (start..<min(text.count, start + 1 + random.below(2)), [])
        }
        let letter = random.chance(0.02) ? UInt8(ascii: "\n") : UInt8(ascii: "a") + UInt8(random.below(26))
        return (start..<start, [letter])
    }

    /// Continues from its own write.
    mutating func stay(after answer: Response) throws(Failure) {
        version = try answer.result().required(Keys.version)
    }

    /// Continues from its own write, whose version is known before the response.
    mutating func goOn(from version: String) {
        self.version = version
    }

    /// Switches to the note's merged text.
    mutating func look(at answer: Response) throws(Failure) {
        let outcome: Outcome
        do {
            outcome = try JSONDecoder().decode(Outcome.self, from: Data(answer.line))
        } catch {
            throw Failure("cannot decode the outcome: \(error)")
        }
        guard let shown = outcome.result.note else { return try stay(after: answer) }
        version = shown.version
        for edit in shown.edits.reversed() { text.replaceSubrange(edit.start..<edit.end, with: edit.text.utf8) }
    }

    /// The part of a write's response that reports other writers' changes.
    private struct Outcome: Decodable {
        struct Result: Decodable { let note: Merged? }
        struct Merged: Decodable {
            let version: String
            let edits: [Edit]
        }
        struct Edit: Decodable {
            let start: Int
            let end: Int
            let text: String
        }
        let result: Result
    }
}
