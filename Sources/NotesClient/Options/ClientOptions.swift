package import NoteText
package import NotesMethods
package import NotesModel
import NotesWire

/// How a client connects, and what it does when the connection ends.
package struct ClientOptions: Sendable {
    /// Path of the daemon's socket. If `opening` is set, a name of the daemon for messages.
    package var socketPath: String
    /// Opens a connected stream socket to the daemon, which the client closes; nil connects to
    /// `socketPath`. Lines before the response to hello that are not from the daemon are skipped, since
    /// a login shell on the way may print some.
    package var opening: (@Sendable () throws -> Int32)?
    /// Name of the client program in its hello.
    package var name: ByteString
    /// Version of the client program in its hello.
    package var version: ByteString
    /// The label that other clients see next to the changes of this one.
    package var label: ByteString?
    /// Position encodings in order of preference.
    package var positionEncodings: [PositionEncoding] = [.utf8]
    /// What each connection gives up before its hello (`session.limit`); nil for nothing. The client refuses
    /// a daemon that cannot limit a connection.
    package var limits: SessionLimits?
    /// The waits between attempts to restore a lost connection; nil closes the client when its
    /// connection is lost.
    package var reconnecting: Backoff?
    /// What happens to pending calls when a lost connection has been restored.
    package var resending = Resending.nothing
    /// Longest wait for the response to hello.
    package var helloTimeout: Duration = .seconds(10)
    /// How long the daemon may be silent before the connection counts as lost; nil for any time.
    package var silence: SilenceLimits?
    /// How much one watch buffers for a slow consumer. The client stops reading the socket when a
    /// buffer is full.
    package var bufferLimits = BufferLimits()
    /// Source of the backoff's jitter, of note ids and of `op` values.
    package var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// What happens to calls without a response when a lost connection has been restored. If it is
    /// not restored, they fail in both cases.
    package enum Resending: Hashable, Sendable {
        /// The calls fail with `ClientError.connectionLost`.
        case nothing
        /// The client sends repeatable calls again: reads, and writes, each of which gets an `op`
        /// if it has none. Other calls fail.
        case whatMayBeRepeated
    }

    /// Options with defaults for everything but the socket and the names.
    package init(socketPath: String, name: ByteString, version: ByteString, label: ByteString? = nil) {
        self.socketPath = socketPath
        self.name = name
        self.version = version
        self.label = label
    }
}
