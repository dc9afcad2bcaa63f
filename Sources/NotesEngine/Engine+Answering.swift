import Causality
import Dependents
import Logging
import NotesModel
import NotesStore

extension Engine {
    /// What a request other than a write is answered, from what is committed.
    func answer(_ request: Request) throws(JournalError) -> Answer {
        do throws(JournalError) {
            switch request.body {
            case .register(let registration):
                dependents.register(request.dependent, registration)
                return .registered(Registered(identity: identity, position: try position(library.journal.lastSequence)))
            case .write: preconditionFailure("a write is answered with its batch")
            case .get(let get): return try library.get(get)
            case .list(let list): return try library.list(list)
            case .history(let history): return try library.history(history)
            case .watch(let watch): return try self.watch(watch, by: request.dependent)
            case .unwatch(let watch):
                return dependents.unwatch(request.dependent, watch) ? .unwatched : .failed(.unknownWatch)
            case .setPresence(let set): return try self.set(set, of: request.dependent)
            case .listDependents: return .dependents(dependents.describe())
            case .metrics: return .metrics(metrics.text(try status(), dependents.describe()))
            case .status: return .status(try status())
            case .audit, .search: preconditionFailure("an audit and a search are answered when they are done")
            case .backup: return .failed(backup == nil ? .backup(.failed("this store is not on disk")) : .backupUnderWay)
            }
        } catch {
            if case .fatal = error { throw error }
            logger.error(
                "a read failed",
                metadata: ["event": "read-failed", "error": "\(error)", "dependent": "\(request.dependent.number)"])
            return .failed(.storageFailed(error.message))
        }
    }

    private func watch(_ watch: WatchNotes, by dependent: DependentID) throws(JournalError) -> Answer {
        let newest = library.journal.lastSequence
        let isKnown = try watch.since.map { position throws(JournalError) in try isCommit(position) } ?? true
        let start: Start
        let from: UInt64
        switch watch.since {
        case let position? where isKnown: (start, from) = (.since(position.sequence), position.sequence)
        case .some: (start, from) = (.snapshot, 0)
        case nil: (start, from) = watch.snapshot ? (.snapshot, 0) : (.tail, newest)
        }
        do {
            let id = try dependents.watch(
                dependent, filter: watch.filter, include: watch.include, start: start, echo: watch.echo)
            hungry.insert(dependent)
            return .watching(id, from: try position(from), isReset: !isKnown)
        } catch let error as WatchRefusal {
            switch error {
            case .tooMany(let limit): return .failed(.tooManyWatches(limit: limit))
            case .notRegistered: return .failed(.shuttingDown)
            }
        } catch {
            throw error as? JournalError ?? .failed("\(error)")
        }
    }

    /// Whether the position is one of this store's history, and what notes were there can still be told.
    private func isCommit(_ position: CommitPosition) throws(JournalError) -> Bool {
        let sequence = position.sequence
        guard sequence <= library.journal.lastSequence, sequence == 0 || sequence >= library.journal.thinnedThrough else {
            return false
        }
        return try self.position(position.sequence) == position
    }

    /// The name of a commit of this store, or of the place before the first.
    func position(_ sequence: UInt64) throws(JournalError) -> CommitPosition {
        if sequence == 0 { return CommitPosition(sequence: 0, replica: identity.store) }
        if sequence > sequenceAtStart { return CommitPosition(sequence: sequence, replica: identity.replica) }
        guard let replica = try library.journal.replica(ofCommit: sequence) else {
            throw .fatal("the store says nothing of who made commit \(sequence): its tables of runs and revisions disagree")
        }
        return CommitPosition(sequence: sequence, replica: replica)
    }

    func status() throws(JournalError) -> Status {
        Status(
            identity: identity, startedAt: startedAt, store: try library.journal.statistics(), dependents: dependents.count,
            standing: standing)
    }
}
