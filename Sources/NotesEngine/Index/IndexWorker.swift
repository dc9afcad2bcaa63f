import NotesSearch
import NotesStore

/// The search index on a separate thread. It executes jobs in the order in which they were
/// enqueued, and the engine never blocks on it.
actor IndexWorker {
    private nonisolated let thread = SerialQueueExecutor(label: "notesd.search")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let index: SearchIndex
    /// Whether a preparation step is queued.
    private var isPreparing = false
    /// Cancels every job.
    nonisolated let ending = CancellationFlag()

    init(_ index: sending SearchIndex) {
        self.index = index
    }

    /// Enqueues a job.
    ///
    /// - Parameters:
    ///   - stop: if it is set before the body begins, the result is `cancelled`.
    ///   - done: receives the result, called once on this actor's thread.
    nonisolated func perform<Value: Sendable>(
        until stop: CancellationFlag? = nil, _ body: @escaping @Sendable (SearchIndex) throws(SearchFault) -> Value,
        then done: @escaping @Sendable (Result<Value, SearchFault>) -> Void
    ) {
        let stop = stop ?? ending
        thread.run {
            self.assumeIsolated { indexWorker in
                let result: Result<Value, SearchFault>
                do throws(SearchFault) {
                    if stop.isCancelled { throw SearchFault.cancelled }
                    result = .success(try body(indexWorker.index))
                } catch { result = .failure(error) }
                done(result)
                indexWorker.prepare()
            }
        }
    }

    /// Enqueues one step of the index's preparation, after the jobs that are queued by then.
    private func prepare() {
        guard !isPreparing, !ending.isCancelled, index.isUnprepared else { return }
        isPreparing = true
        thread.run {
            self.assumeIsolated { indexWorker in
                indexWorker.isPreparing = false
                guard !indexWorker.ending.isCancelled else { return }
                // If preparation fails, the next search reports why.
                do throws(SearchFault) { try indexWorker.index.prepare() } catch { return }
                indexWorker.prepare()
            }
        }
    }

    /// Cancels a running search, starts no further job, and closes the index.
    nonisolated func finish() {
        ending.cancel()
        thread.runHere { self.assumeIsolated { $0.index.close() } }
    }
}
