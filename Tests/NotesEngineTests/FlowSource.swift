import Causality
import NotesMethods
import NotesModel
import NotesWire
import Replication
import Synchronization
import TestKit

/// The sending end of a `FlowWorld`.
struct FlowSource: ExchangeStore {
    let world: FlowWorld
    let hasFiles = false
    var store: ReplicaID { ReplicaID(bits: 1) }
    var replica: ReplicaID { ReplicaID(bits: 11) }

    func known(digests: DotSet) async throws -> KnownRevisionsResult {
        try world.state.withLock { state in
            try state.touchSource()
            let dots = DotSet(state.script.parents.indices.map(FlowWorld.dot))
            return KnownRevisionsResult(known: dots, quarantined: DotSet(), waiting: 0, forms: [2], view: 1)
        }
    }

    func watch(_ params: WatchRevisions) async throws -> RevisionPages {
        try world.state.withLock { state in
            try state.touchSource()
            return state.watch(besides: params.known.union(params.refuses))
        }
    }

    func proceed(_ params: ProceedParams) async throws {
        try world.state.withLock { state in
            try state.touchSource()
            state.proceed(params)
        }
    }

    func complete(_ revisions: DotSet) async throws {}
    func adopt(_ offer: AdoptParams, placed: @escaping @Sendable () -> Void) async throws -> AdoptAnswer { throw FlowWorld.Cut() }
    func answer<Answer: WireResult>(to request: FileRequest, as answer: Answer.Type) async throws -> Answer {
        throw FlowWorld.Cut()
    }
}

extension FlowWorld.State {
    /// Counts an operation; returns whether it cuts the connection.
    mutating func isCutNow() -> Bool {
        operations += 1
        guard operations == script.cutAt else { return false }
        coverage.cuts += 1
        return true
    }

    mutating func touchSource() throws {
        if isCutNow() { source.isCut = true }
        guard source.isCut else { return }
        source.pages?.finish(throwing: FlowWorld.Cut())
        throw FlowWorld.Cut()
    }

    mutating func watch(besides skipped: DotSet) -> RevisionPages {
        let (pages, continuation) = AsyncThrowingStream<RevisionsPage, any Error>.makeStream()
        // Pages of an earlier watch, which are still on their way.
        for page in source.queue + source.unacknowledged { continuation.yield(page) }
        source.watch += 1
        source = FlowWorld.Source(watch: source.watch, pages: continuation)
        let missing = script.parents.indices.filter { !skipped.contains(FlowWorld.dot($0)) }
        let lacks = missing.count { $0 < script.backlog }
        source.queue = makePages(of: missing, lacks: lacks)
        pump()
        return RevisionPages(start: WatchRevisionsResult(watch: source.watch, lacks: lacks), pages: pages)
    }

    private mutating func makePages(of missing: [Int], lacks: Int) -> [RevisionsPage] {
        var (pages, rest): ([RevisionsPage], ArraySlice<Int>) = ([], missing[...])
        let endsEmpty = random.chance(0.2)
        while let first = rest.first, first < script.backlog || !script.once {
            let room = first < script.backlog ? missing.prefix(lacks).endIndex - rest.startIndex : rest.count
            let part = rest.prefix(min(room, 1 + random.below(4)))
            rest = rest.dropFirst(part.count)
            let left = max(0, lacks - rest.startIndex)
            var page = RevisionsPage(
                watch: source.watch, seq: 0, left: first < script.backlog && endsEmpty ? max(1, left) : left, revisions: [],
                gone: [])
            for number in part { FlowWorld.add(number, to: &page, script) }
            pages.append(page)
            if first < script.backlog, left == 0, endsEmpty {
                pages.append(RevisionsPage(watch: source.watch, seq: 0, left: 0, revisions: [], gone: []))
            }
        }
        return pages
    }

    /// Sends pages while the window is open. The stream of a source that runs on ends after the last page.
    private mutating func pump() {
        while var page = source.queue.first, source.window.isOpen {
            source.queue.removeFirst()
            page.seq = source.window.send(bytes: page.revisions.reduce(0) { $0 + $1.text.count })
            source.unacknowledged.append(page)
            source.pages?.yield(page)
        }
        if !script.once, source.unacknowledged.isEmpty { source.pages?.finish(throwing: FlowWorld.Cut()) }
    }

    mutating func proceed(_ params: ProceedParams) {
        guard params.watch.number == source.watch, let page = source.unacknowledged.first, page.seq == params.seq else {
            return faults.append("acknowledged page \(params.seq), not the oldest")
        }
        source.unacknowledged.removeFirst()
        _ = source.window.acknowledge(through: params.seq)
        let claimed = Set(FlowWorld.numbers(in: page)).subtracting(params.lacking.map(FlowWorld.number))
        if !destination.held.isSuperset(of: claimed) { faults.append("page \(page.seq) was acknowledged before it was held") }
        pump()
    }
}
