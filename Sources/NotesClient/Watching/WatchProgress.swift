import NotesModel
import NotesWire

/// The state of one watch: the params to send on the next connection, and a check of the order of
/// its lines.
///
/// The lines of a watch on one connection are numbered from 1 without a gap, so this detects a line
/// that was dropped anywhere. If the connection ends before the first line of a snapshot, the watch
/// requests the snapshot again from its start. After the first line, the cursor of the last line
/// covers everything that was delivered.
struct WatchProgress {
    /// The daemon's number of the watch; nil while the watch is not open on a connection.
    private(set) var wireID: UInt64?
    private(set) var hasStarted = false
    private var request: WatchNotes
    private var seq: UInt64 = 0

    init(_ request: WatchNotes) {
        self.request = request
    }

    /// The params for the next `notes.watch`.
    var params: WatchNotes { request }

    mutating func started(_ result: WatchResult) -> WatchStart {
        defer { hasStarted = true }
        wireID = result.watch
        seq = 0
        // Before the first line of a snapshot, resuming from the cursor would skip the snapshot.
        let isSnapshot = result.isReset || (request.since == nil && request.snapshot)
        if isSnapshot { request.snapshot = true }
        request.since = isSnapshot ? nil : result.cursor
        return WatchStart(cursor: result.cursor, isReset: result.isReset, isResumed: hasStarted)
    }

    mutating func connectionLost() {
        wireID = nil
    }

    /// Records a line.
    ///
    /// - Returns: false if the line is not the next one.
    mutating func received(_ event: WatchEvent) -> Bool {
        guard let seq = event.seq, seq == self.seq + 1 else { return false }
        self.seq = seq
        if let cursor = event.cursor { request.since = cursor }
        return true
    }
}
