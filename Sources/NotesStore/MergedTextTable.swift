import Causality
import GRDB
import NotesModel

/// The `shown` table: what notes showed at commits that have not all before them in their past.
///
/// No revision wrote that, and working it out is a walk over all that was written since the note's last critical version. The row
/// has the head as it was, and the text as edits of what the note showed one commit before. At a commit that covers all there is
/// no row: what it shows is its own text, and reading starts there at the latest.
struct MergedTextTable {
    let database: Database

    /// Adds a row, behind those that are there.
    ///
    /// - Parameter before: what it costs to read what the note showed before, as `TextChain` counts; nil where that cannot be built on.
    /// - Returns: the same of what it shows now.
    func insert(
        _ commit: Commit, _ shown: MergedText, after before: Int?, _ replicas: inout ReplicaTable
    ) throws(SQLFault) -> Int {
        var head = commit.head
        head.vector = VersionVector()
        var text = EditCodec.bytes(of: shown.edits)
        var chain = 0
        if let before, !TextChain.isTooLong(before + TextChain.cost(edits: text), forTextOf: shown.text.count) {
            chain = before + TextChain.cost(edits: text)
        } else {
            text = shown.text
        }
        try database.run(
            "INSERT INTO shown (sequence, head, chain, text, sum) VALUES (?, ?, ?, ?, ?)", .number(commit.sequence),
            .blob(try HeadCodec.bytes(of: head, at: commit.sequence, note: 0, &replicas, addingTo: database)), .number(chain),
            .blob(text),
            .integer(Self.sum(of: text, at: commit.sequence, chain: chain).column))
        return chain
    }

    /// The head has a sum of its own.
    private static func sum(of text: [UInt8], at sequence: UInt64, chain: Int) -> RowSum {
        var writer = ByteWriter(capacity: text.count + 16)
        writer.number(sequence)
        writer.signed(Int64(chain))
        writer.counted(text)
        return RowSum(writer.bytes)
    }

    func remove(_ sequence: UInt64) throws(SQLFault) {
        try database.run("DELETE FROM shown WHERE sequence = ?", .number(sequence))
    }

    /// The head at a commit, its vector left out; nil where there is no row.
    func head(_ sequence: UInt64, _ replicas: ReplicaTable) throws(SQLFault) -> Head? {
        try database.first("SELECT head FROM shown WHERE sequence = ?", .number(sequence)) { row throws(SQLFault) in
            try HeadCodec.head(from: row.blob(0), at: sequence, note: 0, replicas)
        }
    }

    func chain(_ sequence: UInt64) throws(SQLFault) -> Int? {
        try database.first("SELECT chain FROM shown WHERE sequence = ?", .number(sequence)) { Int($0.integer(0)) }
    }

    func text(_ sequence: UInt64) throws(SQLFault) -> StoredRevision.Merged.Text? {
        try database.first("SELECT chain, text, sum FROM shown WHERE sequence = ?", .number(sequence)) { row throws(SQLFault) in
            let (chain, text) = (Int(row.integer(0)), row.blob(1))
            guard row.isNull(2) || row.integer(2) == Self.sum(of: text, at: sequence, chain: chain).column else {
                throw .spoiled("the merged text at commit \(sequence)")
            }
            return chain == 0 ? .whole(text) : .edits(try EditCodec.edits(from: text))
        }
    }
}
