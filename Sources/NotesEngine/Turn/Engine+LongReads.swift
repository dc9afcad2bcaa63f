import Causality
import Dependents
import NotesMethods
import NotesModel
import NotesStore

extension Engine {
    /// The response to a read of one note; nil if it follows, since a walk is long.
    func read(_ get: GetNote, for request: Request) throws(JournalError) -> Response? {
        switch try executeShortSteps(of: noteCache.read(get)) {
        case .answered(let response): return response
        case .version(let read): return postpone(.request(request), for: .version(read))
        case .load(let load): return postpone(.request(request), for: .load(load))
        }
    }

    /// Makes a request and those that follow it on its connection wait for a walk.
    ///
    /// - Returns: the refusal if too many wait already, or if the daemon is stopping.
    func postpone(_ item: LongReads.Item, for walk: LongReads.Walk) -> Response? {
        guard !isEnding, longReads.hasRoom(for: item) else {
            noteCache.loading = longReads.notes
            return .failed(isEnding ? .shuttingDown : .overloaded)
        }
        queuedBehind[item.dependent] = []
        put(item, for: walk)
        return nil
    }

    func put(_ item: LongReads.Item, for walk: LongReads.Walk) {
        if longReads.canBegin(item), walk.canStart {
            start(walk, for: item)
        } else {
            longReads.append(item, loading: walk.loaded)
        }
    }

    /// Whether a page of a watch has to wait for a load of a note that it shows.
    func waits(_ dependent: DependentID, for note: NoteID) throws(JournalError) -> Bool {
        if longReads.delivers(to: dependent) { return true }
        let item = LongReads.Item.delivery(of: note, to: dependent)
        guard !longReads.hasLoaded(note, for: dependent), case .long(let load) = try noteCache.note(note) else { return false }
        if !isEnding, longReads.hasRoom(for: item) {
            longReads.beginDelivery(of: note, to: dependent)
            put(item, for: .load(load))
        } else {
            // The client of a stopped daemon resumes from its cursor.
            if !isEnding { longReads.crowdOut(dependent) }
        }
        return true
    }

    /// Executes steps of a read until one is long or the response is known.
    func executeShortSteps(of read: NoteCache.Read) throws(JournalError) -> NoteCache.Read {
        var read = read
        while case .version(var short) = read, short.hasRows, short.revisions <= configuration.shortWalkRevisionsMax {
            let step = try short.step()
            read = try noteCache.take(step, of: short)
        }
        return read
    }

    /// Begins a walk whose turn it is.
    func start(_ walk: LongReads.Walk, for item: LongReads.Item) {
        goOn(walk, until: longReads.begin(walk, for: item))
    }

    /// Hands the next step of a walk to the worker, or puts the walk aside if rows are missing.
    private func goOn(_ walk: LongReads.Walk, until stop: CancellationFlag) {
        guard walk.hasRows else { return longReads.setAside(walk) }
        @Sendable func done(_ stepped: LongReads.Stepped) {
            enqueue { engine throws(JournalError) in
                if !stop.isCancelled { engine.longReads.stepped = stepped }
            }
        }
        switch walk {
        case .version(let read):
            typealias State = (read: VersionRead, result: Result<VersionRead.Step, JournalError>?)
            walkWorker.run((read: read, result: nil), unless: stop) { (state: inout State) in
                state.result = Result { () throws(JournalError) in try state.read.step() }
            } then: { state in
                if let result = state.result { done(.version(state.read, result)) }
            }
        case .load(let load):
            walkWorker.run(prepared(load), unless: stop) {
                $0.step()
            } then: {
                done(.load($0))
            }
        case .commits: break
        }
    }

    /// A load whose command, if it has one, has a dot newer than all others of the note, for now.
    private func prepared(_ load: NoteLoad) -> NoteLoad {
        var load = load
        load.command?.prepare(Dot(identity.replica, counter + 1), at: now())
        return load
    }

