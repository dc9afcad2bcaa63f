import Causality
import NotesMethods
import NotesModel
import NotesWire
import StrictJSON
import TestKit

/// A writer of the crowd. It writes to its own notes and to some shared ones, based on the last
/// version it was shown.
final class CrowdWriter {
    let number: Int
    let socket: CrowdSocket
    /// This connection's watch, if it has one.
    let ear: CrowdReceiver?
    private let notes: [NoteID]
    private let shared: [NoteID]
    private var random: SeededGenerator
    private var shown: [NoteID: Shown] = [:]
    private var asked: [Int64: Asked] = [:]
    /// Requests for the texts of notes whose base was compacted meanwhile.
    private var looked: [Int64: Looked] = [:]
    private var lastRequest: Int64 = 1
    private(set) var dependent: UInt64 = 0
    /// The store's commit at hello, and the run of the daemon that makes the commits after it.
    private(set) var registered: CommitPosition?
    private(set) var written = 0

    /// The text that the client shows.
    struct Shown {
        let version: Version
        let text: [UInt8]
        let isDeleted: Bool
    }

    private struct Asked {
        let note: NoteID
        /// Nil for the creation of a note.
        let base: Version?
        let sent: [UInt8]
        let isDeletion: Bool
    }

    private struct Looked {
        let note: NoteID
        let refused: Version
    }

    struct Refused: Error {
        let what: String
    }

    /// Most requests sent and not yet answered.
    private static let aheadMax = 4
    private static let linesMax = 6

    /// - Parameter shared: the notes that others may write too.
    init(_ path: String, number: Int, notes: [NoteID], shared: [NoteID], seed: UInt64, terms: WatchChecker.Terms?) throws {
        self.number = number
        self.notes = notes
        self.shared = shared
        random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
        socket = try CrowdSocket(path, label: "writer \(number)")
        ear = terms.map { CrowdReceiver($0) }
        if let ear { try socket.send(.watch(ear.params(since: nil)), id: 1) }
    }

    var isIdle: Bool { asked.isEmpty && looked.isEmpty }
    var mayWriteMore: Bool { registered != nil && asked.count < Self.aheadMax }

    // MARK: Writing

    /// Sends one random write.
    func write() throws {
        let note = random.chance(0.05) ? random.pick(shared) : random.pick(notes)
        guard !asked.values.contains(where: { $0.note == note }), !looked.values.contains(where: { $0.note == note }) else {
            return
        }
        guard let base = shown[note] else { return try create(note, text: newText()) }
        if base.isDeleted { return try save(note, on: base.version, newText()) }
        switch random.below(100) {
        // Only one writer deletes shared notes: a second concurrent deletion would change nothing
        // visible.
        case ..<3 where number == 0 || !shared.contains(note):
            try ask(
                .write(.deleteNote(DeleteNote(id: note, base: base.version))),
                Asked(note: note, base: base.version, sent: [], isDeletion: true))
        case ..<50: try save(note, on: base.version, newText())
        default: try edit(note, on: base)
        }
    }

    func create(_ note: NoteID, text: [UInt8]) throws {
        try ask(
            .write(.createNote(CreateNote(text: text, id: note))), Asked(note: note, base: nil, sent: text, isDeletion: false))
    }

    private func save(_ note: NoteID, on base: Version, _ text: [UInt8]) throws {
        try ask(
            .write(.saveNote(SaveNote(id: note, base: base, text: text))),
            Asked(note: note, base: base, sent: text, isDeletion: false))
    }

    /// Appends a line, and removes the first if there are many.
    private func edit(_ note: NoteID, on base: Shown) throws {
        let line = newLine()
        var sent = base.text
        var edits: [PositionedEdit] = []
        if lines(of: sent).count >= Self.linesMax, let end = sent.firstIndex(of: UInt8(ascii: "\n")) {
            edits.append(PositionedEdit(start: 0, end: end + 1, text: []))
            sent.removeFirst(end + 1)
        }
        edits.append(PositionedEdit(start: base.text.count, end: base.text.count, text: line))
        sent += line
        try ask(
            .write(.editNote(EditNote(id: note, base: base.version, edits: edits))),
            Asked(note: note, base: base.version, sent: sent, isDeletion: false))
    }

