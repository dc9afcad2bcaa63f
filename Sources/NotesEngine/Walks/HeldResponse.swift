import NotesModel

/// The result of a write of a turn.
enum WriteResult {
    case answered(Response)
    /// The write was not executed, since its note has to be loaded first.
    case waits(for: NoteLoad)
    /// The write was not executed, since an earlier one of its connection waits.
    case follows
    /// The write was executed, and its response waits (`HeldResponse`).
    case held

    var response: Response? {
        if case .answered(let response) = self { response } else { nil }
    }
}

/// The response to an executed write, which waits until the sides of its note's conflicts are loaded,
/// or until an earlier response of its connection is sent.
///
/// It contains no text of the note, but shows the current note when it is sent. The exception is a response
/// that is complete (`Content.complete`).
struct HeldResponse {
    let requestNumber: UInt64
    /// See `Request.reservation`.
    let reservation: (any AnyObject & Sendable)?
    let content: Content

    enum Content {
        case complete(Response)
        /// An outcome without the merged state, which the response shows.
        case shows(Outcome, of: Command)
    }
}
