import Causality
package import Dependents
import NoteText
package import NotesMethods
package import NotesModel

/// One request of a connection. Its response carries the same request number, and a connection's
/// responses are in the order of its requests.
///
/// It is a class because several lists hold it on its way, and copying the params would retain ten
/// references.
package final class Request: Sendable {
    /// The connection.
    package let dependent: DependentID
    /// The number that the response carries.
    package let requestNumber: UInt64
    /// The request itself.
    package let body: Body
    /// Released when the engine is done with the request: it was answered, or never will be. Nil if
    /// no one counts pending requests.
    package let reservation: (any AnyObject & Sendable)?

    package init(dependent: DependentID, requestNumber: UInt64, body: Body, reservation: (any AnyObject & Sendable)? = nil) {
        self.dependent = dependent
        self.requestNumber = requestNumber
        self.body = body
        self.reservation = reservation
    }

    /// A copy of the request with another body. Its response answers the original request.
    func with(_ body: Body) -> Request {
        Request(dependent: dependent, requestNumber: requestNumber, body: body, reservation: reservation)
    }

    /// The kinds of requests. The session replaces two calls by what the engine needs of them, and adds to the
    /// params of others: the unit of their offsets, the id of a new note, and the user's rights.
    package enum Body: Sendable {
        /// The hello of a connection, which registers it as a dependent.
        case register(Registration)
        /// An offer of revisions of a peer, decoded.
        case adopt(OfferedRevisions)
        /// Any other call that the session does not answer itself.
        case call(Call)
    }
}

extension Request.Body {
    /// About how long the engine and the encoder of the response work on the request, as a multiple of a short
    /// read or write: of some 80 µs on an old processor.
    var weight: Int {
        guard case .call(let call) = self else { return 1 }
        return switch call {
        case .list(let list): 1 + list.limit / 16
        case .listTags(let list): 1 + list.limit / 12
        // With a filter, a page examines up to `JournalLimits.revisionsExaminedMax` commits.
        case .listRevisions(let list): list.filter == RevisionFilter() ? 1 + list.limit / 8 : 84
        case .history(let history): 1 + history.limit / 32
        case .listHeld(let list): 1 + list.limit / 16
        case .knownRevisions(let digests): 1 + digests.count / 32
        case .links(.resolve(let resolve)): 1 + resolve.targets.count / 2
        case .search(let search): 1 + search.limit / 8
        case .file(.list(let list)): 1 + list.limit / 8
        case .metrics: 32
        case .write(.undoNote(let undo)): 1 + undo.revisions.count / 64
        default: 1
        }
    }

    /// Whether the request changes nothing, so that only its response matters.
    var isOnlyRead: Bool { has(.readOnly) }

    /// Whether the request takes too long for the thread of an event loop.
    var isLong: Bool { has(.long) }

    private func has(_ trait: Method.Traits) -> Bool {
        switch self {
        case .register: Method.hello.has(trait)
        case .adopt: Method.adopt.has(trait)
        case .call(let call): call.method.has(trait)
        }
    }
}
