import Causality
import Dependents
import NoteText
import NotesModel
import NotesStore

/// A write that waits for its batch. It is a class for the same reason as `Request`.
final class PendingWrite {
    /// The request. Its reservation is released when the write is answered.
    let request: Request
    let command: Command
    let operation: OperationKey?
    /// The user id (uid) of the client.
    let user: UInt32
    /// The only note that the connection reaches; nil for all notes.
    let onlyNote: NoteID?
    let author: Author
    let origin: Origin

    /// - Parameters:
    ///   - request: the request.
    ///   - command: its command.
    ///   - registration: that of its connection.
    init(_ request: Request, _ command: Command, by registration: Registration) {
        self.request = request
        self.command = command
        operation = command.op.map { OperationKey(user: registration.userID, name: $0) }
        user = registration.userID
        onlyNote = registration.onlyNote
        author = Author(user: registration.userName, label: registration.label)
        origin = Origin(dependent: request.dependent, label: registration.label)
    }

    var dependent: DependentID { request.dependent }
}

/// Commands applied in order to a working copy, and the entries that have to be durable before any
/// of them is answered.
///
/// Invariant: `responses` has one response for each command, in order. They are valid once `entries`
/// are committed, and not before.
struct WriteBatch {
    private(set) var copy: WorkingCopy
    private var list: CommitList
    private(set) var responses: [Response] = []
    /// The counter of the newest dot that this batch created.
    private(set) var counter: UInt64
    /// Bytes of the merged texts after each write of the batch.
    private(set) var textBytes = 0
    /// The note that the last write purged. Its copy still has the erased revisions, so no write can
    /// follow in the batch.
    private(set) var purged: NoteID?
    /// The result of a long command that the batch has taken over.
    private(set) var long: NoteLoad?
    private let limits: ModelLimits

    /// - Parameters:
    ///   - shortUndoRevisionsMax: see `WorkingCopy.init`.
    ///   - capacity: the number of writes.
    init(limits: ModelLimits, shortUndoRevisionsMax: Int, after sequence: UInt64, counter: UInt64, capacity: Int) {
        copy = WorkingCopy(limits: limits, shortUndoRevisionsMax: shortUndoRevisionsMax, capacity: capacity)
        self.limits = limits
        list = CommitList(after: sequence, capacity: capacity)
        responses.reserveCapacity(capacity)
        self.counter = counter
    }

    var entries: [JournalEntry] { list.entries }
    var changes: [Change] { list.changes }

    /// The notes that the batch changed, each with its newest commit.
    var changed: [Note] { copy.changed.map(list.placed) }

    /// Notes that the batch read and did not change.
    var untouched: [Note] { copy.untouched }

    /// Notes that the batch changed and of which it does not hold the current state.
    var stale: [NoteID] { copy.stale }

    /// Applies a write and adds its response.
    ///
    /// - Returns: `long` if the note has to be loaded first. Then the write had no effect.
    mutating func add(
        _ write: PendingWrite, replica: ReplicaID, at time: Timestamp, from noteCache: inout NoteCache, files: Files
    ) throws(JournalError) -> NoteCache.Loaded<Void> {
        let fingerprint = write.operation.map { _ in write.command.fingerprint }
        if let key = write.operation, let record = try noteCache.journal.operation(key) {
            let isRepeated = record.fingerprint.isEmpty || record.fingerprint == fingerprint
            guard isRepeated, write.onlyNote.map({ $0 == record.note }) ?? true else {
                responses.append(.failed(.operationReused))
                return .ready(())
            }
            switch try noteCache.replay(record, of: write.command) {
            case .long(let load): return .long(load)
            case .ready(let response): responses.append(response)
            }
            return .ready(())
        }
        if let file = write.command.file, !files.isThere(file) {
            responses.append(.failed(.file(.missing(file.hash))))
            return .ready(())
        }
        let dot = Dot(replica, counter + 1)
        let context = WriteContext(dot: dot, author: write.author, time: time, mayRestore: write.onlyNote == nil)
        func record(_ outcome: Outcome) -> OperationRecord? {
            guard let key = write.operation, let fingerprint else { return nil }
            return OperationRecord(
                key: key, fingerprint: fingerprint, note: write.command.note, dot: outcome.dot, version: outcome.version)
        }
        let step: WorkingCopy.Step
        switch try apply(try named(write, in: noteCache.journal), as: context, from: &noteCache) {
        case .long(let load): return .long(load)
        case .ready(let applied): step = applied
        }
        switch step {
        case .needs: preconditionFailure("a need is met before the step is returned")
        case .refused(let rejection): responses.append(.refused(rejection))
        case .unchanged(let outcome):
            if let record = record(outcome) { list.add(.operation(record)) }
            responses.append(.wrote(outcome, conflicts: [], isReplay: false))
        case .accepted(let accepted):
            accept(accepted, operation: record(accepted.outcome), origin: write.origin)
        }
        return .ready(())
    }

