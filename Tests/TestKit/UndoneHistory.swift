package import Causality
import NoteText
package import NotesModel
package import TextMerge

/// The commands of several clients that write on old versions, repeat lines, leave the last line
/// unterminated, rename, delete and restore a note, resolve conflicts, and undo and redo all of it.
package struct UndoneHistory {
    /// A version that a client has read.
    package struct Read {
        let version: Version
        let text: [UInt8]

        package init(_ version: Version, _ text: [UInt8]) {
            (self.version, self.text) = (version, text)
        }
    }

    private let id: NoteID
    /// The number of commands that make a history.
    package let writes: Int
    private var random: SeededGenerator
    /// Draws the times that writes state. It is a generator of its own so that the other choices of a
    /// seed do not depend on it.
    private var randomTimes: SeededGenerator
    private var clients: [Read?]
    private var writer = 0
    private let lines: [String]
    private let chances: (undo: Double, read: Double, rename: Double, delete: Double, edit: Double, cut: Double)

    package init(seed: UInt64, of id: NoteID = noteID(1)) {
        var random = SeededGenerator(seed: seed)
        self.id = id
        writes = random.pick([6, 10, 16, 24])
        clients = [Read?](repeating: nil, count: random.pick([1, 2, 3]))
        lines = random.pick([["A", "B", "C"], ["A", "B", "C", "D", "E", "F", "G", "H"], ["A", ""]])
        chances = (
            undo: random.pick([0.15, 0.3, 0.5]), read: random.pick([0.3, 0.6, 1]), rename: random.pick([0, 0.05, 0.2]),
            delete: random.pick([0, 0.1]), edit: random.pick([0, 0, 0.3, 1]), cut: random.pick([0, 0.2, 0.5])
        )
        self.random = random
        randomTimes = SeededGenerator(seed: ~seed)
    }

    /// The next command. A third of the writes that can state times do.
    ///
    /// - Parameters:
    ///   - now: the note as it is now; nil before it exists.
    ///   - own: the own version of its newest revision.
    ///   - conflicts: the open conflicts.
    ///   - made: its revisions so far.
    package mutating func next(now: Read?, own: Read?, conflicts: [ConflictID], made: [Dot]) -> Command {
        let command = nextWrite(now: now, own: own, conflicts: conflicts, made: made)
        let modified = Timestamp(milliseconds: Int64(randomTimes.below(1_000)) - 2_000)
        let created = randomTimes.chance(0.5) ? Timestamp(milliseconds: Int64(randomTimes.below(9)) - 9_000) : nil
        guard randomTimes.chance(0.3) else { return command }
        switch command {
        case .createNote(var create):
            create.times = FileTimes(modified: modified, created: created)
            return .createNote(create)
        case .saveNote(var save):
            save.times = FileTimes(modified: modified)
            return .saveNote(save)
        case .undoNote(var undo):
            undo.times = FileTimes(modified: modified)
            return .undoNote(undo)
        case .editNote, .deleteNote, .purgeNote: return command
        }
    }

    private mutating func nextWrite(now: Read?, own: Read?, conflicts: [ConflictID], made: [Dot]) -> Command {
        guard let now else {
            let text = random.chance(0.3) ? [] : randomText()
            return .createNote(CreateNote(id: id, isIDChosen: true, name: random.chance(0.5) ? "a" : nil, text: text))
        }
        // The writer goes on from its own last write, from an old version, or from what the note shows.
        if let own, random.chance(0.5) { clients[writer] = own }
        writer = random.below(clients.count)
        let client = random.chance(chances.read) ? now : clients[writer] ?? now
        clients[writer] = client
        if random.chance(chances.undo), !made.isEmpty {
            let newest = client.version.dots + made.suffix(2)
            let dots = (0..<random.pick([1, 1, 1, 2])).map { _ in random.chance(0.4) ? random.pick(newest) : random.pick(made) }
            // Some of them are not in the base, or are first revisions, and are refused.
            return .undoNote(UndoNote(id: id, base: random.chance(0.3) ? client.version : now.version, revisions: dots))
        }
        if random.chance(chances.delete) { return .deleteNote(DeleteNote(id: id, base: client.version)) }
        if random.chance(chances.rename) {
            let name: NameRequest = random.pick([.clear, .set("a"), .set("b"), .set("c")])
            return .saveNote(SaveNote(id: id, base: client.version, text: nil, name: name))
        }
        if random.chance(chances.edit) {
            let start = random.below(client.text.count + 1)
            let end = min(client.text.count, start + random.pick([0, 0, 1, 2]))
            let text = random.pick(["", "x", "\n", random.pick(lines) + "\n"])
            let edit = PositionedEdit(start: start, end: end, text: bytes(text))
            return .editNote(EditNote(id: id, base: client.version, edits: [edit], encoding: .utf8))
        }
        let resolves = random.chance(0.1) ? conflicts : []
        return .saveNote(SaveNote(id: id, base: client.version, text: changed(client.text), resolves: resolves))
    }

    private mutating func randomText() -> [UInt8] {
        terminated((0..<random.below(4)).map { _ in bytes(random.pick(lines)) })
    }

    private mutating func changed(_ text: [UInt8]) -> [UInt8] {
        var parts = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        if parts.last == [] { parts.removeLast() }
        if random.chance(0.05) { return [] }
        let at = random.below(parts.count + 1)
        let end = min(parts.count, at + random.pick([0, 0, 1, 1, 2]))
        parts.replaceSubrange(at..<end, with: (0..<random.pick([0, 1, 1, 2])).map { _ in bytes(random.pick(lines)) })
        return terminated(parts)
    }

    private mutating func terminated(_ parts: [[UInt8]]) -> [UInt8] {
        var text = parts.flatMap { $0 + [UInt8(ascii: "\n")] }
        if random.chance(chances.cut), !text.isEmpty { text.removeLast() }
        return text
    }
}
