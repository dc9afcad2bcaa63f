import Causality
import Dependents
import NotesMethods
import NotesModel
import NotesStore

/// The requests that wait for a long walk: reads of old versions, and requests whose note has to be
/// loaded first because its many concurrent revisions are not cached. The walks are executed one
/// after another: the engine reads the rows, some at a time, and another thread computes. Other
/// connections are served meanwhile. Later requests of the same connection wait
/// (`Engine.queuedBehind`).
///
///     rows ─► turn ─► rows ─► … ─► rows ─► computed by the worker ─► taken in, response
///
/// Only one walk has its rows in memory. The rows of the others are read when their turn comes.
struct LongReads {
    /// The walk whose turn it is: the engine reads its rows, or the worker computes.
    struct Running {
        let item: Item
        /// The note.
        let note: NoteID
        /// Whether the note is loaded, as opposed to the read of a version.
        let isLoad: Bool
        /// The loads that the item has needed so far, including this one.
        let loads: Int
        /// Set when the result is not needed any more.
        let stop: CancellationFlag
        /// Whether compaction removed texts of the note meanwhile.
        var isCompacted = false
        /// The walk while the engine reads its rows; nil once the worker has it.
        var reading: Walk?
    }

    /// An item that waits for the worker.
    struct Waiting {
        let item: Item
        /// The note that it loads; nil for the read of a version.
        let note: NoteID?
        /// The loads that the item has needed so far.
        let loads: Int
    }

    /// The state after a step of the worker.
    enum Stepped {
        case version(VersionRead, Result<VersionRead.Step, JournalError>)
        case load(NoteLoad)
    }

    /// The number of requests that may wait, and of walks for watches. With more, a request is refused,
    /// and a watch waits until there is room.
    static let waitingMax = 1_000

    /// The loads in a row that one item may need while others change its note. After them the note
    /// leaves the cache, so that their writes wait for the item. Without changes, no item needs more
    /// than three.
    static let loadsMax = 8
    /// The loads in a row after which an item fails: its load begins again and again, since the note is
    /// purged or compacted.
    static let loadsInAllMax = 32

    /// The items that wait for the worker, oldest first.
    private(set) var waiting: [Waiting] = []
    /// The walk whose turn it is; nil if none is.
    private(set) var running: Running?
    /// The versions that were computed last, if a request that waits names the same ones.
    private(set) var found: (read: VersionRead, versions: VersionRead.Found)?
    /// The state after the worker's last step, which the engine has to take in.
    var stepped: Stepped?
    /// The item that the engine executes after a walk. If it needs another walk, it keeps its place.
    private var resumed: (dependent: DependentID, loads: Int)?
    /// The connections that have ended and whose writes wait. They are released after the writes.
    private var ended: Set<DependentID> = []
    /// The responses of each connection that wait, oldest first.
    private var held: [DependentID: [HeldResponse]] = [:]
    /// The lines of each connection that wait for the sides of conflicts. Their numbers are assigned, so
    /// the connection receives nothing else before them.
    private(set) var heldLines: [DependentID: Step] = [:]
    /// The connections whose lines wait and were not tried again since.
    private var parked: Set<DependentID> = []
    /// The connections whose watches wait for the commits of a note.
    private var descending: [DependentID: SharedDescent] = [:]
    /// The descent that failed last, until the watches that wait for it are tried again.
    private(set) var failedDescent: SharedDescent?
    /// The connections whose watches wait for room.
    private var crowdedOut: Set<DependentID> = []
    /// The notes that were loaded for the page that a dependent waits for. A page loads each of them
    /// once, so that it ends even if the note cache cannot hold them all.
    private var loadedForPage: [DependentID: Set<NoteID>] = [:]

    /// Whether the engine can go on with an item.
    var hasWork: Bool {
        stepped != nil || running?.reading != nil || running == nil && !waiting.isEmpty || canAdmitCrowdedOut
    }

    private var canAdmitCrowdedOut: Bool { !crowdedOut.isEmpty && waiting.count < Self.waitingMax }

    /// The notes that are loaded, or will be.
    ///
    /// - Complexity: O(waiting).
    var notes: Set<NoteID> {
        var notes = Set(waiting.compactMap(\.note))
        if let running, running.isLoad { notes.insert(running.note) }
        return notes
    }

    /// Records the item whose walk begins.
    mutating func begin(_ walk: Walk, for item: Item) -> CancellationFlag {
        let stop = CancellationFlag()
        let isLoad = walk.loaded != nil
        running = Running(
            item: item, note: walk.note, isLoad: isLoad, loads: loads(of: item) + (isLoad ? 1 : 0), stop: stop)
        return stop
    }

    /// Whether another item can wait. The pages of watches take no place from requests.
    ///
    /// - Complexity: O(waiting).
    func hasRoom(for item: Item) -> Bool {
        waiting.count { $0.item.holdsRequests == item.holdsRequests } < Self.waitingMax
    }

