package import NotesModel

/// The numbers of the contract, and the limits that a client is told in answer to hello.
package enum WireProtocol {
    /// The only version that is spoken.
    package static let version = 1
    /// What was added since its first edition, or is not there in every daemon.
    package static let capabilities: [ByteString] = ["config", "presence", "search"]
    /// Integers that every client's language can hold.
    package static let integers: ClosedRange<Int64> = -(1 << 53)...1 << 53
    /// Longest line until a valid hello was read, in bytes.
    package static let helloLineBytesMax = 64 * 1_024
    /// A connection is closed at the line that is the how-manieth to be too long.
    package static let tooLongLinesMax = 3
    /// How long a connection may take for its hello.
    package static let helloSecondsMax = 10
    /// A watch that has had nothing to say for so long gets a bookmark.
    package static let bookmarkSeconds = 30
    package static let listLimits = 1...1_000
    package static let listLimitDefault = 100
    package static let searchLimits = 1...100
    package static let searchLimitDefault = 20
    /// Of a dependent's label, and of its client's name and version.
    package static let labelBytesMax = 1_024
    /// How deep a client reads what the daemon sends. The limits of a session bind what clients send only.
    package static let serverDepthMax = 128
}

/// What binds the lines of a client.
package struct WireLimits: Hashable, Sendable {
    package var lineBytesMax = 32 * 1_024 * 1_024
    package var noteBytesMax = 4 * 1_024 * 1_024
    /// Requests of one connection that wait for their answers.
    package var inFlightMax = 256
    package var depthMax = 32
    /// Answers of one connection that wait to be read, in bytes.
    package var responseBytesMax = 8 * 1_024 * 1_024

    package init() {}
}
