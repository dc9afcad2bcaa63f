import Dependents
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
        guard !isEnding, longReads.waiting.count < LongReads.waitingMax else {
            noteCache.loading = longReads.notes
            return .failed(isEnding ? .shuttingDown : .overloaded)
        }
        queuedBehind[item.dependent] = []
        if longReads.running == nil, walk.canStart {
            start(walk, for: item)
        } else {
            longReads.append(item, loading: walk.loaded)
        }
        return nil
    }

    /// Executes steps of a read until one is long or the response is known.
    private func executeShortSteps(of read: NoteCache.Read) throws(JournalError) -> NoteCache.Read {
        var read = read
        while case .version(var short) = read, short.revisions <= configuration.shortWalkRevisionsMax {
            let step = try short.step()
            read = try noteCache.take(step, of: short)
        }
        return read
    }

    /// Hands the next step of a walk to the worker.
    private func start(_ walk: LongReads.Walk, for item: LongReads.Item) {
        let stop = longReads.begin(item, loading: walk.loaded)
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
            walkWorker.run(load, unless: stop) {
                $0.step()
            } then: {
                done(.load($0))
            }
        }
    }

    /// Takes in what the worker computed, and starts the walk that has waited longest. Not called
    /// within a turn.
    func readOn() throws(JournalError) {
        if let stepped = longReads.stepped, let running = longReads.running {
            longReads.end()
            switch stepped {
            case .version(let read, let result):
                try goOn(with: running.item) { () throws(JournalError) in try noteCache.take(result.get(), of: read) }
            case .load(var load):
                if running.isCompacted { load.startOver() }
                try take(load, for: running.item)
            }
        }
        while longReads.running == nil, let item = longReads.next() {
            if case .request(let request) = item, case .get(let get) = request.body {
                noteCache.loading = []
                try goOn(with: item) { () throws(JournalError) in try noteCache.read(get) }
            } else {
                try resume(item)
            }
        }
    }

    /// Takes in a load after a step, and continues what waits for it once the load is complete.
    private func take(_ load: NoteLoad, for item: LongReads.Item) throws(JournalError) {
        let next: NoteLoad?
        do throws(JournalError) {
            next = try noteCache.finish(load)
        } catch {
            if case .fatal = error { throw error }
            // The item reads the rows itself, and reports the error if it persists.
            return try resume(item)
        }
        if let next { return start(.load(next), for: item) }
        if case .request(let request) = item, case .get = request.body {
            try goOn(with: item) { () throws(JournalError) in try noteCache.current(load.id, from: load.from) }
        } else {
            try resume(item)
        }
        noteCache.dropFinished()
    }

    /// Continues a read whose turn it is: on the worker if its next step is long.
    private func goOn(
        with item: LongReads.Item, _ body: () throws(JournalError) -> NoteCache.Read
    ) throws(JournalError) {
        guard case .request(let request) = item else { return }
        let answer = try reading(for: request) { () throws(JournalError) in
            switch try executeShortSteps(of: body()) {
            case .answered(let response): return response
            case .version(let read): start(.version(read), for: item)
            case .load(let load): start(.load(load), for: item)
            }
            return nil
        }
        if let answer { try release(request.dependent, requestNumber: request.requestNumber, answer) }
    }

    /// Executes a request whose turn it is, and then those that wait for it. The request may need
    /// another walk.
    private func resume(_ item: LongReads.Item) throws(JournalError) {
        let dependent = item.dependent
        let following = queuedBehind.removeValue(forKey: dependent) ?? []
        noteCache.loading = []
        switch item {
        case .request(let request): try takeQueued([.request(request)])
        case .presence(let said, _): try applyUnansweredPresence(said, of: dependent)
        }
        noteCache.loading = longReads.notes
        guard queuedBehind[dependent] == nil else {
            queuedBehind[dependent] = following
            return
        }
        try takeFollowing(following, of: dependent)
    }

    /// Executes requests that waited for an earlier one, and releases the connection if it ended
    /// meanwhile.
    func takeFollowing(_ requests: [Request], of dependent: DependentID) throws(JournalError) {
        var inputs = requests.map(Input.request)
        if longReads.takeEnd(of: dependent) { inputs.append(.released(dependent)) }
        if !inputs.isEmpty { try takeQueued(inputs) }
    }

    /// Refuses all long reads and what waits for a load, since the daemon is stopping.
    func endLongReads() throws(JournalError) {
        for item in longReads.removeAll() {
            if case .request(let request) = item {
                try release(request.dependent, requestNumber: request.requestNumber, .failed(.shuttingDown))
            } else {
                try takeFollowing(queuedBehind.removeValue(forKey: item.dependent) ?? [], of: item.dependent)
            }
        }
    }
}

extension LongReads.Walk {
    /// Whether the walk has the rows that it needs.
    fileprivate var canStart: Bool {
        if case .load(let load) = self { load.canStep } else { true }
    }
}
