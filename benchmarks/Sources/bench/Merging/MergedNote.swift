import Foundation

/// A note with two merged changes of one base, as `note.get` returns it.
struct MergedNote: Equatable {
    let text: String
    let isDeleted: Bool
    /// Kind and range of each conflict, without its id, which depends on the authors.
    let conflicts: [String]

    /// Creates a note from the base, writes both sides on it in this order, and reads it.
    init(base: String, _ first: String?, _ second: String?, on client: Client) throws(Failure) {
        let made = try client.call(.createNote(json: Request.json(base)))
        let (note, version) = (try made.required(Keys.id), try made.required(Keys.version))
        for side in [first, second] { _ = try client.call(.write(side, on: version, of: note)) }
        try self.init(try client.call(.getNote(note)))
    }

    private init(_ answer: Response) throws(Failure) {
        do {
            let note = try JSONDecoder().decode(Got.self, from: Data(answer.line)).result.note
            text = note.text
            isDeleted = note.deleted
            conflicts = note.conflicts.map { "\($0.kind) \($0.range.start)-\($0.range.end)" }.sorted()
        } catch {
            throw Failure("cannot decode a note: \(error)")
        }
    }

    private struct Got: Decodable {
        struct Result: Decodable { let note: Note }
        struct Note: Decodable {
            let text: String
            let deleted: Bool
            let conflicts: [Conflict]
        }
        struct Conflict: Decodable {
            let kind: String
            let range: Range
        }
        struct Range: Decodable {
            let start: Int
            let end: Int
        }
        let result: Result
    }

    static func == (one: MergedNote, other: MergedNote) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8) && one.isDeleted == other.isDeleted && one.conflicts == other.conflicts
    }

    /// Whether the note has everything that a side wrote: each line as many more times as the side
    /// has it more often than the base, and each run of lines that the base lacks in one piece. A
    /// line that only gained or lost its final LF does not count as written.
    func holds(_ side: String?, of base: String) -> Bool {
        guard let side else { return true }
        let shown = Data(text.utf8)
        let (old, new, all) = (Self.lines(base), Self.lines(side), Self.lines(text))
        let known = Set(old)
        let rows = new.split { known.contains($0) }.map { Data($0.joined(separator: [0x0a])) }
        guard rows.allSatisfy({ $0.isEmpty || shown.range(of: $0) != nil }) else { return false }
        let (oldCounts, newCounts, shownCounts) = (Self.counts(old), Self.counts(new), Self.counts(all))
        return newCounts.allSatisfy { line, count in
            let added = count - oldCounts[line, default: 0]
            // After a last line without an LF, another side's line continues that line and is not
            // separate.
            return shownCounts[line, default: 0] >= added || line.isEmpty || Self.places(of: line, in: shown) >= added
        }
    }

    private static func places(of piece: Data, in text: Data) -> Int {
        var (count, rest) = (0, text[...])
        while let found = rest.range(of: piece) {
            count += 1
            rest = text[found.upperBound...]
        }
        return count
    }

    /// The lines without their LFs.
    private static func lines(_ text: String) -> [Data] {
        text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map { Data($0) }
    }

    private static func counts(_ lines: [Data]) -> [Data: Int] {
        lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}

extension Request {
    /// Saves a side's text, or deletes the note if it is nil.
    static func write(_ side: String?, on base: String, of note: String) -> Request {
        side.map { saveNote(note, base: base, json: json($0)) } ?? deleteNote(note, base: base)
    }
}
