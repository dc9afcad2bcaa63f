import NotesEngine
import NotesMethods
import NotesWire

extension ConnectionState {
    /// An action for the driver of a connection.
    enum Action: Sendable {
        /// Submit a request to the engine, in this order. The first request of a connection, and no
        /// other, is `register`. `bytes` is the length of the line.
        case submit(requestNumber: UInt64, Request.Body, bytes: Int)
        /// Count the connection as one of the person whom the limits name, and report with `limit` whether
        /// that person may have one more.
        case count(RequestID, SessionLimits)
        /// Encode the line, pass it to the socket, and report it with `wrote`.
        case write(OutboundLine)
        /// Tell the engine that all notifications of an output, or after `takeLagging`, were sent.
        case drained
        /// Close the output, and discard input until the client hangs up. Closing the socket at once
        /// could discard the last response to a client that is still sending.
        case closeOutput
        case close
    }
}
