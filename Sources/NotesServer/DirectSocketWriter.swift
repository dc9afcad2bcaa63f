import NIOCore

#if canImport(Glibc)
    import Glibc
#endif

/// A connection's socket, to write to past its channel while that has nothing to write: a thousand lines that each go to another
/// connection cost several times what the system charges for them on the way through the channels.
///
/// Used on the connection's event loop only, and only while the channel is active, which closes the socket on that loop, too.
struct DirectSocketWriter {
    private let handle: NIOBSDSocket.Handle

    /// Nil where the channel is of another kind.
    init?(of channel: any Channel) {
        let handle = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
        guard let handle = handle ?? nil else { return nil }
        self.handle = handle
    }

    /// Writes as much as the socket takes at once. Returns how many bytes that is: none where it is full, or where the peer has gone,
    /// which the channel finds out by itself.
    func write(_ buffer: ByteBuffer) -> Int {
        buffer.withUnsafeReadableBytes { bytes in
            max(0, send(handle, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)))
        }
    }
}
