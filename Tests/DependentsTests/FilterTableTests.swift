import NotesModel
import TestKit
import Testing

@testable import Dependents

/// Compares the table with a list of the users of each filter.
@Suite struct FilterTableTests {
    private struct User {
        let index: Int
        let filter: Filter
    }

    private struct Match: Hashable {
        let include: WatchDetail
        let recipient: Broadcast.Recipient
    }

    @Test(arguments: seeds(60)) func table_matchesListOfUsers(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var world = World(notes: 6)
        var table = FilterTable()
        var users: [User] = []
        var mostFilters = 0
        for step in 0..<100 {
            let place: Comment = "seed \(seed) step \(step)"
            switch generator.below(5) {
            case 0, 1:
                let filter = Filter.anything(of: world, &generator)
                let kept = table.retain(filter)
                #expect(kept.filter == filter, place)
                let isItsRow = users.allSatisfy { ($0.index == kept.index) == ($0.filter == filter) }
                #expect(isItsRow, place)
                users.append(User(index: kept.index, filter: filter))
                mostFilters = max(mostFilters, Set(users.map(\.filter)).count)
            case 2, 3:
                guard !users.isEmpty else { continue }
                table.release(users.remove(at: generator.below(users.count)).index)
            default:
                var changes: [Change] = []
                for _ in 0...generator.below(3) { changes.append(world.commitAnything(by: nil, &generator)) }
                checkMatches(changes, to: users, &table, place)
            }
            #expect(table.isInUse == !users.isEmpty, place)
            let heads = world.ids.prefix(2).compactMap { world.head($0, asOf: world.newest) }
            let covering = table.covering(anyOf: heads)
            #expect(covering.count <= mostFilters, "a row that is free is used again; seed \(seed) step \(step)")
            let covered = Set(users.filter { user in heads.contains { user.filter.matches($0) } }.map(\.index))
            #expect(Set(covering.indices.filter { covering[$0] }) == covered, place)
        }
    }

    /// Every user of a filter with changes gets an immediate broadcast, in the order of the users.
    private func checkMatches(_ changes: [Change], to users: [User], _ table: inout FilterTable, _ place: Comment) {
        table.match(changes, DependentLimits())
        for (number, change) in changes.enumerated() {
            let isCrossing = users.contains { user in
                change.before.map(user.filter.matches) ?? false != user.filter.matches(change.after)
            }
            #expect(table.isCrossing(number) == isCrossing, place)
        }
        var expected: Set<Match> = []
        for (number, user) in users.enumerated() {
            let transitions = changes.map { FilterTransition($0, under: user.filter) }
            #expect(table.transitions(under: user.index) == transitions, place)
            let isConcerned = transitions.contains { $0.isCovered }
            let hasBulletin = table.changeBatch(under: user.index) != nil
            #expect(hasBulletin == isConcerned, place)
            guard isConcerned else { continue }
            let include = WatchDetail.allCases[number % WatchDetail.allCases.count]
            let recipient = Broadcast.Recipient(dependent: DependentID(UInt64(number)), watch: WatchID(1), seq: 1)
            table.addRecipient(recipient, under: user.index, include)
            expected.insert(Match(include: include, recipient: recipient))
        }
        let broadcasts = table.takeBroadcasts()
        let delivered = broadcasts.flatMap { broadcast in
            broadcast.recipients.map { Match(include: broadcast.include, recipient: $0) }
        }
        #expect(delivered.count == expected.count && Set(delivered) == expected, place)
        let isLetGo = users.allSatisfy { table.changeBatch(under: $0.index) == nil }
        let isTakenOnce = table.takeBroadcasts().isEmpty
        #expect(isLetGo && isTakenOnce, place)
    }
}
