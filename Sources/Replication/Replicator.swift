package import Causality
import NoteText
import NotesModel
import NotesWire

/// Keeps two stores in step while both are connected.
package struct Replicator<Here: ExchangeStore, There: ExchangeStore>: Sendable {
    /// The directions in which revisions are carried.
    package enum Direction: String, CaseIterable, Hashable, Sendable {
        case both, pull, push
    }

    private let here: Here
    private let there: There
    private let direction: Direction
    private let expected: ReplicaID?
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter expected: the store that `there` must be; nil for any.
    package init(
        here: Here, there: There, direction: Direction = .both, expected: ReplicaID? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.here = here
        self.there = there
        self.direction = direction
        self.expected = expected
        self.sleep = sleep
    }

    /// Checks that the stores may exchange revisions.
    ///
    /// - Throws: `ReplicationFault`, or an error of a connection.
    package func check() async throws { _ = try await checked() }

    /// What both stores hold at the start.
    private struct Found {
        let mine: DotSet
        let theirs: DotSet
        /// The number of revisions that they hold back: those that wait or were not accepted.
        let heldBack: Int
    }

    /// Checks the stores.
    private func checked() async throws -> Found {
        guard try await here.replica != there.replica else { throw ReplicationFault.sameDaemon }
        let store = try await there.store
        if let expected, store != expected { throw ReplicationFault.otherStore(expected: expected, found: store) }
        let (mine, theirs) = (try await here.known(), try await there.known())
        guard mine.view == theirs.view, Set(mine.forms) == Set(theirs.forms) else {
            throw ReplicationFault.otherRules(
                isHereOlder: (mine.view, mine.forms.max() ?? 0) < (theirs.view, theirs.forms.max() ?? 0))
        }
        return Found(
            mine: mine.known, theirs: theirs.known,
            heldBack: mine.waiting + mine.quarantined.count + theirs.waiting + theirs.quarantined.count)
    }

    /// Checks the stores and carries revisions.
    ///
    /// - Parameters:
    ///   - once: whether to return when each store has been offered everything that it lacked, also what the other
    ///     one held back until then; otherwise this runs until a connection ends.
    ///   - report: called with the events of both directions, concurrently. `isPull` is true for those
    ///     that come here.
    /// - Throws: `ReplicationFault`, or an error of a connection.
    package func run(once: Bool, report: @escaping @Sendable (_ isPull: Bool, FlowEvent) -> Void) async throws {
        let found = try await checked()
        try await carry(comparing: found.mine.intersection(found.theirs), once: once, report)
        guard once else { return }
        // With what arrived, a store may have accepted revisions that it held back, after its own were sent.
        var offered = found.mine.union(found.theirs)
        for _ in 0..<found.heldBack {
            let (mine, theirs) = (try await here.known().known, try await there.known().known)
            guard try await isAnyLeft(of: mine, theirs, offered: offered) else { return }
            try await carry(besides: offered, once: true, report)
            offered = offered.union(mine).union(theirs)
        }
    }

    /// Whether a store lacks revisions that the other one has and was not to send. What is written meanwhile does
    /// not count, so that an exchange ends beside a busy writer.
    private func isAnyLeft(of mine: DotSet, _ theirs: DotSet, offered: DotSet) async throws -> Bool {
        let pushed = direction == .pull ? DotSet() : mine.subtracting(theirs)
        let pulled = direction == .push ? DotSet() : theirs.subtracting(mine)
        let runs = [try await here.replica, try await there.replica]
        return pushed.union(pulled).subtracting(offered).replicas.contains { !runs.contains($0) }
    }

    /// Carries revisions, except those in `offered`, and compares those that both stores have.
    private func carry(
        besides offered: DotSet = DotSet(), comparing common: DotSet = DotSet(), once: Bool,
        _ report: @escaping @Sendable (_ isPull: Bool, FlowEvent) -> Void
    ) async throws {
        let (isHere, isThere) = (try await here.hasFiles, try await there.hasFiles)
        let haveFiles = isHere || isThere
        let filesHere = haveFiles && direction != .push ? FileFlow(from: there, to: here, sleep: sleep) : nil
        let filesThere = haveFiles && direction != .pull ? FileFlow(from: here, to: there, sleep: sleep) : nil
        let pull = RevisionFlow(from: there, to: here, files: filesHere)
        let push = RevisionFlow(from: here, to: there, files: filesThere)
        let report: @Sendable (Bool, FlowEvent) -> Void = { isPull, event in
            if case .carried = event {
                // The source of revisions may lack their files, too, and the destination may have them from elsewhere.
                filesHere?.look()
                filesThere?.look()
            }
            report(isPull, event)
        }
        // Both begin before either carries anything. Otherwise what one has just carried would count as
        // unknown to the store that it came from.
        let pulled = direction == .push ? nil : try await pull.begin(besides: offered)
        let pushed = direction == .pull ? nil : try await push.begin(besides: offered)
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let pulled { group.addTask { try await pull.carry(pulled, once: once) { report(true, $0) } } }
            if let pushed { group.addTask { try await push.carry(pushed, once: once) { report(false, $0) } } }
            group.addTask {
                try await compare(common, once: once) {
                    filesHere?.look()
                    filesThere?.look()
                } report: {
                    report(true, $0)
                }
            }
            if !once {
                if let filesHere { group.addTask { try await filesHere.run { report(true, $0) } } }
                if let filesThere { group.addTask { try await filesThere.run { report(false, $0) } } }
            }
            // The first error ends the other direction, too: both are asked again with new connections.
            while try await group.next() != nil {}
        }
        guard once else { return }
        var failed: Set<FileHash> = []
        _ = try await filesHere?.carry(&failed) { report(true, $0) }
        _ = try await filesThere?.carry(&failed) { report(false, $0) }
    }

    /// Compares what both stores hold under the same dots: once, or now and then. A hub has no digests.
    ///
    /// - Parameter look: called now and then.
    private func compare(
        _ common: DotSet, once: Bool, look: @Sendable () -> Void, report: @Sendable (FlowEvent) -> Void
    ) async throws {
        var comparison = RevisionComparison(from: Double.random(in: 0..<1))
        var reported: Set<Dot> = []
        let runs = [try await here.replica, try await there.replica]
        var common = common
        while true {
            let part = comparison.next(of: common, runs: runs)
            if !part.isEmpty {
                let (mine, theirs) = (try await here.known(digests: part), try await there.known(digests: part))
                for (dot, what) in RevisionComparison.differences(mine.digests, theirs.digests) {
                    if reported.insert(dot).inserted { report(.differs(dot, what)) }
                }
            }
            if once { return }
            try await sleep(.seconds(600))
            look()
            common = try await here.known().known.intersection(there.known().known)
        }
    }
}
