import Causality
import NoteText
import NotesEngine
import NotesMethods
import NotesModel
import TestKit
import TextMerge

extension World {
    /// One action of a client.
    mutating func act(_ kind: WorldStep.Kind, _ random: inout SeededGenerator) async throws {
        let client = random.below(clients.count)
        let note = random.below(notes.count)
        switch kind {
        case .roam: clients[client].store = random.below(stores.count)
        case .read: try await read(note, by: client, &random)
        case .goBack:
            // An editor that displays an older text, or has not opened the note at all, and writes on that.
            let sights = clients[client].sights[note]
            guard !sights.isEmpty else { return }
            clients[client].sights[note].append(random.chance(0.2) ? SimSight() : random.pick(sights))
        case .create: try await create(note, by: client, &random)
        case .resend:
            guard let (note, command, entry) = clients[client].lastSave else { return }
            let sight = SimSight(version: command.base ?? .nothing)
            try await write(
                .saveNote(command), entry, on: sight, of: note, by: client, text: command.text ?? [], &random)
        case .undo: try await undo(note, by: client, &random)
        case .purge: try await purge(note, by: client)
        default:
            guard let sight = clients[client].sights[note].last else { return try await read(note, by: client, &random) }
            try await compose(kind, on: sight, of: note, by: client, &random)
        }
    }

    private mutating func read(_ note: Int, by client: Int, _ random: inout SeededGenerator) async throws {
        let store = clients[client].store
        try await check(store, notes[note])
        try await readPast(of: notes[note], in: store, &random)
        guard let shown = try await stores[store].note(notes[note]) else { return }
        clients[client].sights[note].append(
            SimSight(
                version: shown.head.version, text: shown.text, isDeleted: shown.head.isDeleted,
                conflicts: shown.head.conflicts.map(\.id)))
    }

    private mutating func create(_ note: Int, by client: Int, _ random: inout SeededGenerator) async throws {
        let (store, id) = (clients[client].store, notes[note])
        guard try await stores[store].note(id) == nil else { return try await read(note, by: client, &random) }
        let token = newToken(of: id)
        let text = SimText.token(token) + bytes("\n")
        let response: Response?
        switch try await submit(.createNote(CreateNote(id: id, isIDChosen: true, name: nil, text: text)), to: store) {
        case .answered(let answer): response = answer
        case .open(nil): return
        case .open(let dot?): return try await acknowledge(SimChecker.Entry(note: id, inserted: [token]), dot, text, by: store)
        }
        guard case .created(let head, _)? = response, let dot = head.version.single else {
            throw Failure("a note that was not there was not made: \(String(describing: response))")
        }
        try await acknowledge(SimChecker.Entry(note: id, inserted: [token]), dot, text, by: store)
        clients[client].sights[note].append(SimSight(version: head.version, text: text))
    }

    /// Notes what a store acknowledged.
    private mutating func acknowledge(
        _ entry: SimChecker.Entry, _ dot: Dot, _ text: [UInt8]?, by store: Int
    ) async throws {
        guard let revision = try await surviving(store, { try await $0.revision(dot) }), revision.dot == dot else {
            throw Failure("\(dot) was acknowledged by store \(store), which cannot send it")
        }
        var entry = entry
        if !revision.content.withdraws.isEmpty { entry.withdraws = revision.content.withdraws }
        if let fault = judge.acknowledged(entry, as: revision.content, by: store) { throw Failure(fault) }
        if let text { stated[dot] = (entry.note, text) }
    }

    /// Undoes one or two revisions of the version that the client displays, or redoes one.
    private mutating func undo(_ note: Int, by client: Int, _ random: inout SeededGenerator) async throws {
        let (store, id) = (clients[client].store, notes[note])
        guard let sight = clients[client].sights[note].last, !sight.version.isNothing else {
            return try await read(note, by: client, &random)
        }
        let past = try await stores[store].revisions(of: id).filter { !$0.parents.isNothing && !$0.isPurge }
        let undos = past.filter { !$0.withdraws.isEmpty }.map(\.dot)
        let pool = !undos.isEmpty && random.chance(0.35) ? undos : past.map(\.dot)
        guard !pool.isEmpty else { return }
        let dots = Set((0..<random.pick([1, 1, 1, 2])).map { _ in random.pick(pool) }).sorted()
        let command = Command.undoNote(UndoNote(id: id, base: sight.version, revisions: dots))
        switch try await submit(command, to: store) {
        case .answered(.wrote(let outcome, _, _)?):
            guard let dot = outcome.dot else { return }
            try await acknowledge(SimChecker.Entry(note: id, withdraws: dots), dot, nil, by: store)
            try await read(note, by: client, &random)
        case .open(nil): break
        case .open(let dot?): try await acknowledge(SimChecker.Entry(note: id, withdraws: dots), dot, nil, by: store)
        case .answered(.refused(.cannotWithdraw)?), .answered(.refused(.unknownBase)?), .answered(.refused(.noteNotFound)?),
            .answered(.refused(.nameTaken)?):
            break
        case .answered(.refused(.revisionGone)?) where isAnyTextGone:
            // Above a purge, everything can be undone.
            let isShown = try await stores[store].note(id)?.head.version == sight.version
            guard isAnyTextCompacted || !isShown else { throw Failure("the undo of \(dots) was refused") }
        case let response: throw Failure("the undo of \(dots) was not accepted: \(String(describing: response))")
        }
    }

