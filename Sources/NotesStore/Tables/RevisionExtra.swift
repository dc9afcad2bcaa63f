import Causality
import NoteText
import NotesModel
import NotesSQL
import TextMerge

/// The parts that few revisions have: conflicts that they resolve, revisions that they withdraw, a
/// name that they set but that their own version does not have, bytes kept uninterpreted, and the
/// conflicts open at their own version if merging can start there.
struct RevisionExtra: Equatable {
    var resolves: [ConflictID] = []
    var withdraws: [Dot] = []
    var otherName: NoteName?
    var reserved: [UInt8] = []
    var conflicts: [KeptConflict] = []

    /// Encodes the parts; nil if there are none.
    func bytes(_ replicas: inout ReplicaTable, addingTo database: Database) throws(SQLFault) -> [UInt8]? {
        guard self != RevisionExtra() else { return nil }
        var writer = ByteWriter()
        writer.number(UInt64(resolves.count))
        for conflict in resolves {
            writer.word(conflict.high)
            writer.word(conflict.low)
        }
        try ConflictCodec.write(withdraws, to: &writer, &replicas, addingTo: database)
        writer.counted(otherName?.bytes.utf8 ?? [])
        writer.counted(reserved)
        writer.number(UInt64(conflicts.count))
        for kept in conflicts {
            let conflict = kept.conflict
            let named = ConflictCodec.Named(
                id: conflict.id, kind: conflict.kind, sides: conflict.sides, withdrawn: conflict.withdrawn)
            try ConflictCodec.write(named, to: &writer, &replicas, addingTo: database)
            writer.number(UInt64(conflict.range.lowerBound))
            writer.number(UInt64(conflict.range.count))
            writer.number(UInt64(kept.own.count))
            var end = 0
            for range in kept.own {
                writer.number(UInt64(range.lowerBound - end))
                writer.number(UInt64(range.count))
                end = range.upperBound
            }
        }
        return writer.bytes
    }

    init(resolves: [ConflictID] = [], withdraws: [Dot] = [], reserved: [UInt8] = [], conflicts: [KeptConflict] = []) {
        self.resolves = resolves
        self.withdraws = withdraws
        self.reserved = reserved
        self.conflicts = conflicts
    }

    init(bytes: [UInt8]?, _ replicas: ReplicaTable) throws(SQLFault) {
        guard let bytes else { return }
        var reader = ByteReader(bytes)
        guard let extra = try Self.read(&reader, replicas), reader.isAtEnd else {
            throw .malformed("the `extra` column of a revision cannot be read")
        }
        self = extra
    }

    private static func read(_ reader: inout ByteReader, _ replicas: ReplicaTable) throws(SQLFault) -> RevisionExtra? {
        guard let count = reader.count() else { return nil }
        var extra = RevisionExtra()
        for _ in 0..<count {
            guard let high = reader.word(), let low = reader.word() else { return nil }
            extra.resolves.append(ConflictID(high: high, low: low))
        }
        guard let withdraws = try ConflictCodec.dots(&reader, replicas), let name = reader.counted(),
            let reserved = reader.counted()
        else { return nil }
        extra.withdraws = withdraws
        extra.otherName = name.isEmpty ? nil : try noteName(name)
        extra.reserved = reserved
        guard let open = reader.count() else { return nil }
        for _ in 0..<open {
            guard let conflict = try conflict(&reader, replicas) else { return nil }
            extra.conflicts.append(conflict)
        }
        return extra
    }

    private static func conflict(_ reader: inout ByteReader, _ replicas: ReplicaTable) throws(SQLFault) -> KeptConflict? {
        guard let named = try ConflictCodec.read(&reader, replicas), let range = range(&reader, after: 0),
            let count = reader.count()
        else { return nil }
        var own: [Range<Int>] = []
        for _ in 0..<count {
            guard let next = self.range(&reader, after: own.last?.upperBound ?? 0), !next.isEmpty else { return nil }
            own.append(next)
        }
        return KeptConflict(named.conflict(in: range), own: own)
    }

    /// A range of bytes: how far it starts after the one before it, and its length.
    private static func range(_ reader: inout ByteReader, after end: Int) -> Range<Int>? {
        guard let gap = reader.number().flatMap({ Int(exactly: $0) }), let count = reader.number().flatMap({ Int(exactly: $0) })
        else { return nil }
        let (start, startOverflows) = end.addingReportingOverflow(gap)
        let (upper, endOverflows) = start.addingReportingOverflow(count)
        return startOverflows || endOverflows ? nil : start..<upper
    }
}
