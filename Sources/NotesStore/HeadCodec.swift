import Causality
import GRDB
import NotesModel

/// A head as the bytes of a column: form, id, flags, name, version, vector, title, tags, times, author, size.
///
/// Replicas go by their small numbers in this store, so that a vector over many runs stays short.
enum HeadCodec {
    private static let form: UInt8 = 1

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let deleted = Flags(rawValue: 1)
        static let named = Flags(rawValue: 2)
        static let labelled = Flags(rawValue: 4)
    }

    static func bytes(
        of head: Head, _ replicas: inout ReplicaTable, addingTo database: Database
    ) throws(SQLFault) -> [UInt8] {
        var writer = ByteWriter()
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
        return writer.bytes
    }

    static func head(from bytes: [UInt8], _ replicas: ReplicaTable) throws(SQLFault) -> Head {
        var reader = ByteReader(bytes)
        guard let head = try read(&reader, replicas), reader.isAtEnd else { throw .malformed("a note's head cannot be read") }
        return head
    }

    private static func read(_ reader: inout ByteReader, _ replicas: ReplicaTable) throws(SQLFault) -> Head? {
        guard reader.byte() == form, let high = reader.word(), let low = reader.word(),
            let id = NoteID(checkedHigh: high, low: low), let flags = reader.byte().map(Flags.init(rawValue:))
        else { return nil }
        var name: NoteName?
        if flags.contains(.named) {
            guard let bytes = text(&reader) else { return nil }
            do { name = try NoteName(bytes) } catch { return nil }
        }
        guard let shown = try dots(&reader, replicas), let known = try dots(&reader, replicas), let title = text(&reader),
            let tags = texts(&reader), let created = reader.signed(), let modified = reader.signed(), let user = text(&reader)
        else { return nil }
        var label: ByteString?
        if flags.contains(.labelled) {
            label = text(&reader)
            guard label != nil else { return nil }
        }
        guard let size = reader.number(), let bytes = Int(exactly: size) else { return nil }
        var vector = VersionVector()
        for dot in known { vector.record(dot) }
        return Head(
            id: id, name: name, version: Version(shown), vector: vector, title: title, tags: tags,
            created: Timestamp(milliseconds: created), modified: Timestamp(milliseconds: modified),
            author: Author(user: user, label: label), bytes: bytes, isDeleted: flags.contains(.deleted))
    }

    private static func dots(_ reader: inout ByteReader, _ replicas: ReplicaTable) throws(SQLFault) -> [Dot]? {
        guard let count = reader.count() else { return nil }
        var dots: [Dot] = []
        dots.reserveCapacity(count)
        for _ in 0..<count {
            guard let replica = reader.number(), let counter = reader.number(), counter >= 1, counter <= Dot.counterMax
            else { return nil }
            dots.append(Dot(try replicas.id(of: replica), counter))
        }
        return dots
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
    /// 16 bytes, ordered as the ids are.
    var storedBytes: [UInt8] {
        var writer = ByteWriter()
        writer.word(high)
        writer.word(low)
        return writer.bytes
    }

    init(storedBytes: [UInt8]) throws(SQLFault) {
        var reader = ByteReader(storedBytes)
        guard let high = reader.word(), let low = reader.word(), reader.isAtEnd, let id = NoteID(checkedHigh: high, low: low)
        else { throw .malformed("a note's id cannot be read") }
        self = id
    }
}
