import Causality
import NoteText
import TextMerge

/// The commands that write texts, files and names.
extension WorkingCopy {
    mutating func create(_ command: CreateNote, _ write: WriteContext) throws(Interruption) -> Step {
        guard try !exists(command.id) else { throw .refused(.noteExists(command.id)) }
        var name: NoteName?
        if let bytes = command.name { name = try checked(bytes) }
        try checkFree(name, for: command.id)
        let text = command.file.map { $0.line + [UInt8(ascii: "\n")] } ?? command.text
        guard command.file != nil || !FileContent.isFile(text) else { throw .refused(.wrongKind) }
        try checkSize(text.count, against: 0)
        let revision = write.revision(
            of: command.id, parents: .nothing, edits: LineDiff.edits(from: [], to: text), origin: .found,
            name: name.map { .set($0) } ?? .unchanged, times: command.times)
        let note = begin(revision)
        return .accepted(
            Accepted(
                revision: revision, coversAll: true, text: text, name: name, conflicts: [], lastLine: note.lastLineFeed,
                isDeleted: false, textEdits: revision.edits, shown: nil, before: nil, after: note.head,
                outcome: Outcome(kind: .saved, dot: revision.dot, version: Version(revision.dot), shown: nil)))
    }

    mutating func save(_ command: SaveNote, _ write: WriteContext) throws(Interruption) -> Step {
        let base = try base(command.base, of: command.id)
        try checkRestoring(base, write)
        let change = try change(command, on: base)
        let text = change.text
        let name = try nameEdit(command.name, on: base)
        let resolves = open(command.resolves, of: command.id, at: base)
        guard change.isNew || !text.isSame(as: base.text) || name != .unchanged || base.isDeleted || !resolves.isEmpty else {
            return unchanged(base)
        }
        if case .set(let wanted) = name { try checkFree(wanted, for: command.id) }
        try checkSize(text.count, against: base.text.count)
        let revision = write.revision(
            of: command.id, parents: base.version, edits: change.edits ?? LineDiff.edits(from: base.text, to: text),
            origin: .found, name: name, resolves: resolves, times: command.times)
        return try accept(revision, on: base, text: text)
    }

    /// The change of a save to the text at its base.
    private struct TextChange {
        let text: [UInt8]
        /// The edits that lead to the text; nil for a text, whose edits are found by lines.
        var edits: [Edit]?
        /// Whether it is a change even if the text is the same.
        var isNew = false
    }

    /// - Throws: `Rejection.wrongKind`. A deleted note is neither a text nor a file, so a save restores it as either.
    private func change(_ save: SaveNote, on base: Base) throws(Interruption) -> TextChange {
        guard let file = save.file else {
            let text = save.text ?? base.text
            try checkKind(of: text, on: base)
            return TextChange(text: text)
        }
        if base.isDeleted {
            let text = file.line + [UInt8(ascii: "\n")]
            return TextChange(text: text, edits: [Edit(start: 0, end: 0, replacement: text)], isNew: true)
        }
        guard FileContent.isFile(base.text) else { throw .refused(.wrongKind) }
        guard FileContent.all(of: base.text) != [file] else { return TextChange(text: base.text, edits: []) }
        let edits = file.edits(of: base.text)
        return TextChange(text: edits.applied(to: base.text), edits: edits, isNew: true)
    }

    /// Rejects a text that makes a file of a note, or that has not the pointer lines of a file.
    private func checkKind(of text: [UInt8], on base: Base) throws(Interruption) {
        let isFile = FileContent.isFile(text)
        guard isFile || FileContent.isFile(base.text) else { return }
        guard FileContent.named(in: text) == FileContent.named(in: base.text), isFile == FileContent.isFile(base.text) else {
            throw .refused(.wrongKind)
        }
    }

    mutating func edit(_ command: EditNote, _ write: WriteContext) throws(Interruption) -> Step {
        let base = try base(command.base, of: command.id)
        try checkRestoring(base, write)
        let edits: [Edit]
        do {
            edits = try Positions.bytes(of: command.edits, in: base.text, encoding: command.encoding)
        } catch {
            throw .refused(.invalidEdit(error))
        }
        let grown = edits.reduce(base.text.count) { $0 + $1.growth }
        try checkSize(grown, against: base.text.count)
        let text = edits.applied(to: base.text)
        try checkKind(of: text, on: base)
        let resolves = open(command.resolves, of: command.id, at: base)
        guard !text.isSame(as: base.text) || base.isDeleted || !resolves.isEmpty else { return unchanged(base) }
        let revision = write.revision(
            of: command.id, parents: base.version, edits: edits.normalized(),
            origin: .stated, name: base.isDeleted ? .set(nil) : .unchanged, resolves: resolves)
        return try accept(revision, on: base, text: text)
    }

