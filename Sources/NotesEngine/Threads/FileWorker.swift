import NotesStore

/// The folder of files on a separate thread. It executes jobs in the order in which they were enqueued, and the engine never
/// blocks on it. Jobs are short: a chunk is read or written, or a few MiB are hashed.
actor FileWorker {
    private nonisolated let thread = SerialQueueExecutor(label: "notesd.files")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let folder: FileFolder

    init(_ folder: sending FileFolder) {
        self.folder = folder
    }

    /// Enqueues a job.
    ///
    /// - Parameter done: receives the result, called once on this actor's thread.
    nonisolated func perform<Value: Sendable>(
        _ body: @escaping @Sendable (FileFolder) throws(FileFault) -> Value,
        then done: @escaping @Sendable (Result<Value, FileFault>) -> Void
    ) {
        thread.run {
            self.assumeIsolated { worker in
                let result: Result<Value, FileFault>
                do throws(FileFault) { result = .success(try body(worker.folder)) } catch { result = .failure(error) }
                done(result)
            }
        }
    }

    /// Enqueues a job that takes several steps. Those enqueued meanwhile are executed between them.
    ///
    /// - Parameters:
    ///   - state: what a step leaves to the next.
    ///   - step: returns nil if another step is needed.
    ///   - pause: milliseconds between two steps.
    nonisolated func performInSteps<State: Sendable, Value: Sendable>(
        _ state: State, _ step: @escaping @Sendable (FileFolder, inout State) throws(FileFault) -> Value?, pausing pause: Int = 0,
        isFirst: Bool = true, then done: @escaping @Sendable (Result<Value, FileFault>) -> Void
    ) {
        thread.run(after: isFirst ? 0 : pause) {
            self.assumeIsolated { worker in
                var state = state
                do throws(FileFault) {
                    if let value = try step(worker.folder, &state) { return done(.success(value)) }
                    worker.performInSteps(state, step, pausing: pause, isFirst: false, then: done)
                } catch { done(.failure(error)) }
            }
        }
    }

    /// Waits for the jobs that are enqueued.
    nonisolated func finish() {
        thread.runHere {}
    }
}
