import Causality
import NoteText
import NotesModel
import NotesSQL

/// The `peer` table: the set of dots that each peer reported last. All of it is kept in memory.
struct PeerTable {
    private(set) var known: [PeerName: DotSet] = [:]

    init(loadingFrom database: Database) throws(SQLFault) {
        try database.each("SELECT name, known FROM peer") { row throws(SQLFault) in
            guard let name = ByteString(checkedUTF8: row.blob(0)).flatMap(PeerName.init),
                let known = DotSetCodec.dots(from: row.blob(1))
            else { throw .malformed("the dots that a peer knows cannot be read") }
            self.known[name] = known
            return true
        }
    }

    mutating func record(_ name: PeerName, knows dots: DotSet, in database: Database) throws(SQLFault) {
        guard known[name] != nil || known.count < PeerName.countMax else {
            throw .refused("\(PeerName.countMax) peers are registered already; forget one first")
        }
        try database.run(
            "INSERT INTO peer (name, known) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET known = excluded.known",
            .blob(name.bytes.utf8), .blob(DotSetCodec.bytes(of: dots)))
        known[name] = dots
    }

    mutating func forget(_ name: PeerName, in database: Database) throws(SQLFault) {
        guard known.removeValue(forKey: name) != nil else { return }
        try database.run("DELETE FROM peer WHERE name = ?", .blob(name.bytes.utf8))
    }
}

/// Encodes a set of dots: the number of replicas; for each, in order, its id and the number of its
/// ranges; for each range, the gap since the end of the one before and its length minus 1.
enum DotSetCodec {
    static func bytes(of dots: DotSet) -> [UInt8] {
        var writer = ByteWriter()
        writer.number(UInt64(dots.replicas.count))
        for replica in dots.replicas {
            let ranges = dots.ranges(of: replica)
            writer.word(replica.bits)
            writer.number(UInt64(ranges.count))
            var end: UInt64 = 0
            for range in ranges {
                writer.number(range.lowerBound - end)
                writer.number(range.upperBound - range.lowerBound)
                end = range.upperBound
            }
        }
        return writer.bytes
    }

    /// Decodes a set of dots; nil if the bytes have another form.
    static func dots(from bytes: [UInt8]) -> DotSet? {
        var reader = ByteReader(bytes)
        guard let replicas = reader.count() else { return nil }
        var dots = DotSet()
        for _ in 0..<replicas {
            guard let replica = reader.word(), let ranges = reader.count() else { return nil }
            var end: UInt64 = 0
            for _ in 0..<ranges {
                guard let gap = reader.number(), let length = reader.number(), gap >= 1, gap <= Dot.counterMax - end,
                    length <= Dot.counterMax - end - gap
                else { return nil }
                dots.insert(end + gap...end + gap + length, of: ReplicaID(bits: replica))
                end += gap + length
            }
        }
        return reader.isAtEnd ? dots : nil
    }
}