    /// Rejects a text for a deleted note, or on a deleted version, whose name it would remove, unless the
    /// writer may restore notes.
    private func checkRestoring(_ base: Base, _ write: WriteContext) throws(Interruption) {
        guard write.mayRestore || !base.isDeleted && !base.head.isDeleted else { throw .refused(.mayNotRestore) }
    }

    mutating func delete(_ command: DeleteNote, _ write: WriteContext) throws(Interruption) -> Step {
        let base = try base(command.base, of: command.id)
        guard !base.isDeleted else { return unchanged(base) }
        let revision = write.revision(
            of: command.id, parents: base.version, edits: [], origin: .found, name: .unchanged, isTombstone: true)
        return try accept(revision, on: base, text: [])
    }

    mutating func undo(_ command: UndoNote, _ write: WriteContext) throws(Interruption) -> Step {
        try checkLength(of: command)
        let base = try base(command.base, of: command.id)
        if command.isPreview { return try preview(command, write, on: base) }
        let named = Set(command.revisions).sorted()
        try checkWithdrawable(named, of: command.id, at: base)
        guard let note = note(command.id) else { preconditionFailure("a note with a base is loaded") }
        let withdrawn = note.withdrawn(at: base.version)
        let dots = named.filter { !withdrawn.contains($0) }
        guard !dots.isEmpty else { return unchanged(base, isReported: true) }
        func revision(_ name: NameEdit) -> Revision {
            write.revision(
                of: command.id, parents: base.version, edits: [], origin: .stated, name: name, withdraws: dots,
                times: command.times)
        }
        return try accept(withdrawal: try revision(freeName(after: revision(.unchanged), on: note)), on: base)
    }

    /// The result of an undo, without the undo.
    ///
    /// The revision that created the note cannot be withdrawn. If it is named, the result lacks the
    /// text that it created the note with, as after a save of the empty text based on it. A deleted note
    /// stays deleted.
    private func preview(_ command: UndoNote, _ write: WriteContext, on base: Base) throws(Interruption) -> Step {
        var named = Set(command.revisions)
        var creation: Dot?
        while true {
            do throws(Interruption) {
                try checkWithdrawable(named.sorted(), of: command.id, at: base)
                break
            } catch {
                guard case .refused(.cannotWithdraw(let dot, .hasNoParents)) = error else { throw error }
                creation = dot
                named.remove(dot)
            }
        }
        guard var after = note(command.id) else { preconditionFailure("a note with a base is loaded") }
        let dots = named.subtracting(after.withdrawn(at: base.version)).sorted()
        if !dots.isEmpty {
            after.append(
                write.revision(
                    of: command.id, parents: base.version, edits: [], origin: .stated, name: .unchanged, withdraws: dots))
        }
        if let creation, !after.isDeleted {
            let text = after.text(at: Version(creation))
            after.append(
                write.next.revision(
                    of: command.id, parents: Version(creation),
                    edits: text.isEmpty ? [] : [Edit(start: 0, end: text.count, replacement: [])], origin: .found,
                    name: .unchanged))
        }
        // No version names the result.
        var head = after.head
        head.version = base.head.version
        let shown = Outcome.Merged(head, sent: base.text, text: after.text)
        return .unchanged(Outcome(kind: .unchanged, dot: nil, version: base.version, shown: shown))
    }

    /// The change to the name that keeps names unique after a withdrawal: none, or the removal of
    /// a name that it would bring back and that another note has taken.
    private func freeName(after withdrawal: Revision, on note: Note) throws(Interruption) -> NameEdit {
        guard note.head.isDeleted || !note.keepsName(withdrawing: withdrawal.withdraws) else { return .unchanged }
        var after = note
        after.append(withdrawal)
        guard let name = after.head.name, name != note.head.name else { return .unchanged }
        do throws(Interruption) {
            try checkFree(name, for: note.id)
        } catch {
            guard case .refused(.nameTaken) = error else { throw error }
            return .set(nil)
        }
        return .unchanged
    }

    private func checked(_ bytes: ByteString) throws(Interruption) -> NoteName {
        do {
            return try NoteName(bytes)
        } catch {
            throw .refused(.invalidName(error))
        }
    }

