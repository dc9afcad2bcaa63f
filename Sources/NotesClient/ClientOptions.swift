package import NotesModel

/// How a client connects and what it does when the connection ends.
package struct ClientOptions: Sendable {
    package var socketPath: String
    /// What the client calls itself at hello.
    package var name: ByteString
    package var version: ByteString
    /// What others see beside the changes that it makes.
    package var label: ByteString?
    /// In order of preference.
    package var positionEncodings: [PositionEncoding] = [.utf8]
    /// Whether, and how soon, a lost connection is made again. Nil: a lost connection closes the client.
    package var reconnecting: Backoff?
    package var resending = Resending.nothing
    /// How long the daemon may take for its answer to hello.
    package var helloTimeout: Duration = .seconds(10)
    /// What one watch holds for a consumer that is slow; beyond it the socket is not read.
    package var bufferLimits = WatchBuffer.Limits()
    /// Draws the jitter of reconnecting, the ids of notes and the names of writes.
    package var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// What becomes of calls that were sent and not answered when a connection is lost, once there is a new one. Without a new
    /// one they fail either way.
    package enum Resending: Hashable, Sendable {
        /// They fail with `ClientError.connectionLost`.
        case nothing
        /// Those that may be repeated are sent again: reads, and writes, each of which is given an `op` if it has none.
        case whatMayBeRepeated
    }

    package init(socketPath: String, name: ByteString, version: ByteString, label: ByteString? = nil) {
        self.socketPath = socketPath
        self.name = name
        self.version = version
        self.label = label
    }
}
