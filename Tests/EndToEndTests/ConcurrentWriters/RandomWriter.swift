import Causality
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit
import Testing

/// A client that writes at random, based on any version it has been shown: whole texts, edits,
/// blind writes, renames, deletions and restorations. Each of its lines is unique.
struct RandomWriter {
    let client: NotesClient
    let number: Int
    let encoding: PositionEncoding
    let notes: [NoteID]
    let log: WriteLog
    var random: SeededGenerator
    /// The texts of each note that it was shown, newest last.
    private var shown: [NoteID: [Shown]] = [:]
    private var written = 0

    private struct Shown {
        let version: Version
        let text: [UInt8]
    }

    /// Texts of one note that a writer remembers.
    private static let shownMax = 5

    init(client: NotesClient, number: Int, encoding: PositionEncoding, notes: [NoteID], log: WriteLog, seed: UInt64) {
        self.client = client
        self.number = number
        self.encoding = encoding
        self.notes = notes
        self.log = log
        random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
    }

    mutating func write() async throws {
        // The first notes are written most often.
        let note = random.chance(0.7) ? notes[random.below(min(3, notes.count))] : random.pick(notes)
        if shown[note] == nil || random.chance(0.25) {
            let read = try await client.note(.id(note))
            remember(note, read.head.version, read.text ?? [])
        }
        guard let all = shown[note], let newest = all.last else { return }
        let base = random.chance(0.6) ? newest : random.pick(all)
        switch random.below(100) {
        case ..<44: try await save(note, on: base)
        case ..<88: try await edit(note, on: base)
        case ..<91: try await save(note, on: Shown(version: .nothing, text: []))
        case ..<95: try await rename(note, on: base)
        default: try await delete(note, on: base)
        }
    }

    private mutating func newLine() -> ByteString {
        written += 1
        let tail = random.pick(["", " é", " 🙂 e\u{301}", " 漢字", " #todo"])
        return ByteString("w\(number)-\(written)\(tail)")
    }

    // MARK: The kinds of writes

    private mutating func save(_ note: NoteID, on base: Shown) async throws {
        var text = lines(of: base.text)
        var removed: Set<ByteString> = []
        for _ in 0..<2 where random.chance(0.3) && !text.isEmpty { removed.insert(text.remove(at: random.below(text.count))) }
        var inserted: Set<ByteString> = []
        for _ in 0..<(random.chance(0.3) ? 2 : 1) {
            let line = newLine()
            text.insert(line, at: random.below(text.count + 1))
            inserted.insert(line)
        }
        let sent = EndToEndTests.text(of: text)
        let outcome = try await client.save(note, base: base.version, text: sent)
        answered(
            outcome, sent: sent,
            WriteLog.Write(
                note: note, dot: try #require(outcome.dot), base: base.version, inserted: inserted, removed: removed, text: sent))
    }

    private mutating func edit(_ note: NoteID, on base: Shown) async throws {
        let text = lines(of: base.text)
        var edits: [PositionedEdit] = []
        var sent: [UInt8] = []
        var position = 0
        var removed: Set<ByteString> = []
        var inserted: Set<ByteString> = []
        let target = random.below(text.count + 1)
        for index in 0...text.count {
            let line = index < text.count ? text[index].utf8 + [UInt8(ascii: "\n")] : []
            let length = Units.count(line, encoding)
            let isRemoved = index < text.count && abs(index - target) < 3 && random.chance(0.2)
            let new = index == target ? newLine() : nil
            if let new { inserted.insert(new) }
            if isRemoved { removed.insert(text[index]) }
            let replacement = new.map { $0.utf8 + [UInt8(ascii: "\n")] } ?? []
            if isRemoved || new != nil {
                edits.append(PositionedEdit(start: position, end: position + (isRemoved ? length : 0), text: replacement))
            }
            sent += replacement + (isRemoved ? [] : line)
            position += length
        }
        let outcome = try await client.edit(note, base: base.version, edits: edits)
        answered(
            outcome, sent: sent,
            WriteLog.Write(
                note: note, dot: try #require(outcome.dot), base: base.version, inserted: inserted, removed: removed, text: sent))
    }

    private mutating func rename(_ note: NoteID, on base: Shown) async throws {
        written += 1
        let name = ByteString("note \(note)/by \(number)/\(written)")
        let outcome = try await client.save(SaveNote(id: note, base: base.version, name: .set(name)))
        answered(
            outcome, sent: base.text,
            WriteLog.Write(note: note, dot: try #require(outcome.dot), base: base.version, text: base.text))
    }

    private mutating func delete(_ note: NoteID, on base: Shown) async throws {
        let outcome = try await client.delete(note, base: base.version)
        // Deleting a deleted note makes no revision.
        guard let dot = outcome.dot else { return }
        answered(outcome, sent: [], WriteLog.Write(note: note, dot: dot, base: base.version, isDeletion: true, text: []))
    }

    // MARK: Responses

    private mutating func answered(_ outcome: OutcomeResult, sent: [UInt8], _ write: WriteLog.Write) {
        log.acknowledged(write)
        #expect(outcome.version == Version(write.dot), "a writer's response has its own version")
        remember(write.note, outcome.version, sent)
        guard let note = outcome.note else { return }
        let edited = note.edits.map { Units.apply($0, to: sent, encoding) }
        if let edited { #expect(edited != nil, "the edits of a response fit the text that was sent") }
        if let edited, let text = note.text { #expect(edited == text, "edits and text of a response agree") }
        if let shown = note.text ?? edited ?? nil { remember(write.note, note.version, shown) }
    }

    private mutating func remember(_ note: NoteID, _ version: Version, _ text: [UInt8]) {
        shown[note, default: []].append(Shown(version: version, text: text))
        if shown[note, default: []].count > Self.shownMax { shown[note]?.removeFirst() }
    }
}
