import Causality
import NoteText
import NotesModel
import NotesSQL

/// The `mark` table: the records of purges, at most one for each note (`docs/decisions/purge.md#0071`).
/// Other stores learn from them what a purge erased (`NoteBeginning.erased`).
struct MarkTable {
    /// Everything that a record states.
    struct Record: Equatable {
        /// The revision at which the note begins.
        var floor: Dot
        /// The revisions that a purge erased, and the purge; of a purge here, the floor and all revisions in
        /// its past.
        var below: DotSet
        /// The text at the floor.
        var text: [UInt8]
        /// The name at the floor.
        var name: NoteName?
        /// Whether the note is deleted at the floor.
        var isDeleted: Bool
        /// The revisions that are erased and not in `below`.
        var covers: DotSet
    }

    let database: Database

    /// Replaces the record of a note.
    ///
    /// - Complexity: O(bytes of the record).
    func replace(_ record: Record, ofNote number: UInt64, at sequence: UInt64) throws(SQLFault) {
        try database.run("DELETE FROM mark WHERE note = ?", .number(number))
        let bytes = Self.bytes(of: record)
        try database.run(
            "INSERT INTO mark (note, sequence, record, sum) VALUES (?, ?, ?, ?)", .number(number), .number(sequence),
            .blob(bytes), .integer(Self.sum(of: bytes, note: number, sequence: sequence).column))
    }

    /// Reads the record of a note; nil if it has none.
    func record(ofNote number: UInt64) throws(SQLFault) -> Record? {
        try database.first("SELECT sequence, record, sum FROM mark WHERE note = ?", .number(number)) { row throws(SQLFault) in
            let bytes = row.blob(1)
            guard row.integer(2) == Self.sum(of: bytes, note: number, sequence: row.number(0)).column,
                let record = Self.record(from: bytes)
            else { throw .checksumMismatch("the record of the purge at commit \(row.number(0))") }
            return record
        }
    }

    private static func sum(of bytes: [UInt8], note: UInt64, sequence: UInt64) -> RowChecksum {
        var writer = ByteWriter(capacity: bytes.count + 24)
        writer.number(note)
        writer.number(sequence)
        writer.counted(bytes)
        return RowChecksum(writer.bytes)
    }

    /// Encodes the fields in their order. Replicas are stored by id, as in what stores exchange.
    static func bytes(of record: Record) -> [UInt8] {
        var writer = ByteWriter(capacity: record.text.count + 256)
        write(record.floor, to: &writer)
        writer.counted(DotSetCodec.bytes(of: record.below))
        writer.counted(record.text)
        writer.byte(record.name == nil ? 0 : 1)
        if let name = record.name { writer.counted(name.bytes.utf8) }
        writer.byte(record.isDeleted ? 1 : 0)
        // The origins of the text and the name, which nothing reads: the floor.
        writer.number(record.text.isEmpty ? 0 : 1)
        if !record.text.isEmpty {
            writer.number(UInt64(record.text.count))
            writer.number(1)
            write(record.floor, to: &writer)
        }
        writer.byte(1)
        write(record.floor, to: &writer)
        writer.counted(DotSetCodec.bytes(of: record.covers))
        return writer.bytes
    }

    /// Decodes a record; nil if the bytes have another form, or if the origins are not those of all bytes
    /// of the text.
    static func record(from bytes: [UInt8]) -> Record? {
        var reader = ByteReader(bytes)
        guard let floor = dot(&reader), let below = reader.counted().flatMap(DotSetCodec.dots), let text = reader.counted(),
            let hasName = reader.byte()
        else { return nil }
        var name: NoteName?
        if hasName == 1 {
            guard let bytes = reader.counted().flatMap(ByteString.init(checkedUTF8:)) else { return nil }
            do { name = try NoteName(bytes) } catch { return nil }
        }
        guard let isDeleted = reader.byte(), let count = reader.count() else { return nil }
        // Older daemons wrote the revision of each part of the text.
        var rest = text.count
        for _ in 0..<count {
            guard let length = reader.number().flatMap({ Int(exactly: $0) }), (1...max(1, rest)).contains(length),
                skipDots(&reader)
            else { return nil }
            rest -= length
        }
        guard rest == 0, let hasOrigin = reader.byte() else { return nil }
        guard hasOrigin == 0 || hasOrigin == 1 && dot(&reader) != nil, let covers = reader.counted().flatMap(DotSetCodec.dots),
            reader.isAtEnd
        else { return nil }
        return Record(
            floor: floor, below: below, text: text, name: name, isDeleted: isDeleted == 1, covers: covers)
    }

    private static func write(_ dot: Dot, to writer: inout ByteWriter) {
        writer.word(dot.replica.bits)
        writer.number(dot.counter)
    }

    private static func dot(_ reader: inout ByteReader) -> Dot? {
        guard let replica = reader.word(), let counter = reader.number() else { return nil }
        return storedDot(replica, counter)
    }

    /// Reads a counted list of dots. Returns whether it can be read.
    private static func skipDots(_ reader: inout ByteReader) -> Bool {
        guard let count = reader.count() else { return false }
        for _ in 0..<count { if dot(&reader) == nil { return false } }
        return true
    }
}
