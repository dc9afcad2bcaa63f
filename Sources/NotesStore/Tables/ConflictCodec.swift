import Causality
import NotesModel
import NotesSQL
import TextMerge

/// Encodes the part of a conflict that heads and rows of revisions share: kind, id and sides. Each
/// encodes the conflict's location in its own way.
enum ConflictCodec {
    struct Named {
        let id: ConflictID
        let kind: ConflictKind
        let sides: [Dot]
        let withdrawn: [Dot]

        func conflict(in range: Range<Int>) -> Conflict {
            Conflict(id: id, kind: kind, sides: sides, withdrawn: withdrawn, range: range)
        }
    }

    static func write(
        _ conflict: Named, to writer: inout ByteWriter, _ replicas: inout ReplicaTable, addingTo database: Database
    ) throws(SQLFault) {
        writer.byte(byte(of: conflict.kind))
        writer.word(conflict.id.high)
        writer.word(conflict.id.low)
        try write(conflict.sides, to: &writer, &replicas, addingTo: database)
        try write(conflict.withdrawn, to: &writer, &replicas, addingTo: database)
    }

    /// Encodes a counted list of dots, with replicas as numbers.
    static func write(
        _ dots: [Dot], to writer: inout ByteWriter, _ replicas: inout ReplicaTable, addingTo database: Database
    ) throws(SQLFault) {
        writer.number(UInt64(dots.count))
        for dot in dots {
            writer.number(try replicas.number(of: dot.replica, addingTo: database))
            writer.number(dot.counter)
        }
    }

    /// Decodes a conflict; nil if the bytes do not have this form.
    static func read(_ reader: inout ByteReader, _ replicas: ReplicaTable) throws(SQLFault) -> Named? {
        guard let kind = reader.byte().flatMap(Self.kind), let high = reader.word(), let low = reader.word(),
            let sides = try dots(&reader, replicas), let withdrawn = try dots(&reader, replicas)
        else { return nil }
        return Named(id: ConflictID(high: high, low: low), kind: kind, sides: sides, withdrawn: withdrawn)
    }

    /// Decodes a counted list of dots, with replicas as numbers; nil if the bytes do not have this
    /// form.
    static func dots(_ reader: inout ByteReader, _ replicas: ReplicaTable) throws(SQLFault) -> [Dot]? {
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

    /// The byte is part of the stored format, so a value must never be reused for another kind.
    private static func byte(of kind: ConflictKind) -> UInt8 {
        switch kind {
        case .text: 0
        case .name: 1
        case .deletion: 2
        }
    }

    private static func kind(_ byte: UInt8) -> ConflictKind? {
        ConflictKind.allCases.first { self.byte(of: $0) == byte }
    }
}
