import Causality
import NotesModel
import NotesSQL

/// The `shown` table: the merged state of notes after commits that do not cover all before them.
///
/// No revision contains this text, and computing it means merging everything since the note's last
/// critical version. A row has the merged head, and the merged text as edits of the note's merged
/// text one commit before. A commit that covers all has no row: its merged text is its own text, so
/// reading a chain of edits starts there at the latest.
struct MergedTextTable {
    let database: Database

    /// Appends a row.
    ///
    /// - Parameter before: The cost of reading the merged text one commit before, as `TextChain`
    ///   counts it; nil if no edits can be based on it.
    /// - Returns: The cost of reading this merged text.
    func insert(
        _ shown: MergedText, as head: Head, at sequence: UInt64, after before: Int?, _ replicas: inout ReplicaTable
    ) throws(SQLFault) -> Int {
        var head = head
        head.vector = VersionVector()
        var text = EditCodec.bytes(of: shown.edits)
        var chain = 0
        if let before, !TextChain.isTooLong(before + TextChain.cost(edits: text), forTextOf: shown.text.count) {
            chain = before + TextChain.cost(edits: text)
        } else {
            text = shown.text
        }
        try database.run(
            "INSERT INTO merged (sequence, head, chain, text, sum) VALUES (?, ?, ?, ?, ?)", .number(sequence),
            .blob(try HeadCodec.bytes(of: head, at: sequence, note: 0, &replicas, addingTo: database)), .number(chain),
            .blob(text),
            .integer(Self.sum(of: text, at: sequence, chain: chain).column))
        return chain
    }

    /// Covers the text. The head contains its own checksum.
    private static func sum(of text: [UInt8], at sequence: UInt64, chain: Int) -> RowChecksum {
        var writer = ByteWriter(capacity: text.count + 16)
        writer.number(sequence)
        writer.signed(Int64(chain))
        writer.counted(text)
        return RowChecksum(writer.bytes)
    }

    func remove(_ sequence: UInt64) throws(SQLFault) {
        try database.run("DELETE FROM merged WHERE sequence = ?", .number(sequence))
    }

    /// Reads the merged head at a commit without its vector; nil if there is no row.
    func head(_ sequence: UInt64, _ replicas: ReplicaTable) throws(SQLFault) -> Head? {
        try database.first("SELECT head FROM merged WHERE sequence = ?", .number(sequence)) { row throws(SQLFault) in
            try HeadCodec.head(from: row.blob(0), at: sequence, note: 0, replicas)
        }
    }

    /// Reads the cost of the text at a commit; nil if there is no row.
    func chain(_ sequence: UInt64) throws(SQLFault) -> Int? {
        try database.first("SELECT chain FROM merged WHERE sequence = ?", .number(sequence)) { Int($0.integer(0)) }
    }

    /// Reads the text at a commit, whole or as edits; nil if there is no row.
    func text(_ sequence: UInt64) throws(SQLFault) -> StoredRevision.Merged.Text? {
        try database.first("SELECT chain, text, sum FROM merged WHERE sequence = ?", .number(sequence)) { row throws(SQLFault) in
            let (chain, text) = (Int(row.integer(0)), row.blob(1))
            guard row.isNull(2) || row.integer(2) == Self.sum(of: text, at: sequence, chain: chain).column else {
                throw .checksumMismatch("the merged text at commit \(sequence)")
            }
            return chain == 0 ? .whole(text) : .edits(try EditCodec.edits(from: text))
        }
    }
}
