import NoteText
import NotesModel
import Testing
import TextMerge

@testable import Dependents

/// Protocol §5: `change` is the first kind that applies.
@Suite struct ChangeKindTests {
    /// The lines of a tail watch under a filter, read after all these changes to its notes.
    private func delivered(
        _ filter: Filter, before: (inout Session) -> Void = { _ in }, then: (inout Session) -> Void
    ) throws -> [String] {
        var session = Session()
        before(&session)
        session.register(1)
        _ = try session.watch(1, filter)
        _ = session.delivered(1)
        then(&session)
        return session.delivered(1).map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    }

    @Test func changeKind_isTheFirstThatApplies() {
        let living = FilteredState(isDeleted: false, matches: true)
        let outside = FilteredState(isDeleted: false, matches: false)
        let tombstone = FilteredState(isDeleted: true, matches: false)
        let found = FilteredState(isDeleted: true, matches: true)
        let followed: [(FilteredState, FilteredState, ChangeKind?)] = [
            (.absent, living, .created), (.absent, outside, nil), (.absent, tombstone, nil),
            (living, living, .edited), (living, outside, .left), (living, tombstone, .deleted),
            (outside, living, .created), (outside, outside, nil), (outside, tombstone, nil),
            (tombstone, living, .restored), (tombstone, outside, nil), (tombstone, tombstone, nil),
            (.absent, found, .deleted), (outside, found, .deleted), (tombstone, found, .deleted), (found, outside, .left),
        ]
        for (before, after, kind) in followed {
            let said = ChangeKind.followed(from: before, to: after, matchedMeanwhile: false, wasVisibleMeanwhile: false)
            #expect(said == kind, "\(before) to \(after)")
        }
        for before in [.absent, living, outside, tombstone] {
            #expect(ChangeKind.caughtUp(from: before, to: tombstone) == .deleted)
            #expect(ChangeKind.caughtUp(from: before, to: outside) == .left)
        }
        #expect(ChangeKind.caughtUp(from: .absent, to: living) == .created)
        #expect(ChangeKind.caughtUp(from: outside, to: living) == .created)
        #expect(ChangeKind.caughtUp(from: tombstone, to: living) == .restored)
        #expect(ChangeKind.caughtUp(from: living, to: living) == .edited)
    }

