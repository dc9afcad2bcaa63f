/// A connection whose bytes a program passes on without reading them.
package enum RawConnection {
    /// Connects to the daemon's socket.
    ///
    /// - Returns: the number of a blocking stream socket, which the caller closes.
    /// - Throws: `ClientError` with the reason.
    package static func open(_ path: String) throws(ClientError) -> Int32 {
        try DirectSocket.descriptor(to: path)
    }
}
