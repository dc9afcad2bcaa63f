package import NoteText
package import NotesModel

/// The identity of a dependent: what it sent in `session.hello`, and the user from the kernel's
/// peer credentials.
package struct Registration: Hashable, Sendable {
    /// The name of the client program.
    package var clientName: ByteString
    /// The version of the client program.
    package var clientVersion: ByteString
    /// The label that the client chose, such as `laptop/vim`; nil if it sent none.
    package var label: ByteString?
    /// The user id from the peer credentials.
    package var userID: UInt32
    /// The name of that user.
    package var userName: ByteString
    /// The person for whom that user connected; nil if the client named none.
    package var person: ByteString?
    /// The only note that the connection reaches; nil for all notes.
    package var onlyNote: NoteID?
    /// The unit in which the client counts text positions.
    package var encoding: PositionEncoding

    package init(
        clientName: ByteString, clientVersion: ByteString, label: ByteString?, userID: UInt32, userName: ByteString,
        person: ByteString? = nil, onlyNote: NoteID? = nil, encoding: PositionEncoding
    ) {
        self.clientName = clientName
        self.clientVersion = clientVersion
        self.label = label
        self.userID = userID
        self.userName = userName
        self.person = person
        self.onlyNote = onlyNote
        self.encoding = encoding
    }
}

/// One registered dependent, for `dependents.list`.
package struct DependentDescription: Hashable, Sendable {
    /// How up to date the dependent is.
    package enum DependentState: String, Hashable, Sendable {
        /// Nothing is pending.
        case synced
        /// Changes or presence are pending, or a watch is catching up.
        case lagging
        /// At least one of its watches dropped entries, and the dependent has not read since.
        case reset
    }

    /// The number of its connection.
    package let dependent: DependentID
    /// Its identity.
    package let registration: Registration
    /// The ids of its watches, ascending.
    package let watches: [WatchID]
    /// How up to date it is.
    package let state: DependentState
    /// Bytes pending for it, changes and presence together.
    package let outboxBytes: Int
    /// Its presence; nil if it has none.
    package let presence: Presence?
}
