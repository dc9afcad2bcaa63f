import Causality
import NotesSQL

/// The `replica` table: maps replica ids to the small numbers by which rows refer to them.
///
/// All of it is kept in memory: there is one replica per run of a daemon, and vectors refer to
/// them. Invariant: numbers ascend by 1 from 1, and `ids[number - 1]` is the id of `number`.
struct ReplicaTable {
    private var ids: [ReplicaID] = []
    private var numbers: [ReplicaID: UInt64] = [:]

    init() {}

    init(loadingFrom database: Database) throws(SQLFault) {
        try database.each("SELECT number, id FROM replica ORDER BY number") { row throws(SQLFault) in
            guard row.number(0) == ids.count + 1 else {
                throw .broken("the numbers of replicas have a gap at \(row.number(0))")
            }
            add(ReplicaID(bits: row.number(1)))
            return true
        }
    }

    func knows(_ id: ReplicaID) -> Bool { numbers[id] != nil }

    func number(of id: ReplicaID) -> UInt64? { numbers[id] }

    func id(of number: UInt64) throws(SQLFault) -> ReplicaID {
        guard number >= 1, number <= ids.count else { throw .broken("a row names replica number \(number) of \(ids.count)") }
        return ids[Int(number) - 1]
    }

    /// Returns the number of a replica, and inserts a row if there is none.
    mutating func number(of id: ReplicaID, addingTo database: Database) throws(SQLFault) -> UInt64 {
        if let number = numbers[id] { return number }
        try database.run("INSERT INTO replica (number, id) VALUES (?, ?)", .number(ids.count + 1), .number(id.bits))
        add(id)
        return UInt64(ids.count)
    }

    private mutating func add(_ id: ReplicaID) {
        ids.append(id)
        numbers[id] = UInt64(ids.count)
    }
}
