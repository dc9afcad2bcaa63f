import NotesClient

extension WatchEvent {
    /// The message about the watch itself; nil for an event that needs none.
    package var sentence: String? {
        switch self {
        case .interrupted: "connection lost; waiting for the daemon to come back"
        case .started(let start) where start.isReset: "the daemon cannot continue from that cursor, so all notes follow"
        case .started(let start) where start.isResumed: "the daemon is back; continuing where the watch left off"
        case .reset: "this watch was too slow; the changes it missed follow"
        case .started, .changed, .synced, .bookmark, .presence: nil
        }
    }
}