    /// The change to the name that a save requests. A note that a save restores has no name unless
    /// the save sets one.
    private func nameEdit(_ request: NameRequest, on base: Base) throws(Interruption) -> NameEdit {
        switch request {
        case .leave: return base.isDeleted ? .set(nil) : .unchanged
        case .clear: return base.name == nil && !base.isDeleted ? .unchanged : .set(nil)
        case .set(let bytes):
            let name = try checked(bytes)
            return base.name == name ? .unchanged : .set(name)
        }
    }

    private func checkSize(_ bytes: Int, against before: Int, timesLimit factor: Int = 1) throws(Interruption) {
        let limit = limits.noteBytesMax * factor
        if bytes > limit, bytes > before { throw .refused(.noteTooLarge(bytes: bytes, limit: limit)) }
    }

    /// - Parameter isReported: whether to report the merged state even if it is that of the base.
    private func unchanged(_ base: Base, isReported: Bool = false) -> Step {
        let merged = Outcome.Merged(base.head, sent: base.text, text: base.shown)
        let shown = isReported || base.head.version != base.version ? merged : nil
        return .unchanged(Outcome(kind: .unchanged, dot: nil, version: base.version, shown: shown))
    }

    /// The merged state that an outcome reports: nil if it is the state at the outcome's version.
    private func merged(_ head: Head, text: @autoclosure () -> [UInt8], over version: Version, sent: [UInt8]) -> Outcome.Merged? {
        guard head.version != version else { return nil }
        return Outcome.Merged(head, sent: sent, text: text())
    }

    /// Appends the revision, unless the merged text would then exceed twice the limit for one
    /// write.
    ///
    /// - Returns: the note with the revision.
    private mutating func appendWithinLimit(_ revision: Revision, on base: Base) throws(Interruption) -> Note {
        append(revision)
        guard let note = note(revision.note) else { preconditionFailure("a note with a base is loaded") }
        do throws(Interruption) {
            try checkSize(note.head.bytes, against: base.head.bytes, timesLimit: 2)
        } catch {
            takeBack(from: revision.note)
            throw error
        }
        return note
    }

    /// Appends a withdrawal. Its outcome always reports the merged state, since the client does not
    /// know the text.
    private mutating func accept(withdrawal: Revision, on base: Base) throws(Interruption) -> Step {
        let coversAll = withdrawal.parents == base.head.version
        var note = try appendWithinLimit(withdrawal, on: base)
        let version = Version(withdrawal.dot)
        let text = note.text(at: version)
        let isDeleted = note.isDeleted(at: version)
        let merged = Outcome.Merged(note.head, sent: base.text, text: note.text)
        let kind: Outcome.Kind = note.version == version || note.text.isSame(as: text) ? .saved : .merged
        return .accepted(
            Accepted(
                revision: withdrawal, coversAll: coversAll, text: text, name: note.name(at: version),
                conflicts: coversAll ? note.keptConflicts : [], lastLine: coversAll ? note.lastLineFeed : .shown,
                isDeleted: isDeleted,
                textEdits: TextDiff.edits(from: base.text, to: text),
                shown: coversAll ? nil : MergedText(note.text, after: base.shown),
                before: base.head, after: note.head,
                outcome: Outcome(kind: kind, dot: withdrawal.dot, version: version, shown: merged)))
    }

    private mutating func accept(_ revision: Revision, on base: Base, text: [UInt8]) throws(Interruption) -> Step {
        let coversAll = revision.parents == base.head.version
        let before = coversAll ? nil : base.shown
        let note = try appendWithinLimit(revision, on: base)
        let version = Version(revision.dot)
        let name = note.name(at: version)
        // A deletion succeeds in full if the note is deleted, any other write if the merged text is
        // its text.
        let isShown = revision.isTombstone ? note.isDeleted : note.text.isSame(as: text)
        let isConflicted = note.head.conflicts.contains { $0.sides.contains(revision.dot) }
        let shown = merged(note.head, text: note.text, over: version, sent: text)
        let kind: Outcome.Kind = isConflicted ? .conflicted : isShown ? .saved : .merged
        return .accepted(
            Accepted(
                revision: revision, coversAll: coversAll, text: text, name: name, conflicts: coversAll ? note.keptConflicts : [],
                lastLine: coversAll ? note.lastLineFeed : .shown, isDeleted: revision.isTombstone, textEdits: revision.edits,
                shown: before.map { MergedText(note.text, after: $0) }, before: base.head, after: note.head,
                outcome: Outcome(kind: kind, dot: revision.dot, version: version, shown: shown)))
    }
}
