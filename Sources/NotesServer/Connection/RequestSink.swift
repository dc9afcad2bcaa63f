package import NotesEngine
package import NotesModel

/// The engine's interface for the server. Tests substitute their own.
package protocol RequestSink: Sendable {
    /// Ids of the store and of this run's replica.
    var identity: StoreIdentity { get }
    /// Queues inputs, which are processed in this order. Returns false if the engine is stopping;
    /// then it has queued none of them.
    func submit(_ inputs: [Input]) -> Bool
    /// Returns the engine's state from its commit thread, between two commits; nil if the engine is
    /// stopping. A stuck commit delays the result.
    func heartbeat() async -> Heartbeat?
    /// Stops taking inputs, processes those that were taken, delivers their responses to the output
    /// sink, and closes the store.
    func finish() async
}

extension Engine: RequestSink {}
