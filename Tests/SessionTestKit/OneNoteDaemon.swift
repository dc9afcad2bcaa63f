import Causality
package import EditSession
import NoteText
package import NotesModel
package import NotesWire
import TestKit
package import TextMerge

/// A daemon with one note, whose writes are those of the real model.
package struct OneNoteDaemon {
    package static let id = noteID(1)

    package private(set) var note: Note
    private var counter: UInt64 = 1
    private var operations: [ByteString: (write: EditWrite, result: OutcomeResult, sent: [UInt8])] = [:]
    /// The refusals of the next requests, first to last.
    package var refusals: [WireError] = []

    package init(_ text: String) {
        let create = Command.createNote(CreateNote(id: Self.id, isIDChosen: true, name: nil, text: Array(text.utf8)))
        var copy = WorkingCopy(limits: ModelLimits())
        copy.supply(loaded: nil, for: Self.id, downTo: .start)
        guard case .accepted(let accepted) = copy.apply(create, as: Self.context(1)) else {
            preconditionFailure("a first text is accepted")
        }
        note = Note(first: accepted.revision, holdsFloor: true)
    }

    private static func context(_ counter: UInt64) -> WriteContext {
        let time = Timestamp(milliseconds: Int64(counter))
        return WriteContext(dot: Dot(ReplicaID(bits: 7), counter), author: ada, time: time)
    }

    package var text: String { String(decoding: note.text, as: UTF8.self) }
    package var conflicts: Int { note.head.conflicts.count }

    /// The note as `note.get` returns it.
    package func object(_ body: NoteObject.Body? = nil) -> NoteObject {
        NoteObject(note.head, body: body ?? .text(note.text), conflicts: note.head.conflicts.map { ConflictObject($0, .utf8) })
    }

    // MARK: Requests

    package mutating func write(_ write: EditWrite) throws(WireError) -> OutcomeResult {
        if !refusals.isEmpty { throw refusals.removeFirst() }
        let (command, op, base): (Command, ByteString?, Version?) =
            switch write {
            case .edit(let params), .repair(let params):
                (
                    .editNote(EditNote(id: params.id, base: params.base, edits: params.edits, encoding: .utf8)), params.op,
                    params.base
                )
            case .save(let params):
                (.saveNote(SaveNote(id: params.id, base: params.base, text: params.text)), params.op, params.base)
            case .undo(let params):
                (.undoNote(UndoNote(id: params.id, base: params.base, revisions: params.revisions)), params.op, params.base)
            }
        if let op, let (former, result, sent) = operations[op] {
            guard former == write else {
                throw WireError(.invalidParams, "params.op was used for a different write", details: [.path("params.op")])
            }
            return replayed(result, sent)
        }
        var copy = WorkingCopy(limits: ModelLimits())
        copy.supply(loaded: note, for: Self.id, downTo: .start)
        let outcome: Outcome
        switch copy.apply(command, as: Self.context(counter + 1)) {
        case .accepted(let accepted):
            counter += 1
            note.append(accepted.revision, holdsFloor: true)
            outcome = accepted.outcome
        case .unchanged(let unchanged): outcome = unchanged
        case .refused(let rejection): throw WireError(Self.kind(of: rejection), "\(rejection)")
        case .needs: throw WireError(.internal, "the note is loaded whole")
        }
        var isUndo = false
        if case .undoNote = command { isUndo = true }
        let sent = isUndo ? try text(at: base ?? .nothing) : outcome.shown?.sent ?? note.text
        let result = OutcomeResult(
            outcome: outcome.kind, dot: outcome.dot, version: outcome.version,
            note: outcome.shown != nil || isUndo ? merged(over: sent) : nil)
        if let op { operations[op] = (write, result, sent) }
        return result
    }

    private func merged(over sent: [UInt8]) -> OutcomeResult.Merged {
        let edits = TextDiff.edits(from: sent, to: note.text).map {
            PositionedEdit(start: $0.start, end: $0.end, text: $0.replacement)
        }
        return OutcomeResult.Merged(
            version: note.version, edits: edits, text: nil, conflicts: object().conflicts, isDeleted: note.isDeleted)
    }

    private func replayed(_ result: OutcomeResult, _ sent: [UInt8]) -> OutcomeResult {
        var result = result
        result.isReplayed = true
        result.note = result.version == note.version ? nil : merged(over: sent)
        return result
    }

    private static func kind(of rejection: Rejection) -> ErrorKind {
        switch rejection {
        case .noteNotFound: .noteNotFound
        case .unknownBase: .unknownBase
        case .revisionGone: .revisionGone
        case .invalidEdit: .invalidEdit
        default: .internal
        }
    }

    package mutating func read(_ read: EditRead) throws(WireError) -> NoteObject {
        if !refusals.isEmpty { throw refusals.removeFirst() }
        switch read {
        case .newest(nil): return object()
        case .newest(let from?):
            let old = try text(at: from)
            return object(.edits(base: nil, Self.positioned(TextDiff.edits(from: old, to: note.text))))
        case .at(let version):
            var object = object(.text(try text(at: version)))
            object.head.version = version
            return object
        }
    }

    private mutating func text(at version: Version) throws(WireError) -> [UInt8] {
        guard note.knows(version) else { throw WireError(.unknownBase, "unknown version") }
        return note.text(at: note.reduced(version))
    }

    package static func positioned(_ edits: [Edit]) -> [PositionedEdit] {
        edits.map { PositionedEdit(start: $0.start, end: $0.end, text: $0.replacement) }
    }

    /// Deletes the note.
    package mutating func delete() {
        var copy = WorkingCopy(limits: ModelLimits())
        copy.supply(loaded: note, for: Self.id, downTo: .start)
        let delete = Command.deleteNote(DeleteNote(id: Self.id, base: note.version))
        guard case .accepted(let accepted) = copy.apply(delete, as: Self.context(counter + 1)) else { return }
        counter += 1
        note.append(accepted.revision, holdsFloor: true)
    }
}
