import Dependents
import NotesModel
import NotesStore

extension Engine {
    /// The response to a read of one note; nil if it follows, since the walk is long.
    func read(_ get: GetNote, for request: Request) throws(JournalError) -> Response? {
        switch try executeShortSteps(of: noteCache.read(get)) {
        case .answered(let response): return response
        case .version(let read):
            if isEnding { return .failed(.shuttingDown) }
            guard longReads.waiting.count < LongReads.waitingMax else { return .failed(.overloaded) }
            queuedBehind[request.dependent] = []
            if longReads.running == nil, longReads.waiting.isEmpty {
                start(read, for: request)
            } else {
                longReads.append(request)
            }
            return nil
        }
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

    /// Hands the next step of a read to the worker.
    private func start(_ read: VersionRead, for request: Request) {
        let stop = longReads.begin(request)
        walkWorker.run((read: read, result: nil), unless: stop) { (state: inout LongReads.State) in
            state.result = Result { () throws(JournalError) in try state.read.step() }
        } then: { [self] state in
            enqueue { engine throws(JournalError) in
                if !stop.isCancelled { engine.longReads.stepped = state }
            }
        }
    }

    /// Takes in what the worker computed, and starts the read that has waited longest. Not called
    /// within a turn.
    func readOn() throws(JournalError) {
        if case (let read, let result?)? = longReads.stepped, let request = longReads.running?.request {
            longReads.end()
            try goOn(with: request) { () throws(JournalError) in try noteCache.take(result.get(), of: read) }
        }
        while longReads.running == nil, let request = longReads.next(), case .get(let get) = request.body {
            try goOn(with: request) { () throws(JournalError) in try noteCache.read(get) }
        }
    }

    /// Continues a read whose turn it is: on the worker if its next step is long.
    private func goOn(
        with request: Request, _ body: () throws(JournalError) -> NoteCache.Read
    ) throws(JournalError) {
        let answer = try reading(for: request) { () throws(JournalError) in
            switch try executeShortSteps(of: body()) {
            case .answered(let response): return response
            case .version(let read):
                start(read, for: request)
                return nil
            }
        }
        if let answer { try release(request.dependent, requestNumber: request.requestNumber, answer) }
    }

    /// Refuses all long reads, since the daemon is stopping.
    func endLongReads() throws(JournalError) {
        for request in longReads.removeAll() {
            try release(request.dependent, requestNumber: request.requestNumber, .failed(.shuttingDown))
        }
    }
}
