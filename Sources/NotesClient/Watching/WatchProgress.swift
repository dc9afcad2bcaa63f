import NotesModel
import NotesWire

/// How far one watch came: what to ask for when the connection is made anew, and whether its lines keep to the order.
///
/// Lines of a watch on one connection are numbered from 1 without a gap, so a line that was dropped anywhere is noticed here.
/// A snapshot that was cut off before its first line is asked for again from its start; after that the cursor of the last line
/// covers what was delivered of it, and is enough.
struct WatchProgress {
    /// The daemon's number of the watch, while a connection is open and it is answered.
    private(set) var wireID: UInt64?
    private(set) var hasStarted = false
    private var request: WatchParams
    private var seq: UInt64 = 0

    init(_ request: WatchParams) {
        self.request = request
    }

    /// What to ask for now.
    var params: WatchParams { request }

    mutating func started(_ result: WatchResult) -> WatchStart {
        defer { hasStarted = true }
        wireID = result.watch
        seq = 0
        // Of a snapshot that is about to come, the cursor says nothing yet that the request does not.
        let isSnapshot = result.isReset || (request.since == nil && request.snapshot)
        if isSnapshot { request.snapshot = true }
        request.since = isSnapshot ? nil : result.cursor
        return WatchStart(cursor: result.cursor, isReset: result.isReset, isResumed: hasStarted)
    }

    mutating func connectionLost() {
        wireID = nil
    }

    /// - Returns: false where the line is not the one that follows.
    mutating func received(_ event: WatchEvent) -> Bool {
        guard let seq = event.seq, seq == self.seq + 1 else { return false }
        self.seq = seq
        if let cursor = event.cursor { request.since = cursor }
        return true
    }
}
