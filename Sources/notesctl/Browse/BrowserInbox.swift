import Synchronization

/// The events that tasks hand to the thread of `browse`.
final class BrowserInbox: Sendable {
    private struct State {
        var events: [BrowserEvent] = []
        var end: (any Error)?
    }

    private let state = Mutex(State())

    func put(_ event: BrowserEvent) {
        state.withLock { $0.events.append(event) }
        BrowseTerminal.wake()
    }

    /// Ends the program with an error.
    func end(_ error: any Error) {
        state.withLock { $0.end = error }
        BrowseTerminal.wake()
    }

    /// Takes all events.
    ///
    /// - Throws: the error that ends the program.
    func take() throws -> [BrowserEvent] {
        let state = state.withLock { state in
            defer { state.events = [] }
            return state
        }
        if let end = state.end { throw end }
        return state.events
    }
}