    /// Reads rows for the running walk, takes in what the worker computed, or continues with the item
    /// that has waited longest. Each call reads few rows or executes one item, so that requests of
    /// other connections are executed between two. Not called within a turn.
    func readOn() throws(JournalError) {
        for dependent in longReads.takeCrowdedOut() { retry(dependent) }
        if let walk = longReads.takeReading(), let running = longReads.running {
            try readRows(of: walk, for: running)
        } else if let stepped = longReads.stepped, let running = longReads.running {
            longReads.end()
            switch stepped {
            case .version where running.isCompacted: try readAgain(running)
            case .version(let read, let result):
                if case .success(.found(let versions)) = result { longReads.keep(versions, of: read) }
                try goOn(with: running.item, after: running.loads) { () throws(JournalError) in
                    try noteCache.take(result.get(), of: read)
                }
            case .load(var load):
                if running.isCompacted { load.startOver() }
                try take(load, for: running)
            }
        } else if longReads.running == nil, let (next, found) = longReads.next() {
            if case .request(let request) = next.item, case .call(.get(let get)) = request.body {
                try goOn(with: next.item, after: next.loads) { () throws(JournalError) in
                    guard let found else { return try noteCache.read(get) }
                    return try noteCache.take(.found(found.versions), of: found.read)
                }
            } else {
                try resume(next.item, after: next.loads)
            }
        }
    }

    /// Reads some of the rows of a walk.
    private func readRows(of walk: LongReads.Walk, for running: LongReads.Running) throws(JournalError) {
        let journal = noteCache.journal
        switch walk {
        case .version(var read):
            guard !running.isCompacted else {
                longReads.end()
                return try readAgain(running)
            }
            do throws(JournalError) {
                try read.readRows(from: journal, rowsMax: configuration.walkRowsMax)
                if !read.hasRows { return longReads.setAside(.version(read)) }
            } catch {
                longReads.end()
                return try goOn(with: running.item, after: running.loads) { () throws(JournalError) in throw error }
            }
            longReads.end()
            try goOn(with: running.item, after: running.loads) { () throws(JournalError) in .version(read) }
        case .load(var load):
            if running.isCompacted {
                load.startOver()
                longReads.startedOver()
            }
            do throws(JournalError) {
                try load.readRows(from: journal, rowsMax: configuration.walkRowsMax)
            } catch {
                if case .fatal = error { throw error }
                longReads.end()
                return try fail(load, with: error, for: running)
            }
            goOn(.load(load), until: running.stop)
        case .commits(let descent): try readRows(of: descent, for: running)
        }
    }

    /// Begins a read of a version again, since a purge or compaction may have removed what it read.
    private func readAgain(_ running: LongReads.Running) throws(JournalError) {
        if case .lines = running.item { return try resume(running.item, after: running.loads) }
        guard case .request(let request) = running.item, case .call(.get(let get)) = request.body else { return }
        try goOn(with: running.item, after: running.loads) { () throws(JournalError) in try noteCache.read(get) }
    }

    /// Takes in a load after a step, and continues what waits for it once the load is complete.
    private func take(_ load: NoteLoad, for running: LongReads.Running) throws(JournalError) {
        let (item, loads) = (running.item, running.loads)
        let next: NoteLoad?
        do throws(JournalError) {
            next = try noteCache.finish(load)
            if next != nil, loads >= LongReads.loadsInAllMax {
                throw .failed("note \(load.id) changed during each of \(loads) reads; try again")
            }
        } catch {
            if case .fatal = error { throw error }
            return try fail(load, with: error, for: running)
        }
        if let next {
            if loads >= LongReads.loadsMax { noteCache.forget(load.id) }
            longReads.resume(item, after: loads)
            start(.load(next), for: item)
            longReads.resume(nil, after: 0)
            return
        }
        if case .request(let request) = item, case .call(.get(let get)) = request.body {
            try goOn(with: item, after: loads) { () throws(JournalError) in try noteCache.read(get, after: load) }
        } else {
            try resume(item, after: loads)
        }
        noteCache.dropFinished()
    }

    /// Continues what waits for a load that failed. The item gets the error when it needs the note.
    private func fail(
        _ load: NoteLoad, with error: JournalError, for running: LongReads.Running
    ) throws(JournalError) {
        noteCache.failed = (load.id, error)
        defer { noteCache.dropFinished() }
        try resume(running.item, after: running.loads)
    }

    /// Executes a body with no other item's load in its way. If its item needs another load, that is
    /// the next of `loads`.
    private func resuming(
        _ item: LongReads.Item, after loads: Int, _ body: () throws(JournalError) -> Void
    ) throws(JournalError) {
        longReads.resume(item, after: loads)
        noteCache.loading = []
        defer {
            // Also restores `noteCache.loading`.
            longReads.resume(nil, after: 0)
        }
        try body()
    }