    /// Whether an item can start a walk now. New items do not overtake those that wait.
    func canBegin(_ item: Item) -> Bool {
        running == nil && (waiting.isEmpty || resumed?.dependent == item.dependent)
    }

    /// Records which item the engine executes after a walk; nil for none, or for one whose loads are
    /// counted from zero.
    mutating func resume(_ item: Item?, after loads: Int) {
        resumed = item.map { ($0.dependent, loads) }
    }

    private func loads(of item: Item) -> Int {
        if let resumed, resumed.dependent == item.dependent { resumed.loads } else { 0 }
    }

    /// Puts aside the running walk until the engine reads more of its rows.
    mutating func setAside(_ walk: Walk) {
        running?.reading = walk
    }

    /// Removes and returns the walk whose rows the engine reads.
    mutating func takeReading() -> Walk? {
        running?.reading.take()
    }

    /// Records that the running load has begun again.
    mutating func startedOver() {
        running?.isCompacted = false
    }

    /// Ends the running walk.
    mutating func end() {
        running?.stop.cancel()
        running = nil
        stepped = nil
    }

    /// Keeps computed versions while requests for the same ones wait.
    ///
    /// - Complexity: O(waiting).
    mutating func keep(_ versions: VersionRead.Found, of read: VersionRead) {
        found = (read, versions)
        dropUnneeded()
    }

    private mutating func dropUnneeded() {
        guard let read = found?.read else { return }
        if !waiting.contains(where: { read.answers($0.item) }) { found = nil }
    }

    /// Adds an item that waits for the worker.
    mutating func append(_ item: Item, loading note: NoteID?) {
        waiting.append(Waiting(item: item, note: note, loads: loads(of: item)))
    }

    /// Whether a page of a watch of a dependent waits.
    ///
    /// - Complexity: O(waiting).
    func delivers(to dependent: DependentID) -> Bool {
        func fits(_ item: Item) -> Bool { item.dependent == dependent && !item.holdsRequests }
        return waiting.contains { fits($0.item) } || running.map { fits($0.item) } ?? false
    }

    /// Whether a dependent's page has loaded a note.
    func hasLoaded(_ note: NoteID, for dependent: DependentID) -> Bool {
        loadedForPage[dependent]?.contains(note) ?? false
    }

    /// Records that a dependent's page loads a note.
    mutating func beginDelivery(of note: NoteID, to dependent: DependentID) {
        loadedForPage[dependent, default: []].insert(note)
    }

    /// Records that a dependent received its page.
    mutating func endDelivery(to dependent: DependentID) {
        if loadedForPage[dependent] != nil { loadedForPage[dependent] = nil }
    }

    /// Removes and returns the item that has waited longest, and what it reads if that was computed last.
    ///
    /// - Complexity: O(waiting).
    mutating func next() -> (waiting: Waiting, found: (read: VersionRead, versions: VersionRead.Found)?)? {
        guard !waiting.isEmpty else { return nil }
        let next = waiting.removeFirst()
        defer { dropUnneeded() }
        return (next, found.flatMap { $0.read.answers(next.item) ? $0 : nil })
    }

    /// Makes the lines of a step wait.
    mutating func hold(_ lines: Step, of dependent: DependentID) {
        heldLines[dependent] = lines
        parked.insert(dependent)
    }

    /// Whether the lines of a connection wait and are not tried again yet.
    func isParked(_ dependent: DependentID) -> Bool { parked.contains(dependent) }

    /// Records that the lines of a connection are tried again.
    mutating func unpark(_ dependent: DependentID) { parked.remove(dependent) }

    /// Makes a watch of a connection wait until there is room.
    mutating func crowdOut(_ dependent: DependentID) { crowdedOut.insert(dependent) }

    /// Removes and returns the connections whose watches waited for room, if there is room.
    mutating func takeCrowdedOut() -> Set<DependentID> {
        guard canAdmitCrowdedOut else { return [] }
        defer { crowdedOut = [] }
        return crowdedOut
    }

    /// Removes and returns the lines of a connection that wait.
    mutating func takeLines(of dependent: DependentID) -> Step? {
        heldLines.isEmpty ? nil : heldLines.removeValue(forKey: dependent)
    }

    /// Whether a walk that connections share runs or waits.
    ///
    /// - Complexity: O(waiting).
    func reads(_ shared: Item) -> Bool {
        func fits(_ item: Item) -> Bool {
            switch (item, shared) {
            case (.lines(let state), .lines(let other)): state == other
            case (.commits(let descent), .commits(let other)): descent == other
            default: false
            }
        }
        return waiting.contains { fits($0.item) } || running.map { fits($0.item) } ?? false
    }

