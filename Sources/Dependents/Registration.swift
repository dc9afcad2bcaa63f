package import NotesModel

/// Who a dependent said it is at `session.hello`, and who the kernel says it is.
package struct Registration: Hashable, Sendable {
    package var clientName: ByteString
    package var clientVersion: ByteString
    package var label: ByteString?
    package var userID: UInt32
    package var userName: ByteString
    package var encoding: PositionEncoding

    package init(
        clientName: ByteString, clientVersion: ByteString, label: ByteString?, userID: UInt32, userName: ByteString,
        encoding: PositionEncoding
    ) {
        self.clientName = clientName
        self.clientVersion = clientVersion
        self.label = label
        self.userID = userID
        self.userName = userName
        self.encoding = encoding
    }
}

/// One registered dependent, for `dependents.list`.
package struct DependentDescription: Hashable, Sendable {
    package enum DependentState: String, Hashable, Sendable {
        /// It has been told all.
        case synced
        /// Something waits for it, or it is being sent what it missed.
        case lagging
        /// Entries of one of its watches at least were dropped, and it has not read since.
        case reset
    }

    package let dependent: DependentID
    package let registration: Registration
    package let watches: [WatchID]
    package let state: DependentState
    package let outboxBytes: Int
    /// Where it says that it is.
    package let presence: Presence?
}
