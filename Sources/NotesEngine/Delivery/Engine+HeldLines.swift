import Dependents
import NotesModel
import NotesStore

/// The lines of watches that show the sides of conflicts far below the cached notes.
extension Engine {
    /// Whether the lines of a step have to wait for the sides of a conflict. Then their connection
    /// receives no other line before them.
    func waits(_ step: Step, of dependent: DependentID) throws(JournalError) -> Bool {
        if try waitsForCommits(step, of: dependent) { return true }
        guard let state = try stateToRead(for: step) else { return false }
        hold(step, of: dependent)
        let item = LongReads.Item.lines(state)
        guard !isEnding, !longReads.reads(item) else { return true }
        guard longReads.hasRoom(for: item), let read = try noteCache.versionRead(of: state) else {
            longReads.crowdOut(dependent)
            return true
        }
        put(item, for: .version(read))
        return true
    }

    /// Makes the lines of a step wait. Their numbers are assigned, so the connection receives nothing
    /// else before them.
    func hold(_ step: Step, of dependent: DependentID) {
        longReads.hold(step, of: dependent)
        dependents.setHoldsLines(true, of: dependent)
        outgoing.unsynced.remove(dependent)
    }

    /// The first state that the lines of a step show and that needs a walk.
    private func stateToRead(for step: Step) throws(JournalError) -> ConflictedState? {
        switch step {
        case .line(.changed(let line)) where line.include != .meta && line.kind != .left:
            return try noteCache.stateToRead(of: line.note, at: line.to)
        case .changeBatch(let lines) where lines.include != .meta:
            let key = RenderedChangesKey(changeBatch: lines.changeBatch, include: lines.include)
            guard outgoing.renderedChanges.value(key) == nil else { return nil }
            for line in lines.changeBatch.lines where line.kind != .left {
                if let state = try noteCache.stateToRead(of: line.note, at: line.to) { return state }
            }
            return nil
        case .line, .changeBatch, .presence, .passed, .read, .nothing: return nil
        }
    }

    /// Makes the lines that wait be tried again.
    ///
    /// - Complexity: O(connections whose lines wait).
    func retryHeldLines() {
        for dependent in longReads.heldLines.keys { retry(dependent) }
        if longReads.heldLines.isEmpty { noteCache.sidesForLines = [:] }
    }

    /// Makes what a dependent's watches wait for be tried again.
    func retry(_ dependent: DependentID) {
        longReads.unpark(dependent)
        outgoing.unsynced.insert(dependent)
    }

    /// Begins the walk of lines whose turn it is. If no line waits for it any more, those that wait are
    /// tried again, since they may need another state first.
    func startLines(_ state: ConflictedState) throws(JournalError) {
        var isNeeded = false
        for step in longReads.heldLines.values where !isNeeded { isNeeded = try shows(step, state) }
        guard isNeeded else { return retryHeldLines() }
        guard let read = try noteCache.versionRead(of: state) else { return retryHeldLines() }
        start(.version(read), for: .lines(state))
    }

    /// Takes in a step of the walk of lines.
    func goOnLines(
        _ state: ConflictedState, _ body: () throws(JournalError) -> NoteCache.Read
    ) throws(JournalError) {
        do throws(JournalError) {
            switch try executeShortSteps(of: body()) {
            case .version(let read): return start(.version(read), for: .lines(state))
            case .answered(.note(let note)): noteCache.keep(note.conflicts, of: state)
            case .answered, .load:
                throw .failed("the sides of conflicts in note \(state.note) at \(state.version) are not in the store")
            }
        } catch {
            if case .fatal = error { throw error }
            try cutShortLines(showing: state, error)
        }
        retryHeldLines()
    }

    /// Ends the connections whose lines show a state that cannot be read. They resume from their
    /// cursors.
    private func cutShortLines(showing state: ConflictedState, _ error: JournalError) throws(JournalError) {
        var output = TurnOutput()
        defer { outputSink.deliver(output.connections) }
        for (dependent, step) in longReads.heldLines {
            guard try shows(step, state) else { continue }
            _ = takeHeldLines(of: dependent)
            cutShort(dependent, error, in: &output)
        }
    }

    /// Removes and returns the lines of a connection that wait.
    func takeHeldLines(of dependent: DependentID) -> Step? {
        guard let step = longReads.takeLines(of: dependent) else { return nil }
        dependents.setHoldsLines(false, of: dependent)
        return step
    }

    /// Whether the lines of a step wait for a state, or what they wait for cannot be read.
    private func shows(_ step: Step, _ state: ConflictedState) throws(JournalError) -> Bool {
        do throws(JournalError) {
            return try stateToRead(for: step) == state
        } catch {
            if case .fatal = error { throw error }
            return true
        }
    }

    /// Drops the lines of a watch that ends.
    func dropHeldLines(of dependent: DependentID, _ watch: WatchID) {
        switch longReads.heldLines[dependent] {
        case .line(.changed(let line)) where line.watch == watch: break
        case .changeBatch(let lines) where lines.watch == watch: break
        default: return
        }
        _ = takeHeldLines(of: dependent)
        longReads.endDescent(for: dependent)
        retry(dependent)
    }
}
