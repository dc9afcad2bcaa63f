import Causality
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing
import TextMerge

/// A client that types into a paragraph shared with others: insertions and removals at any place,
/// mostly based on the newest text it was shown, for a while on its own text only, and now and then
/// as a whole text.
///
/// Each scalar that it inserts is unique, so the test can trace it.
struct LoadTypist {
    struct Habits: Sendable {
        /// Share of writes that save the whole text.
        var saves = 0.0
        /// Share of writes after which it ignores the changes of others, and the most such writes
        /// in a row.
        var blind = 0.25
        var blindMax = 20
    }

    /// The scalars that were inserted, removed, or rewritten by a save.
    struct Record: Sendable {
        var inserted: Set<Unicode.Scalar> = []
        var removed: Set<Unicode.Scalar> = []
        var rewritten: Set<Unicode.Scalar> = []
    }

    let client: NotesClient
    let note: NoteID
    let number: Int
    let habits: Habits
    private var random: SeededGenerator
    private(set) var record = Record()
    private(set) var text: [Unicode.Scalar]
    private(set) var version: Version
    private var typed: UInt32 = 0
    private var blindInRow = 0

    /// - Parameter client: counts positions in UTF-32.
    init(client: NotesClient, start: NoteObject, text: [UInt8], number: Int, habits: Habits, seed: UInt64) {
        self.client = client
        note = start.head.id
        version = start.head.version
        self.text = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
        self.number = number
        self.habits = habits
        random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
    }

    /// Scalars from a private-use plane, a separate range for each typist.
    static func isToken(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0xF0000 }
    private static let tokensEach: UInt32 = 20_000

    mutating func write() async throws {
        let edit = nextEdit()
        var written = text
        written.replaceSubrange(edit.range, with: edit.inserted)
        let outcome: OutcomeResult
        if random.chance(habits.saves) {
            let sent = utf8(written)
            noteRewritten(LineDiff.edits(from: utf8(text), to: sent), of: utf8(text))
            outcome = try await client.save(note, base: version, text: sent)
        } else {
            let stated = PositionedEdit(start: edit.range.lowerBound, end: edit.range.upperBound, text: utf8(edit.inserted))
            outcome = try await client.edit(note, base: version, edits: [stated])
        }
        (text, version) = (written, outcome.version)
        guard let shown = outcome.note else { return }
        if random.chance(habits.blind), blindInRow < habits.blindMax {
            blindInRow += 1
        } else {
            blindInRow = 0
            show(shown)
        }
    }

    private mutating func nextEdit() -> (range: Range<Int>, inserted: [Unicode.Scalar]) {
        let start = random.below(text.count + 1)
        guard text.count > 200, random.chance(0.4), start < text.count else {
            return (start..<start, newTokens())
        }
        let range = start..<min(text.count, start + 1 + random.below(3))
        record.removed.formUnion(text[range].filter(Self.isToken))
        // Somebody may be typing in a whole line that this removes; then the line stays.
        if text[range].contains("\n") { record.rewritten.formUnion(text[range].filter(Self.isToken)) }
        return (range, random.chance(0.2) ? newTokens() : [])
    }

    private mutating func newTokens() -> [Unicode.Scalar] {
        let value = 0xF0000 + UInt32(number) * Self.tokensEach + typed
        guard typed < Self.tokensEach, let token = Unicode.Scalar(value) else {
            preconditionFailure("a typist has \(Self.tokensEach) tokens")
        }
        typed += 1
        record.inserted.insert(token)
        return random.chance(0.03) ? [token, "\n"] : [token]
    }

    /// A save changes whole lines, so it rewrites the tokens of others within them. A line in which somebody
    /// types meanwhile stays beside the new one, with the tokens that the save removed.
    private mutating func noteRewritten(_ edits: [Edit], of old: [UInt8]) {
        for edit in edits {
            for bytes in [edit.replacement, Array(old[edit.start..<edit.end])] {
                record.rewritten.formUnion(String(decoding: bytes, as: UTF8.self).unicodeScalars.filter(Self.isToken))
            }
        }
    }

    /// Adopts the merged text.
    private mutating func show(_ shown: OutcomeResult.Merged) {
        guard let edits = shown.edits else { return }
        apply(edits)
        version = shown.version
    }

    private mutating func apply(_ edits: [PositionedEdit]) {
        for edit in edits.reversed() {
            text.replaceSubrange(edit.start..<edit.end, with: String(decoding: edit.text, as: UTF8.self).unicodeScalars)
        }
    }

    private func utf8(_ scalars: [Unicode.Scalar]) -> [UInt8] {
        scalars.flatMap { Array(UTF8.encode($0) ?? .init()) }
    }

    /// Fetches the final text, after all have written.
    mutating func lookAtLast() async throws -> (text: [UInt8], version: Version) {
        let shown = try await client.note(.id(note), from: version)
        guard case .edits(_, let edits) = shown.body else { throw RawConnection.Ended(what: "no edits from \(version)") }
        apply(edits)
        version = shown.head.version
        return (utf8(text), version)
    }
}
