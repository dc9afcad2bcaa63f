package import NoteText

/// Constants of the protocol.
package enum WireProtocol {
    /// The only protocol version that the daemon supports.
    package static let version = 1
    /// Optional features of the protocol, which some daemons lack. The hello response lists them.
    package static let capabilities: [ByteString] = [
        "config", "files", "links", "order", "presence", "preview", "purge", "replication", "revisions", "search", "tags",
        "times", "undo",
    ]
    /// Range of integers on the wire: those that every client's language represents exactly,
    /// including those that hold numbers as IEEE doubles.
    package static let integers: ClosedRange<Int64> = -(1 << 53)...1 << 53
    /// Longest line that the daemon reads before a valid hello, in bytes.
    package static let helloLineBytesMax = 64 * 1_024
    /// Number of overlong lines at which the daemon closes a connection.
    package static let tooLongLinesMax = 3
    /// Time that a connection has to send its hello, in seconds.
    package static let helloSecondsMax = 10
    /// Allowed values of `limit` in `note.list` and `note.history`.
    package static let listLimits = 1...1_000
    /// Largest number of revisions or operations that one `note.undo` names.
    package static let undoneMax = 10_000
    /// Largest number of revisions of `revisions.adopt`.
    package static let adoptedRevisionsMax = 256
    /// Largest number of dots of `revisions.drop`.
    package static let droppedMax = 1_000
    /// Largest number of beginnings of notes in `revisions.adopt`. Each may have tens of thousands of
    /// revisions, and is one commit.
    package static let begunNotesMax = 16
    /// Largest total size of the revisions and beginnings of `revisions.adopt`, in bytes; a single one may be larger.
    package static let adoptedBytesMax = 1 << 20
    /// The number of the rules by which the daemon shows texts and conflicts. A change of what any
    /// history shows raises it, since daemons with different rules would show different texts.
    package static let view = 4
    /// Largest number of hashes of `files.have`.
    package static let haveFilesMax = 1_000
    /// Largest number of targets of `links.resolve`.
    package static let resolvedTargetsMax = 100
    /// Allowed values of `limit` in `note.search`.
    package static let searchLimits = 1...100
    /// Longest label of a dependent, and longest name and version of its client, in bytes.
    package static let labelBytesMax = 1_024
    /// Longest name of a person for whom a user connects (`user` of `session.limit`), in bytes.
    package static let personBytesMax = 64
    /// Deepest nesting that a client accepts in lines from the daemon. The limits of a session
    /// apply only to lines from the client.
    package static let serverDepthMax = 128
}

/// The limits on one connection, as the daemon sends them in the hello response.
package struct WireLimits: Hashable, Sendable {
    /// Longest line of a client, in bytes without the LF.
    package var lineBytesMax = 32 * 1_024 * 1_024
    /// Longest text of a note, in bytes.
    package var noteBytesMax = 4 * 1_024 * 1_024
    /// Requests of one connection that may wait for their responses at the same time.
    package var inFlightMax = 256
    /// Deepest nesting of arrays and objects in a line.
    package var depthMax = 32
    /// Responses of one connection that may be buffered until the client reads them, in bytes.
    package var responseBytesMax = 8 * 1_024 * 1_024

    /// The defaults.
    package init() {}
}
