import Glibc
import NIOCore

/// Writes directly to a connection's socket while its channel has nothing to write. If each of a
/// thousand lines goes to another connection, passing them through the channels costs several times
/// as much as the system calls.
///
/// Used on the connection's event loop only, and only while the channel is active. The channel
/// closes the socket on the same loop, so the descriptor is valid.
struct DirectSocketWriter {
    private let handle: NIOBSDSocket.Handle

    /// Returns nil for a channel without a socket.
    init?(of channel: any Channel) {
        let handle = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
        guard let handle = handle ?? nil else { return nil }
        self.handle = handle
    }

    /// Writes as much as the socket accepts without blocking. Returns the number of bytes written:
    /// 0 if the socket is full, or if the client is gone, which the channel detects by itself.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        max(0, send(handle, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)))
    }
}
