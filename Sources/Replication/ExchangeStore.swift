package import Causality
package import NotesMethods
package import NotesModel
package import NotesWire

/// A store that exchanges revisions, as the replicator sees it: a connection to its daemon.
package protocol ExchangeStore: Sendable {
    /// The id of the store.
    var store: ReplicaID { get async throws }
    /// The replica of the daemon's run.
    var replica: ReplicaID { get async throws }

    /// The revisions of the store, and the digests of some of them. A hub returns none.
    ///
    /// - Throws: an error of the connection.
    func known(digests: DotSet) async throws -> KnownRevisionsResult
    /// Starts to send revisions, page by page, until the connection ends.
    func watch(_ params: WatchRevisions) async throws -> RevisionPages
    /// States which pages the receiver holds.
    func proceed(_ params: ProceedParams) async throws
    /// States that the receiver has the bytes that these revisions name. A store that keeps no record of it does nothing.
    func complete(_ revisions: DotSet) async throws
    /// Offers revisions and beginnings of notes to the store.
    ///
    /// - Parameter placed: called when the store takes what is offered from then on after this. Never called if
    ///   the connection fails before.
    /// - Throws: an error of the connection. What the store does not take is in the answer.
    func adopt(_ offer: AdoptParams, placed: @escaping @Sendable () -> Void) async throws -> AdoptAnswer

    /// Whether the store keeps the bytes of files.
    var hasFiles: Bool { get async throws }
    /// Sends a request about files.
    ///
    /// - Throws: `FileDenial` if the store answers with an error, or an error of the connection.
    func answer<Answer: WireResult>(to request: FileRequest, as answer: Answer.Type) async throws -> Answer
}

/// Why a store does not carry out a request about files.
package enum FileDenial: Error, Hashable, Sendable {
    /// The uploaded bytes do not have their hash.
    case differs(String)
    /// It concerns this file only.
    case file(String)
    /// The store takes nothing at present, for example because its disk is full.
    case later(String)
}

extension ExchangeStore {
    /// The revisions of the store.
    package func known() async throws -> KnownRevisionsResult { try await known(digests: DotSet()) }

    /// Offers revisions and beginnings of notes to the store.
    package func adopt(_ offer: AdoptParams) async throws -> AdoptAnswer { try await adopt(offer, placed: {}) }
}

/// The revisions that a store sends.
package struct RevisionPages: Sendable {
    /// The response to the start.
    package let start: WatchRevisionsResult
    /// The pages; the stream throws when the connection ends.
    package let pages: AsyncThrowingStream<RevisionsPage, any Error>

    package init(start: WatchRevisionsResult, pages: AsyncThrowingStream<RevisionsPage, any Error>) {
        self.start = start
        self.pages = pages
    }
}

/// The answer of a store to an offer.
package enum AdoptAnswer: Hashable, Sendable {
    /// The store took the request.
    case adopted(AdoptResult)
    /// The store refuses a revision of the request, or its size. Others may be accepted alone.
    case unacceptable(String)
    /// The store takes nothing at present, for example because its disk is full.
    case later(String)
}