    /// Makes a watch of a connection wait for the commits of a note.
    mutating func descend(_ descent: SharedDescent, for dependent: DependentID) { descending[dependent] = descent }

    /// Whether a watch waits for the commits of a note.
    ///
    /// - Complexity: O(connections that wait).
    func needs(_ descent: SharedDescent) -> Bool { descending.values.contains(descent) }

    /// Removes and returns the connections whose watches wait for the commits of a note.
    ///
    /// - Parameter hasFailed: whether a row could not be read.
    mutating func takeDescending(_ descent: SharedDescent, hasFailed: Bool = false) -> [DependentID] {
        failedDescent = hasFailed ? descent : nil
        let dependents = descending.filter { $0.value == descent }.keys
        for dependent in dependents { descending[dependent] = nil }
        return Array(dependents)
    }

    /// Makes a connection wait for the commits of no note any more.
    mutating func endDescent(for dependent: DependentID) {
        guard let descent = descending.removeValue(forKey: dependent) else { return }
        if case .commits(descent) = running?.item, !needs(descent) { end() }
    }

    /// The oldest commit whose state a line that waits shows; nil if none waits.
    ///
    /// - Complexity: O(lines that wait).
    var oldestHeld: UInt64? { heldLines.values.flatMap(\.shownCommits).min() }

    /// Whether responses to writes of a connection wait.
    func holdsResponses(of dependent: DependentID) -> Bool { held[dependent] != nil }

    /// Adds a response of a connection that waits. Its number is bounded by the requests of one turn.
    mutating func hold(_ response: HeldResponse, of dependent: DependentID) {
        held[dependent, default: []].append(response)
    }

    /// The response that a connection has waited for longest.
    func firstHeld(of dependent: DependentID) -> HeldResponse? { held[dependent]?.first }

    /// Removes the response that a connection has waited for longest.
    mutating func dropFirstHeld(of dependent: DependentID) {
        held[dependent]?.removeFirst()
        if held[dependent]?.isEmpty == true { held[dependent] = nil }
    }

    /// Records that compaction or a purge removed texts of a note. A walk of it may have them, and begins
    /// again. A walk of another note has none of its rows.
    mutating func compacted(_ note: NoteID) {
        if running?.note == note { running?.isCompacted = true }
        if found?.read.note == note { found = nil }
    }

    /// Records the end of a connection if a write of it waits, and returns whether that is so.
    ///
    /// - Parameter following: the requests that wait for the connection's item.
    mutating func endsAfterWrites(_ dependent: DependentID, _ following: [Request]) -> Bool {
        let items = waiting.map(\.item) + (running.map { [$0.item] } ?? [])
        guard let item = items.first(where: { $0.dependent == dependent && $0.holdsRequests }) else { return false }
        guard ([item] + following.map(Item.request)).contains(where: \.isWrite) else { return false }
        ended.insert(dependent)
        return true
    }

    /// Returns whether a connection ended while its write waited, and forgets that.
    mutating func takeEnd(of dependent: DependentID) -> Bool {
        ended.remove(dependent) != nil
    }

    /// Drops the items of a connection that has ended.
    mutating func forget(_ dependent: DependentID) {
        loadedForPage[dependent] = nil
        held[dependent] = nil
        parked.remove(dependent)
        crowdedOut.remove(dependent)
        endDescent(for: dependent)
        waiting.removeAll { $0.item.dependent == dependent }
        if heldLines.removeValue(forKey: dependent) != nil, heldLines.isEmpty { forgetLines() }
        dropUnneeded()
        if running?.item.dependent == dependent { end() }
    }

    /// Drops the walks for lines, since no connection waits for them any more.
    private mutating func forgetLines() {
        func isForLines(_ item: Item) -> Bool { if case .lines = item { true } else { false } }
        waiting.removeAll { isForLines($0.item) }
        if let running, isForLines(running.item) { end() }
    }

    /// Removes and returns all items.
    mutating func removeAll() -> [Item] {
        defer {
            end()
            waiting = []
            found = nil
            heldLines = [:]
            parked = []
            descending = [:]
            crowdedOut = []
        }
        return (running.map { [$0.item] } ?? []) + waiting.map(\.item)
    }
}

extension VersionRead {
    /// Whether an item is a request for the same versions.
    fileprivate func answers(_ item: LongReads.Item) -> Bool {
        guard case .request(let other) = item, case .call(.get(let get)) = other.body else { return false }
        return get.key == .id(note) && get.at == request.at && get.from == request.from
    }
}

extension Step {
    /// The commits whose states the lines of the step show.
    fileprivate var shownCommits: [UInt64] {
        switch self {
        case .line(.changed(let line)): [line.to]
        case .changeBatch(let lines): lines.changeBatch.lines.map(\.to)
        case .line, .presence, .passed, .read, .nothing: []
        }
    }
}
