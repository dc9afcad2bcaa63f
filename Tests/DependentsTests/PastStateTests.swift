import NoteText
import NotesModel
import Testing

@testable import Dependents

/// The states of notes as of a cursor.
@Suite struct PastStateTests {
    /// The past state is read if the line depends on it, and only then.
    @Test func pastState_isReadOnlyIfNeeded() {
        var world = World(notes: 1)
        let heads = [
            world.commit(0, name: "work/a").after, world.commit(0, name: "home/a").after,
            world.commit(0, name: "work/a", conflicts: [1]).after, world.commit(0, isDeleted: true).after,
        ]
        let known: [Head?] = [nil, heads[0], heads[1], heads[2], heads[3]]
        let filters = [Filter.all, Filter(prefix: "work/"), Filter(conflicted: true), Filter(deleted: true)]
        for filter in filters {
            for base in [0, 5] as [UInt64] {
                // Before the first commit the note did not exist.
                let pasts: [Head?] = base == 0 ? [nil] : known
                for began in [nil, 3] as [UInt64?] {
                    let catchUp = CatchUp(base: base, target: 9, snapshotBegan: began)
                    let read = PageRead(
                        watch: WatchID(1), after: base, through: 9, limit: 1, asOf: began == nil ? base : nil, filter: filter,
                        include: .meta)
                    for head in heads {
                        let after = FilteredState(head, under: filter)
                        let kinds = Set(pasts.map { catchUp.kind(from: FilteredState($0, under: filter), to: after, at: 8) })
                        #expect(catchUp.needsPast(for: after) == (kinds.count > 1), "\(filter) since \(base): \(kinds)")
                        #expect(read.needsPast(of: head) == (kinds.count > 1), "\(filter) since \(base): \(kinds)")
                    }
                }
            }
        }
    }
}
