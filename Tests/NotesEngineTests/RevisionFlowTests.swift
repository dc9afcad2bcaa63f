import Causality
import NotesModel
import Synchronization
import TestKit
import Testing

@testable import Replication

/// Tests one direction of a replicator between scripted stores.
@Suite struct RevisionFlowTests {
    /// The events of a flow, and the error that ended it.
    private struct Run {
        var events: [FlowEvent] = []
        var error: (any Error)?

        var committed: Int {
            events.reduce(0) { if case .carried(let committed, _, _, _) = $1 { $0 + committed } else { $0 } }
        }
        var notAccepted: [Int] {
            events.reduce(into: []) { if case .notAccepted(let dot, _) = $1 { $0.append(FlowWorld.number(of: dot)) } }
        }
        var beginnings: Int { events.count { if case .began = $0 { true } else { false } } }
        /// Whether the numbers of what follows never rise between two beginnings of pages.
        var countsDown: Bool {
            var left = 0
            return events.allSatisfy { event in
                switch event {
                case .began(let lacks): left = max(1, lacks)
                case .carried(_, let remaining, _, _):
                    // At least one follows a page after which the destination asks for others.
                    guard remaining <= max(1, left) else { return false }
                    left = remaining
                default: break
                }
                return true
            }
        }
    }

    private static func run(_ world: FlowWorld) async -> Run {
        let events = Mutex<[FlowEvent]>([])
        let flow = RevisionFlow(from: FlowSource(world: world), to: FlowDestination(world: world), files: nil) { _ in
            try Task.checkCancellation()
        }
        let once = world.state.withLock { $0.script.once }
        do {
            try await flow.run(once: once) { event in events.withLock { $0.append(event) } }
            return Run(events: events.withLock { $0 })
        } catch {
            return Run(events: events.withLock { $0 }, error: error)
        }
    }

    /// Checks a flow that carried everything.
    private static func check(_ run: Run, _ state: FlowWorld.State, _ place: Comment) {
        #expect(state.destination.held == state.script.accepted, place)
        #expect(state.source.queue.isEmpty && state.source.unacknowledged.isEmpty, place)
        #expect(run.countsDown, place)
    }

    /// The destination gets all that it accepts. The source gets one acknowledgement of each page, in order, which
    /// covers only what the destination holds. A flow whose connection is cut ends, and the next one carries the rest.
    @Test(.timeLimit(.minutes(5))) func pagesArrive_whateverTheDestinationAnswers() async {
        var coverage = FlowWorld.Coverage()
        let seeds = seeds(2_000)
        for seed in seeds {
            let (world, place): (FlowWorld, Comment) = (FlowWorld(seed: seed), "seed \(seed)")
            let run = await Self.run(world)
            let state = world.state.withLock { $0 }
            coverage.add(state.coverage)
            let (isCut, isFull) = (state.source.isCut || state.destination.isCut, state.destination.isFull)
            let isExpected: Bool =
                switch run.error {
                case nil: state.script.once && !isCut && !isFull
                case is FlowWorld.Cut: isCut || !state.script.once
                case .some(let error): isFull && error as? ReplicationFault == .takesNothing("full")
                }
            #expect(isExpected, "seed \(seed): the flow ended with \(run.error.map { "\($0)" } ?? "no error")")
            if isCut || isFull {
                world.repair()
                let second = await Self.run(world)
                #expect(second.error == nil, place)
                Self.check(second, world.state.withLock { $0 }, place)
            } else {
                Self.check(run, state, place)
                #expect(run.committed == state.destination.taken, place)
                let (reported, unfit) = (run.notAccepted, state.script.unfit.union(state.script.poison))
                #expect(Set(reported) == unfit.subtracting(state.script.gone), place)
                // A flow that begins again offers some a second time.
                #expect(Set(reported).count == reported.count || run.beginnings > 1, place)
            }
            #expect(world.state.withLock { $0.faults } == [], place)
            if Task.isCancelled { return }
        }
        guard seeds.count >= 2_000 else { return }
        #expect(coverage.least >= 20, "\(coverage)")
    }
}

extension FlowWorld.Coverage {
    mutating func add(_ other: Self) {
        pairs += other.pairs
        refusedBeforeTheirParents += other.refusedBeforeTheirParents
        restartsInPairs += other.restartsInPairs
        laters += other.laters
        cuts += other.cuts
        fulls += other.fulls
        oneByOne += other.oneByOne
    }

    var least: Int { [pairs, refusedBeforeTheirParents, restartsInPairs, laters, cuts, fulls, oneByOne].min() ?? 0 }
}
