import Causality
import Dependents
import Logging
import NotesMethods
import NotesModel
import NotesStore

extension Engine {
    /// The response to a request other than a write, from committed state; nil if it follows later.
    func answer(_ request: Request) throws(JournalError) -> Response? {
        try reading(for: request) { () throws(JournalError) in
            switch request.body {
            case .register(let registration):
                dependents.register(request.dependent, registration)
                return .registered(Registered(identity: identity, cursor: try cursor(atAll: noteCache.journal.lastSequence)))
            case .adopt(let offer): return try adopt(offer, for: request)
            case .call(let call): return try answer(call, request)
            }
        }
    }

    private func answer(_ call: Call, _ request: Request) throws(JournalError) -> Response? {
        switch call {
        case .hello, .limit, .ping, .discover, .config, .adopt: preconditionFailure("the session answers or replaces it")
        case .write: preconditionFailure("a write is answered with its batch")
        case .get(let get): return try read(get, for: request)
        case .list(let list): return try noteCache.list(list)
        case .listTags(let list):
            return .tags(try noteCache.journal.tags(startingWith: list.prefix, after: list.after, limit: list.limit))
        case .listRevisions(let list):
            return .revisions(
                try noteCache.journal.revisions(matching: list.filter, before: list.before, limit: list.limit))
        case .knownRevisions(let digests): return try knownRevisions(digests: digests)
        case .watchRevisions(let start): return try feed(start, to: request.dependent)
        case .proceed(let params):
            return proceed(params.watch, through: params.seq, lacking: params.lacking, of: request.dependent)
        case .completeRevisions(let dots): return complete(dots, of: request.dependent)
        case .listPeers: return peers()
        case .forgetPeer(let peer): return try forget(peer)
        case .listHeld(let list): return try held(list)
        case .dropHeld(let dots): return try dropHeld(dots)
        case .file(let file): return isEnding ? .failed(.shuttingDown) : try take(file, request)
        case .history(let history): return try noteCache.history(history)
        case .watch(let watch): return try self.watch(watch, by: request.dependent)
        case .unwatch(let watch): return try unwatch(watch, of: request.dependent)
        case .setPresence(let set):
            switch try self.set(set, of: request.dependent) {
            case .ready(let response): return response
            case .long(let load): return postpone(.request(request), for: .load(load))
            }
        case .listDependents: return .dependents(dependents.describe())
        case .metrics: return .metrics(metrics.text(try status(), dependents.describe()))
        case .status: return .status(try status())
        case .links, .search, .auditing, .backup: return isEnding ? .failed(.shuttingDown) : try begin(call, request)
        }
    }

    /// Begins work that ends in a later turn; the response may be there at once.
    private func begin(_ call: Call, _ request: Request) throws(JournalError) -> Response? {
        switch call {
        case .links(let query): try takeLinks(query, request)
        case .search(let search): try takeSearch(.notes(search), request)
        case .auditing(let files): beginAudit(hashingFiles: files, request)
        case .backup(let path): beginBackup(to: path, request)
        default: nil
        }
    }

    /// Ends a watch or a feed of a connection.
    private func unwatch(_ watch: WatchID, of dependent: DependentID) throws(JournalError) -> Response {
        guard exchange.feeds.byDependent[dependent]?.watch == watch else {
            dropHeldLines(of: dependent, watch)
            return dependents.unwatch(dependent, watch) ? .unwatched : .failed(.unknownWatch)
        }
        try endFeed(of: dependent)
        return .unwatched
    }

    /// The response that a read produces. An error becomes a response, unless it ends the engine.
    func reading(for request: Request, _ body: () throws(JournalError) -> Response?) throws(JournalError) -> Response? {
        do throws(JournalError) {
            return try body()
        } catch {
            if case .fatal = error { throw error }
            logger.error(
                "a read failed",
                metadata: ["event": "read-failed", "error": "\(error)", "dependent": "\(request.dependent.number)"])
            return .failed(.storageFailed(error.message))
        }
    }

    private func watch(_ watch: WatchNotes, by dependent: DependentID) throws(JournalError) -> Response {
        let newest = noteCache.journal.lastSequence
        let isKnown = try watch.since.map { since throws(JournalError) in try holds(since) } ?? true
        let start: Start
        let from: Cursor
        switch watch.since {
        case let since? where isKnown: (start, from) = (.since(since.commit.sequence), since)
        case nil where !watch.snapshot: (start, from) = (.tail, try cursor(atAll: newest))
        case .some, nil: (start, from) = (.snapshot, try cursor(atAll: 0))
        }
        do {
            let id = try dependents.watch(
                dependent, filter: watch.filter, include: watch.include, start: start, echo: watch.echo)
            outgoing.unsynced.insert(dependent)
            return .watching(id, from: from, isReset: !isKnown)
        } catch {
            switch error {
            case .tooMany(let limit): return .failed(.tooManyWatches(limit: limit))
            case .notRegistered: return .failed(.shuttingDown)
            }
        }
    }

    /// Whether this store's history contains everything that the cursor names, and the states as of
    /// the cursor are still kept.
    private func holds(_ cursor: Cursor) throws(JournalError) -> Bool {
        let sequence = cursor.commit.sequence
        guard sequence == 0 || sequence >= noteCache.journal.compactedThrough else { return false }
        guard try isCommit(cursor.commit) else { return false }
        if cursor.newest == cursor.commit { return true }
        return try isCommit(cursor.newest)
    }

    private func isCommit(_ position: CommitPosition) throws(JournalError) -> Bool {
        guard position.sequence <= noteCache.journal.lastSequence else { return false }
        return try self.position(position.sequence) == position
    }

    /// A cursor with the names of this store's commits.
    func cursor(_ reached: WatchPosition) throws(JournalError) -> Cursor {
        let commit = try position(reached.commit)
        return reached.newest == reached.commit ? Cursor(commit) : Cursor(commit, newest: try position(reached.newest))
    }

    /// The cursor of a watch that has sent everything up to a commit.
    func cursor(atAll sequence: UInt64) throws(JournalError) -> Cursor {
        Cursor(try position(sequence))
    }

    /// The name of a commit of this store, or of the position before the first commit.
    func position(_ sequence: UInt64) throws(JournalError) -> CommitPosition {
        try positions.position(sequence, in: noteCache.journal)
    }

    /// The state of the daemon and its store.
    func status() throws(JournalError) -> Status {
        Status(
            identity: identity, startedAt: startedAt, store: try noteCache.journal.statistics(), dependents: dependents.count,
            files: files.worker == nil ? nil : (files.sizes.count, files.bytes), state: state)
    }
}
