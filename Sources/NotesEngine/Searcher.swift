import NotesStore

/// The search index on a thread of its own: what is asked of it is done in the order in which it was asked, and the engine waits for
/// none of it.
actor Searcher {
    private nonisolated let thread = EngineThread(label: "notesd.search")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let index: SearchIndex

    init(_ index: sending SearchIndex) {
        self.index = index
    }

    /// - Parameter done: called on this object's thread, once.
    nonisolated func perform<Value: Sendable>(
        _ body: @escaping @Sendable (SearchIndex) throws(SearchFault) -> Value,
        then done: @escaping @Sendable (Result<Value, SearchFault>) -> Void
    ) {
        thread.run {
            self.assumeIsolated { searcher in
                let result: Result<Value, SearchFault>
                do throws(SearchFault) { result = .success(try body(searcher.index)) } catch { result = .failure(error) }
                done(result)
            }
        }
    }

    /// Closes the index once all that was asked is done.
    nonisolated func finish() {
        thread.runHere { self.assumeIsolated { $0.index.close() } }
    }
}
