package import NotesEngine
package import NotesModel

/// The engine as the server sees it.
package protocol RequestSink: Sendable {
    /// Who the store is, and this run on it.
    var identity: StoreIdentity { get }
    /// Hands over inputs, to be taken in this order. Returns false once none are taken any more: then nothing of these was.
    func submit(_ inputs: [Input]) -> Bool
    /// Comes back from where it commits; nil where the engine takes nothing any more.
    func heartbeat() async -> Heartbeat?
    /// Takes nothing more, carries out what was taken, hands the answers to the courier, and closes the store.
    func finish() async
}

extension Engine: RequestSink {}
