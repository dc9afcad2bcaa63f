import Causality
import NoteText
import NotesClient
import NotesModel
import NotesWire
import TestKit

/// A person and an agent who write one note, and an oracle for what the person wrote.
///
/// Texts consist of *words*: a writer's letter, a number that occurs once, and a space or a line feed.
/// Edits insert whole words and remove whole words, so that a word in the text tells who wrote it.
struct SharedSession {
    let person: any NotesAPI
    let agent: any NotesAPI
    var random: SeededGenerator
    private(set) var id: NoteID
    /// Whether the agent created the note.
    let isByAgent: Bool

    /// A revision of the person's, as the person understands it.
    private struct Change {
        let dot: Dot
        var inserted: Set<String> = []
        var removed: Set<String> = []
        var name: String?
        /// The revisions that an undo names.
        var undoes: [Dot] = []
    }

    /// The person's revisions, oldest first.
    private var changes: [Change] = []
    private var agentDots: [Dot] = []
    /// The version and the text that the agent read last.
    private var seen: (version: Version, text: [UInt8])
    private var words = 0

    /// Creates a note.
    init(_ person: any NotesAPI, _ agent: any NotesAPI, seed: UInt64) async throws {
        (self.person, self.agent) = (person, agent)
        var random = SeededGenerator(seed: seed)
        isByAgent = random.chance(0.3)
        let letter = isByAgent ? "A" : "p"
        let text = bytes("\(letter)1 \(letter)2\n\(letter)3\n")
        let name = "session \(seed)"
        let made = try await (isByAgent ? agent : person).create(text: text, name: ByteString(name)).note
        id = made.head.id
        seen = (made.head.version, text)
        words = 3
        self.random = random
        guard let dot = made.head.version.single else { return }
        if isByAgent {
            agentDots.append(dot)
        } else {
            changes.append(Change(dot: dot, inserted: ["p1", "p2", "p3"], name: name))
        }
    }

    /// The words of a text, each with its separator.
    private static func split(_ text: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for (index, byte) in text.enumerated() where byte == 0x20 || byte == 0x0A {
            ranges.append(start..<index + 1)
            start = index + 1
        }
        return ranges
    }

    static func names(_ text: [UInt8]) -> [String] {
        text.split { $0 == 0x20 || $0 == 0x0A }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// One random write of one of the two.
    mutating func step() async throws {
        if random.chance(0.55) {
            let now = try await person.note(.id(id))
            guard !now.head.isDeleted else { return try await restore(now.head.version) }
            try await personWrites(now)
        } else {
            try await agentWrites()
        }
    }

    /// Removes some words and inserts some, on a version.
    private mutating func edit(_ text: [UInt8], _ letter: String) -> (edit: PositionedEdit, inserted: [String], removed: [String])
    {
        let ranges = Self.split(text)
        // The last word stays, so that the text always ends with a line feed.
        let first = random.below(max(1, ranges.count))
        let count = random.chance(0.4) ? min(1 + random.below(3), ranges.count - 1 - first) : 0
        let start = ranges.isEmpty ? 0 : ranges[first].lowerBound
        let end = count > 0 ? ranges[first + count - 1].upperBound : start
        var inserted: [String] = []
        if count <= 0 || random.chance(0.5) {
            for _ in 0...random.below(2) {
                words += 1
                inserted.append("\(letter)\(words)")
            }
        }
        let added = inserted.map { $0 + (random.chance(0.5) ? " " : "\n") }.joined()
        let removed = count > 0 ? Self.names(Array(text[start..<end])) : []
        return (PositionedEdit(start: start, end: end, text: bytes(added)), inserted, removed)
    }

    private mutating func personWrites(_ now: NoteObject) async throws {
        let text = now.text ?? []
        switch random.below(10) {
        case 0..<6:
            let edit = edit(text, "p")
            let outcome = try await person.edit(id, base: now.head.version, edits: [edit.edit])
            guard let dot = outcome.dot else { return }
            let own = edit.removed.filter { $0.hasPrefix("p") }
            changes.append(Change(dot: dot, inserted: Set(edit.inserted), removed: Set(own)))
        case 6:
            words += 1
            let name = "person \(id) \(words)"
            let outcome = try await person.save(SaveNote(id: id, base: now.head.version, name: .set(ByteString(name))))
            if let dot = outcome.dot { changes.append(Change(dot: dot, name: name)) }
        case 7:
            let outcome = try await person.delete(id, base: now.head.version)
            if let dot = outcome.dot { try await undo([dot], at: Version(dot), deletion: true) }
        default:
            // An undo of a write of the person's, or of an undo.
            let effective = effective()
            let all = changes.dropFirst(isByAgent ? 0 : 1).filter { effective.contains($0.dot) }
            guard !all.isEmpty else { return }
            try await undo([random.pick(Array(all)).dot], at: now.head.version, deletion: false)
        }
    }

    private mutating func undo(_ dots: [Dot], at version: Version, deletion: Bool) async throws {
        let outcome = try await person.undo(UndoNote(id: id, base: version, revisions: dots))
        if let dot = outcome.dot, !deletion { changes.append(Change(dot: dot, undoes: dots)) }
    }

    /// The person undoes the agent's deletions.
    private mutating func restore(_ version: Version) async throws {
        let history = try await person.history(ReadHistory(id: id)).revisions
        let deletions = history.filter { $0.isDeleted && $0.withdraws.isEmpty && !$0.isWithdrawn }
        if !deletions.isEmpty { try await undo(deletions.map(\.dot), at: version, deletion: true) }
    }

    private mutating func agentWrites() async throws {
        // The agent often writes on what it read earlier.
        if random.chance(0.5) {
            let now = try await agent.note(.id(id))
            guard !now.head.isDeleted else { return }
            seen = (now.head.version, now.text ?? [])
        }
        switch random.below(12) {
        case 0..<8:
            let edit = edit(seen.text, "A")
            let outcome = try await agent.edit(id, base: seen.version, edits: [edit.edit])
            if let dot = outcome.dot { agentDots.append(dot) }
        case 8:
            words += 1
            let name = ByteString("agent \(id) \(words)")
            let outcome = try await agent.save(SaveNote(id: id, base: seen.version, name: .set(name)))
            if let dot = outcome.dot { agentDots.append(dot) }
        case 9:
            let outcome = try await agent.delete(id, base: seen.version)
            if let dot = outcome.dot { agentDots.append(dot) }
        default:
            let now = try await agent.note(.id(id)).head.version
            let all = changes.dropFirst(isByAgent ? 0 : 1).map(\.dot) + agentDots.dropFirst(isByAgent ? 1 : 0)
            guard !all.isEmpty else { return }
            let outcome = try await agent.undo(UndoNote(id: id, base: now, revisions: [random.pick(all)]))
            if let dot = outcome.dot { agentDots.append(dot) }
        }
    }

    /// The person's revisions that the person has not undone.
    private func effective() -> Set<Dot> {
        var undone: Set<Dot> = []
        for change in changes.reversed() where !undone.contains(change.dot) { undone.formUnion(change.undoes) }
        return Set(changes.map(\.dot)).subtracting(undone)
    }

    /// The words that the person wrote and has not removed or undone, and the name that the person gave
    /// the note last; nil if the agent named it, or nobody.
    var expected: (words: Set<String>, name: String?) {
        let effective = effective()
        let all = changes.filter { effective.contains($0.dot) }
        let words = all.reduce(into: Set<String>()) { $0.formUnion($1.inserted) }
        return (words.subtracting(all.flatMap(\.removed)), all.last { $0.name != nil }?.name)
    }
}
