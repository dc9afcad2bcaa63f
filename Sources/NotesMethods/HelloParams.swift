package import NoteText
package import NotesModel

/// The program at one end of a connection.
package struct ClientInfo: Hashable, Sendable {
    /// Name of the program, at most `WireProtocol.labelBytesMax` bytes.
    package var name: ByteString
    /// Version of the program, for people.
    package var version: ByteString?

    package init(name: ByteString, version: ByteString? = nil) {
        self.name = name
        self.version = version
    }
}

/// Params of `session.hello`, which registers a connection.
package struct HelloParams: Hashable, Sendable {
    /// Protocol versions that the client supports. The daemon refuses a list without its own.
    package var protocols: [Int64]
    /// The client program.
    package var client: ClientInfo
    /// A name for this connection, which other clients see next to its changes.
    package var label: ByteString?
    /// The known encodings of the client's list, in its order of preference. Unknown ones are left
    /// out.
    package var positionEncodings: [PositionEncoding]

    package init(
        protocols: [Int64], client: ClientInfo, label: ByteString? = nil,
        positionEncodings: [PositionEncoding] = []
    ) {
        self.protocols = protocols
        self.client = client
        self.label = label
        self.positionEncodings = positionEncodings
    }

    /// The encoding of the session: the first known one, or UTF-8.
    package var positionEncoding: PositionEncoding { positionEncodings.first ?? .utf8 }
}
