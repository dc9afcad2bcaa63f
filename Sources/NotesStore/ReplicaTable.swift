import Causality
import GRDB

/// The replicas that a store has heard of, by the small numbers that its rows name them with.
///
/// All of them are held: there is one a run of a daemon, and vectors name them.
/// Invariant: numbers rise by 1 from 1, and `ids[number - 1]` is the id of `number`.
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

    /// The number of a replica, which gets a row if it has none.
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
