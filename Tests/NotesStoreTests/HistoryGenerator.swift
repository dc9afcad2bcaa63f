import Causality
import NoteText
import NotesModel
import TestKit
import TextMerge

@testable import NotesStore

/// Generates commits that a model could have made: notes with histories of any shape, undone
/// revisions, and texts long enough to be stored as edits.
///
/// The merged text of several parents is made up (the siblings' texts concatenated), and so is the
/// text that an undo leaves, since a journal does not merge.
struct HistoryGenerator {
    private struct Written {
        let text: [UInt8]
        let name: NoteName?
        let isDeleted: Bool
    }

    private struct DrawnNote {
        var graph = RevisionGraph()
        var written: [Dot: Written] = [:]
        var head: Head?
        var newest: UInt64 = 0
        var shown: [UInt8] = []
    }

    var random: SeededGenerator
    private(set) var replica: ReplicaID
    private(set) var sequence: UInt64 = 0
    private(set) var ids: [NoteID] = []
    private var counter: UInt64 = 0
    private var notes: [NoteID: DrawnNote] = [:]
    /// Maximum number of notes; further commits go to existing notes.
    var notesMax = 12
    /// The contents of files. If there are any, many texts are those of files.
    var files: [FileContent] = []
    /// If set, a revision that does not cover everything has one of this many newest revisions as
    /// its parent, which gives histories with many critical versions.
    var basesAmongLast: Int?

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        replica = ReplicaID(bits: random.next())
    }

    /// Starts a new run of the daemon.
    mutating func restart() {
        replica = ReplicaID(bits: random.next())
        counter = 0
    }

    /// A random committed dot; nil before the first commit.
    mutating func anyDot() -> Dot? {
        ids.isEmpty ? nil : notes[random.pick(ids)].map { random.pick($0.graph.dots) }
    }

    mutating func dots(of id: NoteID) -> [Dot] { notes[id]?.graph.dots ?? [] }

    mutating func commits(_ count: Int) -> [Commit] { (0..<count).map { _ in next() } }

    mutating func next() -> Commit {
        let isNew = ids.isEmpty || (ids.count < notesMax && random.chance(0.2))
        let id = isNew ? newID() : random.pick(ids)
        var note = notes[id] ?? DrawnNote()
        let parents = isNew ? Version.nothing : base(of: note)
        let shown = shown(at: parents, of: note)
        let withdraws = parents.isNothing ? [] : withdrawn(at: parents, of: note)
        let isTombstone = !isNew && withdraws.isEmpty && random.chance(0.1)
        let isDeleted = isTombstone || !withdraws.isEmpty && random.chance(0.1)
        let edits: [Edit]
        if isTombstone || isDeleted && shown.text.isEmpty {
            edits = []
        } else if isDeleted {
            edits = [Edit(start: 0, end: shown.text.count, replacement: [])]
        } else {
            edits = self.edits(of: shown.text)
        }
        let setsName = isNew ? random.chance(0.7) : random.chance(0.15)
        let nameEdit: NameEdit = setsName ? .set(random.chance(0.8) ? anyName() : nil) : .unchanged
        var name = shown.name
        if case .set(let set) = nameEdit { name = set }
        if isDeleted { name = nil }
        counter += random.chance(0.9) ? 1 : UInt64(random.below(5) + 1)
        sequence += 1
        let revision = Revision(
            note: id, dot: Dot(replica, counter), parents: parents, edits: withdraws.isEmpty ? edits : [],
            origin: withdraws.isEmpty && random.chance(0.5) ? .found : .stated, name: nameEdit, isTombstone: isTombstone,
            resolves: withdraws.isEmpty ? resolved() : [], withdraws: withdraws, author: anyAuthor(),
            time: Timestamp(milliseconds: Int64(random.below(1 << 40)) - (1 << 39)),
            reserved: random.chance(0.05) ? field(bytes(random.below(20))) : [])
        let text = isDeleted ? [] : edits.applied(to: shown.text)
        note.graph.insert(revision.dot, parents: parents)
        note.written[revision.dot] = Written(text: text, name: name, isDeleted: isDeleted)
        let head = head(after: revision, note)
        let coversAll = note.graph.past(of: Version(revision.dot)).count == note.graph.count
        let shownNow = self.shown(at: note.graph.siblings, of: note).text
        // Older programs stored none.
        let isKept = !coversAll && random.chance(0.9)
        let commit = Commit(
            sequence: sequence, previous: note.newest, revision: revision, coversAll: coversAll, text: text, name: name,
            head: head,
            conflicts: openConflicts(among: note.graph.dots, in: text),
            lastLine: coversAll ? random.pick([.shown, .shown, .hidden, .absent]) : .shown,
            isDeleted: isDeleted, textEdits: edits,
            shown: isKept ? MergedText(text: shownNow, edits: LineDiff.edits(from: note.shown, to: shownNow)) : nil)
        note.head = head
        note.shown = shownNow
        note.newest = sequence
        notes[id] = note
        return commit
    }

    /// A purge of a note. Later commits are on top of it.
    mutating func purge(_ id: NoteID) -> Commit? {
        guard var note = notes[id] else { return nil }
        let parents = note.graph.siblings
        let shown = shown(at: parents, of: note)
        counter += 1
        sequence += 1
        let dot = Dot(replica, counter)
        let revision = Revision(
            note: id, dot: dot, parents: parents, edits: [], origin: .stated, name: .set(shown.isDeleted ? nil : shown.name),
            isTombstone: shown.isDeleted, mark: Mark(.purge, covers: []), author: anyAuthor(), time: Timestamp(milliseconds: 5))
        let text = shown.isDeleted ? [] : shown.text
        let name = shown.isDeleted ? nil : shown.name
        note.graph.insert(dot, parents: parents)
        note.written[dot] = Written(text: text, name: name, isDeleted: shown.isDeleted)
        var head = head(after: revision, note)
        head.conflicts = []
        let commit = Commit(
            sequence: sequence, previous: note.newest, revision: revision, coversAll: true, text: text, name: name, head: head,
            isDeleted: shown.isDeleted, textEdits: [], isPurge: true)
        // Nothing below the purge is a base of later commits.
        note.graph = RevisionGraph()
        note.graph.insert(dot, parents: .nothing)
        (note.head, note.shown, note.newest) = (head, text, sequence)
        notes[id] = note
        return commit
    }

    /// A list of one tagged field: of an unknown tag, or with the times of a file.
    private func field(_ content: [UInt8]) -> [UInt8] {
        guard let first = content.first, content.count % 2 == 0 else { return [5, UInt8(content.count)] + content }
        let modified = Timestamp(milliseconds: Int64(first) << 32)
        return FileTimes(modified: modified, created: first < 128 ? modified : nil).taggedFields
    }

    private mutating func newID() -> NoteID {
        let id = NoteID(at: Timestamp(milliseconds: Int64(ids.count / 3)), random: (random.next(), random.next()))
        ids.append(id)
        return id
    }

    private mutating func base(of note: DrawnNote) -> Version {
        if let recent = basesAmongLast {
            return random.chance(0.7) ? note.graph.siblings : Version(random.pick(Array(note.graph.dots.suffix(recent))))
        }
        return switch random.below(20) {
        case 0..<13: note.graph.siblings
        case 13..<16: Version(random.pick(note.graph.siblings.dots))
        case 16..<18: Version(random.pick(note.graph.dots))
        case 18: note.graph.reduce(Version([random.pick(note.graph.dots), random.pick(note.graph.dots)]))
        default: .nothing
        }
    }

    /// Usually none; otherwise one or two revisions in the past of a version, which may be undone or
    /// withdrawals themselves.
    private mutating func withdrawn(at version: Version, of note: DrawnNote) -> [Dot] {
        guard random.chance(0.12) else { return [] }
        let past = note.graph.past(of: version).map { note.graph.dots[$0] }
        return Set((0...random.below(2)).map { _ in random.pick(past) }).sorted()
    }

    private func shown(at version: Version, of note: DrawnNote) -> Written {
        let written = version.dots.compactMap { note.written[$0] }
        return Written(
            text: written.flatMap(\.text), name: written.last { !$0.isDeleted }?.name, isDeleted: written.allSatisfy(\.isDeleted))
    }

    /// Mostly keystrokes, sometimes a whole text or several hunks.
    private mutating func edits(of text: [UInt8]) -> [Edit] {
        if !files.isEmpty, random.chance(0.6) { return fileEdits(of: text) }
        switch random.below(20) {
        case 0: return [Edit(start: 0, end: text.count, replacement: random.utf8(random.below(6_000)))]
        case 1: return []
        case 2...4:
            var edits: [Edit] = []
            var end = 0
            while end < text.count, edits.count < 4 {
                let start = random.boundary(in: text, from: end)
                end = random.boundary(in: text, from: start, to: start + 40)
                edits.append(Edit(start: start, end: end, replacement: random.utf8(random.below(40))))
                end += 1
            }
            return edits
        default:
            let start = random.boundary(in: text)
            let end = random.boundary(in: text, from: start, to: start + 1)
            return [Edit(start: start, end: end, replacement: random.utf8(random.below(3)))]
        }
    }

    /// Another content, several lines at once, a text of a file in place of another text, or lines in the middle of a
    /// text.
    private mutating func fileEdits(of text: [UInt8]) -> [Edit] {
        if FileContent.isFile(text), random.chance(0.6) { return random.pick(files).edits(of: text) }
        let lines = (0...random.below(3)).flatMap { _ in random.pick(files).line + Array("\n".utf8) }
        let start = random.chance(0.7) ? 0 : random.boundary(in: text)
        return [Edit(start: start, end: random.chance(0.5) ? text.count : start, replacement: lines + Array("caption".utf8))]
    }

    private mutating func head(after revision: Revision, _ note: DrawnNote) -> Head {
        var vector = note.head?.vector ?? VersionVector()
        vector.record(revision.dot)
        let siblings = note.graph.siblings
        let shown = shown(at: siblings, of: note)
        let tags = Set((0..<random.below(4)).map { _ in ByteString("tag\(random.below(5))") })
        return Head(
            id: revision.note, name: shown.isDeleted ? nil : shown.name, version: siblings, vector: vector,
            title: ByteString(validUTF8: Array("title \(random.below(100)) e\u{301}".utf8)), tags: tags.sorted(),
            created: note.head?.created ?? revision.time, modified: revision.time, author: revision.author,
            bytes: shown.text.count, isDeleted: shown.isDeleted,
            conflicts: shown.isDeleted ? [] : openConflicts(among: note.graph.dots, in: shown.text).map { open($0.conflict) })
    }

    /// Usually none.
    private mutating func openConflicts(among dots: [Dot], in text: [UInt8]) -> [KeptConflict] {
        guard dots.count > 1, random.chance(0.3) else { return [] }
        return (0...random.below(2)).map { _ in
            let start = random.below(text.count + 1)
            let conflict = Conflict(
                id: ConflictID(high: random.next(), low: random.next()), kind: random.pick(ConflictKind.allCases),
                sides: Version([random.pick(dots), random.pick(dots)]).dots, range: start..<start + random.below(300))
            return KeptConflict(conflict, own: Self.ranges(from: start, seed: conflict.id.low))
        }
    }

    private static func ranges(from start: Int, seed: UInt64) -> [Range<Int>] {
        var random = SeededGenerator(seed: seed)
        return (0..<random.below(4)).reduce(into: []) { ranges, _ in
            let next = (ranges.last?.upperBound ?? start) + random.below(3) * random.below(200)
            ranges.append(next..<next + 1 + random.below(200))
        }
    }

    private func open(_ conflict: Conflict) -> OpenConflict {
        func position(_ utf8: Int) -> TextPosition { TextPosition(utf8: utf8, utf16: utf8 / 2, utf32: utf8 / 3) }
        return OpenConflict(
            id: conflict.id, kind: conflict.kind, sides: conflict.sides, start: position(conflict.range.lowerBound),
            end: position(conflict.range.upperBound))
    }

    private mutating func resolved() -> [ConflictID] {
        random.chance(0.05) ? [ConflictID(high: random.next(), low: random.next())] : []
    }

    mutating func anyName() -> NoteName {
        let texts = ["work/inbox", "work/in", "work", "home", "é", "e\u{301}", "z/\(random.below(9))", "\u{FFFF}", "a"]
        guard let name = try? NoteName(ByteString(random.pick(texts))) else { preconditionFailure("these are names") }
        return name
    }

    private mutating func anyAuthor() -> Author {
        Author(
            user: ByteString(random.pick(["ada", "grace", "e\u{301}"])),
            label: random.chance(0.3) ? nil : ByteString("box/label \(random.below(12))"))
    }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
