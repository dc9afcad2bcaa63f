import Causality
import NoteText
import TestKit
import TextMerge

@testable import NotesModel

extension SimWorld {
    /// One action of a client.
    mutating func act(_ kind: SimStep.Kind, _ random: inout SeededGenerator) {
        let client = random.below(clients.count)
        let note = random.below(notes.count)
        switch kind {
        case .roam: clients[client].store = random.below(stores.count)
        case .read: read(note, by: client)
        case .goBack:
            // An editor that displays an older text, or has not opened the note at all, and writes
            // on that.
            let sights = clients[client].sights[note]
            guard !sights.isEmpty else { return }
            clients[client].sights[note].append(random.chance(0.2) ? SimSight() : random.pick(sights))
        case .create: create(note, by: client)
        case .resend:
            guard let (note, command, entry) = clients[client].lastSave else { return }
            let sight = SimSight(version: command.base ?? .nothing)
            write(.saveNote(command), entry, on: sight, of: note, by: client, text: command.text ?? [], &random)
        case .undo: undo(note, by: client, &random)
        default:
            guard let sight = clients[client].sights[note].last else { return read(note, by: client) }
            compose(kind, on: sight, of: note, by: client, &random)
        }
    }

    private mutating func read(_ note: Int, by client: Int) {
        let store = clients[client].store
        check(store)
        guard let shown = stores[store].note(notes[note]) else { return }
        clients[client].sights[note].append(
            SimSight(
                version: shown.version, text: shown.text, isDeleted: shown.isDeleted,
                conflicts: shown.head.conflicts.map(\.id)))
    }

    private mutating func create(_ note: Int, by client: Int) {
        let store = clients[client].store
        guard stores[store].heads[notes[note]] == nil else { return read(note, by: client) }
        let token = newToken()
        let text = SimText.token(token) + bytes("\n")
        let command = CreateNote(id: notes[note], isIDChosen: true, name: nil, text: text)
        let step = stores[store].apply(.createNote(command), time: time)
        guard case .accepted(let accepted) = step else {
            failure = "a note that was not there was not made: \(step)"
            return
        }
        failure = judge.acknowledged(
            SimChecker.Entry(note: notes[note], inserted: [token]), as: accepted.revision, by: store)
        clients[client].sights[note].append(SimSight(version: accepted.outcome.version, text: text))
    }

    /// Undoes one or two revisions of the version that the client displays, or redoes one.
    private mutating func undo(_ note: Int, by client: Int, _ random: inout SeededGenerator) {
        let store = clients[client].store
        let id = notes[note]
        guard let sight = clients[client].sights[note].last, let whole = stores[store].note(id, downTo: .start),
            whole.knows(sight.version), !sight.version.isNothing
        else { return read(note, by: client) }
        let rows = (stores[store].rows[id] ?? []).map(\.revision)
        let past = rows.filter { whole.graph.covers(sight.version, $0.dot) && !$0.parents.isNothing }
        guard !past.isEmpty else { return }
        let withdrawn = whole.withdrawn(at: whole.reduced(sight.version))
        let undos = past.filter { !$0.withdraws.isEmpty }.map(\.dot)
        let pool = !undos.isEmpty && random.chance(0.35) ? undos : past.map(\.dot)
        let dots = Set((0..<random.pick([1, 1, 1, 2])).map { _ in random.pick(pool) }).subtracting(withdrawn).sorted()
        guard !dots.isEmpty else { return }
        let command = Command.undoNote(UndoNote(id: id, base: sight.version, revisions: dots))
        switch stores[store].apply(command, time: time) {
        case .accepted(let accepted):
            failure = judge.acknowledged(SimChecker.Entry(note: id, withdraws: dots), as: accepted.revision, by: store)
            read(note, by: client)
        case let step: failure = "the undo of \(dots) was not accepted: \(step)"
        }
    }

    /// One write based on the text that the client displays.
    private mutating func compose(
        _ kind: SimStep.Kind, on sight: SimSight, of note: Int, by client: Int, _ random: inout SeededGenerator
    ) {
        let id = notes[note]
        var text = sight.text
        let command: Command
        switch kind {
        case .edit:
            let edits = SimText.stated(on: text, next: { newToken() }, &random)
            for edit in edits.reversed() { text.replaceSubrange(edit.start..<edit.end, with: edit.text) }
            command = .editNote(EditNote(id: id, base: sight.version, edits: edits, encoding: .utf8))
        case .delete:
            text = []
            command = .deleteNote(DeleteNote(id: id, base: sight.version))
        case .rename:
            let name: NameRequest = random.chance(0.2) ? .clear : .set(ByteString("n\(random.below(4))"))
            command = .saveNote(SaveNote(id: id, base: sight.version, text: nil, name: name))
        case .resolve:
            if random.chance(0.5) { text = SimText.saved(on: text, next: { newToken() }, &random) }
            let ids = sight.conflicts.filter { _ in random.chance(0.7) }
            command = .saveNote(SaveNote(id: id, base: sight.version, text: text, resolves: ids))
        default:
            text = SimText.saved(on: text, next: { newToken() }, &random)
            command = .saveNote(SaveNote(id: id, base: sight.version, text: text))
        }
        let entry = sight.entry(of: id, text, isDeletion: kind == .delete)
        write(command, entry, on: sight, of: note, by: client, text: text, &random)
    }

    private mutating func write(
        _ command: Command, _ entry: SimChecker.Entry, on sight: SimSight, of note: Int, by client: Int, text: [UInt8],
        _ random: inout SeededGenerator
    ) {
        let store = clients[client].store
        switch stores[store].apply(command, time: time) {
        case .needs: failure = "a store does not know what it was asked for"
        case .unchanged: break
        case .refused(.unknownBase), .refused(.noteNotFound):
            // The base has not arrived yet, or was lost when the store was restored: read the
            // current state, or wait.
            if random.chance(0.5) { read(note, by: client) }
        case .refused(.nameTaken): break
        case .refused(let rejection): failure = "\(command) was refused: \(rejection)"
        case .accepted(let accepted):
            failure = judge.acknowledged(entry, as: accepted.revision, by: store)
            var next = SimSight(version: accepted.outcome.version, text: text, isDeleted: accepted.revision.isTombstone)
            if fault == .answersEverything { next.version = accepted.after.version }
            if next.isDeleted { next.below = entry.deleted }
            if let shown = accepted.outcome.shown {
                if random.chance(0.3) {
                    next = SimSight(
                        version: shown.version, text: shown.text, isDeleted: accepted.after.isDeleted,
                        conflicts: shown.conflicts.map(\.id))
                }
            } else if !next.isDeleted, stores[store].note(notes[note])?.text != text {
                failure = failure ?? "the writer was told that the note shows what was sent, and it does not"
            }
            clients[client].sights[note].append(next)
            if case .saveNote(let save) = command, save.text != nil, !sight.isDeleted {
                clients[client].lastSave = (note, save, entry)
            }
        }
    }
}