    /// The command with the revisions that the operation names of an undo denote.
    ///
    /// - Returns: the rejection if one is not the name of the user's write to the note.
    private func named(_ write: PendingWrite, in journal: any Journal) throws(JournalError) -> Result<Command, Rejection> {
        guard case .undoNote(var undo) = write.command, !undo.ops.isEmpty else { return .success(write.command) }
        let pending = list.operations
        for (index, name) in undo.ops.enumerated() {
            let key = OperationKey(user: write.user, name: name)
            var record = pending[key]
            if record == nil { record = try journal.operation(key) }
            guard let record, record.note == undo.id else { return .failure(.unknownOperation(index: index)) }
            // A write that left the note unchanged has no revision.
            if let dot = record.dot { undo.revisions.append(dot) }
        }
        undo.ops = []
        return .success(.undoNote(undo))
    }

    private mutating func apply(
        _ command: Result<Command, Rejection>, as write: WriteContext, from noteCache: inout NoteCache
    ) throws(JournalError) -> NoteCache.Loaded<WorkingCopy.Step> {
        switch command {
        case .success(let command):
            if let load = noteCache.takeFinished(command) { return try take(load, as: write, from: &noteCache) }
            return try apply(command, as: write, from: &noteCache)
        case .failure(let rejection): return .ready(.refused(rejection))
        }
    }

    private mutating func apply(
        _ command: Command, as write: WriteContext, from noteCache: inout NoteCache
    ) throws(JournalError) -> NoteCache.Loaded<WorkingCopy.Step> {
        if !copy.holds(command.note), let note = noteCache.take(command.note) { copy.supply(cached: note) }
        while true {
            let step = copy.apply(command, as: write)
            guard case .needs(let need) = step else { return .ready(step) }
            switch need {
            case .holders(of: let name):
                copy.supply(holders: try noteCache.journal.existingNotes(named: name), of: name)
            case .time(let id, downTo: let depth):
                let long = LongCommand(command, author: write.author, mayRestore: write.mayRestore, limits: limits)
                return .long(try noteCache.load(id, downTo: depth, applying: long))
            case .note(let id, downTo: let depth):
                if !copy.holds(id), let note = noteCache.take(id) {
                    copy.supply(cached: note)
                } else {
                    switch try noteCache.load(id, downTo: depth) {
                    case .long(let load): return .long(load)
                    case .ready(let note): copy.supply(loaded: note, for: id, downTo: depth)
                    }
                }
            }
        }
    }

    /// Takes over the result of a long command, unless names that it depends on changed meanwhile. The note
    /// did not (`NoteCache.finish`).
    ///
    /// - Precondition: it is the only command of the batch.
    private mutating func take(
        _ load: NoteLoad, as write: WriteContext, from noteCache: inout NoteCache
    ) throws(JournalError) -> NoteCache.Loaded<WorkingCopy.Step> {
        precondition(responses.isEmpty, "a long command has a turn of its own")
        var load = load
        guard let command = load.command, let step = command.step else { preconditionFailure("the load is complete") }
        for name in command.names {
            let holders = try noteCache.journal.existingNotes(named: name)
            if holders != command.holders[name] { load.command?.supply(holders: holders, of: name) }
        }
        if load.command?.holders != command.holders {
            load.goOn()
            return .long(load)
        }
        if case .needs(.note(let id, downTo: let depth)) = step {
            return .long(try noteCache.load(id, downTo: depth, applying: command))
        }
        copy = command.copy
        long = load
        guard case .accepted(let accepted) = step else { return .ready(step) }
        return .ready(.accepted(copy.place(accepted, as: write)))
    }

    private mutating func accept(_ accepted: Accepted, operation: OperationRecord?, origin: Origin) {
        counter += 1
        textBytes += accepted.after.bytes
        let committed = copy.note(accepted.revision.note)?.sequence
        list.add(accepted, after: committed, operation: operation, origin: origin)
        if accepted.isPurge { purged = accepted.revision.note }
        if accepted.before == nil {
            responses.append(.created(accepted.after, replayOf: nil))
        } else {
            responses.append(.wrote(accepted.outcome, conflicts: long?.details ?? [], isReplay: false))
        }
    }
}