    /// Continues a read whose turn it is: on the worker if its next step is long.
    private func goOn(
        with item: LongReads.Item, after loads: Int, _ body: () throws(JournalError) -> NoteCache.Read
    ) throws(JournalError) {
        if case .lines(let state) = item {
            return try resuming(item, after: loads) { () throws(JournalError) in try goOnLines(state, body) }
        }
        guard case .request(let request) = item else { return }
        var response: Response?
        try resuming(item, after: loads) { () throws(JournalError) in
            response = try reading(for: request) { () throws(JournalError) in
                switch try executeShortSteps(of: body()) {
                case .answered(let response): return response
                case .version(let read): start(.version(read), for: item)
                case .load(let load): start(.load(load), for: item)
                }
                return nil
            }
        }
        if let response { try release(request.dependent, requestNumber: request.requestNumber, response) }
    }

    /// Executes a request whose turn it is, and then those that wait for it. The request may need
    /// another walk.
    private func resume(_ item: LongReads.Item, after loads: Int) throws(JournalError) {
        let dependent = item.dependent
        if case .lines(let state) = item {
            return try resuming(item, after: loads) { () throws(JournalError) in try startLines(state) }
        }
        if case .commits(let descent) = item {
            return try resuming(item, after: loads) { () throws(JournalError) in try start(descent) }
        }
        if case .delivery(let note, _) = item {
            retryHeldLines()
            return try resuming(item, after: loads) { () throws(JournalError) in
                try resumeDelivery(of: note, to: dependent)
            }
        }
        let following = queuedBehind.removeValue(forKey: dependent) ?? []
        try resuming(item, after: loads) { () throws(JournalError) in
            switch item {
            case .request(let request): try takeAlone(request)
            case .responses: try sendHeldResponses(to: dependent)
            case .presence(let said, _): try applyUnansweredPresence(said, of: dependent)
            case .delivery, .lines, .commits: break
            }
        }
        guard queuedBehind[dependent] == nil else {
            queuedBehind[dependent] = following
            return
        }
        takeFollowing(following, of: dependent)
    }

    /// Caches a note for a page of a watch, and continues the watch. The page reports a failure if it
    /// persists.
    private func resumeDelivery(of note: NoteID, to dependent: DependentID) throws(JournalError) {
        do throws(JournalError) {
            if case .long(let load) = try noteCache.note(note) {
                return put(.delivery(of: note, to: dependent), for: .load(load))
            }
        } catch {
            if case .fatal = error { throw error }
        }
        outgoing.unsynced.insert(dependent)
    }

    /// Puts requests that waited for an earlier one at the front of the queue, and then the end of
    /// their connection if it ended meanwhile.
    func takeFollowing(_ requests: [Request], of dependent: DependentID) {
        var inputs = requests.map(Input.request)
        if longReads.takeEnd(of: dependent) { inputs.append(.released(dependent)) }
        putBack(inputs)
    }

    /// Refuses all long reads and what waits for a load, since the daemon is stopping.
    func endLongReads() throws(JournalError) {
        for item in longReads.removeAll() {
            switch item {
            case .request(let request):
                try release(request.dependent, requestNumber: request.requestNumber, .failed(.shuttingDown))
            case .responses(let dependent):
                try sendHeldResponses(to: dependent, mayWait: false)
                takeFollowing(queuedBehind.removeValue(forKey: dependent) ?? [], of: dependent)
            case .presence(_, let dependent):
                takeFollowing(queuedBehind.removeValue(forKey: dependent) ?? [], of: dependent)
            // The client resumes the watch from its cursor.
            case .delivery, .lines, .commits: break
            }
        }
    }
}

extension LongReads.Walk {
    /// Whether the engine has begun to read rows. It does not for a load of a note that another item
    /// loads.
    fileprivate var canStart: Bool {
        if case .load(let load) = self { load.hasBegun } else { true }
    }

    /// Whether the engine has read all rows for the next step.
    fileprivate var hasRows: Bool {
        switch self {
        case .version(let read): read.hasRows
        case .load(let load): load.hasRows
        // There is nothing to compute.
        case .commits: false
        }
    }
}