    @Test func newConflicts_makeChangeConflicted() {
        func state(_ conflicts: UInt64..., matches: Bool = true) -> FilteredState {
            FilteredState(isDeleted: false, matches: matches, conflicts: conflicts.map { ConflictID(high: 0, low: $0) })
        }
        let tombstone = FilteredState(isDeleted: true, matches: false)
        let delivered: [(FilteredState, FilteredState, ChangeKind)] = [
            (state(), state(1), .conflicted), (state(1), state(2), .conflicted), (state(1), state(1, 2), .conflicted),
            (state(1, 2), state(2), .conflicted), (state(1), state(1), .edited), (state(1), state(), .resolved),
            (state(1, 2), state(), .resolved), (state(), state(), .edited), (state(0), state(), .resolved),
            (.absent, state(1), .created), (state(1, matches: false), state(1), .created), (tombstone, state(1), .restored),
            (state(1), state(1, matches: false), .left), (state(1), tombstone, .deleted),
        ]
        for (before, after, kind) in delivered {
            #expect(
                ChangeKind.followed(from: before, to: after, matchedMeanwhile: false, wasVisibleMeanwhile: false) == kind,
                "\(before) to \(after)")
            #expect(ChangeKind.caughtUp(from: before, to: after) == kind, "\(before) to \(after)")
        }
    }

    @Test func conflictedAndResolved_areSentOnce() throws {
        var session = Session()
        session.register(1)
        session.commit(0)
        _ = try session.watch(1)
        _ = session.delivered(1)
        session.commit(0, conflicts: [1])
        #expect(session.delivered(1) == ["2 conflicted 0@2"])
        session.commit(0, conflicts: [1])
        #expect(session.delivered(1) == ["3 edited 0@3"])
        session.commit(0)
        #expect(session.delivered(1) == ["4 resolved 0@4"])
        session.commit(0, conflicts: [2])
        session.commit(0)
        #expect(session.delivered(1) == ["5 edited 0@6 x2"], "nothing is open, and nothing was when it was last told")
    }

    @Test func conflictFilter_sendsCreatedAndLeft() throws {
        let filter = Filter(conflicted: true)
        #expect(try delivered(filter, before: { $0.commit(0) }, then: { $0.commit(0, conflicts: [1]) }) == ["created 0@2"])
        #expect(try delivered(filter, before: { $0.commit(0, conflicts: [1]) }, then: { $0.commit(0) }) == ["left 0@2"])
        let other = try delivered(filter, before: { $0.commit(0, conflicts: [1]) }, then: { $0.commit(0, conflicts: [2]) })
        #expect(other == ["conflicted 0@2"])
    }

    @Test func noteLifecycle_hasFourChangeKinds() throws {
        var session = Session()
        session.register(1)
        _ = try session.watch(1)
        _ = session.delivered(1)
        session.commit(0)
        #expect(session.delivered(1) == ["2 created 0@1"])
        session.commit(0)
        #expect(session.delivered(1) == ["3 edited 0@2"])
        session.commit(0, isDeleted: true)
        #expect(session.delivered(1) == ["4 deleted 0@3"])
        session.commit(0)
        #expect(session.delivered(1) == ["5 restored 0@4"])
    }

    @Test func rename_isEdited() throws {
        let said = try delivered(.all, before: { $0.commit(0, name: "work/a") }, then: { $0.commit(0, name: "home/a") })
        #expect(said == ["edited 0@2"])
    }

    @Test func noteEnteringFilter_isCreated() throws {
        let said = try delivered(
            Filter(prefix: "work/"), before: { $0.commit(0, name: "home/a") }, then: { $0.commit(0, name: "work/a") })
        #expect(said == ["created 0@2"])
    }

    @Test func noteLeavingFilter_isLeft() throws {
        let work = Filter(prefix: "work/")
        #expect(
            try delivered(work, before: { $0.commit(0, name: "work/a") }, then: { $0.commit(0, name: "home/a") }) == ["left 0@2"])
        let todo = Filter(tag: "todo")
        #expect(try delivered(todo, before: { $0.commit(0, tags: ["todo"]) }, then: { $0.commit(0) }) == ["left 0@2"])
    }

    @Test func deletion_isSentWithAnyFilter() throws {
        for filter in [Filter.all, Filter(prefix: "work/"), Filter(deleted: true)] {
            let said = try delivered(filter, before: { $0.commit(0, name: "work/a") }, then: { $0.commit(0, isDeleted: true) })
            #expect(said == ["deleted 0@2"], "\(filter)")
        }
    }

    @Test func deletionOutsideFilter_isNotSent() throws {
        let said = try delivered(
            Filter(prefix: "work/"), before: { $0.commit(0, name: "home/a") }, then: { $0.commit(0, isDeleted: true) })
        #expect(said == [])
    }

    @Test func createdThenDeletedBeforeSending_isDeleted() throws {
        let said = try delivered(
            .all,
            then: {
                $0.commit(0)
                $0.commit(0, isDeleted: true)
            })
        #expect(said == ["deleted 0@2 x2"])
    }

    @Test func enteredThenDeletedBeforeSending_isDeleted() throws {
        let said = try delivered(
            Filter(prefix: "work/"), before: { $0.commit(0, name: "home/a") },
            then: {
                $0.commit(0, name: "work/a")
                $0.commit(0, isDeleted: true)
            })
        #expect(said == ["deleted 0@3 x2"])
    }

    @Test func enteredThenLeftBeforeSending_isNotSent() throws {
        let said = try delivered(
            Filter(prefix: "work/"), before: { $0.commit(0, name: "home/a") },
            then: {
                $0.commit(0, name: "work/a")
                $0.commit(0, name: "home/a")
            })
        #expect(said == [])
    }

    @Test func enteredThenLeft_withoutOwnWriteInside_isNotSent() throws {
        let work = Filter(prefix: "work/")
        let others = try delivered(
            work, before: { $0.commit(0, name: "home/a") },
            then: {
                for name in ["work/a", "work/b", "home/b"] { $0.commit(0, name: name, by: 2) }
            })
        #expect(others == [])
        let own = try delivered(
            work, before: { $0.commit(0, name: "home/a") },
            then: {
                $0.commit(0, name: "work/a", by: 2)
                $0.commit(0, name: "home/b", by: 1)
            })
        #expect(own == [])
    }

    @Test func leftThenChangedOutside_isLeftAtNewestCommit() throws {
        let said = try delivered(
            Filter(prefix: "work/"), before: { $0.commit(0, name: "work/a") },
            then: {
                $0.commit(0, name: "home/a")
                $0.commit(0, name: "home/b")
            })
        #expect(said == ["left 0@3 x2"])
    }

    @Test func enteredByOwnWriteThenLeft_isLeft() throws {
        let said = try delivered(
            Filter(prefix: "work/"), before: { $0.commit(0, name: "home/a") },
            then: {
                $0.commit(0, name: "work/a", by: 2)
                $0.commit(0, name: "work/b", by: 1)
                $0.commit(0, name: "home/a", by: 2)
            })
        #expect(said == ["left 0@4 x3"])
    }

    @Test func leftThenReenteredBeforeSending_isEdited() throws {
        let said = try delivered(
            Filter(prefix: "work/"), before: { $0.commit(0, name: "work/a") },
            then: {
                $0.commit(0, name: "home/a")
                $0.commit(0, name: "work/b")
            })
        #expect(said == ["edited 0@3 x2"])
    }

    @Test func tombstoneWatch_getsDeletionsAndRestorations() throws {
        let said = try delivered(
            Filter(deleted: true), before: { $0.commit(0, isDeleted: true) },
            then: {
                $0.commit(1)
                $0.commit(0)
                $0.commit(1, isDeleted: true)
            })
        #expect(said == ["left 0@3", "deleted 1@4"])
    }

    @Test func idFilter_excludesOtherNotes() throws {
        let world = World()
        let said = try delivered(Filter(ids: [world.ids[1]]), then: { for note in 0..<3 { $0.commit(note) } })
        #expect(said == ["created 1@2"])
    }
}
