import Causality
import NotesModel
import NotesSQL

extension HeldRow {
    /// The SQL condition for a row whose canonical bytes begin as those of a note do
    /// (`RevisionCodec.start(of:)`, the parameter).
    static let isOfNote = "substr(revision, 1, \(RevisionCodec.startSize)) = ?"

    /// The part of a SQL condition that selects the rows with a dot; empty for nil.
    static func hasDot(_ dot: Dot?) -> String { dot == nil ? "" : "AND replica = ? AND counter = ?" }

    /// The parameters of a page of rows: a number, those of `hasDot`, and a limit.
    static func values(after number: UInt64, of dot: Dot?, limit: Int) -> [SQLValue] {
        let key: [SQLValue] = dot.map { [.number($0.replica.bits), .number($0.counter)] } ?? []
        return [.number(min(number, UInt64(Int64.max)))] + key + [.number(max(0, limit))]
    }
}