    private func newText() -> [UInt8] { (0..<1 + random.below(Self.linesMax)).flatMap { _ in newLine() } }

    private func newLine() -> [UInt8] {
        let tail = random.pick([#" "deleted":true "#, " é", " 🙂 e\u{301}", " 漢字", " #todo", " plain"])
        return bytes("w\(number)-\(written) \(random.below(1_000_000))\(tail)\n")
    }

    private func ask(_ call: Call, _ question: Asked) throws {
        written += 1
        lastRequest += 1
        asked[lastRequest] = question
        try socket.send(call, id: lastRequest)
    }

    // MARK: Responses

    /// Handles a line that does not belong to the watch.
    func take(_ line: UnsafeRawBufferPointer, into log: inout CommitLog, issued: UInt64) throws {
        switch try ServerLine(parsing: Array(line)) {
        case .result(.integer(0), let value):
            let hello = try HelloResult(reading: value)
            dependent = hello.dependent.number
            registered = CommitPosition(sequence: hello.cursor.commit.sequence, replica: hello.replica)
            ear?.registered(as: dependent)
        case .result(.integer(1), let value):
            ear?.started(try WatchResult(reading: value), since: nil, issued: issued, log)
        case .result(.integer(let id), let value):
            if let look = looked.removeValue(forKey: id) { return try show(look, GetResult(reading: value).note) }
            guard let question = asked.removeValue(forKey: id) else { throw Refused(what: "\(id) was answered twice") }
            try answered(question, value, into: &log)
        case .failure(.integer(let id), let error) where error.kind == .revisionGone:
            guard let question = asked.removeValue(forKey: id) else { throw Refused(what: "\(id) was answered twice") }
            guard let base = question.base else { throw Refused(what: String(decoding: line, as: UTF8.self)) }
            lastRequest += 1
            looked[lastRequest] = Looked(note: question.note, refused: base)
            try socket.send(.get(GetNote(.id(question.note))), id: lastRequest)
        default: throw Refused(what: String(decoding: line, as: UTF8.self))
        }
    }

    private func show(_ look: Looked, _ object: NoteObject) throws {
        guard let text = object.text else { throw Refused(what: "a note without a text") }
        // The merged text is never compacted.
        guard object.head.version != look.refused else {
            throw Refused(what: "\(look.refused) is current, but was reported as gone")
        }
        shown[look.note] = Shown(version: object.head.version, text: text, isDeleted: object.head.isDeleted)
    }

    private func answered(_ question: Asked, _ value: JSONValue, into log: inout CommitLog) throws {
        if value["outcome"] == nil {
            let version = try CreateResult(reading: value).note.head.version
            return committed(question.note, version.single, version, question.sent, isDeleted: false, into: &log)
        }
        let outcome = try OutcomeResult(reading: value)
        guard let note = outcome.note else {
            return committed(
                question.note, outcome.dot, outcome.version, question.sent, isDeleted: question.isDeletion, into: &log)
        }
        let edited = note.edits.flatMap { Units.apply($0, to: question.sent, .utf8) }
        guard let text = note.text ?? edited else { throw Refused(what: "a response without a text") }
        committed(question.note, outcome.dot, note.version, text, isDeleted: false, into: &log)
    }

    /// - Parameter dot: nil if nothing changed.
    private func committed(
        _ note: NoteID, _ dot: Dot?, _ version: Version, _ text: [UInt8], isDeleted: Bool, into log: inout CommitLog
    ) {
        shown[note] = Shown(version: version, text: text, isDeleted: isDeleted)
        guard let dot else { return }
        log.answered(
            dot, note: Digest("\(note)"),
            shown: CommitLog.Shown(version: Digest("\(version)"), isDeleted: isDeleted, text: text), origin: dependent)
    }

    /// Records a note that another writer created.
    func look(at note: NoteID, _ shown: Shown) { self.shown[note] = shown }

    func knowledge(of note: NoteID) -> Shown? { shown[note] }
}
