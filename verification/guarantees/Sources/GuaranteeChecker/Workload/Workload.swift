import Glibc

/// Several connections that write, read and watch concurrently, and the history of the run.
///
/// One thread serves all connections, so the order of events is unambiguous. The workload creates
/// its own notes and does not touch others.
package final class Workload {
    /// The parameters of a run.
    package struct Options {
        /// Path of the daemon's socket.
        package var socketPath: String
        /// Seed of the random choices.
        package var seed: UInt64
        /// A number that makes the names, ids and ops of this run unique.
        package var nonce: UInt64
        /// Number of acknowledged writes after which the load ends.
        package var writes = 1_500
        /// Number of connections that write.
        package var writers = 6
        /// Seconds without input from the daemon after which a wait is given up.
        package var timeout = 30
        /// Disturbs the daemon, such as by a restart, from time to time; nil for nothing.
        package var disturb: (any Disturbance)?
        /// Replaces the daemon's store once, while no request is unanswered; nil for nothing.
        package var replace: (any Disturbance)?
        /// Called with the progress for people.
        package var progress: (String) -> Void = { _ in }

        package init(socketPath: String, seed: UInt64, nonce: UInt64) {
            (self.socketPath, self.seed, self.nonce) = (socketPath, seed, nonce)
        }
    }

    /// A command that runs beside the load.
    package protocol Disturbance {
        /// Starts the command.
        func start() throws
        /// Whether the command is still running.
        ///
        /// - Throws: if it failed.
        func isRunning() throws -> Bool
    }

    let options: Options
    /// The events so far.
    package private(set) var history = History()
    private(set) var clients: [Client] = []
    private(set) var isLoading = true
    private(set) var acknowledged = 0
    private var dice: SeededRandom
    private var connections = 0
    private var cursors: [String] = []
    private var received = 0
    var pool: NotePool
    /// Writes with an `op` that got a response.
    var answeredOps: [(method: String, params: String, op: String)] = []
    private var ops = 0
    /// The daemon's limit on one outbox, in bytes.
    var outboxBytesMax = 1 << 20

    /// Makes a run without connecting.
    package init(_ options: Options) {
        self.options = options
        dice = SeededRandom(seed: options.seed)
        pool = NotePool(nonce: options.nonce)
    }

    /// Prefix of the names of the run's notes.
    package var prefix: String { pool.prefix }

    // MARK: For clients

    func newWire() -> Wire? {
        guard let wire = Wire(options.socketPath, number: connections + 1) else { return nil }
        connections += 1
        note(.opened, wire.number)
        return wire
    }

    func note(_ what: History.What, _ connection: Int) { history.add(what, connection) }

    func note(cursor: String) {
        if cursors.count < 400 { cursors.append(cursor) } else { cursors[dice.below(cursors.count)] = cursor }
    }

    func cursor(_ dice: inout SeededRandom) -> String? {
        guard !cursors.isEmpty else { return nil }
        return cursors[dice.below(cursors.count)]
    }

    func wrote() { acknowledged += 1 }

    func answered(_ method: String, _ params: String, _ op: String) { answeredOps.append((method, params, op)) }

    func countReceived() { received += 1 }

    func newOp() -> String {
        ops += 1
        return "prove-\(options.nonce)-\(ops)"
    }

    var allOurs: String { "{\"ids\":[\(pool.ids.map(quoted).joined(separator: ","))]}" }
    var someOurs: String {
        "{\"ids\":[\((pool.ids.enumerated().filter { $0.offset % 3 == 0 }.map(\.element) + pool.fences).map(quoted).joined(separator: ","))]}"
    }
    var named: String { "{\"prefix\":\(quoted(prefix))}" }
    var narrow: String { "{\"prefix\":\(quoted(prefix + "x/"))}" }
    var tagged: String { "{\"prefix\":\(quoted(prefix)),\"tag\":\"prove\"}" }

    // MARK: The run

    /// Runs the load.
    ///
    /// - Returns: the history, to be checked.
    /// - Throws: `WorkloadFault` if there is no daemon or it does not come back.
    package func run() throws -> History {
        guard let probe = Wire(options.socketPath, number: 0) else {
            throw WorkloadFault(words: "nothing is listening on \(options.socketPath)")
        }
        _ = consume probe
        let writers = (0..<options.writers).map { Writer(self, number: $0, Splicing.Encoding.allCases[$0 % 3]) }
        let watchers = makeWatchers()
        let sleepers = [
            Sleeper(self, number: 200, .utf8, params: "\"filter\":\(allOurs),\"include\":\"text\""),
            Sleeper(self, number: 201, .utf16, params: "\"filter\":\(named),\"include\":\"edits\""),
        ]
        let resumers = [Resumer(self, number: 300), Resumer(self, number: 301, .utf32)]
        let looker = ReadingClient(self, number: 400)
        clients = watchers + sleepers + resumers + writers + [looker]
        try load(sleepers)
        isLoading = false
        try settle(writers + [looker], "the responses to the last writes")
        try burst(by: looker)
        try fence(0, by: looker, watchers)
        looker.look()
        try settle([looker], "the list of dependents")
        for sleeper in sleepers { sleeper.readAgain() }
        try settle(resumers + [looker], "watches to catch up")
        try fence(1, by: looker, clients)
        try present(writers, to: watchers + sleepers + writers.filter(\.isWatching))
        try rename(by: looker)
        try readAll(looker)
        return history
    }

    private func makeWatchers() -> [Watcher] {
        let kinds: [(Splicing.Encoding, String)] = [
            (.utf8, "\"filter\":\(allOurs),\"snapshot\":false"),
            (.utf8, "\"filter\":\(named),\"include\":\"text\""),
            (.utf16, "\"filter\":\(allOurs),\"include\":\"edits\""),
            (.utf8, "\"filter\":\(tagged),\"include\":\"text\""),
            (.utf32, "\"filter\":\(someOurs),\"include\":\"edits\""),
            (.utf8, "\"filter\":\(narrow)"),
        ]
        return kinds.enumerated().map { Watcher(self, number: 100 + $0.offset, $0.element.0, params: $0.element.1) }
    }

    private func load(_ sleepers: [Sleeper]) throws {
        var nextDisturbance = disturbanceGap()
        var isDisturbed = false
        var replacement = options.replace
        try pump("the load") {
            let isPausing = replacement != nil && self.acknowledged >= self.options.writes / 2 && !isDisturbed
            for client in self.clients where client.isIdle && !isPausing { client.step() }
            for sleeper in sleepers { sleeper.wakeWhenItIsTime() }
            if isPausing {
                guard self.clients.allSatisfy(\.isSettled) else { return false }
                try replacement?.start()
                while try replacement?.isRunning() == true { usleep(10_000) }
                replacement = nil
            }
            if isDisturbed { isDisturbed = try self.options.disturb?.isRunning() ?? false }
            if let disturb = self.options.disturb, !isDisturbed, self.acknowledged >= nextDisturbance {
                try disturb.start()
                isDisturbed = true
                nextDisturbance = self.acknowledged + self.disturbanceGap()
            }
            self.options.progress("\(self.acknowledged) of \(self.options.writes) writes")
            return self.acknowledged >= self.options.writes && !isDisturbed && replacement == nil
        }
        try pump("a watch to start") { sleepers.allSatisfy { $0.isAsleep || $0.isIdle && $0.isSynced } }
        for sleeper in sleepers { sleeper.stopReading() }
    }

    /// Creates notes while some clients do not read: enough to exceed a small outbox limit.
    private func burst(by looker: ReadingClient) throws {
        let count = outboxBytesMax < 100_000 ? 400 : 40
        let filler = String(repeating: "words ", count: 200)
        for index in 0..<count {
            guard let note = pool.fresh() else { break }
            looker.call(
                "note.create",
                "\"text\":\"burst \(index) #prove\\n\(filler)\\n\",\"id\":\"\(note)\",\"name\":\(quoted("\(prefix)x/burst \(index)"))"
            )
            if index % 50 == 0 { looker.look() }
        }
        try settle([looker], "responses while some clients do not read")
    }

    private func disturbanceGap() -> Int { options.writes / 16 + dice.below(options.writes / 8 + 1) }

    private func settle(_ some: [Client], _ what: String) throws {
        try pump(what) { some.allSatisfy(\.isSettled) }
    }

    /// Creates a note that all watches must report, after everything before it.
    private func fence(_ number: Int, by looker: ReadingClient, _ watching: [Client]) throws {
        let id = pool.fences[number]
        let name = quoted("\(prefix)x/fence \(number)")
        looker.call(
            "note.create", "\"text\":\"é 🙂 fence #prove\\n\",\"name\":\(name),\"id\":\"\(id)\",\"op\":\"\(newOp())\"", op: true)
        try pump("all watches to report a note") { watching.allSatisfy { $0.hasHeard(of: id) } }
    }

    /// Lets all writers open one note, each after the one that it had open, until all clients with a
    /// watch know that and nothing else.
    private func present(_ writers: [Writer], to watching: [Client]) throws {
        for writer in writers { writer.open(pool.fences[1]) }
        try settle(writers, "the responses to presence")
        try pump("notifications of presence") {
            watching.allSatisfy { client in
                writers.allSatisfy { writer in
                    guard let dependent = writer.dependent, !client.isDeafTo(writer) else { return true }
                    return client.present.allSatisfy { ($0.value[dependent] != nil) == ($0.key == self.pool.fences[1]) }
                        && client.present[self.pool.fences[1]]?[dependent] != nil
                }
            }
        }
    }

    /// Gives some notes other names and leaves their texts, after a search that made the daemon index
    /// their old names.
    private func rename(by looker: ReadingClient) throws {
        looker.search([pool.fences[1]])
        try settle([looker], "a search")
        for note in pool.used where dice.chance(0.2) { looker.rename(note, to: "\(prefix)a/\(looker.newToken())") }
        try settle([looker], "renames")
    }

    private func readAll(_ looker: ReadingClient) throws {
        let second = ReadingClient(self, number: 401, .utf16)
        clients.append(second)
        let notes = pool.used + pool.fences
        looker.read(notes)
        try settle([looker], "the final state of the notes")
        try pump("a second reader") { second.isIdle }
        for note in notes { second.call("note.get", "\"id\":\"\(note)\"") }
        try settle([second], "the final state of the notes")
        second.search(notes)
        try settle([second], "searches")
    }

    /// Deletes the run's notes. These events are not part of the history.
    package func cleanUp() throws {
        let checked = history
        guard let looker = clients.compactMap({ $0 as? ReadingClient }).first else { return }
        for note in pool.used + pool.fences {
            looker.call("note.get", "\"id\":\"\(note)\"") { answer in
                guard case .result(let result) = answer, let version = result["note"]?["version"]?.word else { return }
                looker.call("note.delete", "\"id\":\"\(note)\",\"base\":\"\(version)\"")
            }
        }
        try settle([looker], "the deletion of the run's notes")
        history = checked
    }

    // MARK: The loop

    /// Serves all connections until the condition holds. If no input arrives for too long, records
    /// the event and returns.
    private func pump(_ what: String, until isSo: () throws -> Bool) throws {
        var deadline = Self.now() + options.timeout
        var before = received
        while try !isSo() {
            for client in clients where client.wire == nil { client.connect() }
            serve()
            if received != before { (before, deadline) = (received, Self.now() + options.timeout) }
            guard Self.now() < deadline else {
                if clients.allSatisfy({ $0.wire == nil }) {
                    throw WorkloadFault(words: "the daemon ended the connections and did not come back")
                }
                return note(.gaveUp(what), 0)
            }
        }
    }

    private func serve() {
        let connected = clients.filter { $0.wire != nil }
        var pollRequest = connected.compactMap { $0.wire?.pollRequest }
        if poll(&pollRequest, nfds_t(pollRequest.count), 20) <= 0 { return }
        for (client, ready) in zip(connected, pollRequest) where ready.revents != 0 {
            guard let wire = client.wire else { continue }
            wire.work(ready.revents)
            client.take(wire.lines())
            if wire.isOver { client.lose() }
        }
    }

    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }
}

/// The reason why there is no history.
package struct WorkloadFault: Error {
    /// A sentence for people without a full stop.
    package let words: String
}
