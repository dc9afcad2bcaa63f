import Causality
import NoteText
import TextMerge

extension Command {
    /// The SHA-256 of the request's parameters, 32 bytes. It detects that a client reuses an
    /// operation name for another request.
    ///
    /// Two commands have the same fingerprint if and only if their parameters are the same. An id
    /// that the daemon drew and the session's position encoding are not parameters.
    package var fingerprint: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .createNote(let command):
            writer.byte(1)
            writer.optional(command.isIDChosen ? command.id.bytes : nil)
            writer.optional(command.name?.utf8)
            writer.counted(command.text)
            writer.file(command.file)
            writer.times(command.times)
        case .saveNote(let command):
            writer.byte(2)
            writer.counted(command.id.bytes)
            writer.optional(command.base.map { Array($0.description.utf8) })
            writer.optional(command.text)
            switch command.name {
            case .leave: writer.byte(0)
            case .clear: writer.byte(1)
            case .set(let name):
                writer.byte(2)
                writer.counted(name.utf8)
            }
            writer.conflicts(command.resolves)
            writer.file(command.file)
            writer.times(command.times)
        case .editNote(let command):
            writer.byte(3)
            writer.counted(command.id.bytes)
            writer.optional(command.base.map { Array($0.description.utf8) })
            writer.number(UInt64(command.edits.count))
            for edit in command.edits {
                writer.signed(Int64(edit.start))
                writer.signed(Int64(edit.end))
                writer.counted(edit.text)
            }
            writer.conflicts(command.resolves)
        case .deleteNote(let command):
            writer.byte(4)
            writer.counted(command.id.bytes)
            writer.optional(command.base.map { Array($0.description.utf8) })
        case .undoNote(let command):
            writer.byte(5)
            writer.counted(command.id.bytes)
            writer.optional(command.base.map { Array($0.description.utf8) })
            writer.counted(Array(Version(command.revisions).description.utf8))
            writer.number(UInt64(command.ops.count))
            for name in command.ops { writer.counted(name.utf8) }
            writer.times(command.times)
        case .purgeNote(let command):
            writer.byte(6)
            writer.counted(command.id.bytes)
            writer.optional(command.base.map { Array($0.description.utf8) })
        }
        return SHA256.hash(of: writer.bytes)
    }
}

extension ByteWriter {
    fileprivate mutating func optional(_ bytes: [UInt8]?) {
        byte(bytes == nil ? 0 : 1)
        if let bytes { counted(bytes) }
    }

    /// Writes the content of a file. A text has the fingerprint that it had before notes could be files: the number of
    /// a pointer line's bytes is not the first one of times.
    fileprivate mutating func file(_ content: FileContent?) {
        if let content { counted(content.line) }
    }

    /// Writes stated times as the last parameter. A request without times has the fingerprint that it
    /// had before requests could state times.
    fileprivate mutating func times(_ times: FileTimes?) {
        guard let times else { return }
        signed(times.modified.milliseconds)
        if let created = times.created { signed(created.milliseconds) }
    }

    fileprivate mutating func conflicts(_ conflicts: [ConflictID]) {
        number(UInt64(conflicts.count))
        for conflict in conflicts {
            word(conflict.high)
            word(conflict.low)
        }
    }
}
