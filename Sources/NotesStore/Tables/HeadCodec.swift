import Causality
import NoteText
import NotesModel
import NotesSQL
import TextMerge

/// Encodes a head as the bytes of a column: form, id, flags, name, version, vector, title, tags,
/// times, author, size, conflicts, checksum.
///
/// Replicas are written as this store's small numbers, so that a vector over many runs stays short.
/// The checksum covers everything before it, the commit at which the head was made, and the note's
/// number; the latter two are in other columns of the row. `formWithoutSum` lacks only the checksum.
/// No daemon writes it. The commands in `docs/operations.md` that salvage a corrupt store do.
enum HeadCodec {
    private static let formWithoutSum: UInt8 = 3
    private static let form: UInt8 = 4

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let deleted = Flags(rawValue: 1)
        static let named = Flags(rawValue: 2)
        static let labelled = Flags(rawValue: 4)
    }

    /// - Parameter note: The note's number; 0 for a row that does not record it.
    static func bytes(
        of head: Head, at commit: UInt64, note: UInt64, _ replicas: inout ReplicaTable, addingTo database: Database
    ) throws(SQLFault) -> [UInt8] {
        var writer = ByteWriter(capacity: 192)
        writer.byte(form)
        writer.word(head.id.high)
        writer.word(head.id.low)
        var flags: Flags = []
        if head.isDeleted { flags.insert(.deleted) }
        if head.name != nil { flags.insert(.named) }
        if head.author.label != nil { flags.insert(.labelled) }
        writer.byte(flags.rawValue)
        if let name = head.name { writer.counted(name.bytes.utf8) }
        writer.number(UInt64(head.version.dots.count))
        for dot in head.version.dots {
            writer.number(try replicas.number(of: dot.replica, addingTo: database))
            writer.number(dot.counter)
        }
        writer.number(UInt64(head.vector.counters.count))
        for (replica, counter) in head.vector.counters.sorted(by: { $0.key < $1.key }) {
            writer.number(try replicas.number(of: replica, addingTo: database))
            writer.number(counter)
        }
        writer.counted(head.title.utf8)
        writer.number(UInt64(head.tags.count))
        for tag in head.tags { writer.counted(tag.utf8) }
        writer.signed(head.created.milliseconds)
        writer.signed(head.modified.milliseconds)
        writer.counted(head.author.user.utf8)
        if let label = head.author.label { writer.counted(label.utf8) }
        writer.number(UInt64(head.bytes))
        writer.number(UInt64(head.conflicts.count))
        for conflict in head.conflicts {
            let named = ConflictCodec.Named(
                id: conflict.id, kind: conflict.kind, sides: conflict.sides, withdrawn: conflict.withdrawn)
            try ConflictCodec.write(named, to: &writer, &replicas, addingTo: database)
            write(conflict.start, to: &writer)
            write(conflict.end, to: &writer)
        }
        return writer.bytes + sum(of: writer.bytes[...], at: commit, note).bytes
    }

    private static func sum(of bytes: ArraySlice<UInt8>, at commit: UInt64, _ note: UInt64) -> RowChecksum {
        var writer = ByteWriter(capacity: bytes.count + 16)
        writer.word(commit)
        writer.word(note)
        return RowChecksum(writer.bytes + bytes)
    }

    private static func write(_ position: TextPosition, to writer: inout ByteWriter) {
        writer.number(UInt64(position.utf8))
        writer.number(UInt64(position.utf16))
        writer.number(UInt64(position.utf32))
    }

    /// Decodes a head. Throws a corruption fault if the checksum or the form is wrong.
    static func head(from bytes: [UInt8], at commit: UInt64, note: UInt64, _ replicas: ReplicaTable) throws(SQLFault) -> Head {
        var summed = bytes[...]
        if bytes.first == form {
            summed = bytes.dropLast(RowChecksum.size)
            guard bytes.suffix(RowChecksum.size).elementsEqual(sum(of: summed, at: commit, note).bytes) else {
                throw .checksumMismatch("a note's head at commit \(commit)")
            }
        }
        var reader = ByteReader(Array(summed))
        guard let head = try read(&reader, replicas), reader.isAtEnd else { throw .malformed("a note's head cannot be read") }
        return head
    }

    private static func read(_ reader: inout ByteReader, _ replicas: ReplicaTable) throws(SQLFault) -> Head? {
        guard let form = reader.byte(), [formWithoutSum, Self.form].contains(form), let high = reader.word(),
            let low = reader.word(),
            let id = NoteID(checkedHigh: high, low: low), let flags = reader.byte().map(Flags.init(rawValue:))
        else { return nil }
        var name: NoteName?
        if flags.contains(.named) {
            guard let bytes = text(&reader) else { return nil }
            do { name = try NoteName(bytes) } catch { return nil }
        }
        guard let shown = try ConflictCodec.dots(&reader, replicas), let known = try ConflictCodec.dots(&reader, replicas),
            let title = text(&reader), let tags = texts(&reader), let created = reader.signed(), let modified = reader.signed(),
            let user = text(&reader)
        else { return nil }
        var label: ByteString?
        if flags.contains(.labelled) {
            label = text(&reader)
            guard label != nil else { return nil }
        }
        guard let bytes = size(&reader), let conflicts = try conflicts(&reader, replicas) else { return nil }
        var vector = VersionVector()
        for dot in known { vector.record(dot) }
        return Head(
            id: id, name: name, version: Version(shown), vector: vector, title: title, tags: tags,
            created: Timestamp(milliseconds: created), modified: Timestamp(milliseconds: modified),
            author: Author(user: user, label: label), bytes: bytes, isDeleted: flags.contains(.deleted),
            conflicts: conflicts)
    }

    private static func conflicts(
        _ reader: inout ByteReader, _ replicas: ReplicaTable
    ) throws(SQLFault) -> [OpenConflict]? {
        guard let count = reader.count() else { return nil }
        var conflicts: [OpenConflict] = []
        for _ in 0..<count {
            guard let named = try ConflictCodec.read(&reader, replicas), let start = position(&reader),
                let end = position(&reader)
            else { return nil }
            conflicts.append(
                OpenConflict(
                    id: named.id, kind: named.kind, sides: named.sides, withdrawn: named.withdrawn, start: start, end: end))
        }
        return conflicts
    }

    private static func position(_ reader: inout ByteReader) -> TextPosition? {
        guard let utf8 = size(&reader), let utf16 = size(&reader), let utf32 = size(&reader) else { return nil }
        return TextPosition(utf8: utf8, utf16: utf16, utf32: utf32)
    }

    private static func size(_ reader: inout ByteReader) -> Int? {
        reader.number().flatMap { Int(exactly: $0) }
    }

    private static func text(_ reader: inout ByteReader) -> ByteString? {
        reader.counted().flatMap(ByteString.init(checkedUTF8:))
    }

    private static func texts(_ reader: inout ByteReader) -> [ByteString]? {
        guard let count = reader.count() else { return nil }
        var texts: [ByteString] = []
        for _ in 0..<count {
            guard let text = text(&reader) else { return nil }
            texts.append(text)
        }
        return texts
    }
}

extension NoteID {
    init(storedBytes: [UInt8]) throws(SQLFault) {
        guard let id = NoteID(bytes: storedBytes) else { throw .malformed("a note's id cannot be read") }
        self = id
    }
}