    private mutating func purge(_ note: Int, by client: Int) async throws {
        let (store, id) = (clients[client].store, notes[note])
        guard let shown = try await stores[store].note(id) else { return }
        let command = Command.purgeNote(PurgeNote(id: id, base: shown.head.version))
        switch try await submit(command, to: store) {
        case .open(nil): break
        // Nobody has answered the conflict.
        case .answered(.refused(.cannotPurge)?) where !shown.head.conflicts.isEmpty: break
        case .open(let dot?), .answered(.purged(let dot, _, _, _)?):
            isAnyTextGone = true
            let seen = try await surviving(store) { try await $0.holdings().committed }
            let erased = judge.tokens(of: id, in: seen).subtracting(SimText.numbers(in: shown.text))
            let purge = Revision(
                note: id, dot: dot, parents: shown.head.version, edits: [], origin: .found, author: ada,
                time: Timestamp(milliseconds: 0))
            // What a deletion hid is erased, too, and does not show again without the deletion.
            let entry = SimChecker.Entry(note: id, removed: erased)
            if let fault = judge.acknowledged(entry, as: purge, by: store) { throw Failure(fault) }
            purges[dot] = (id, erased, seen)
            let after = try await stores[store].note(id)
            guard after?.text == shown.text, after?.head.name == shown.head.name else {
                throw Failure("a purge changed what \(id) shows in store \(store)")
            }
        case .answered(let response): throw Failure("the purge of \(id) was not accepted: \(String(describing: response))")
        }
    }

    /// One write based on the text that the client displays.
    private mutating func compose(
        _ kind: WorldStep.Kind, on sight: SimSight, of note: Int, by client: Int, _ random: inout SeededGenerator
    ) async throws {
        let id = notes[note]
        var fresh = (0..<8).map { _ in newToken(of: id) }
        func next() -> Int { fresh.removeFirst() }
        var text = sight.text
        let command: Command
        let key = ByteString("op\(random.next())")
        switch kind {
        case .edit:
            let edits = SimText.stated(on: text, next: next, &random)
            for edit in edits.reversed() { text.replaceSubrange(edit.start..<edit.end, with: edit.text) }
            command = .editNote(EditNote(id: id, base: sight.version, edits: edits, encoding: .utf8, op: key))
        case .delete:
            text = []
            command = .deleteNote(DeleteNote(id: id, base: sight.version))
        case .rename:
            let name: NameRequest = random.chance(0.2) ? .clear : .set(ByteString("n\(random.below(4))"))
            command = .saveNote(SaveNote(id: id, base: sight.version, text: nil, name: name))
        case .resolve:
            if random.chance(0.5) { text = SimText.saved(on: text, next: next, &random) }
            let ids = sight.conflicts.filter { _ in random.chance(0.7) }
            command = .saveNote(SaveNote(id: id, base: sight.version, text: text, resolves: ids))
        default:
            text = SimText.saved(on: text, next: next, &random)
            command = .saveNote(SaveNote(id: id, base: sight.version, text: text, op: key))
        }
        let entry = sight.entry(of: id, text, isDeletion: kind == .delete)
        try await write(command, entry, on: sight, of: note, by: client, text: text, &random)
    }

    private mutating func write(
        _ command: Command, _ entry: SimChecker.Entry, on sight: SimSight, of note: Int, by client: Int, text: [UInt8],
        _ random: inout SeededGenerator
    ) async throws {
        let (store, id) = (clients[client].store, notes[note])
        var shownText: [UInt8]? = text
        if case .saveNote(let save) = command, save.text == nil { shownText = nil }
        if case .deleteNote = command { shownText = nil }
        if case .saveNote(let save) = command, save.text != nil, !sight.isDeleted {
            clients[client].lastSave = (note, save, entry)
        }
        let response: Response?
        switch try await submit(command, to: store) {
        case .answered(let answer): response = answer
        case .open(nil): return
        case .open(let dot?): return try await acknowledge(entry, dot, shownText, by: store)
        }
        switch response {
        case .refused(.unknownBase)?, .refused(.noteNotFound)?:
            // The base has not arrived yet, or was lost when the store was restored: read the current state,
            // or wait.
            if random.chance(0.5) { try await read(note, by: client, &random) }
        case .refused(.nameTaken)?: break
        case .refused(.revisionGone)? where isAnyTextGone: try await read(note, by: client, &random)
        case .wrote(let outcome, _, let isReplay)?:
            guard let dot = outcome.dot else { return }
            if isReplay {
                guard stated[dot]?.text == text else { throw Failure("a repeated write is answered with another: \(dot)") }
                return
            }
            try await acknowledge(entry, dot, shownText, by: store)
            var next = SimSight(version: outcome.version, text: text)
            if case .deleteNote = command { next.isDeleted = true }
            if next.isDeleted { next.below = entry.deleted }
            let now = try await stores[store].note(id)
            if let shown = outcome.shown {
                if random.chance(0.3) {
                    next = SimSight(
                        version: shown.version, text: shown.text, isDeleted: shown.isDeleted,
                        conflicts: shown.conflicts.map(\.id))
                }
            } else if !next.isDeleted, now?.text != text {
                throw Failure("the response says that \(id) shows what was sent, and it does not")
            }
            clients[client].sights[note].append(next)
        case let response: throw Failure("\(command) was refused: \(String(describing: response))")
        }
    }
}
