import NotesStore

/// The search index on a thread of its own: what is asked of it is done in the order in which it was asked, and the engine waits for
/// none of it.
actor IndexWorker {
    private nonisolated let thread = EngineThread(label: "notesd.search")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let index: SearchIndex
    private var isPreparing = false
    /// Stops everything.
    nonisolated let ending = CancellationFlag()

    init(_ index: sending SearchIndex) {
        self.index = index
    }

    /// - Parameters:
    ///   - stop: once it is asked, the body is not begun: `cancelled`.
    ///   - done: called on this object's thread, once.
    nonisolated func perform<Value: Sendable>(
        until stop: CancellationFlag? = nil, _ body: @escaping @Sendable (SearchIndex) throws(SearchFault) -> Value,
        then done: @escaping @Sendable (Result<Value, SearchFault>) -> Void
    ) {
        let stop = stop ?? ending
        thread.run {
            self.assumeIsolated { indexWorker in
                let result: Result<Value, SearchFault>
                do throws(SearchFault) {
                    if stop.isAsked { throw SearchFault.cancelled }
                    result = .success(try body(indexWorker.index))
                } catch { result = .failure(error) }
                done(result)
                indexWorker.prepare()
            }
        }
    }

    /// Has the index prepare itself, a step at a time, behind what else is to be done by then.
    private func prepare() {
        guard !isPreparing, !ending.isAsked, index.isUnprepared else { return }
        isPreparing = true
        thread.run {
            self.assumeIsolated { indexWorker in
                indexWorker.isPreparing = false
                guard !indexWorker.ending.isAsked else { return }
                // Where that fails, the next search meets why.
                do throws(SearchFault) { try indexWorker.index.prepare() } catch { return }
                indexWorker.prepare()
            }
        }
    }

    /// Ends a search that is under way, begins nothing more, and closes the index.
    nonisolated func finish() {
        ending.ask()
        thread.runHere { self.assumeIsolated { $0.index.close() } }
    }
}
